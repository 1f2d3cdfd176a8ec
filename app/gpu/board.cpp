#include "app/gpu/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

namespace tilewalk {
namespace {

constexpr double kMostSimulated = 3e9;  // FLOP of one head that are worth a wait; the core's own limit is higher

// Of the GPU and the kernels whose bytes the row shows, or would.
Provenance behind_bytes(const GpuBoard& board, const GpuStatus& status, const GpuRow& row) {
  const RunResult* from = row.bytes_run ? row.bytes_run : board.live ? board.live.get() : board.recorded.get();
  return from ? from->provenance : status.hello ? status.hello->gpu : Provenance{};
}
// Of the kernels whose time it shows.
KernelVersion version_timed(const GpuRow& row) {
  return row.run ? version_of(row.run->provenance) : KernelVersion::Now;
}

std::string count_key(const GpuBoard& board, const Answer& asked, KernelVersion version) {
  return fmt::format("{} {} {} {} {}", int(asked.kernel), int(asked.with), int(version), board.spec.kv_heads,
                     key_of(board.spec.problem));
}
std::string dram_key(const GpuBoard& board, const Answer& asked, const Provenance& made) {
  const MachineSpec machine = machine_of(made);
  return fmt::format("{} {} {} {} {}", count_key(board, asked, version_of(made)), machine.l2_bytes,
                     machine.multiprocessors, machine.l2.halves, machine.l2.dirty_bytes);
}
std::string simulation_key(const GpuBoard& board, const GpuRow& row) {
  return fmt::format("{} {:x}", count_key(board, {row.kernel}, version_timed(row)), board.spec.inputs.hash);
}

std::string price_key(const GpuBoard& board, const SwitchRow& row) {
  const KernelVersion version = row.run ? version_of(row.run->provenance) : KernelVersion::Now;
  return fmt::format("{} {}", key_of(row.info->id), count_key(board, {row.info->kernel}, version));
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

std::string name_of(const Answer& asked, GpuShape shape) {
  switch (asked.with) {
    case Switch::TileScales: return "FP8 tensor";
    case Switch::Rotation: return "rotated, tile";
    case Switch::RotationAlone: return "rotated, tensor";
    case Switch::Splitting: return "not split";
    default: break;
  }
  if (asked.kernel == Method::Fa3 && shape == GpuShape::Fp8) return "FA3, 16 bits";
  const MethodInfo& info = info_of(asked.kernel);
  const std::string_view name = info.kernel.row.empty() ? info.kernel_name() : info.kernel.row;
  return std::string(name.substr(0, shape == GpuShape::Backward ? name.find(", backward") : name.npos));
}

}  // namespace

std::string key_of(const Problem& p) {
  return fmt::format("{}x{} {}x{}x{} {} {} {} {} {} {}", p.batch, p.heads, p.n_q, p.n_k, p.d, int(p.mask), int(p.align),
                     int(p.format), int(p.distribution), p.seed, p.softmax_scale());
}

std::shared_ptr<const GpuBoard> make_board(const RunPlan& plan, const GpuView& view, DeskWork& work) {
  auto board = std::make_shared<GpuBoard>();
  board->spec = plan.spec;
  board->fault = plan.fault;
  const std::lock_guard lock(work.mutex);
  const auto is_it = [&](const auto& run) { return run && serves(*run, plan.spec) == Serves::SameInputs; };
  if (is_it(view.status.result)) board->live = view.status.result;
  // What was measured before is shown again where it was of this.
  if (!board->live)
    if (const auto last = std::ranges::find_if(view.measured.rbegin(), view.measured.rend(), is_it);
        last != view.measured.rend())
      board->live = *last;
  if (work.recordings) {
    if (const Pick pick = pick_recording(*work.recordings, plan.spec, view.recorded_on); pick.index >= 0) {
      const Recording& recording = work.recordings->all[size_t(pick.index)];
      board->recorded = recording.result;
      board->recorded_file = recording.file;
      board->recorded_serves = pick.serves;
    }
    board->peers_recorded = pick_peers(*work.recordings, plan.spec);
    // Recorded beside recorded is of one GPU.
    if (board->peers_recorded && board->recorded && (view.recorded || !board->live) &&
        board->peers_recorded->provenance.gpu != board->recorded->provenance.gpu)
      board->peers_recorded = nullptr;
  }
  const auto of = [](const RunResult* run, Method kernel, Switch with = Switch::None) -> const KernelResult* {
    if (run)
      for (const KernelResult& result : run->kernels)
        if (result.kernel == kernel && result.with == with && result.label.empty()) return &result;
    return nullptr;
  };
  if (view.shape == GpuShape::Fp8 && board->recorded && !of(board->recorded.get(), Method::Fa3))
    board->beside = pick_fa3_beside(*work.recordings, *board->recorded);
  for (auto [kernel, with] : answers_of(plan.spec)) {
    // A recording of before there were two forms of FA1 shows its own.
    if (kernel == Method::Fa1 && !of(board->live.get(), kernel) && !of(board->recorded.get(), kernel) &&
        of(board->recorded.get(), Method::Fa1First))
      kernel = Method::Fa1First;
    GpuRow row;
    const Answer asked{kernel, with};
    row.kernel = kernel;
    row.with = with;
    row.name = name_of(asked, view.shape);
    if (const auto& hello = view.status.hello; view.status.usable())  // where there is no GPU, the state says so once
      for (const KernelOffer& offer : hello->kernels)
        if (offer.kernel == kernel) row.unavailable = offer.unavailable;
    const KernelResult* live = view.recorded ? nullptr : of(board->live.get(), kernel, with);
    const KernelResult* recorded = of(board->recorded.get(), kernel, with);
    const RunResult* recorded_run = board->recorded.get();
    if (!recorded && kernel == Method::Fa3) recorded_run = board->beside.get(), recorded = of(recorded_run, kernel);
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
    const auto run_of = [&](const KernelResult* k) {
      return !k ? nullptr : k == live ? board->live.get() : recorded_run;
    };
    row.run = run_of(row.result);
    row.bytes_run = run_of(row.bytes);
    const Provenance made = behind_bytes(*board, view.status, row);
    if (const auto it = work.with_dram.find(dram_key(*board, asked, made)); it != work.with_dram.end()) {
      row.predicted = it->second;
      row.dram_done = true;
      row.dram_known = it->second.dram.modelled;
    } else if (const auto count = work.counted.find(count_key(*board, asked, version_of(made)));
               count != work.counted.end()) {
      row.predicted = count->second;
    }
    if (row.predicted && !row.predicted->counted) row.predicted.reset();
    if (const auto timed = work.counted.find(count_key(*board, asked, version_timed(row))); timed != work.counted.end())
      row.matrix_flop = timed->second.matrix_flop;
    if (work.failed.contains("dram " + dram_key(*board, asked, made))) row.dram_done = true;  // and not known
    const auto simulated = work.simulated.find(simulation_key(*board, row));
    row.comparable = live || board->recorded_serves == Serves::SameInputs;
    if (simulated != work.simulated.end() && simulated->second && row.result && row.comparable) {
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
  if (view.shape == GpuShape::Ladder) {
    board->switches =
        switch_rows(view.kernel, plan.spec, view.measured, work.recordings.get(), view.recorded, view.recorded_on);
    for (SwitchRow& row : board->switches)
      if (const auto price = work.prices.find(price_key(*board, row)); price != work.prices.end())
        row.price = price->second;
  }
  if (board->peers_recorded && view.shape != GpuShape::Ladder)
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

namespace {

RunSpec without_values(const GpuBoard& board) {  // what a person may have typed is large
  RunSpec asked;
  asked.problem = board.spec.problem;
  asked.kv_heads = board.spec.kv_heads;
  return asked;
}

DeskWork::Task count_of(const GpuBoard& board, const GpuRow& row, KernelVersion version, DeskWork& work) {
  const Answer of{row.kernel, row.with};
  const std::string key = count_key(board, of, version);
  return {"count " + key, [work = &work, asked = without_values(board), of, version, key] {
            const KernelChange change = change_of(asked, of.with, version);
            work->publish(work->counted, key, predict_run(asked.problem, of.kernel, default_machine(), false, change));
          }};
}

// Those that the row's bytes and its time are of.
std::array<KernelVersion, 2> versions_of(const GpuBoard& board, const GpuStatus& status, const GpuRow& row) {
  return {version_of(behind_bytes(board, status, row)), version_timed(row)};
}

// Nothing to do where it has nothing to be held against, or takes too long.
std::optional<DeskWork::Task> simulation_of(const GpuBoard& board, const GpuRow& row,
                                            const std::shared_ptr<const Inputs>& stage, DeskWork& work) {
  const Problem& p = board.spec.problem;
  if (4.0 * double(p.n_q) * double(p.n_k) * double(p.d) > kMostSimulated) return std::nullopt;
  if (!row.result || (row.result->o.empty() && !row.result->trace)) return std::nullopt;
  const std::string key = simulation_key(board, row);
  return DeskWork::Task{
      "sim " + key,
      [work = &work, p, kernel = row.kernel, version = version_timed(row), key, stage, head = board.spec.trace_head] {
        std::string fault;
        const Inputs of_head = stage ? *stage : generate_inputs(p, head / p.heads, head % p.heads);
        auto run = simulate_run(p, kernel, of_head, fault, version);
        work->publish(work->simulated, key, run ? std::make_shared<const SimulatedRun>(std::move(*run)) : nullptr);
      }};
}

}  // namespace

void count_now(const GpuBoard& board, std::shared_ptr<const Inputs> stage, std::optional<Method> simulated,
               DeskWork& work) {
  for (const GpuRow& row : board.rows) {
    if (!row.predicted)
      for (const KernelVersion version : versions_of(board, {}, row)) count_of(board, row, version, work).act();
    if (simulated != row.kernel || row.simulator) continue;
    if (const auto task = simulation_of(board, row, stage, work)) task->act();
  }
}

std::shared_ptr<const GpuBoard> with_what_is_known(std::shared_ptr<const GpuBoard> board, const GpuBoard* before) {
  if (!before || board->spec.problem != before->spec.problem || board->spec.kv_heads != before->spec.kv_heads)
    return board;
  auto out = std::make_shared<GpuBoard>(*board);
  for (GpuRow& row : out->rows)
    if (const GpuRow* known = before->row(row.kernel, row.with)) {
      if (!row.predicted && known->bytes_run == row.bytes_run) row.predicted = known->predicted;
      const bool same_inputs = board->spec.inputs.hash == before->spec.inputs.hash;
      if (!row.simulator && same_inputs && known->result == row.result) row.simulator = known->simulator;
    }
  return out;
}

void order_rest(const GpuBoard& board, const GpuStatus& status, std::shared_ptr<const Inputs> stage, DeskWork& work) {
  if (!board.fault.empty()) return;
  const Problem& p = board.spec.problem;
  const RunSpec asked = without_values(board);
  for (const GpuRow& row : board.rows) {
    for (const KernelVersion version : versions_of(board, status, row)) {
      DeskWork::Task task = count_of(board, row, version, work);
      work.ask(std::move(task.key), std::move(task.act));
    }
  }
  for (const GpuRow& row : board.rows) {
    const Provenance made = behind_bytes(board, status, row);
    const Answer of{row.kernel, row.with};
    const std::string key = dram_key(board, of, made);
    work.ask("dram " + key, [work = &work, asked, of, made, key] {
      work->publish(work->with_dram, key, predict_run(asked, of, made, true));
    });
  }
  for (const SwitchRow& row : board.switches) {
    const std::string key = price_key(board, row);
    const Provenance made = row.run ? row.run->provenance : Provenance{};
    work.ask("price " + key, [work = &work, p, info = row.info, made, key] {
      work->publish(work->prices, key, price_of(p, *info, made));
    });
  }
  for (const GpuRow& row : board.rows)
    if (auto task = simulation_of(board, row, stage, work)) work.ask(std::move(task->key), std::move(task->act));
}

}  // namespace tilewalk
