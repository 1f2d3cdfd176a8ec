#include "app/gpu/desk.h"

#include "app/gpu/desk_work.h"
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
constexpr double kMostSimulated = 3e9;     // FLOP of one head that are worth a wait; the core's own limit is higher

std::string key_of(const Problem& p) {
  return fmt::format("{}x{} {}x{}x{} {} {} {} {} {} {}", p.batch, p.heads, p.n_q, p.n_k, p.d, int(p.mask), int(p.align),
                     int(p.format), int(p.distribution), p.seed, p.softmax_scale());
}

// Of the GPU whose bytes the row shows.
MachineSpec machine_of(const GpuBoard& board, const GpuStatus& status, const GpuRow& row) {
  const RunResult* from = board.live && !row.bytes_recorded ? board.live.get() : board.recorded.get();
  return from ? machine_of(from->provenance) : status.hello ? machine_of(status.hello->gpu) : default_machine();
}

std::string count_key(const GpuBoard& board, KernelId kernel) {
  return fmt::format("{} {}", int(kernel), key_of(board.spec.problem));
}
std::string dram_key(const GpuBoard& board, KernelId kernel, const MachineSpec& machine) {
  return fmt::format("{} {} {} {} {}", count_key(board, kernel), machine.l2_bytes, machine.multiprocessors,
                     machine.l2.halves, machine.l2.dirty_bytes);
}
std::string simulation_key(const GpuBoard& board, KernelId kernel) {
  return fmt::format("{} {:x}", count_key(board, kernel), board.spec.inputs.hash);
}

// The run whose FA3 left the most clock stamps; null without any.
std::shared_ptr<const RunResult> most_stamps(const Recordings& recordings) {
  std::shared_ptr<const RunResult> found;
  size_t most = 0;
  for (const Recording& recording : recordings.all)
    for (const KernelResult& result : recording.result->kernels)
      if (result.kernel == KernelId::Fa3 && result.trace && result.trace->stamps.size() > most) {
        most = result.trace->stamps.size();
        found = recording.result;
      }
  return found;
}

// The largest of two tensors of one size, infinite where one holds what is no number; none of others.
// `gaps`: NaN in both stands for what was not visited or not traced.
std::optional<double> difference(const std::vector<float>& a, const std::vector<float>& b, bool gaps) {
  if (a.size() != b.size() || a.empty()) return std::nullopt;
  double most = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k] == b[k] || (gaps && std::isnan(a[k]) && std::isnan(b[k]))) continue;
    const double by = std::fabs(double(a[k]) - double(b[k]));
    most = std::isnan(by) ? INFINITY : std::max(most, by);
  }
  return most;
}

// Of the simulator's m or l, [tiles, rows], what the run traced; NaN elsewhere.
std::vector<float> traced_part(std::vector<float> statistic, const RunSpec& spec) {
  if (spec.trace_rows.empty()) return statistic;
  for (size_t k = 0; k < statistic.size(); ++k)
    if (!std::ranges::binary_search(spec.trace_rows, int64_t(k) % spec.problem.n_q)) statistic[k] = NAN;
  return statistic;
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

double GpuDesk::seconds_to_deadline() const { return client_.seconds_to_deadline(); }

bool GpuDesk::settled() const {
  const GpuState state = client_.status().state;
  if (state == GpuState::Probing || state == GpuState::Running || work_->prepared) return false;
  const std::lock_guard lock(work_->mutex);
  return work_->tasks.empty() && !work_->working && work_->version == work_->seen;
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
      view.measured.push_back(view.status.result);
    }
  }
  if (const std::lock_guard lock(work_->mutex); work_->recordings != view.recordings) {
    view.recordings = work_->recordings;
    changed = true;
  }
  if (!open && !view.recorded) return changed;

  ask_recordings();
  const bool on_stage = view.shape == GpuShape::Stage;
  const std::string problem = on_stage ? fmt::format("{} {:x} {}", key_of(stage.problem), stage.hash, stage.problem.bc)
                                       : fmt::format("{} N{}", key_of(stage.problem), view.benchmark_n);
  const std::string made_for = fmt::format("{} {}", problem, view.recorded);
  int64_t version;
  {
    const std::lock_guard lock(work_->mutex);
    version = work_->version;
  }
  // While the GPU is timed nothing is computed and nothing drawn but what the worker reports.
  if (!changed && view.board && made_for == made_for_ && version == work_->seen) return false;
  if (made_for != made_for_) work_->drop_rest();
  made_for_ = made_for;
  work_->seen = version;
  if (const std::lock_guard lock(work_->mutex); work_->recordings && !told_recordings_) {
    told_recordings_ = true;
    if (!work_->recordings->faults.empty()) notice = work_->recordings->faults.front();
    view.fa3_stamps = most_stamps(*work_->recordings);
  }
  const RunPlan plan =
      on_stage ? stage_run(stage.problem, stage.inputs, stage.hash) : benchmark_run(stage.problem, view.benchmark_n);
  const auto any_result = [](const GpuBoard& board) {
    return std::ranges::any_of(board.rows, [](const GpuRow& row) { return row.result != nullptr; });
  };
  const bool had_result = view.board && any_result(*view.board);
  view.board = make_board(plan, view);
  if (!view.kernel_chosen) view.kernel = view.board->row(KernelId::Fa2Small) ? KernelId::Fa2Small : KernelId::Fa2;
  // Where results have just come and the chosen kernel has none, one that has is shown.
  if (const GpuRow* row = view.board->row(view.kernel);
      view.status.state != GpuState::Running && row && !row->result && !had_result && any_result(*view.board))
    for (const GpuRow& each : view.board->rows)
      if (each.result) view.kernel = each.kernel;
  if (!view.board->row(view.kernel)) view.kernel = KernelId::Fa2;
  if (view.status.state != GpuState::Running) order(*view.board, plan.inputs);
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
  if (const std::lock_guard lock(work_->mutex); !work_->said.empty()) notice = std::exchange(work_->said, {});
  if (wishes.ceilings && !client_.measure_ceilings())
    notice = client_.busy() ? "The GPU is being measured." : "There is no GPU whose roofs could be measured.";
  if (!wishes.run && !wishes.anyway) return;
  const bool on_stage = view.shape == GpuShape::Stage;
  RunPlan plan =
      on_stage ? stage_run(stage.problem, stage.inputs, stage.hash) : benchmark_run(stage.problem, view.benchmark_n);
  if (!plan.fault.empty()) {
    notice = plan.fault;
    return;
  }
  work_->prepared_anyway = wishes.anyway;
  if (!on_stage) {
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
    const std::lock_guard lock(work->mutex);
    auto all = std::make_shared<Recordings>(work->recordings ? *work->recordings : Recordings{});
    std::ranges::move(read, std::back_inserter(all->all));
    work->recordings = std::move(all);
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
    save_recording(options_.save_to / name, {std::move(result)});
    return fmt::format("Saved {}.", (options_.save_to / name).string());
  } catch (const IoError& error) {
    return error.what();
  }
}

std::shared_ptr<const GpuBoard> GpuDesk::make_board(const RunPlan& plan, const GpuView& view) const {
  auto board = std::make_shared<GpuBoard>();
  board->spec = plan.spec;
  board->fault = plan.fault;
  const std::lock_guard lock(work_->mutex);
  if (const auto& live = view.status.result; live && serves(*live, plan.spec) == Serves::SameInputs) board->live = live;
  if (work_->recordings) {
    if (const Pick pick = pick_recording(*work_->recordings, plan.spec); pick.index >= 0) {
      const Recording& recording = work_->recordings->all[size_t(pick.index)];
      board->recorded = recording.result;
      board->recorded_file = recording.file;
      board->recorded_serves = pick.serves;
    }
    board->peers_recorded = pick_peers(*work_->recordings, plan.spec);
  }
  const auto of = [](const RunResult* run, KernelId kernel) -> const KernelResult* {
    if (run)
      for (const KernelResult& result : run->kernels)
        if (result.kernel == kernel && result.label.empty()) return &result;
    return nullptr;
  };
  for (KernelId kernel : plan.spec.kernels) {
    // A recording of before there were two forms of FA1 shows its own.
    if (kernel == KernelId::Fa1 && !of(board->live.get(), kernel) && !of(board->recorded.get(), kernel) &&
        of(board->recorded.get(), KernelId::Fa1First))
      kernel = KernelId::Fa1First;
    GpuRow row;
    row.kernel = kernel;
    row.name = info_of(kernel).name;
    if (kernel == KernelId::Fa1) row.name = "FA1 released";
    if (kernel == KernelId::Fa1Paper) row.name = "FA1 Alg. 1";
    if (kernel == KernelId::Fa1First) row.name = "FA1 (old)";
    if (kernel == KernelId::Fa1Small) row.name = "FA1, 16 rows";
    if (kernel == KernelId::Fa2Small) row.name = "FA2, 16 rows";
    if (const auto& hello = view.status.hello; view.status.usable())  // where there is no GPU, the state says so once
      for (const KernelOffer& offer : hello->kernels)
        if (offer.kernel == kernel) row.unavailable = offer.unavailable;
    const KernelResult* live = view.recorded ? nullptr : of(board->live.get(), kernel);
    const KernelResult* recorded = of(board->recorded.get(), kernel);
    if (recorded && !recorded->refused.empty()) recorded = nullptr;
    if (live && !live->refused.empty()) row.unavailable = live->refused, live = nullptr;
    if (live && !live->disbelieved.empty()) row.refused = live->disbelieved, live = nullptr;
    if (recorded && !recorded->disbelieved.empty()) {
      if (!live && row.refused.empty()) row.refused = recorded->disbelieved;
      recorded = nullptr;
    }
    row.result = live ? live : recorded;
    row.recorded = !live && recorded;
    row.bytes = live && live->counters ? live : recorded && recorded->counters ? recorded : nullptr;
    row.bytes_recorded = row.bytes && row.bytes != live;
    const MachineSpec machine = machine_of(*board, view.status, row);
    if (const auto it = work_->with_dram.find(dram_key(*board, kernel, machine)); it != work_->with_dram.end()) {
      row.predicted = it->second;
      row.dram_done = true;
      row.dram_known = it->second.dram.modelled;
    } else if (const auto count = work_->counted.find(count_key(*board, kernel)); count != work_->counted.end()) {
      row.predicted = count->second;
    }
    if (row.predicted && !row.predicted->counted) row.predicted.reset();
    if (work_->failed.contains("dram " + dram_key(*board, kernel, machine))) row.dram_done = true;  // and not known
    const auto simulated = work_->simulated.find(simulation_key(*board, kernel));
    row.comparable = live || board->recorded_serves == Serves::SameInputs;
    if (simulated != work_->simulated.end() && simulated->second && row.result && row.comparable) {
      AgainstSimulator against{simulated->second, {}, {}, {}, {}};
      against.o = difference(row.result->o, simulated->second->o, false);
      against.lse = difference(row.result->lse, simulated->second->lse, false);
      if (row.result->trace) {
        const RowStatistics &kernel = row.result->trace->statistics, &computed = simulated->second->statistics;
        const RunSpec& spec = (row.recorded ? board->recorded : board->live)->spec;
        against.m = difference(kernel.m, traced_part(computed.m, spec), true);
        against.l = difference(kernel.l, traced_part(computed.l, spec), true);
      }
      row.simulator = std::move(against);
    }
    board->rows.push_back(std::move(row));
  }
  if (board->peers_recorded)
    for (const KernelResult& result : board->peers_recorded->kernels) {
      if (result.label.empty() || !result.timing) continue;
      GpuRow row;
      row.kernel = result.kernel;
      row.name = result.label;
      row.result = &result;
      row.bytes = result.counters ? &result : nullptr;
      row.recorded = row.bytes_recorded = true;
      board->peers.push_back(std::move(row));
    }
  return board;
}

// Has predicted and simulated what the board still lacks: first what takes milliseconds.
void GpuDesk::order(const GpuBoard& board, std::shared_ptr<const Inputs> stage) {
  if (!board.fault.empty()) return;
  const Problem& p = board.spec.problem;
  for (const GpuRow& row : board.rows)
    work_->ask("count " + count_key(board, row.kernel),
               [work = work_.get(), p, kernel = row.kernel, key = count_key(board, row.kernel)] {
                 work->publish(work->counted, key, predict_run(p, kernel, default_machine(), false));
               });
  for (const GpuRow& row : board.rows) {
    const MachineSpec machine = machine_of(board, client_.status(), row);
    const std::string key = dram_key(board, row.kernel, machine);
    work_->ask("dram " + key, [work = work_.get(), p, kernel = row.kernel, machine, key] {
      work->publish(work->with_dram, key, predict_run(p, kernel, machine, true));
    });
  }
  if (4.0 * double(p.n_q) * double(p.n_k) * double(p.d) > kMostSimulated) return;
  for (const GpuRow& row : board.rows) {
    if (!row.result || (row.result->o.empty() && !row.result->trace)) continue;
    const std::string key = simulation_key(board, row.kernel);
    const int64_t head = board.spec.trace_head;
    work_->ask("sim " + key, [work = work_.get(), p, kernel = row.kernel, key, stage, head] {
      std::string fault;
      const Inputs of_head = stage ? *stage : generate_inputs(p, head / p.heads, head % p.heads);
      auto run = simulate_run(p, kernel, of_head, fault);
      work->publish(work->simulated, key, run ? std::make_shared<const SimulatedRun>(std::move(*run)) : nullptr);
    });
  }
}

}  // namespace tilewalk
