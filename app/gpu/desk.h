// Where the GPU panel's data come together: the worker client, the recordings, and a thread that predicts and simulates
// what the kernels should do. update() never waits.
#pragma once

#include "app/gpu/gpu_view.h"
#include "app/gpu/recorded_board.h"
#include "app/gpu/run_plan.h"
#include "app/gpu/worker_client.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace tilewalk {

struct DeskOptions {
  WorkerCommand command;
  std::vector<std::filesystem::path> recordings;  // folders
  bool shipped = false;                           // no folder holds the recordings that are part of the program
  std::filesystem::path save_to;                  // where "save" puts recordings; empty: nowhere
  std::function<double()> clock;                  // seconds
  std::function<std::string()> date;              // UTC, ISO 8601
  std::function<void()> wake;                     // called from other threads
  WorkerDeadlines deadlines{};
  bool ahead = true;  // recordings are read before anybody asks for them
};

struct DeskWork;

class GpuDesk {
 public:
  explicit GpuDesk(DeskOptions options);
  ~GpuDesk();

  void start();  // the worker; call it after the first frame
  // Runs go to a class's GPU from now on; null: to this program's own worker again.
  void use_class(std::shared_ptr<ClassGpu> gpu);
  // Takes what has arrived, carries out the view's wishes, and brings its status and board up to date. `open`: somebody
  // looks at the panel, so that predictions are worth their time. True when there is something new to draw. A sentence
  // for the status line goes to `notice`.
  bool update(const OnStage& stage, bool open, GpuView& view, std::string& notice);
  double seconds_to_deadline() const;
  bool settled() const;  // nothing is looked for, run, counted or simulated
  const WorkerClient& client() const { return client_; }

 private:
  void fulfil(const OnStage& stage, GpuView& view, std::string& notice);
  bool update_program(GpuView& view);
  void send_prepared(GpuView& view, std::string& notice);
  std::string save(const GpuView& view) const;
  void open(const std::filesystem::path& file, GpuView& view);
  void ask_recordings();  // of the folders, once

  DeskOptions options_;
  WorkerClient client_;
  std::unique_ptr<DeskWork> work_;
  std::shared_ptr<const GpuBoard> made_;  // the last board, and what it was made for; a stop of a talk sets its own
  std::string made_for_;
  std::string board_for_, run_for_;  // likewise, but for whose recordings; and what was run last
  int64_t seen_status_ = -1;
  bool panel_open_ = false;
  bool tried_recordings_ = false, told_recordings_ = false;
  double drawn_ = 0;  // when progress was last reported
};

}  // namespace tilewalk
