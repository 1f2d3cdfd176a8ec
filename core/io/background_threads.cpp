#include "core/io/background.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace tilewalk {

struct Background::Worker {
  explicit Worker(std::function<bool()> does) : piece(std::move(does)) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
    }
    ready.notify_all();
    thread.join();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      ready.wait(lock, [this] { return quit || awake; });
      awake = false;
      while (!quit) {
        lock.unlock();
        const bool more = piece();
        lock.lock();
        if (!more) break;
      }
      if (quit) return;
    }
  }

  std::function<bool()> piece;
  std::mutex mutex;  // of quit and awake
  std::condition_variable ready;
  bool quit = false, awake = false;
  std::thread thread{[this] { run(); }};
};

Background::Background(std::function<bool()> piece) : worker_(std::make_unique<Worker>(std::move(piece))) {}
Background::~Background() = default;

void Background::wake() {
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->awake = true;
  }
  worker_->ready.notify_one();
}

bool background_turn() { return false; }

std::future<std::string> beside(std::function<std::string()> work) {
  return std::async(std::launch::async, std::move(work));
}

}  // namespace tilewalk
