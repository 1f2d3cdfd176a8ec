// A process of our own at the other end of three pipes: lines in, lines out, and what it last said on standard error.
//
// A thread reads and writes the pipes, so that no caller ever waits: send() and take() cost a lock. Memory is bounded
// whatever the process prints: text that begins like no message is thrown away as it comes, a line has a limit, and
// while kMostWaiting messages lie unread the pipe is left full. The process leads a group of its own; it and what it
// started are ended with SIGTERM, then after a grace time SIGKILL, and are always reaped.
#pragma once

#include "app/gpu/worker_pipe.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct ChildLimits {
  size_t line = size_t{64} << 20;  // bytes of one line, once expect_large(true) was said
  size_t small_line = 256 << 10;   // until then
  size_t rubbish = 64 << 10;       // bytes that are no message; past that the process is ended
  double grace = 1.0;              // seconds between SIGTERM and SIGKILL, while nobody waits for them
};

class Child : public WorkerPipe {
 public:
  static constexpr size_t kMostWaiting = 64;
  static constexpr double kHurry = 0.1;  // the grace time at most, once the destructor waits

  // Starts the command; the reader, and `wake` whenever there is something to take, are called in the reading thread.
  Child(std::vector<std::string> argv, Reader reader, std::function<void()> wake, ChildLimits limits = {});
  ~Child() override;  // ends the process and waits until it is reaped: kHurry seconds and a little
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(std::string line) override;
  void expect_large(bool large) override;
  std::vector<std::shared_ptr<const void>> take() override;
  std::optional<ChildEnd> ended() const override;
  std::string last_error() const override;
  std::vector<std::string> last_errors() const override;
  std::string last_rubbish() const override;
  void end() override;
  bool reaped() const override;
  int pid() const override;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tilewalk
