#include "kernels/worker/decode_command.h"

#include "core/io/printable.h"
#include "kernels/split_kv.h"
#include "kernels/worker/device.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/method_meter.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace tilewalk::gpu {
namespace {

std::string over(const std::optional<double>& counted, double predicted) {
  return counted ? fmt::format("{:+.2f} %", 100 * (*counted / predicted - 1) + 0.0) : "-";
}

void print_rows(const std::vector<MethodResult>& rows, double roof) {
  std::vector<std::vector<std::string>> table{{"N", "d", "heads", "of K, V", "splits", "blocks", "median", "K, V TB/s",
                                               "of roof", "L2 to SM", "over predicted", "SM to L2", "over predicted",
                                               "DRAM read", "worst row", "L"}};
  for (const MethodResult& r : rows) {
    const Problem& p = r.spec.problem;
    const int64_t kv_heads = p.batch * p.heads / group_of(r.spec);
    const Counters c = r.counters.value_or(Counters{});
    const double rate = r.timing ? kv_bytes(r.spec) / r.timing->median * 1e3 : 0;
    table.push_back({std::to_string(p.n_k), std::to_string(p.d), std::to_string(p.batch * p.heads),
                     std::to_string(kv_heads), std::to_string(r.spec.splits), std::to_string(r.spec.splits * kv_heads),
                     r.timing ? time_words(r.timing->median) : "-", r.timing ? fmt::format("{:.2f}", rate / 1e12) : "-",
                     r.timing && roof > 0 ? fmt::format("{:.0f} %", 100 * rate / roof) : "-", bytes_words(c.l2_to_sm),
                     over(c.l2_to_sm, double(r.l2_to_sm)), bytes_words(c.sm_to_l2),
                     over(c.sm_to_l2, double(r.sm_to_l2)), bytes_words(c.dram_read),
                     fmt::format("{:.1e}", r.errors.worst_row),
                     fmt::format("{:.1e}{}", r.errors.lse, r.errors.passed ? "" : " WRONG")});
  }
  print_table(table);
}

}  // namespace

void DecodeOptions::add_to(CLI::App& command) {
  command.add_option("--n", n_, "keys and values that are cached")->type_name("N");
  command.add_option("--batch", batch_, "sequences")->type_name("B");
  command.add_option("--kv-heads", kv_heads_, "heads of K and V of a sequence")->type_name("H");
  command.add_option("--group", group_, "heads of Q for each of them, 1 to 16")->type_name("G");
  command.add_option("--d", d_, "64 or 128")->type_name("N");
  command.add_option("--format,--dtype", format_, "fp16, bf16")->type_name("NAME");
  command.add_option("--splits", splits_, "of the keys; 1: without splitting; without it by a rule")->type_name("N");
  command.add_flag("--sweep", sweep_, "N of 8192, 32768 and 131072, groups of 1, 4 and 8, split and not");
  command.add_flag("--warm", warm_, "leave L2 as the launch before left it");
}

int DecodeOptions::run(bool anyway) const {
  const auto usage = [](const std::string& what) { throw CommandFault(kUsage, what); };
  const std::optional<Format> format = format_named(format_);
  if (!format || (*format != Format::Float16 && *format != Format::BFloat16))
    usage(fmt::format("--format is {}; it must be one of fp16, bf16.", in_quotes(format_, 40)));
  if (d_ != 64 && d_ != 128) usage(fmt::format("--d is {}; split-KV takes 64 or 128.", d_));
  if (group_ < 1 || group_ > kSplitRows) usage(fmt::format("--group is {}; it must lie between 1 and 16.", group_));
  if (splits_ < 0 || splits_ > kMostSplits)
    usage(fmt::format("--splits is {}; it must lie between 1 and {}.", splits_, kMostSplits));
  if (n_ < 1 || n_ > (int64_t{1} << 24)) usage(fmt::format("--n is {}; it must lie between 1 and 2^24.", n_));
  if (batch_ < 1 || kv_heads_ < 1 || batch_ > 4096 || kv_heads_ > 4096 || batch_ * kv_heads_ * group_ > 65535)
    usage("--batch and --kv-heads must be at least 1, and the heads of Q at most 65,535.");

  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  const Gpu& gpu = found.gpus.front();
  const GpuLock lock(gpu.pci);
  if (!lock.held() && !anyway)
    throw CommandFault(kFailure, "Another Tilewalk worker is measuring on this GPU; wait, or take --anyway.");
  MethodSpec one{.method = "split-kv", .kv_heads = kv_heads_, .splits = splits_};
  one.problem = {.batch = batch_, .heads = kv_heads_ * group_, .n_q = 1, .n_k = n_, .d = d_, .format = *format};
  std::vector<MethodSpec> asked = sweep_ ? method_set("decode") : std::vector{one};
  try {
    MethodMeter meter(gpu);
    const double roof = meter.roof();
    std::vector<MethodResult> rows;
    for (MethodSpec& spec : asked) {
      spec.problem.batch = batch_, spec.problem.d = d_, spec.problem.format = *format;
      rows.push_back(meter.measure(spec, warm_));
    }
    fmt::print("Split-KV on {}, {}, one query a head, {}\n\n", gpu.what.gpu, utc_now(), name_of(*format));
    print_rows(rows, roof);
    fmt::print(
        "\nTB/s are of K and V, read once, over the median of single launches, {}; the roof is reading DRAM, measured "
        "just before: {:.2f} TB/s.\nBytes predicted: core/attention/split_kv.h; counted over launches of their own, L2 "
        "emptied before each.\n",
        warm_ ? "L2 as the launch before left it" : "L2 emptied before each", roof / 1e12);
    if (!rows.back().no_counters.empty()) fmt::print("{}\n", rows.back().no_counters);
    for (const MethodResult& row : rows)
      if (!row.errors.passed) return kFailure;
    return kOk;
  } catch (const Refused& refused) {
    throw CommandFault(refused.failure.code == "problem" ? kUsage : kFailure, refused.what());
  } catch (const CudaError& fault) {
    throw CommandFault(kFailure, std::string(fault.what()) + ".");
  }
}

}  // namespace tilewalk::gpu
