#include "core/run/audit_numbers.h"

#include "core/attention/tiling.h"
#include "core/machine/words.h"
#include "core/run/chip_limits.h"
#include "core/run/prediction.h"
#include "core/run/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kRounding = 1e-9;  // quantiles between equal numbers
constexpr int kMostLaunches = 1'000'000;
constexpr double kLeastMhz = 30, kMostMhz = 6000;
constexpr double kCounted = 0.9;          // a counter may miss a little
constexpr double kStayed = 0.5;           // of what must be read: a flush of L2 may leave some there
constexpr double kAbsurd = 4;             // times what the tile loop moves
constexpr double kAbsurdOfProducts = 16;  // cuBLAS reads its tiles as it likes
constexpr double kOwnBytes = 0x1p22;      // of the launch itself: code, arguments, what others read meanwhile

bool launch_time(double ms) { return ms >= kLeastLaunch && ms <= kMostLaunch; }

// As it was said: a denormal keeps its power.
std::string exact(double value) {
  return std::isnan(value) ? "no number" : std::isinf(value) ? number_words(value) : fmt::format("{:.4g}", value);
}

}  // namespace

LeastWork least_work(const Problem& p, int64_t d_in_memory, int64_t group) {
  const Tiling tiling(p);
  double pairs = double(p.n_q) * double(p.n_k), queries = double(p.n_q), keys = double(p.n_k);
  if (p.mask == Mask::Causal) {
    const int64_t blind = std::clamp<int64_t>(-tiling.offset, 0, p.n_q);              // rows that see no key
    const int64_t first = std::clamp<int64_t>(blind + tiling.offset + 1, 0, p.n_k);   // keys of the first that does
    const int64_t rising = std::clamp<int64_t>(p.n_k - first + 1, 0, p.n_q - blind);  // rows until all keys are seen
    const double last = double(first) + double(rising) - 1;
    pairs = double(rising) * (double(first) + last) / 2 + double(p.n_q - blind - rising) * double(p.n_k);
    queries = double(p.n_q - blind);
    keys = double(std::clamp<int64_t>(p.n_q + tiling.offset, 0, p.n_k));
  }
  const double heads = double(p.batch) * double(p.heads), bytes = bytes_of(p.format);
  const double width = double(d_in_memory) * bytes;
  return {4 * pairs * double(p.d) * heads, (queries + 2 * keys / double(group)) * width * heads,
          double(p.n_q) * width * heads};
}

LeastWork least_work(const RunSpec& spec, Method kernel) {
  LeastWork least = least_work(spec.problem, padded_problem(spec.problem, kernel).d, group_of(spec));
  if (kernel == Method::Fa3Fp8) least.read /= 2, least.times = 2;  // eight bits in, sixteen out
  return least;
}

void check_errors(const std::string& name, const KernelResult& said, const RunSpec& spec, Sentences& out) {
  const Problem& p = spec.problem;
  const Errors& e = *said.errors;
  const double all = double(p.batch) * double(p.heads) * double(p.n_q);
  if (double(e.rows) > all)
    out.push_back(fmt::format("{} says that {} rows were compared with float64, of {} that there are.", name,
                              with_commas(e.rows), with_commas(int64_t(all))));
  if (e.worst_row < 0 || e.whole < 0 || e.lse < 0)
    out.push_back(fmt::format("{} says that its answer is off by less than nothing.", name));
  if (!e.passed) return;
  // Another program samples as it likes, but more than a row or two, and judges by its own limits.
  const bool ours = said.label.empty();
  const bool eight_bits = ours && said.kernel == Method::Fa3Fp8;
  const bool beside = is_beside(said.kernel) || group_of(spec) > 1;  // sampled by the worker's other judge
  const int64_t least = ours && !beside ? compared_rows(p) : std::min<int64_t>(int64_t(all), ours ? 32 : 16);
  if (e.rows < least)
    out.push_back(fmt::format("{} says that its answer is right by {} of {} rows; {} are compared.", name,
                              with_commas(e.rows), with_commas(int64_t(all)), with_commas(least)));
  const ErrorLimits limits = error_limits(eight_bits ? Format::E4M3 : p.format);
  const double room = ours ? 1 : 4;
  if (!(e.worst_row <= room * limits.row) || !(e.whole <= room * limits.whole))
    out.push_back(
        fmt::format("{} says that its answer is right and its worst row off by {}, all by {}; {} and {} may "
                    "be.",
                    name, exact(e.worst_row), exact(e.whole), exact(limits.row), exact(limits.whole)));
  else if (e.whole > e.worst_row * (1 + kRounding))
    out.push_back(fmt::format("{} says that all rows together are off by {}, more than the worst of them, {}.", name,
                              exact(e.whole), exact(e.worst_row)));
  const bool rounded = said.kernel == Method::Standard && !keeps_wide_scores(p);
  if (ours && !(e.lse <= (rounded || eight_bits ? 1 : kMostLseError)))
    out.push_back(fmt::format("{} says that its answer is right and its L off by {}.", name, exact(e.lse)));
}

void check_timing(const std::string& name, const Timing& t, const RunSpec& spec, const Provenance& gpu,
                  const LeastWork& least, Sentences& out) {
  const std::pair<const char*, double> times[] = {
      {"shortest time", t.best}, {"p10", t.p10}, {"median", t.median}, {"p90", t.p90}};
  for (const auto& [what, ms] : times)
    if (!launch_time(ms)) {
      out.push_back(fmt::format("{}'s {} of {} ms is no time that a launch can take.", name, what, exact(ms)));
      return;
    }
  for (size_t k = 1; k < std::size(times); ++k)
    if (times[k].second < times[k - 1].second * (1 - kRounding)) {
      out.push_back(fmt::format("{}'s {} of {} ms lies under its {} of {} ms.", name, times[k].first,
                                exact(times[k].second), times[k - 1].first, exact(times[k - 1].second)));
      return;
    }
  if (t.count < 1 || t.count > kMostLaunches || t.unheld < 0 || t.unheld > t.count || t.queued < 0 ||
      t.queued > kMostLaunches || t.warmups < 0 || t.warmups > kMostLaunches)
    out.push_back(
        fmt::format("{}'s numbers of launches cannot be: {} timed, {} of them not held back, {} queued, {} "
                    "to warm up.",
                    name, t.count, t.unheld, t.queued, t.warmups));
  if (t.back_to_back != 0 && (!launch_time(t.back_to_back) || t.queued < 1))
    out.push_back(
        fmt::format("{}'s mean of {} ms over {} queued launches cannot be.", name, exact(t.back_to_back), t.queued));
  for (const double mhz : {t.clock, double(t.clock_before), double(t.clock_after)})
    if (mhz != 0 && !(mhz >= kLeastMhz && mhz <= kMostMhz)) {
      out.push_back(fmt::format("{}'s clock of {} MHz is none that a GPU has.", name, exact(mhz)));
      return;
    }
  if (t.flushed != spec.flush_l2)
    out.push_back(fmt::format("{} was timed with L2 {}, and the run was to be with L2 {}.", name,
                              t.flushed ? "emptied" : "warm", spec.flush_l2 ? "emptied" : "warm"));

  const double seconds = 1e-3 * (t.queued > 0 && t.back_to_back > 0 ? std::min(t.best, t.back_to_back) : t.best);
  const ChipLimits most = chip_limits(gpu, t.clock);
  const double rate = least.flop / seconds, fill = least.read / seconds;
  if (rate > least.times * most.flop)
    out.push_back(
        fmt::format("{} would have computed at {} TFLOP/s; no GPU of compute capability {}.{} with {} "
                    "multiprocessors does more than {}.",
                    name, number_words(rate * 1e-12), gpu.major, gpu.minor, gpu.multiprocessors,
                    number_words(least.times * most.flop * 1e-12)));
  else if (fill > most.l2)
    out.push_back(fmt::format("{} would have read Q, K and V at {} TB/s; L2 gives no more than {}.", name,
                              number_words(fill * 1e-12), number_words(most.l2 * 1e-12)));
  else if (const double missed = (least.read - 2 * double(gpu.l2_bytes)) / seconds; missed > most.dram)
    out.push_back(fmt::format("{} would have read at least {} TB/s from DRAM; no such GPU reads more than {}.", name,
                              number_words(missed * 1e-12), number_words(most.dram * 1e-12)));
  else if (rate < 1e6 && t.median > 1000)
    out.push_back(fmt::format("{}'s median of {} s for {} FLOP is too long to be true.", name,
                              number_words(t.median * 1e-3), exact(least.flop)));
}

void check_counters(const std::string& name, const KernelResult& said, const RunSpec& spec, const Provenance& gpu,
                    const LeastWork& least, Sentences& out) {
  const Counters& c = *said.counters;
  const auto too_few = [&](const char* what, const std::optional<double>& bytes, double at_least) {
    if (bytes && !(*bytes >= at_least))
      out.push_back(
          fmt::format("{} says {} bytes {}, and {} must go there once.", name, exact(*bytes), what, exact(at_least)));
  };
  too_few("from L2 into the multiprocessors", c.l2_to_sm, kCounted * least.read);
  too_few("from the multiprocessors to L2", c.sm_to_l2, kCounted * least.written);
  too_few("read from DRAM", c.dram_read, kStayed * least.read);
  too_few("written to DRAM", c.dram_written, 0);
  const RunPrediction loop =
      predict_run(spec.problem, said.kernel, default_machine(), false, change_of(spec, Switch::None, version_of(gpu)));
  if (!loop.counted) return;
  const bool products =
      said.kernel == Method::Standard || said.kernel == Method::StandardBackward || !said.label.empty();
  const double most =
      kOwnBytes + (products ? kAbsurdOfProducts : kAbsurd) * (double(loop.fill_bytes) + double(loop.drain_bytes));
  const std::pair<const char*, const std::optional<double>&> all[] = {{"from L2 into the multiprocessors", c.l2_to_sm},
                                                                      {"from the multiprocessors to L2", c.sm_to_l2},
                                                                      {"read from DRAM", c.dram_read},
                                                                      {"written to DRAM", c.dram_written}};
  for (const auto& [what, bytes] : all)
    if (bytes && !(*bytes <= most))
      out.push_back(fmt::format("{} says {} bytes {}; its tiles ask for {} in all.", name, exact(*bytes), what,
                                exact(double(loop.fill_bytes) + double(loop.drain_bytes))));
}

void check_trace(const std::string& name, const KernelResult& said, const RunSpec& spec, const Provenance& gpu,
                 Sentences& out) {
  const KernelTrace& trace = *said.trace;
  const Problem& p = spec.problem;
  for (const double ms : {trace.traced_ms, trace.plain_ms})
    if (ms != 0 && !launch_time(ms)) {
      out.push_back(fmt::format("{}'s traced launch of {} ms is no time that a launch can take.", name, exact(ms)));
      break;
    }
  if (trace.traced_ms > 0 && trace.plain_ms > 0 &&
      !(trace.traced_ms >= 0.1 * trace.plain_ms && trace.traced_ms <= 1000 * trace.plain_ms))
    out.push_back(fmt::format("{}'s traced launch of {} ms beside one of {} ms cannot be.", name,
                              exact(trace.traced_ms), exact(trace.plain_ms)));
  // Stamps are cycles of one block of that launch. A single launch may be slow; a thousand times the median it is not.
  if (!trace.stamps.empty()) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (const Stamp& stamp : trace.stamps) first = std::min(first, stamp.begin), last = std::max(last, stamp.end);
    const double cycles = double(last) - double(first);
    const double room = 1e6 + 4 * trace.traced_ms * 1e3 * chip_limits(gpu).clock;
    if (cycles > room)
      out.push_back(fmt::format("{}'s clock stamps span {} cycles of a launch of {} ms.", name, exact(cycles),
                                exact(trace.traced_ms)));
  }
  const RowStatistics& s = trace.statistics;
  if (s.m.empty()) return;
  const Tiling tiling(p);
  const auto traced = [&](int64_t row) {
    return spec.trace_rows.empty() || std::ranges::binary_search(spec.trace_rows, row);
  };
  for (int64_t row = 0; row < s.rows; ++row) {
    if (!traced(row) || !tiling.visible(row, 0)) continue;
    // m never falls and l grows while m stays, so the largest l beside the largest m are the row's own.
    double m = -INFINITY, l = 0;
    bool seen = false, wrong = false;
    for (int64_t j = 0; j < s.tiles; ++j) {
      const double m_j = double(s.m[size_t(j * s.rows + row)]), l_j = double(s.l[size_t(j * s.rows + row)]);
      if (std::isnan(m_j) && std::isnan(l_j)) continue;  // a tile that it skips
      seen = true;
      // The largest score gives 1 to l, and no other more; -inf and 0 stand for no key so far.
      const bool none = m_j == -INFINITY && l_j == 0;
      wrong = wrong || !(none || (std::isfinite(m_j) && l_j >= 0.5 && l_j <= 2.0 * double(p.n_k)));
      if (m_j > m || (m_j == m && l_j > l)) m = m_j, l = l_j;
    }
    if (!seen || wrong || m == -INFINITY) {
      out.push_back(fmt::format("{}'s trace of row {} holds an m and l that no row can have.", name, row + 1));
      return;
    }
    if (said.lse.empty()) continue;
    const double lse = double(said.lse[size_t(row)]), of_trace = m + std::log(l);
    if (std::isfinite(lse) && !(std::fabs(lse - of_trace) <= 1e-2 * std::max(1.0, std::fabs(lse)))) {
      out.push_back(fmt::format("{}'s trace of row {} ends with an L of {}, and its answer has {}.", name, row + 1,
                                exact(of_trace), exact(lse)));
      return;
    }
  }
}

}  // namespace tilewalk
