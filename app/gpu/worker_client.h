// The app's end of the pipe to tilewalk-gpu: starts the worker, or asks that of a class, speaks core/run/protocol.h
// with it, keeps its deadlines, and turns everything that can go wrong into a state and two sentences. Nothing here
// waits: poll() takes what the reading thread has parsed. A worker that died, hung or printed rubbish is ended, and the
// next run starts a new one.
#pragma once

#include "app/gpu/child.h"
#include "app/gpu/class_gpu.h"
#include "app/gpu/gpu_status.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct WorkerCommand {
  std::vector<std::string> argv;         // empty: there is no worker
  std::string host;                      // of the computer that ssh goes to; empty for this one
  std::shared_ptr<ClassGpu> of_class{};  // instead of a process
  // What is said where there is none, and what can be done.
  std::string missing = "The GPU worker, tilewalk-gpu, is not beside this program.";
  std::string remedy = "All lessons work with recorded runs; --gpu-worker names a worker elsewhere.";

  bool names_one() const { return of_class || !argv.empty(); }
};
// A command as people type it goes to /bin/sh: "ssh gpubox tilewalk-gpu serve". Without one, tilewalk-gpu is looked for
// in the folder of the program.
WorkerCommand worker_command(std::string_view typed, const std::filesystem::path& program_folder);

struct WorkerDeadlines {  // seconds
  double hello = 10;
  double silence = 20;   // while it runs
  double cancel = 5;     // from the cancel to the worker's word that it stopped
  double repeats = 120;  // while it speaks and gets no further
  double run = 1800;     // of one request, however far it gets
};

class WorkerClient {
 public:
  // `clock` tells seconds; `wake` is called from another thread when poll() has something to do.
  WorkerClient(WorkerCommand command, std::function<double()> clock, std::function<void()> wake,
               WorkerDeadlines deadlines = {}, ChildLimits limits = {});
  ~WorkerClient();

  void use(WorkerCommand command);     // from now on, begun at once
  void start();                        // a new worker; one that is there is ended
  bool poll();                         // whether the status changed
  double seconds_to_deadline() const;  // until poll() has to be called even if nothing is heard; infinity

  // Sends the request, starting a worker where there is none. False while one runs or there is no GPU to run on.
  bool run(RunSpec spec, bool anyway = false);
  // Asks for the GPU's own roofs, which come as GpuStatus::ceilings while the state stays what it is. False while there
  // is no GPU, or it is in use.
  bool measure_ceilings(bool anyway = false);
  // Runs a program; the answer comes as GpuStatus::program. False likewise.
  bool run_program(ProgramSpec spec, bool anyway = false);
  void cancel();  // whichever is on

  bool busy() const { return waiting_ || at_work(); }
  const GpuStatus& status() const { return status_; }
  int pid() const { return pipe_ ? pipe_->pid() : -1; }

 private:
  bool at_work() const { return running_ || measuring_ || program_; }
  struct Heard;
  struct Listening;
  void drop_pipe();
  void drop_unconfirmed(std::string_view why);
  void refuse(RunResult said, std::vector<std::string> why);
  void begin(int64_t id, const RunSpec* spec);
  bool too_many();
  double taken() const;  // seconds of the request that is on, as its answer may be held against
  bool advances(const Progress& progress) const;
  void hear(const Heard& heard);
  void hear(const Hello& hello);
  void hear(const Progress& progress);
  void hear(const Partial& partial, std::vector<RunFault> faults);
  void hear(const Done& done, std::vector<RunFault> faults);
  void hear(const Failure& failure);
  void hear(const CeilingDone& done);
  void hear(const CeilingsDone& done);
  void hear(const ProgramDone& done);
  void ended(const ChildEnd& end);
  void lost(std::string what, std::string remedy);
  void set(GpuState state, std::string what = {}, std::string remedy = {});
  void send(RunRequest request);
  std::string words_of(const ChildEnd& end) const;
  std::string looking_words() const;

  WorkerCommand command_;
  std::function<double()> clock_;
  std::function<void()> wake_;
  WorkerDeadlines deadlines_;
  ChildLimits limits_;
  std::unique_ptr<WorkerPipe> pipe_;
  std::vector<std::unique_ptr<WorkerPipe>> leaving_;  // ended, not yet reaped
  std::shared_ptr<Listening> listening_;              // what the reading thread checks answers against
  GpuStatus status_;
  std::optional<RunRequest> waiting_;  // sent when the worker has said hello
  std::optional<RunRequest> running_;
  std::optional<int64_t> measuring_;  // id of the request for ceilings
  std::optional<ProgramRequest> program_;
  std::shared_ptr<const Ceilings>
      whole_;  // the last that were measured to the end, for when a later measurement is not
  int64_t next_id_ = 1;
  double started_ = 0, heard_ = 0, cancelled_ = -1;
  double begun_ = 0, advanced_ = 0;  // of the request that is on: when it was sent, when it last got further
  int64_t messages_ = 0;             // since then, or that nobody asked for since it ended
  std::optional<Progress> furthest_;
};

}  // namespace tilewalk
