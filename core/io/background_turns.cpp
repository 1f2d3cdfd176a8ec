#include "core/io/background.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewalk {

struct Background::Worker {
  explicit Worker(std::function<bool()> does) : piece(std::move(does)) { all().push_back(this); }
  ~Worker() { std::erase(all(), this); }

  static std::vector<Worker*>& all() {
    static std::vector<Worker*> workers;
    return workers;
  }

  std::function<bool()> piece;
  bool awake = false;
};

Background::Background(std::function<bool()> piece) : worker_(std::make_unique<Worker>(std::move(piece))) {}
Background::~Background() = default;

void Background::wake() { worker_->awake = true; }

bool background_turn() {
  for (Background::Worker* worker : Background::Worker::all()) {
    if (!worker->awake) continue;
    if (worker->piece()) return true;
    worker->awake = false;
  }
  return false;
}

std::future<std::string> beside(std::function<std::string()> work) {
  return std::async(std::launch::deferred, std::move(work));
}

}  // namespace tilewalk
