// Words of the GPU panel: numbers, names and dates as people read them.
#include "app/gpu/run_plan.h"
#include "app/panels/gpu_parts.h"
#include "core/machine/words.h"
#include "core/roofline/beside.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/estimate.h"
#include "core/roofline/held.h"
#include "core/roofline/rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace tilewalk {

std::string short_gpu_name(std::string_view name) {
  for (std::string_view maker : {"NVIDIA ", "GeForce "})
    if (name.starts_with(maker)) name.remove_prefix(maker.size());
  // "H100 80GB HBM3": which memory is of no help here.
  if (const size_t memory = name.find("GB HBM"); memory != name.npos && name.rfind(' ', memory) != name.npos)
    name = name.substr(0, name.rfind(' ', memory));
  return std::string(name.substr(0, 24));
}

std::string date_words(std::string_view iso) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (iso.size() < 10 || iso[4] != '-' || iso[7] != '-')
    return iso.empty() ? "no date" : std::string(iso.substr(0, 20));
  const int month = (iso[5] - '0') * 10 + (iso[6] - '0'), day = (iso[8] - '0') * 10 + (iso[9] - '0');
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::string(iso.substr(0, 10));
  return fmt::format("{} {} {}", day, kMonths[size_t(month - 1)], iso.substr(0, 4));
}

namespace {

// "2026-11-20T13:14" of here; empty where the date cannot be read.
std::string local_moment(std::string_view utc) {
  const auto number = [&](size_t at, size_t digits) {
    int value = 0;
    for (const char c : utc.substr(at, digits)) value = c >= '0' && c <= '9' ? 10 * value + c - '0' : -100000;
    return value;
  };
  if (utc.size() < 16) return {};
  std::tm there{};
  there.tm_year = number(0, 4) - 1900, there.tm_mon = number(5, 2) - 1, there.tm_mday = number(8, 2);
  there.tm_hour = number(11, 2), there.tm_min = number(14, 2);
  if (there.tm_year < 0 || there.tm_mon < 0 || there.tm_mday < 1 || there.tm_hour < 0 || there.tm_min < 0) return {};
  const std::time_t seconds = timegm(&there);
  const std::tm* local = std::localtime(&seconds);
  char text[20] = "";
  return local && std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M", local) > 0 ? text : std::string();
}

}  // namespace

std::string moment_words(std::string_view utc, std::string_view today) {
  const std::string then = local_moment(utc);
  if (then.empty()) return {};
  const bool other_day = !today.empty() && local_moment(today).substr(0, 10) != then.substr(0, 10);
  return other_day ? fmt::format("{} on {}", then.substr(11), date_words(then)) : then.substr(11);
}

std::string measured_when(const RunResult& run, const GpuView& gpu) {
  const std::string& date = run.provenance.date;
  // A class's GPU may answer from what it kept.
  const bool kept = gpu.status.in_class && !date.empty() && date < gpu.asked_at;
  if (&run == gpu.status.result.get() && !kept) return "now";
  const std::string moment = moment_words(date, gpu.asked_at);
  return moment.empty() ? "before" : "at " + moment;
}

std::string time_words(double ms, double beside) {
  const double unit = beside > 0 ? beside : ms;
  if (unit >= 1000) return number_words(ms / 1000) + " s";
  return unit >= 1 ? number_words(ms) + " ms" : number_words(ms * 1000) + " µs";
}

std::string l2_words(const GpuBoard& board) {
  for (const GpuRow& row : board.rows)
    if (row.result && row.result->timing) return row.result->timing->flushed ? ", L2 emptied before it" : ", L2 warm";
  return {};
}

std::string rate_words(const GpuRow& row) {
  if (!row.result || !row.result->timing || !row.predicted || !row.predicted->counted ||
      row.result->timing->median <= 0)
    return {};
  const double seconds = row.result->timing->median * 1e-3;
  if (row.kernel == Method::SplitKv && row.dram_known)
    return fmt::format("{:.2f} TB/s of K, V", double(row.predicted->dram.read_bytes) / seconds * 1e-12);
  const double rate = double(row.predicted->nominal_flop) / seconds;
  return rate >= 1e12 ? number_words(rate / 1e12) + " TFLOP/s" : number_words(rate / 1e9) + " GFLOP/s";
}

std::string error_words(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return number_words(value);
  const int power = int(std::floor(std::log10(std::fabs(value))));
  return power >= -2 && power < 3 ? number_words(value, 2)
                                  : fmt::format("{:.1f}e{}", value / std::pow(10, power), power);
}

std::string ratio_words(double measured, double predicted) {
  if (predicted <= 0) return {};
  const double ratio = measured / predicted;
  return std::fabs(ratio - 1) < 0.01 ? fmt::format("{:.3f}×", ratio)
         : ratio < 10                ? fmt::format("{:.2f}×", ratio)
                                     : number_words(ratio) + "×";
}

std::string against_words(double measured, double predicted) {
  constexpr double kFew = 1e6, kMuch = 1.5;
  if (predicted < kFew && measured > kMuch * predicted) return count_words(measured - predicted) + " over predicted";
  return ratio_words(measured, predicted) + " predicted";
}

std::string count_words(double bytes) {
  const int64_t whole = std::llround(bytes);
  return whole < 1'000'000 ? with_commas(whole) + " B" : bytes_words(whole);
}

double bytes_of_dram(const Counters& counters) {
  return counters.dram_read && counters.dram_written ? *counters.dram_read + *counters.dram_written : -1;
}

std::string source_words(const GpuBoard& board, const GpuView& gpu, bool recorded) {
  if (!recorded) {
    const bool any = std::ranges::any_of(board.rows, [](const GpuRow& row) { return row.result && !row.recorded; });
    if (!board.live || !any) return {};
    const bool last = board.live == gpu.status.result;
    return fmt::format("Measured {} on {}{}{}", measured_when(*board.live, gpu),
                       short_gpu_name(board.live->provenance.gpu), gpu.status.remote ? " in " + gpu.status.host : "",
                       gpu.status.shared && last ? ", shared with others" : "");
  }
  if (!board.recorded) return {};
  const Provenance& p = board.recorded->provenance;
  return fmt::format("◆ Recorded {} on {}{}", date_words(p.date), short_gpu_name(p.gpu),
                     gpu.shape != GpuShape::Stage                  ? ""
                     : board.recorded_serves == Serves::SameInputs ? ", same inputs"
                                                                   : ", same shape, other inputs");
}

namespace {

// What the matrix products take at least, in milliseconds, at the clock that was read; 0 where the peak is not known.
double tensor_ms(const GpuRow& row) {
  if (!row.run || !row.result->timing || !row.predicted || !row.matrix_flop) return 0;
  const Provenance& gpu = row.run->provenance;
  // Dense fp16 multiply-adds into fp32 of one multiprocessor in one cycle, twice: NVIDIA's architecture whitepapers.
  const double per_cycle = gpu.major == 9 && gpu.minor == 0 ? 4096 : gpu.major == 8 && gpu.minor == 0 ? 2048 : 0;
  const double eight_bits = row.kernel == Method::Fa3Fp8 ? 2 : 1;
  const double peak = eight_bits * per_cycle * gpu.multiprocessors * clock_of(*row.result->timing) * 1e6;
  return peak > 0 ? double(row.matrix_flop) / peak * 1e3 : 0;
}

}  // namespace

std::string share_words(const GpuRow& row) {
  const double least = row.kernel == Method::SplitKv ? 0 : tensor_ms(row);  // which multiplies little
  if (least == 0 || row.result->timing->median <= 0) return {};
  const double share = 100 * least / row.result->timing->median;
  return fmt::format("{} % of the tensor cores at {} MHz", share < 1 ? "under 1" : fmt::format("{:.0f}", share),
                     with_commas(std::llround(clock_of(*row.result->timing))));
}

namespace {

// What was run, without what came of it but the splits.
KernelResult asked_of(const GpuRow& row) {
  KernelResult ours;
  ours.kernel = row.kernel;
  ours.with = row.with;
  if (row.result) ours.splits = row.result->splits;
  return ours;
}

// Under the roofs that were recorded.
double model_ms(const GpuRow& row, const GpuBoard& board, const MethodInfo& method) {
  const KernelResult ours = asked_of(row);
  const Roofs roofs = roofs_of(*shipped_ceilings());
  const KernelVersion version = row.run ? version_of(row.run->provenance) : KernelVersion::Now;
  return estimate(work_of_kernel(ours, board.spec, method.id, roofs.sms, version), roofs_for(ours, roofs)).time * 1e3;
}

// The method whose kernel it is, where the roofs that were recorded without any attention kernel are of its GPU.
const MethodInfo* method_under_roofs(const GpuRow& row, const GpuBoard& board) {
  const RunResult* run = row.recorded ? board.recorded.get() : board.live.get();
  const std::optional<Ceilings>& measured = shipped_ceilings();
  if (!run || !measured || run->provenance.gpu != measured->provenance.gpu) return nullptr;
  const KernelResult ours = asked_of(row);
  const auto method = method_of(ours);
  return method ? &info_of(*method) : nullptr;
}

Direction direction_of(const GpuRow& row) { return schedule_of(row.kernel).direction; }

// Nothing of kernels beside the ladder: what was measured of others says nothing of them.
std::optional<Band> band_under_roofs(const MethodInfo& method, const GpuRow& row, const GpuBoard& board) {
  if (is_beside(row.kernel)) return std::nullopt;
  return band_of(method.id, board.spec.problem, direction_of(row), roofs_of(*shipped_ceilings()));
}

}  // namespace

std::string model_words(const GpuRow& row, const GpuBoard& board) {
  if (const MethodInfo* method = method_under_roofs(row, board)) {
    const auto band = band_under_roofs(*method, row, board);
    return fmt::format("{} by {}’s roofs{}", time_words(model_ms(row, board, *method)),
                       short_gpu_name(shipped_ceilings()->provenance.gpu),
                       band ? fmt::format(", expect {} times this", times_words(*band)) : std::string());
  }
  const double least = tensor_ms(row);
  if (least == 0) return {};
  return fmt::format("{}, tensor cores alone", least < 1e-5 ? "under 0.01 µs" : "at least " + time_words(least));
}

std::string model_tip(const GpuRow& row, const GpuBoard& board) {
  const MethodInfo* method = method_under_roofs(row, board);
  if (!method) return "What the products would take if the tensor cores never waited: nothing can be faster";
  const auto band = band_under_roofs(*method, row, board);
  return fmt::format(
      "The model under roofs that were recorded on {} without any attention kernel. {}",
      short_gpu_name(shipped_ceilings()->provenance.gpu),
      band ? fmt::format("Measured times were {} times the model's: {}.", times_words(*band), words_of(*band))
           : fmt::format("There is {}.", kNothingHeld));
}

std::string slower_words(const GpuRow& row, const GpuBoard& board) {
  const GpuRow* standard = board.row(Method::Standard);
  const bool fa1 = info_of(row.kernel).walk.text == Method::Fa1 && row.kernel != Method::Fa1Small;
  if (!fa1 || !standard || !board.timed_together(row) || !board.timed_together(*standard) ||
      row.result->timing->median <= standard->result->timing->median)
    return {};
  std::string out;
  const int sms = (row.recorded ? board.recorded : board.live)->provenance.multiprocessors;
  const Problem& p = board.spec.problem;
  const int64_t heads = p.batch * p.heads;
  const int64_t blocks = heads * blocks_of_head(row.kernel, heads, p.n_q, int(padded_d(row.kernel, p.d)), sms);
  if (blocks < sms)
    out = fmt::format("{} {} {} of {} multiprocessors idle", blocks, blocks == 1 ? "block leaves" : "blocks leave",
                      sms - blocks, sms);
  if (row.bytes && standard->bytes) {
    const double mine = bytes_of_dram(*row.bytes->counters), others = bytes_of_dram(*standard->bytes->counters);
    if (mine > others && others > 0)
      out += fmt::format("{}{} the DRAM bytes of standard", out.empty() ? "" : "; ", ratio_words(mine, others));
  }
  return out;
}

std::string cost_words(const GpuRow& row) {
  if (!row.result) return {};
  if (row.kernel == Method::SplitKv)
    return row.result->splits == 1 ? "one: a thread block for each head of K and V"
                                   : fmt::format("{} of the keys, a thread block each", row.result->splits);
  if (!row.result->rounding) return {};
  const RoundingCost& cost = *row.result->rounding;
  return fmt::format("O off by {} of its length, L by {}", error_words(cost.whole), error_words(cost.lse));
}

std::string pass_words(const GpuRow& row) {
  if (!row.result || !row.result->rounding || !row.result->timing || !row.predicted) return {};
  const double pass = row.result->rounding->seconds, both = pass + row.result->timing->median * 1e-3;
  return fmt::format("rounding takes {} before it: {} TFLOP/s with it", time_words(pass * 1e3),
                     number_words(double(row.predicted->nominal_flop) / both * 1e-12));
}

const GpuRow* chosen_row(const GpuView& gpu) {
  if (!gpu.board) return nullptr;
  const GpuRow* row = gpu.board->row(gpu.kernel, gpu.with);
  return row ? row : gpu.board->row(gpu.kernel);
}

}  // namespace tilewalk
