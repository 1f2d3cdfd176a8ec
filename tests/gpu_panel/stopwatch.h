// The longest of many short waits, as far as the program is to blame: a busy test machine takes the processor away for
// longer now and then. Of a wait in which it did, the time that this thread itself worked counts; and the few longest
// are left out, unless one is longer than any such pause.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include <sys/resource.h>

namespace tilewalk::test {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds that this thread has worked, and how often the processor was taken from it.
inline double own() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
inline long times_taken() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

class Longest {
 public:
  template <class Act>
  void time(Act&& act) {
    const double before = now(), worked = own();
    const long taken = times_taken();
    act();
    const double took = times_taken() == taken ? now() - before : own() - worked;
    if (took > 0.05) pauses_.push_back(took);
    longest_ = std::max(longest_, took);
  }
  // Seconds.
  double value() const {
    constexpr size_t kForgiven = 3;
    if (longest_ > 1 || pauses_.size() > kForgiven) return longest_;
    return std::min(longest_, 0.049);
  }

 private:
  std::vector<double> pauses_;
  double longest_ = 0;
};

}  // namespace tilewalk::test
