// Ends a wait that nobody else can end: a call into CUDA or NCCL that does not come back, since a GPU does not.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tilewalk::gpu {

class Watchdog {
 public:
  // Calls `bite` with one sentence from a thread of its own, unless the watchdog goes within `seconds`.
  Watchdog(double seconds, std::string doing, std::function<void(const std::string&)> bite);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable gone_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace tilewalk::gpu
