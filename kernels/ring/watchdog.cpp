#include "kernels/ring/watchdog.h"

#include <fmt/format.h>

#include <chrono>

namespace tilewalk::gpu {

Watchdog::Watchdog(double seconds, std::string doing, std::function<void(const std::string&)> bite)
    : thread_([this, seconds, doing = std::move(doing), bite = std::move(bite)] {
        std::unique_lock lock(mutex_);
        if (!gone_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
          bite(fmt::format("{} did not come to an end within {:g} s: a GPU of the ring does not answer.", doing,
                           seconds));
      }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  gone_.notify_one();
  thread_.join();
}

}  // namespace tilewalk::gpu
