#include "kernels/worker/beside_judge.h"

#include "kernels/worker/buffer.h"
#include "kernels/worker/decode_reference.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/method_reference.h"
#include "kernels/worker/timing.h"

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int kKernelsOfRounding = 9;

// Every so manieth row of all heads, so that each residue of a tile is met, and the last.
std::vector<int64_t> sampled_rows(const Request& f) {
  const int64_t all = int64_t(f.heads) * f.n_q, most = std::clamp<int64_t>((int64_t{1} << 22) / f.n_k, 64, 1024);
  const int64_t step = std::max<int64_t>(1, all / most) | 1;
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < all; row += step) rows.push_back(row);
  if (rows.back() != all - 1) rows.push_back(all - 1);
  return rows;
}

Errors judge_split(Request f) {
  if (f.kv_heads == 0) f.kv_heads = f.heads;
  Buffer gaps;
  gaps.hold(size_t(f.heads) * sizeof(DecodeGap));
  check(compare_decode(f, gaps.as<DecodeGap>()), "Comparing with the reference");
  const DecodeErrors errors = judge_decode(f, gaps.download<DecodeGap>(size_t(f.heads)));
  return {f.heads, errors.row, errors.whole, errors.lse, errors.passed};
}

}  // namespace

Errors judge_beside(Method kernel, Format format, const Request& request) {
  if (kernel == Method::SplitKv) return judge_split(request);
  const bool eight_bits = kernel == Method::Fa3Fp8;
  return judge_method(eight_bits ? Format::E4M3 : format,
                      compare_method_rows(request, sampled_rows(request), eight_bits));
}

RoundingCost rounding_cost(const Request& f, cudaStream_t stream, const Nvml& nvml) {
  RoundingCost cost;
  const std::vector<int64_t> rows = sampled_rows(f);
  double difference = 0, reference = 0;
  for (const MethodGap& gap : compare_method_rows(f, rows, false)) {
    difference += gap.difference, reference += gap.reference;
    if (std::isfinite(gap.lse_reference)) cost.lse = std::max(cost.lse, std::fabs(gap.lse - gap.lse_reference));
  }
  cost.whole = reference > 0 ? std::sqrt(difference / reference) : 0;
  cost.rmse = std::sqrt(difference / double(rows.size() * size_t(f.d)));
  Timing rounding;
  const auto round = [&] { check(make_ready(Method::Fa3Fp8, f, stream), "Rounding to e4m3"); };
  time_launches({.warmups = 2, .launches = 9, .flush = nullptr, .least_ms = 5, .most_ms = 50},
                {round, [](int, int) { return true; }, kKernelsOfRounding}, stream, nvml, rounding);
  cost.seconds = rounding.median / 1e3;
  return cost;
}

}  // namespace tilewalk::gpu
