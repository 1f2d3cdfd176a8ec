#include "app/gpu/desk.h"

#include "app/gpu/board.h"
#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/audit.h"
#include "core/run/run_json.h"
#include "core/roofline/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace tilewalk {
namespace {

constexpr double kBetweenProgress = 0.25;  // seconds

// All that the board depends on of what a person chose.
std::string asked_words(const OnStage& stage, const GpuView& view) {
  switch (view.shape) {
    case GpuShape::Benchmark: return fmt::format("{} N{} group{}", key_of(stage.problem), view.benchmark_n, view.group);
    case GpuShape::Fp8: return fmt::format("{} N{} fp8", key_of(stage.problem), view.benchmark_n);
    case GpuShape::Decode: return fmt::format("decode {} {}", view.decode_n, view.group);
    case GpuShape::Backward: return fmt::format("{} N{} backward", key_of(stage.problem), view.benchmark_n);
    case GpuShape::Ladder:
      return fmt::format("ladder {} {} {}", view.ladder_d, int(view.ladder_mask), int(view.kernel));
    case GpuShape::Stage: break;
  }
  return fmt::format("{} {:x} {}", key_of(stage.problem), stage.hash, stage.problem.bc);
}

}  // namespace

GpuDesk::GpuDesk(DeskOptions options)
    : options_(std::move(options)),
      client_(options_.command, options_.clock, options_.wake, options_.deadlines),
      work_(std::make_unique<DeskWork>()) {
  work_->wake = options_.wake;
}

GpuDesk::~GpuDesk() = default;

void GpuDesk::start() {
  client_.start();
  if (!options_.ahead) return;
  // Boards set runs beside the model: read before they are asked for, as that takes longer than a frame.
  work_->ask("shipped", [] { held_cells(); });  // and with them the recordings
  ask_recordings();
}

void GpuDesk::use_class(std::shared_ptr<ClassGpu> gpu) {
  work_->prepared.reset();
  WorkerCommand command = options_.command;
  command.of_class = std::move(gpu);
  client_.use(std::move(command));
}

double GpuDesk::seconds_to_deadline() const { return client_.seconds_to_deadline(); }

bool GpuDesk::settled() const {
  const GpuState state = client_.status().state;
  if (state == GpuState::Probing || state == GpuState::Running || work_->prepared || client_.busy()) return false;
  const std::lock_guard lock(work_->mutex);
  return work_->tasks.empty() && !work_->working && (!panel_open_ || work_->version == work_->seen);
}

bool GpuDesk::update(const OnStage& stage, bool open, GpuView& view, std::string& notice) {
  client_.poll();
  fulfil(stage, view, notice);
  send_prepared(view, notice);
  bool changed = client_.status().changes != seen_status_;
  // Drawing may go to the GPU that is being timed: progress is shown four times a second at most.
  if (changed && view.status.state == GpuState::Running && client_.status().state == GpuState::Running) {
    if (options_.clock() - drawn_ < kBetweenProgress) return !notice.empty();
    drawn_ = options_.clock();
  }
  if (changed) {
    const GpuState before = view.status.state;
    seen_status_ = client_.status().changes;
    view.status = client_.status();
    if (before == GpuState::Running && view.status.state != GpuState::Running && view.status.result) {
      view.recorded = false;
      if (view.measured.size() >= kMeasured) view.measured.erase(view.measured.begin());
      view.measured.push_back(view.status.result);
    }
  }
  if (const std::lock_guard lock(work_->mutex); work_->recordings != view.recordings) {
    view.recordings = work_->recordings;
    changed = true;
  }
  if (update_program(view)) changed = true;
  view.rows_shown = panel_open_ = open || view.recorded;
  const std::string asked = asked_words(stage, view);
  if (!panel_open_) {
    if (changed) made_for_.clear();  // the board is behind
    std::shared_ptr<const RunResult> shown;
    if (asked == run_for_)
      shown = view.status.result;
    else if (view.board && asked == board_for_)
      shown = view.board->shows_measured();
    return std::exchange(view.shown, shown) != shown || changed;
  }

  ask_recordings();
  const std::string made_for = fmt::format("{} {} {}", asked, view.recorded, id_of(view.recorded_on));
  int64_t version;
  {
    const std::lock_guard lock(work_->mutex);
    version = work_->version;
  }
  // While the GPU is timed nothing is computed and nothing drawn but what the worker reports.
  if (!changed && view.board && view.board == made_ && made_for == made_for_ && version == work_->seen) return false;
  if (made_for != made_for_) work_->drop_rest();
  made_for_ = made_for;
  work_->seen = version;
  if (const std::lock_guard lock(work_->mutex); work_->recordings && !told_recordings_) {
    told_recordings_ = true;
    if (!work_->recordings->faults.empty()) notice = work_->recordings->faults.front();
    view.fa3_stamps = pick_stamps(*work_->recordings, RecordedGpu::H200);  // of which lesson 11 speaks
  }
  const RunPlan plan = plan_of(stage, view);
  const auto any_result = [](const GpuBoard& board) {
    return std::ranges::any_of(board.rows, [](const GpuRow& row) { return row.result != nullptr; });
  };
  const bool had_result = view.board && any_result(*view.board);
  view.board = made_ = with_what_is_known(make_board(plan, view, *work_), view.board.get());
  view.shown = view.board->shows_measured();
  board_for_ = asked;
  if (!view.kernel_chosen) view.kernel = view.board->row(Method::Fa2Small) ? Method::Fa2Small : Method::Fa2;
  // Where results have just come and the chosen kernel has none, one that has is shown.
  if (const GpuRow* row = view.board->row(view.kernel);
      view.status.state != GpuState::Running && row && !row->result && !had_result && any_result(*view.board))
    for (const GpuRow& each : view.board->rows)
      if (each.result) view.kernel = each.kernel;
  if (!view.board->row(view.kernel)) view.kernel = Method::Fa2;
  if (view.status.state != GpuState::Running) order_rest(*view.board, client_.status(), plan.inputs, *work_);
  return true;
}

// What Write shows of its program; true where it is another picture now.
bool GpuDesk::update_program(GpuView& view) {
  if (!view.program) return std::exchange(view.program_card, nullptr) != nullptr;
  const auto card = program_card(*view.program, view.status.program, view.recorded_on, *work_);
  if (!card || card == view.program_card) return false;  // what was shown stays until there is something else
  view.program_card = card;
  return true;
}

void GpuDesk::fulfil(const OnStage& stage, GpuView& view, std::string& notice) {
  const GpuView::Wishes wishes = std::exchange(view.wishes, {});
  if (wishes.reconnect) {
    if (client_.busy() || work_->prepared) notice = "The run was given up; a new GPU worker is looked for.";
    work_->prepared.reset();
    client_.cancel();
    client_.start();
  }
  if (wishes.cancel) {
    work_->prepared.reset();
    client_.cancel();
  }
  if (wishes.save) notice = save(view);
  if (!wishes.open.empty()) open(wishes.open, view);
  if (const std::lock_guard lock(work_->mutex); !work_->said.empty()) {
    notice = std::exchange(work_->said, {});
    view.unread = std::exchange(work_->unread, {});
  }
  if (wishes.program && client_.status().state == GpuState::Probing)
    view.wishes.program = true;  // once it is known whether there is a GPU
  else if (wishes.program && !view.program)
    notice = "What is written cannot be read yet, so that nothing was run.";
  else if (wishes.program && !client_.run_program(*view.program))
    notice =
        client_.busy() ? "The GPU is being measured." : "There is no GPU to run it on; what was recorded is shown.";
  if (wishes.ceilings && !client_.measure_ceilings())
    notice = client_.busy() ? "The GPU is being measured."
             : client_.status().in_class
                 ? "The GPU of a class runs kernels for all; its roofs are measured by who serves the class."
                 : "There is no GPU whose roofs could be measured.";
  if (!wishes.run && !wishes.anyway) return;
  RunPlan plan = plan_of(stage, view);
  if (!plan.fault.empty()) {
    notice = plan.fault;
    return;
  }
  work_->prepared_anyway = wishes.anyway;
  run_for_ = asked_words(stage, view);
  if (options_.date) view.asked_at = options_.date();
  if (RunSpec& spec = plan.spec; view.shape == GpuShape::Ladder &&
                                 switch_of(view.kernel, view.with, spec.problem.d, spec.problem.mask == Mask::Causal)) {
    spec.kernels = {view.kernel};
    spec.switches = {view.with};
  }
  if (view.shape != GpuShape::Stage) {
    const std::string key = "hash " + key_of(plan.spec.problem);
    work_->ask(key,
               [work = work_.get(), key, spec = plan.spec] { work->publish(work->hashes, key, input_hash(spec)); });
  }
  work_->prepared = std::move(plan.spec);
  view.recorded = false;
}

// Sends the run that was asked for once the hash of its inputs is known.
void GpuDesk::send_prepared(GpuView& view, std::string& notice) {
  if (!work_->prepared) return;
  RunSpec& spec = *work_->prepared;
  if (spec.inputs.hash == 0) {
    const std::string key = "hash " + key_of(spec.problem);
    const std::lock_guard lock(work_->mutex);
    const auto hash = work_->hashes.find(key);
    if (hash == work_->hashes.end()) {
      if (work_->failed.contains(key)) work_->prepared.reset();  // what failed has been said
      return;
    }
    spec.inputs.hash = hash->second;
  }
  if (!client_.run(std::move(spec), work_->prepared_anyway) && client_.status().state != GpuState::Running) {
    notice = "There is no GPU to run on; recorded runs are shown instead.";
    view.recorded = true;
  }
  work_->prepared.reset();
}

// Reads it beside the others; it may be large, so not while somebody waits.
void GpuDesk::open(const std::filesystem::path& file, GpuView& view) {
  view.recorded = true;
  ask_recordings();
  work_->asked.erase("open");
  work_->ask("open", [work = work_.get(), file] {
    std::string said, left_out;
    std::vector<std::string> refused;
    std::vector<Recording> read;
    try {
      for (RunResult& result : load_believed(file, refused, &left_out))
        read.push_back({std::make_shared<const RunResult>(std::move(result)), file.filename().string()});
      said = read.empty() ? fmt::format("{} holds no run.", printable_path(file))
                          : fmt::format("Opened {}: {} run{}, the first on {} with N = {}, d = {}.",
                                        printable_path(file.filename()), read.size(), read.size() == 1 ? "" : "s",
                                        printable(read.front().result->provenance.gpu),
                                        read.front().result->spec.problem.n_q, read.front().result->spec.problem.d);
      if (!left_out.empty()) said += " " + left_out;
      if (!refused.empty())
        said += fmt::format(" {} It is not shown as recorded{}.", refused.front(),
                            refused.size() == 1 ? "" : fmt::format(", nor are {} more", refused.size() - 1));
    } catch (const IoError& error) {
      said = error.what();
    } catch (const std::bad_alloc&) {
      said = fmt::format("{} is too large for this machine's memory.", printable_path(file));
    }
    const bool nothing_read = read.empty();
    const std::lock_guard lock(work->mutex);
    auto all = std::make_shared<Recordings>(work->recordings ? *work->recordings : Recordings{});
    std::ranges::move(read, std::back_inserter(all->all));
    work->recordings = std::move(all);
    work->unread = nothing_read ? said : std::string();
    work->said = std::move(said);
    ++work->version;
  });
}

void GpuDesk::ask_recordings() {
  if (tried_recordings_) return;
  tried_recordings_ = true;
  work_->ask("recordings", [work = work_.get(), folders = options_.recordings, shipped = options_.shipped] {
    auto loaded = std::make_shared<Recordings>(shipped ? shipped_as_recordings() : Recordings{});
    Recordings own = load_recordings(folders);
    std::ranges::move(own.all, std::back_inserter(loaded->all));
    loaded->faults = std::move(own.faults);
    const std::lock_guard lock(work->mutex);
    work->recordings = std::move(loaded);
    ++work->version;
  });
}

std::string GpuDesk::save(const GpuView& view) const {
  if (!view.status.result) return "There is no result to save.";
  if (options_.save_to.empty()) return "There is no folder to save recordings in.";
  RunResult result = *view.status.result;
  for (KernelResult& kernel : result.kernels)
    if (!kernel.disbelieved.empty()) kernel.refused = std::exchange(kernel.disbelieved, {});
  if (result.provenance.date.empty()) result.provenance.date = options_.date();
  std::string name = fmt::format("{}-{}-N{}-d{}.run.json", result.provenance.date, result.provenance.gpu,
                                 result.spec.problem.n_q, result.spec.problem.d);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '.'; }, '-');
  try {
    save_recording(options_.save_to / name, {result});
    const std::lock_guard lock(work_->mutex);
    auto all = std::make_shared<Recordings>(work_->recordings ? *work_->recordings : Recordings{});
    all->all.push_back({std::make_shared<const RunResult>(std::move(result)), name});
    if (work_->recordings) work_->recordings = std::move(all), ++work_->version;  // else they are still being read
    return fmt::format("Saved {}.", (options_.save_to / name).string());
  } catch (const IoError& error) {
    return error.what();
  }
}

}  // namespace tilewalk
