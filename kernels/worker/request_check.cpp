#include "kernels/worker/request_check.h"

#include "core/run/prediction.h"
#include "kernels/split_kv.h"
#include "kernels/worker/checker.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/gradient_checker.h"
#include "kernels/worker/timing.h"
#include "kernels/worker/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int64_t kMostHeads = 65535;              // of a launch's grid
constexpr double kMostFlop = 1e15;                 // of one launch: a few seconds on a large GPU
constexpr int64_t kMostListed = int64_t{1} << 22;  // floats in one list of an answer

[[noreturn]] void refuse(std::string message) { throw Refused("problem", std::move(message)); }

void check_values(const RunSpec& spec) {
  const Problem& p = spec.problem;
  const struct {
    const char* name;
    const std::vector<float>& values;
    int64_t rows;
  } tensors[] = {{"Q", spec.inputs.q, p.n_q}, {"K", spec.inputs.k, p.n_k}, {"V", spec.inputs.v, p.n_k}};
  for (const auto& [name, values, rows] : tensors) {
    if (int64_t(values.size()) != rows * p.d)
      refuse(fmt::format("{} has {} numbers; {} rows of {} need {}.", name, values.size(), rows, p.d, rows * p.d));
    for (float value : values)
      if (!std::isfinite(round_to(p.format, double(value))))
        refuse(fmt::format("{} holds a number that {} cannot; scale it down or take bf16.", name, name_of(p.format)));
  }
}

// Of K and V, and what kernels beside the ladder take.
void check_heads(const RunSpec& spec) {
  const Problem& p = spec.problem;
  if (spec.kv_heads < 0 || (spec.kv_heads > 0 && p.heads % spec.kv_heads))
    refuse(fmt::format("K and V have {} heads and Q has {}: their number must be a multiple.", spec.kv_heads, p.heads));
  if (spec.splits < 0 || spec.splits > kMostSplits)
    refuse(fmt::format("{} splits of the keys are asked for; there can be 1 to {}.", spec.splits, kMostSplits));
  for (const Method kernel : spec.kernels) {
    if (kernel == Method::Fa3Fp8 && (p.d <= 64 || p.n_q > (int64_t{1} << 17) || p.n_k > (int64_t{1} << 17)))
      refuse(fmt::format("{} takes d from 65 to {} and N up to 2^17.", info_of(kernel).kernel_name(), kMostKernelD));
    if (kernel == Method::SplitKv && (p.n_q != 1 || group_of(spec) > kSplitRows))
      refuse(
          fmt::format("{} takes one query a head, and up to {} heads of Q for each of K and V; asked for are {} "
                      "queries and {} heads.",
                      info_of(kernel).kernel_name(), kSplitRows, p.n_q, group_of(spec)));
  }
}

std::string gigabytes(size_t bytes) {
  return bytes < 1'000'000'000 ? fmt::format("{:.0f} MB", std::ceil(double(bytes) / 1e6))
                               : fmt::format("{:.1f} GB", double(bytes) / 1e9);
}

}  // namespace

void check_request(const RunSpec& spec) {
  const Problem& p = spec.problem;
  if (const std::vector<Fault> faults = validate(p); !faults.empty()) refuse(faults.front().message);
  int64_t most = 0;
  for (const Method kernel : spec.kernels) most = std::max(most, most_d(kernel));
  if (most && p.d > most) refuse(fmt::format("d is {}; the kernels asked for compute with up to {}.", p.d, most));
  if (p.softmax_scale() <= 0)
    refuse(fmt::format("The softmax scale is {}; the kernels take a positive one.", p.softmax_scale()));
  if (p.format != Format::Float16 && p.format != Format::BFloat16)
    refuse(fmt::format("The format is {}; the kernels take fp16 and bf16.", name_of(p.format)));
  if (p.mask == Mask::Causal && p.align == CausalAlign::TopLeft && p.n_q != p.n_k)
    refuse("The kernels align the causal mask bottom right; with as many queries as keys the two are the same.");
  if (p.batch * p.heads > kMostHeads)
    refuse(fmt::format("B times H is {}; the kernels launch up to {} heads at once.", p.batch * p.heads, kMostHeads));
  if (const double flop = 4.0 * double(p.batch * p.heads) * double(p.n_q) * double(p.n_k) * double(p.d);
      flop > kMostFlop)
    refuse(fmt::format("One launch would take {:.1e} FLOP; up to {:.0e} are run. Take a smaller N.", flop, kMostFlop));
  if (spec.kernels.empty()) refuse("No kernel is asked for.");
  if (spec.switches.size() > switches().size())
    refuse(fmt::format("{} switches are asked for; there are {}.", spec.switches.size(), switches().size()));
  const bool built_anew = !std::ranges::all_of(spec.kernels, is_beside);
  if (!spec.switches.empty() && built_anew && p.format != Format::Float16)
    refuse("Switched kernels are built for fp16 alone.");
  check_heads(spec);
  if (spec.warmups < 1 || spec.warmups > 1000 || spec.launches < 1 || spec.launches > 1000)
    refuse("Warm-ups and launches must lie between 1 and 1000.");
  if ((spec.trace || spec.outputs) && (spec.trace_head < 0 || spec.trace_head >= p.batch * p.heads))
    refuse(fmt::format("Head {} is asked for; there are {}, counted from 0.", spec.trace_head, p.batch * p.heads));
  if (spec.outputs && p.n_q * p.d > kMostListed)
    refuse(fmt::format("O of one head has {} numbers; up to {} are sent. Take a smaller N.", p.n_q * p.d, kMostListed));
  if (spec.inputs.kind == RunInputs::Kind::Values)
    check_values(spec);
  else if (p.distribution == Distribution::Custom)
    refuse("Inputs of distribution \"custom\" cannot be generated; send their values.");
  if (!spec.trace) return;
  for (Method kernel : spec.kernels) {
    if (!can_trace(kernel)) continue;
    const int64_t bc = kernel_shape(kernel, int(padded_d(kernel, p.d))).bc;
    if (const int64_t tiles = bc ? (p.n_k + bc - 1) / bc : 0; tiles * p.n_q > kMostListed)
      refuse(fmt::format("{}'s trace would hold {} values of m; up to {} are sent. Take a smaller N.",
                         info_of(kernel).kernel_name(), tiles * p.n_q, kMostListed));
  }
}

Forward forward_of(const Problem& p) {
  return {.heads = int(p.batch * p.heads),
          .n_q = int(p.n_q),
          .n_k = int(p.n_k),
          .d = int(padded_d(p.d)),  // as every kernel takes it
          .causal = p.mask == Mask::Causal,
          .element = element_of(p.format),
          .scale = float(p.softmax_scale()),
          .wide_scores = keeps_wide_scores(p)};
}

Request request_of(const RunSpec& spec, const Answer& asked, int multiprocessors) {
  Request request = forward_of(spec.problem);
  request.d = int(padded_d(asked.kernel, spec.problem.d));
  request.kv_heads = int(spec.problem.batch * spec.kv_heads);
  request.with = asked.with;
  if (asked.kernel == Method::SplitKv)
    request.splits = int(splits_of_run(spec.problem, change_of(spec, asked.with), multiprocessors));
  return request;
}

size_t bytes_needed(const RunSpec& spec, Method kernel, const Provenance& gpu) {
  const Problem& p = spec.problem;
  const size_t rows = size_t(p.batch * p.heads * p.n_q);
  const size_t inputs = DeviceInputs::bytes(spec, padded_d(kernel, p.d));
  size_t bytes = inputs + rows * size_t(widest_d(p.d)) * 2 + rows * sizeof(float);
  bytes += workspace_bytes(kernel, request_of(spec, {kernel}, gpu.multiprocessors)) + Checker::bytes(p);
  if (is_beside(kernel) || group_of(spec) > 1) bytes += 2 * inputs;  // widened for the reference
  if (schedule_of(kernel).backward()) {                              // dO and dQ, dK and dV
    const size_t keys = size_t(p.batch * p.heads * p.n_k);
    bytes += 2 * (rows + keys) * size_t(padded_d(p.d)) * 2 + GradientChecker::bytes(p);
  }
  if (spec.flush_l2 || spec.counters) bytes += L2Flush::bytes(gpu.l2_bytes);
  if (const int64_t bc = kernel_shape(kernel, int(padded_d(kernel, p.d))).bc; spec.trace && can_trace(kernel))
    bytes += size_t((p.n_k + bc - 1) / bc * p.n_q) * 2 * sizeof(float);
  return bytes;
}

std::optional<Failure> memory_fault(const RunSpec& spec, Method kernel, const Provenance& gpu, size_t free) {
  const size_t usable = free / 10 * 9;
  const size_t needed = bytes_needed(spec, kernel, gpu);
  if (needed <= usable) return std::nullopt;
  const auto fits = [&](int64_t n) {
    RunSpec smaller = spec;
    smaller.problem.n_q = smaller.problem.n_k = n;
    return bytes_needed(smaller, kernel, gpu) <= usable;
  };
  int64_t low = 0, high = std::max(spec.problem.n_q, spec.problem.n_k);
  while (low < high) {
    const int64_t middle = (low + high + 1) / 2;
    if (fits(middle))
      low = middle;
    else
      high = middle - 1;
  }
  Failure failure{0, "memory", "", int64_t(needed), int64_t(free), low};
  failure.message = fmt::format("{} needs {} of GPU memory and {} are free, of which a tenth is left alone; {}",
                                info_of(kernel).kernel_name(), gigabytes(needed), gigabytes(free),
                                low ? fmt::format("N up to {} fits.", low) : std::string("no N fits."));
  return failure;
}

}  // namespace tilewalk::gpu
