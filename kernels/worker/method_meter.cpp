#include "kernels/worker/method_meter.h"

#include "core/attention/split_kv.h"
#include "core/run/prediction.h"
#include "kernels/split_kv.h"
#include "kernels/worker/ceiling_meter.h"
#include "kernels/worker/decode_reference.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/method_reference.h"

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int kFp8Launches = 9;  // of the rounding

void refuse(const char* why) { throw Refused("problem", why); }

// Every so manieth row of all heads, so that each residue of a tile is met, and the last.
std::vector<int64_t> sampled_rows(const Request& f) {
  const int64_t all = int64_t(f.heads) * f.n_q, most = std::clamp<int64_t>((int64_t{1} << 22) / f.n_k, 64, 1024);
  const int64_t step = std::max<int64_t>(1, all / most) | 1;
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < all; row += step) rows.push_back(row);
  if (rows.back() != all - 1) rows.push_back(all - 1);
  return rows;
}

}  // namespace

MethodMeter::MethodMeter(const Gpu& gpu) : gpu_(gpu), nvml_(gpu.pci) {
  check(cudaStreamCreate(&stream_), "Making a stream");
}
MethodMeter::~MethodMeter() { cudaStreamDestroy(stream_); }

double MethodMeter::roof() {
  CeilingMeter meter(gpu_.what, stream_);
  const std::optional<Ceiling> read = meter.measure(CeilingId::DramRead, [] { return true; });
  return read && read->rested ? read->rested->median : 0;
}

Request MethodMeter::inputs_of(const MethodSpec& spec) {
  const Problem& queries = spec.problem;
  Problem keys = queries;
  keys.heads = queries.heads / group_of(spec);
  const size_t row = size_t(padded_d(queries.d)) * 2;
  const size_t heads = size_t(queries.batch * queries.heads), kv_heads = size_t(keys.batch * keys.heads);
  Request f;
  f.heads = int(heads), f.kv_heads = int(kv_heads), f.n_q = int(queries.n_q), f.n_k = int(queries.n_k);
  f.d = int(padded_d(queries.d)), f.causal = queries.mask == Mask::Causal;
  f.element = element_of(queries.format), f.scale = float(queries.softmax_scale());
  o_.release(), lse_.release();
  const size_t rows = heads * size_t(queries.n_q), key_rows = kv_heads * size_t(queries.n_k);
  f.q = q_.hold(rows * row), f.k = k_.hold(key_rows * row), f.v = v_.hold(key_rows * row);
  f.o = o_.hold(rows * row), f.lse = static_cast<float*>(lse_.hold(rows * sizeof(float)));
  make_rows(queries, InputTensor::Q, 0, queries.n_q, q_.data());
  make_rows(keys, InputTensor::K, 0, keys.n_k, k_.data());
  make_rows(keys, InputTensor::V, 0, keys.n_k, v_.data());
  check(cudaDeviceSynchronize(), "Making the inputs");
  return f;
}

// The queries of a group are the rows of one Q tile, for the model as for the kernel.
MethodMeter::Run MethodMeter::split_kv(MethodSpec& spec, MethodResult& result) {
  const Problem& asked = spec.problem;
  if (asked.n_q != 1 || asked.mask == Mask::Causal) refuse("Split-KV takes one query a head, and no mask.");
  const Problem packed{.heads = asked.batch * asked.heads / group_of(spec),
                       .n_q = group_of(spec),
                       .n_k = asked.n_k,
                       .d = asked.d,
                       .br = kSplitRows,
                       .bc = split_keys(int(asked.d)),
                       .format = asked.format};
  spec.by_rule = spec.splits == 0;
  if (spec.by_rule) spec.splits = chosen_splits(packed, gpu_.what.multiprocessors * kSplitResident, kMostSplits);
  const SplitTraffic predicted = split_traffic(packed, spec.splits);
  result.l2_to_sm = predicted.split_loads + predicted.merge_loads;
  result.sm_to_l2 = predicted.split_stores + predicted.merge_stores;
  Run run{.request = inputs_of(spec)};
  Request& f = run.request;
  const int splits = int(spec.splits);
  if (const size_t bytes = workspace_bytes_split_kv(f, splits)) f.workspace = workspace_.hold(bytes);
  if (const char* why = ""; !prepare_split_kv(f, &why)) refuse(why);
  spec.splits = splits_made(f.n_k, f.d, splits);
  run.launch = [this, f, splits] { return launch_split_kv(f, splits, stream_); };
  run.judge = [this, f] {
    gaps_.hold(size_t(f.heads) * sizeof(DecodeGap));
    check(compare_decode(f, gaps_.as<DecodeGap>()), "Comparing with the reference");
    const DecodeErrors errors = judge_decode(f, gaps_.download<DecodeGap>(size_t(f.heads)));
    return Errors{f.heads, errors.row, errors.whole, errors.lse, errors.passed};
  };
  return run;
}

MethodMeter::Run MethodMeter::fp8(const MethodSpec& spec, MethodResult& result) {
  const Fp8Traffic predicted = fp8_traffic(spec.problem);
  result.l2_to_sm = predicted.loads, result.sm_to_l2 = predicted.stores;
  Run run{.request = inputs_of(spec)};
  Request& f = run.request;
  if (const char* why = ""; !prepare_fa3_fp8(f, &why)) refuse(why);
  f.workspace = workspace_.hold(workspace_bytes_fa3_fp8(f));
  const Fp8Rounding how{spec.tile_scales, spec.rotated, spec.problem.seed};
  const auto round = [this, f, how] { check(round_to_fp8(f, how, stream_), "Rounding to e4m3"); };
  round();
  Timing rounding;
  time_launches({.warmups = 2, .launches = kFp8Launches, .flush = nullptr, .least_ms = 5, .most_ms = 50},
                {round, [](int, int) { return true; }, 9}, stream_, nvml_, rounding);
  result.rounding.emplace().seconds = rounding.median / 1e3;
  run.launch = [this, f] { return launch_fa3_fp8(f, stream_); };
  run.judge = [f] { return judge_method(Format::E4M3, compare_method_rows(f, sampled_rows(f), true)); };
  return run;
}

MethodMeter::Run MethodMeter::grouped(const MethodSpec& spec, MethodResult& result) {
  const KernelId kernel = spec.method == "fa2" ? KernelId::Fa2 : KernelId::Fa3;
  const RunPrediction predicted = predict_run(spec.problem, kernel, machine_of(gpu_.what), false);
  result.l2_to_sm = predicted.fill_bytes, result.sm_to_l2 = predicted.drain_bytes;
  Run run{.request = inputs_of(spec)};
  const Request f = run.request;
  if (const char* why = ""; !prepare(kernel, f, &why)) refuse(why);
  run.launch = [this, f, kernel] { return gpu::launch(kernel, f, stream_); };
  run.judge = [f, format = spec.problem.format] {
    return judge_method(format, compare_method_rows(f, sampled_rows(f), false));
  };
  return run;
}

void MethodMeter::take_rounding_cost(const Run& run, MethodResult& result) {
  const Request& f = run.request;
  const std::vector<int64_t> rows = sampled_rows(f);
  double difference = 0, reference = 0;
  for (const MethodGap& gap : compare_method_rows(f, rows, false)) {
    difference += gap.difference, reference += gap.reference;
    if (std::isfinite(gap.lse_reference))
      result.rounding->lse = std::max(result.rounding->lse, std::fabs(gap.lse - gap.lse_reference));
  }
  result.rounding->whole = reference > 0 ? std::sqrt(difference / reference) : 0;
  result.rounding->rmse = std::sqrt(difference / double(rows.size() * size_t(f.d)));
}

MethodResult MethodMeter::measure(const MethodSpec& asked, bool warm) {
  MethodResult result;
  result.provenance = gpu_.what;
  result.provenance.date = utc_now();
  MethodSpec spec = asked;
  const bool fp8_kernel = spec.method == "fa3-fp8";
  const Run run = spec.method == "split-kv" ? split_kv(spec, result)
                  : fp8_kernel              ? fp8(spec, result)
                                            : grouped(spec, result);
  result.spec = spec;
  const Request& f = run.request;
  const double rows = double(f.heads) * f.n_q, keys = double(f.kv_heads) * f.n_k;
  result.dram_least = int64_t((rows + 2 * keys) * f.d * (fp8_kernel ? 1 : 2));

  const std::string what = spec.method + "'s launch";
  const auto queue = [&] { check(run.launch(), what); };
  const auto wait = [&] { check(cudaStreamSynchronize(stream_), what); };
  check(cudaMemset(f.o, 0xFF, o_.bytes()), "Overwriting O");
  check(cudaMemset(f.lse, 0xFF, lse_.bytes()), "Overwriting L");
  queue();
  wait();
  result.errors = run.judge();
  if (fp8_kernel) take_rounding_cost(run, result);
  if (!result.errors.passed) return result;

  flush_.prepare(gpu_.what.l2_bytes);
  Timing timing;
  const bool short_one = spec.method == "split-kv";  // the others as `run` times them
  time_launches({.warmups = 10,
                 .launches = 30,
                 .flush = short_one && !warm ? &flush_ : nullptr,
                 .least_ms = short_one ? 100.0 : 300.0,
                 .most_ms = short_one ? 500.0 : 2000.0},
                {queue, [](int, int) { return true; }}, stream_, nvml_, timing);
  result.timing = timing;
  result.counters = traffic_.measure(
      {[&] { flush_.queue(stream_), wait(); }, [&] { queue(), wait(); }, [](int, int) { return true; }},
      result.no_counters);
  return result;
}

}  // namespace tilewalk::gpu
