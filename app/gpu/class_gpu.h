// The GPU of a class as a window's client has it (app/gpu/worker_client.h): requests wait here until they go out with
// the class's other messages, and answers until the client takes them. All in one thread, but that answers are read and
// checked beside it.
#pragma once

#include "app/gpu/worker_pipe.h"
#include "core/classroom/attendance.h"
#include "core/run/protocol.h"

#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

class ClassGpu {
 public:
  explicit ClassGpu(std::string hello);  // the worker's line
  const std::string& hello() const;

  // ---- of whoever carries the class's messages
  std::vector<ToWorker> take_asked();  // runs, programs, and those that are not wanted any more
  void waits(int64_t id, const RunPlace& place);
  void answered(int64_t id, std::string line);  // the worker's, of any number
  void refused(int64_t id, std::string why);    // one sentence

  // ---- of the client: one pipe at a time, which begins with the hello
  std::unique_ptr<WorkerPipe> open(WorkerPipe::Reader reader, std::function<void()> wake);

 private:
  struct Said;
  struct Mail;
  class Pipe;
  std::shared_ptr<Mail> mail_;
};

// Requests to the class's other messages, and what came of runs to the client.
void carry_runs(Attendance& with, ClassGpu& gpu);

}  // namespace tilewalk
