// A process of our own at the other end of three pipes: lines in, lines out, and what it last said on standard error.
//
// A thread reads and writes the pipes, so that no caller ever waits: send() and take() cost a lock. Memory is bounded
// whatever the process prints: text that begins like no message is thrown away as it comes, a line has a limit, and
// while kMostWaiting messages lie unread the pipe is left full. The process leads a group of its own; it and what it
// started are ended with SIGTERM, then after a grace time SIGKILL, and are always reaped.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct ChildLimits {
  size_t line = size_t{64} << 20;  // bytes of one line, once expect_large(true) was said
  size_t small_line = 256 << 10;   // until then
  size_t rubbish = 64 << 10;       // bytes that are no message; past that the process is ended
  double grace = 1.0;              // seconds between SIGTERM and SIGKILL, while nobody waits for them
};

// How a process ended.
struct ChildEnd {
  // Unread: this program could not take in what it said, for want of memory.
  enum class Why { Exited, Signalled, Rubbish, LongLine, Unread, NotStarted } why = Why::Exited;
  int code = 0;  // exit code, or number of the signal
};

class Child {
 public:
  // Called in the reading thread with one line; what it returns waits for take(). Nothing: the line was no message and
  // counts as rubbish.
  using Reader = std::function<std::shared_ptr<const void>(std::string_view line)>;
  static constexpr size_t kMostWaiting = 64;
  static constexpr double kHurry = 0.1;  // the grace time at most, once the destructor waits

  // Starts the command; `wake` is called, in the reading thread, whenever there is something to take.
  Child(std::vector<std::string> argv, Reader reader, std::function<void()> wake, ChildLimits limits = {});
  ~Child();  // ends the process and waits until it is reaped: kHurry seconds and a little
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(std::string line);    // without its line break
  void expect_large(bool large);  // a long line may come: the answer to a run
  std::vector<std::shared_ptr<const void>> take();
  std::optional<ChildEnd> ended() const;  // once it is reaped and all that it said was taken
  // What it said last on standard error: the last line that was not empty, or, once nothing followed for a moment, one
  // without its end, as a question for a password is.
  std::string last_error() const;
  std::vector<std::string> last_errors() const;  // the last few such lines, oldest first
  // The last line on standard output that was no message, in quotes and cut; empty where there was none.
  std::string last_rubbish() const;
  void end();           // asks for the end and returns at once
  bool reaped() const;  // the destructor would not wait
  int pid() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tilewalk
