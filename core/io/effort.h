// How much a thread may still do for one asker: a lesson's file, a frame of the window, a task that may be given up.
// Long loops call spend(). Where the effort is used up, or another thread wants an end, spend() throws; whoever opened
// the effort catches. No clock: what is refused is refused on every machine alike.
//
// A unit is a step of a program that is counted or followed, or whatever takes as long: some ten nanoseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

namespace tilewalk {

class Effort {
 public:
  struct Ended : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  struct Spent : Ended {  // the units are used up
    Spent() : Ended("more is asked for than is worked out at once") {}
  };
  struct Stopped : Ended {  // another thread has said so
    Stopped() : Ended("this was given up") {}
  };
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max() / 2;

  // Of this thread, until it is destroyed; an effort within another one is charged to both.
  explicit Effort(int64_t units = kUnbounded, const std::atomic<bool>* stop = nullptr);
  ~Effort();
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;

  // From now on first_time() tells one name from the next; otherwise it is always false.
  void keep_ledger() { ledger_.emplace(); }
  // Whether this thread's innermost effort keeps a ledger and `name` was not yet in it; now it is. For what is kept and
  // costs nothing the second time: where a ledger is, it is charged as if it had been worked out there, so that the
  // same asker gets the same answer whatever was asked before.
  static bool first_time(const std::string& name);

  static int64_t left();  // of this thread's innermost one; kUnbounded where there is none
  int64_t spent() const { return units_ - left_; }
  bool used_up() const { return left_ < 0; }

  static void spend(int64_t units);  // of the innermost one; nothing where there is none
  static void stop_if_wanted();      // Stopped, where this or an outer effort has been told to stop

 private:
  void look_around() const;
  static thread_local Effort* innermost_;
  int64_t units_, left_, next_look_;
  const std::atomic<bool>* stop_;
  Effort* outer_;
  std::optional<std::set<std::string>> ledger_;
};

inline void spend(int64_t units = 1) { Effort::spend(units); }

}  // namespace tilewalk
