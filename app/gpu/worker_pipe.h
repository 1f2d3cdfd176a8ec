// The client's way to a worker: lines there, and what was read of its lines back. A process of our own
// (app/gpu/child.h) or the GPU of a class (app/gpu/class_gpu.h). No call waits.
#pragma once

#include "core/classroom/run_queue.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// How a process ended.
struct ChildEnd {
  // Unread: this program could not take in what it said, for want of memory.
  enum class Why : uint8_t { Exited, Signalled, Rubbish, LongLine, Unread, NotStarted } why = Why::Exited;
  int code = 0;  // exit code, or number of the signal
};

class WorkerPipe {
 public:
  // Called beside the caller's thread, where there are threads, with one line; what it returns waits for take().
  // Nothing: the line was no message and counts as rubbish.
  using Reader = std::function<std::shared_ptr<const void>(std::string_view line)>;

  virtual ~WorkerPipe() = default;

  virtual void send(std::string line) = 0;    // without its line break
  virtual void expect_large(bool large) = 0;  // a long line may come: the answer to a run
  virtual std::vector<std::shared_ptr<const void>> take() = 0;
  virtual std::optional<ChildEnd> ended() const = 0;  // once it is reaped and all that it said was taken
  // What it said last on standard error: the last line that was not empty, or, once nothing followed for a moment, one
  // without its end, as a question for a password is.
  virtual std::string last_error() const = 0;
  virtual std::vector<std::string> last_errors() const = 0;  // the last few such lines, oldest first
  // The last line on standard output that was no message, in quotes and cut; empty where there was none.
  virtual std::string last_rubbish() const = 0;
  virtual void end() = 0;           // asks for the end and returns at once
  virtual bool reaped() const = 0;  // the destructor would not wait
  virtual int pid() const = 0;      // -1: it is no process
  // Of the run that is on, where there is a queue.
  virtual std::optional<RunPlace> place() const { return std::nullopt; }
};

}  // namespace tilewalk
