#include "kernels/worker/decode_command.h"

#include "core/attention/split_kv.h"
#include "core/io/printable.h"
#include "kernels/split_kv.h"
#include "kernels/traffic.h"
#include "kernels/worker/ceiling_meter.h"
#include "kernels/worker/decode_reference.h"
#include "kernels/worker/device.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/tables.h"
#include "kernels/worker/timing.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace tilewalk::gpu {
namespace {

struct Asked {
  int64_t n, kv_heads, group, d, splits;  // kv_heads of all sequences; splits 0: by the rule
  Format format;
};

// The queries of a group are the rows of one Q tile, for the model as for the kernel.
Problem packed(const Asked& a) {
  return {.heads = a.kv_heads,
          .n_q = a.group,
          .n_k = a.n,
          .d = a.d,
          .br = kSplitRows,
          .bc = split_keys(int(a.d)),
          .format = a.format};
}

struct Row {
  Asked asked;
  int64_t splits = 0;
  DecodeErrors errors;
  Timing timing;
  SplitTraffic predicted;
  std::optional<Counters> counters;
  double kv_bytes() const { return 4.0 * double(asked.kv_heads * asked.n * asked.d); }
  double rate() const { return kv_bytes() / timing.median * 1e3; }
};

// Q, K, V and outputs of one problem, and what measures it.
class Meter {
 public:
  Meter(const Gpu& gpu) : gpu_(gpu), nvml_(gpu.pci) { check(cudaStreamCreate(&stream_), "Making a stream"); }
  ~Meter() { cudaStreamDestroy(stream_); }
  Meter(const Meter&) = delete;

  // Throws Refused and CudaError.
  Row measure(const Asked& a, bool warm, std::string& no_counters) {
    Row row;
    row.asked = a;
    const Problem p = packed(a);
    row.splits = a.splits ? a.splits : chosen_splits(p, gpu_.what.multiprocessors * kSplitResident, kMostSplits);
    row.predicted = split_traffic(p, row.splits);
    Forward f = inputs_of(a);
    const int splits = int(row.splits);
    if (const size_t bytes = workspace_bytes_split_kv(f, splits)) f.workspace = workspace_.hold(bytes);
    if (const char* why = ""; !prepare_split_kv(f, &why)) throw Refused("problem", why);
    const auto queue = [&] { check(launch_split_kv(f, splits, stream_), "Split-KV's launch"); };

    check(cudaMemset(f.o, 0xFF, o_.bytes()), "Overwriting O");
    check(cudaMemset(f.lse, 0xFF, lse_.bytes()), "Overwriting L");
    queue();
    check(cudaStreamSynchronize(stream_), "Split-KV's launch");
    gaps_.hold(size_t(f.heads) * sizeof(DecodeGap));
    check(compare_decode(f, gaps_.as<DecodeGap>()), "Comparing with the reference");
    row.errors = judge_decode(f, gaps_.download<DecodeGap>(size_t(f.heads)));
    row.splits = splits_made(f.n_k, f.d, splits);
    if (!row.errors.passed) return row;

    flush_.prepare(gpu_.what.l2_bytes);
    time_launches({.warmups = 10, .launches = 30, .flush = warm ? nullptr : &flush_, .least_ms = 100, .most_ms = 500},
                  {queue, [](int, int) { return true; }}, stream_, nvml_, row.timing);
    const auto wait = [&] { check(cudaStreamSynchronize(stream_), "Split-KV's launch"); };
    row.counters = traffic_.measure(
        {[&] { flush_.queue(stream_), wait(); }, [&] { queue(), wait(); }, [](int, int) { return true; }}, no_counters);
    return row;
  }
  // byte/s of DRAM read alone, as `tilewalk-gpu ceilings` measures it.
  double roof() {
    CeilingMeter meter(gpu_.what, stream_);
    const std::optional<Ceiling> read = meter.measure(CeilingId::DramRead, [] { return true; });
    return read && read->rested ? read->rested->median : 0;
  }

 private:
  Forward inputs_of(const Asked& a) {
    Problem keys = packed(a), queries = keys;
    queries.heads = a.kv_heads * a.group, queries.n_q = 1;
    const size_t row = size_t(a.d) * 2, heads = size_t(queries.heads), n = size_t(a.kv_heads * a.n);
    Forward f;
    f.heads = int(heads), f.kv_heads = int(a.kv_heads), f.n_k = int(a.n), f.d = int(a.d);
    f.element = element_of(a.format), f.scale = float(keys.softmax_scale());
    o_.release(), lse_.release();
    f.q = q_.hold(heads * row), f.k = k_.hold(n * row), f.v = v_.hold(n * row);
    f.o = o_.hold(heads * row), f.lse = static_cast<float*>(lse_.hold(heads * sizeof(float)));
    make_rows(queries, InputTensor::Q, 0, 1, q_.data());
    make_rows(keys, InputTensor::K, 0, a.n, k_.data());
    make_rows(keys, InputTensor::V, 0, a.n, v_.data());
    check(cudaDeviceSynchronize(), "Making the inputs");
    return f;
  }

  const Gpu& gpu_;
  Nvml nvml_;
  Traffic traffic_;
  L2Flush flush_;
  cudaStream_t stream_ = nullptr;
  Buffer q_, k_, v_, o_, lse_, workspace_, gaps_;
};

std::string over(const std::optional<double>& counted, double predicted) {
  return counted ? fmt::format("{:+.2f} %", 100 * (*counted / predicted - 1) + 0.0) : "-";
}

void print_rows(const std::vector<Row>& rows, double roof) {
  std::vector<std::vector<std::string>> table{{"N", "d", "heads", "of K, V", "splits", "blocks", "median", "K, V TB/s",
                                               "of roof", "L2 to SM", "over predicted", "SM to L2", "over predicted",
                                               "DRAM read", "worst row", "L"}};
  for (const Row& r : rows) {
    const double loads = double(r.predicted.split_loads + r.predicted.merge_loads);
    const double stores = double(r.predicted.split_stores + r.predicted.merge_stores);
    const Counters c = r.counters.value_or(Counters{});
    const bool timed = r.timing.count > 0;
    table.push_back(
        {std::to_string(r.asked.n), std::to_string(r.asked.d), std::to_string(r.asked.kv_heads * r.asked.group),
         std::to_string(r.asked.kv_heads), std::to_string(r.splits), std::to_string(r.splits * r.asked.kv_heads),
         timed ? time_words(r.timing.median) : "-", timed ? fmt::format("{:.2f}", r.rate() / 1e12) : "-",
         timed && roof > 0 ? fmt::format("{:.0f} %", 100 * r.rate() / roof) : "-", bytes_words(c.l2_to_sm),
         over(c.l2_to_sm, loads), bytes_words(c.sm_to_l2), over(c.sm_to_l2, stores), bytes_words(c.dram_read),
         fmt::format("{:.1e}", r.errors.row), fmt::format("{:.1e}{}", r.errors.lse, r.errors.passed ? "" : " WRONG")});
  }
  print_table(table);
}

std::vector<Asked> sweep_of(const Asked& first) {
  std::vector<Asked> all;
  for (const int64_t n : {8192, 32768, 131072})
    for (const int64_t group : {1, 4, 8}) {
      Asked a = first;
      a.n = n, a.group = group, a.kv_heads = 32 / group;
      for (const int64_t splits : {0, 1}) a.splits = splits, all.push_back(a);
    }
  return all;
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
  const Asked first{n_, batch_ * kv_heads_, group_, d_, splits_, *format};
  try {
    Meter meter(gpu);
    const double roof = meter.roof();
    std::vector<Row> rows;
    std::string no_counters;
    for (const Asked& asked : sweep_ ? sweep_of(first) : std::vector{first})
      rows.push_back(meter.measure(asked, warm_, no_counters));
    fmt::print("Split-KV on {}, {}, one query a head, {}\n\n", gpu.what.gpu, utc_now(), name_of(*format));
    print_rows(rows, roof);
    fmt::print(
        "\nTB/s are of K and V, read once, over the median of single launches, {}; the roof is reading DRAM, measured "
        "just before: {:.2f} TB/s.\nBytes predicted: core/attention/split_kv.h; counted over launches of their own, L2 "
        "emptied before each.\n",
        warm_ ? "L2 as the launch before left it" : "L2 emptied before each", roof / 1e12);
    if (!no_counters.empty()) fmt::print("{}\n", no_counters);
    for (const Row& row : rows)
      if (!row.errors.passed) return kFailure;
    return kOk;
  } catch (const Refused& refused) {
    throw CommandFault(refused.failure.code == "problem" ? kUsage : kFailure, refused.what());
  } catch (const CudaError& fault) {
    throw CommandFault(kFailure, std::string(fault.what()) + ".");
  }
}

}  // namespace tilewalk::gpu
