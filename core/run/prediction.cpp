#include "core/run/prediction.h"

#include "core/attention/fp8_tiles.h"
#include "core/attention/split_kv.h"
#include "core/kernel/launch_order.h"
#include "core/kernel/product_tiles.h"
#include "core/model/l2_cache.h"
#include "core/run/nominal.h"
#include "core/schedules/count.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace tilewalk {
namespace {

// For the L2 model these stand for cuBLAS's tiles.
constexpr int64_t kProductTile = 128;

// What the passes of standard attention that are products bring in, of a head: forward S = Q K^T and O = P V, backward
// dV = P^T dO, dP = dO V^T, dQ = dS K and dK = dS^T Q.
int64_t product_fill(const Problem& p, bool backward, size_t pass) {
  if (pass == (backward ? 1u : 0u)) return product_loads(p.n_q, p.n_k, p.d);
  const bool of_keys = backward && pass != 3;
  return of_keys ? product_loads(p.n_k, p.d, p.n_q) : product_loads(p.n_q, p.d, p.n_k);
}

// Rows past the end of Q, K and V that FA3 asks L2 for. TMA takes K and V in whole tiles and Q in boxes of one
// warpgroup's rows; what lies past the end comes as zeros, but counts between L2 and the multiprocessors (never in
// DRAM). A Q tile that sees no key fetches one K/V tile all the same.
int64_t rows_past_the_end(const Tiling& t) {
  const KernelShape shape = kernel_shape(Method::Fa3, int(t.d));
  const int64_t box = shape.br / shape.consumers;
  int64_t rows = (t.n_q + box - 1) / box * box - t.n_q;
  for (int64_t i = 0; i < t.tr; ++i) {
    const int64_t visits = t.visits(i);
    rows += visits == 0 ? 2 * t.bc : visits == t.tc ? 2 * (t.tc * t.bc - t.n_k) : 0;
  }
  return rows;
}
// The same of its backward pass, in bytes of a head: K and V in whole tiles; Q, dO, L and D too, once a visit.
int64_t bytes_past_the_end_backward(const Tiling& t, int64_t row) {
  const int64_t queries = t.tr * t.br - t.n_q, keys = t.tc * t.bc - t.n_k;
  return keys * 2 * row + t.visits(t.tr - 1) * queries * (2 * row + 2 * kStatisticBytes);
}

// Split-KV as it sees the problem: the queries of a group are the rows of one Q tile.
Problem packed_queries(const Problem& problem, int64_t group) {
  Problem p = padded_problem(problem, Method::SplitKv);
  p.heads = p.heads / std::max<int64_t>(1, group);
  p.n_q = std::max<int64_t>(1, group);
  p.mask = Mask::Full;
  return p;
}

constexpr double kMostCounted = 0x1p62;

// K and V come from DRAM once. What the parts write is little and stays in L2 until the merge has read it.
RunPrediction predict_split(const Problem& problem, const MachineSpec& spec, const KernelChange& change) {
  const Problem p = packed_queries(problem, change.group);
  const double heads = double(p.batch) * double(p.heads), keys = double(p.n_k) * double(p.d);
  RunPrediction out;
  if (heads * keys * 4 * double(p.br) >= kMostCounted) {
    out.counted = out.dram.modelled = false;
    return out;
  }
  const SplitTraffic bytes = split_traffic(p, splits_of_run(problem, change, spec.multiprocessors));
  out.passes = {{"splits", bytes.split_loads, bytes.split_stores}};
  if (bytes.merge_stores) out.passes.push_back({"merge", bytes.merge_loads, bytes.merge_stores});
  out.fill_bytes = bytes.split_loads + bytes.merge_loads;
  out.drain_bytes = bytes.split_stores + bytes.merge_stores;
  const int64_t scores = p.batch * p.heads * p.br * ((p.n_k + p.bc - 1) / p.bc * p.bc);
  out.matrix_flop = 4 * scores * p.d;
  out.exponentials = scores;
  out.nominal_flop = int64_t(nominal_flop(problem));
  out.dram.read_bytes = p.batch * p.heads * (p.n_q + 2 * p.n_k) * p.d * bytes_of(p.format);
  out.dram.left_dirty_bytes = out.drain_bytes;
  return out;
}

}  // namespace

int64_t splits_of_run(const Problem& problem, const KernelChange& change, int multiprocessors) {
  const Problem p = packed_queries(problem, change.group);
  const int resident = kernel_shape(Method::SplitKv, int(p.d)).resident;
  const int64_t asked = change.splits > 0 ? change.splits : chosen_splits(p, multiprocessors * resident);
  return int64_t(splits_of(p, asked).size());
}

KernelChange change_of(const RunSpec& spec, Switch with, KernelVersion version) {
  KernelChange change;
  if (with == Switch::QTile64) change.q_tile_rows = 64;
  if (with == Switch::QTile128) change.q_tile_rows = 128;
  change.skips_hidden = with != Switch::Skipping;
  change.group = group_of(spec);
  change.splits = with == Switch::Splitting ? 1 : spec.splits;
  change.version = version;
  return change;
}

double nominal_flop(const Problem& p) {
  const double all = double(p.n_q * p.n_k), d = double(p.d), heads = double(p.batch * p.heads);
  if (p.mask == Mask::Full) return 4 * all * d * heads;
  if (p.n_q == p.n_k) return 2 * all * d * heads;
  const Tiling tiling(p);
  int64_t pairs = 0;
  for (int64_t row = 0; row < p.n_q; ++row) pairs += std::clamp<int64_t>(row + 1 + tiling.offset, 0, p.n_k);
  return 4 * double(pairs) * d * heads;
}

int64_t nominal_flop_of(const Problem& problem) { return int64_t(nominal_flop(problem)); }

double nominal_flop(const Problem& problem, Method kernel) {
  return nominal_flop(problem) * (schedule_of(kernel).backward() ? kBackwardFlop : 1);
}

MachineSpec machine_of(const Provenance& gpu) {
  MachineSpec machine = default_machine();
  if (gpu.multiprocessors > 0) machine.multiprocessors = gpu.multiprocessors;
  if (gpu.l2_bytes <= 0) return machine;
  if (gpu.l2_shared > 0)
    machine.l2 = {4 * gpu.l2_shared < 3 * gpu.l2_bytes ? 2 : 1, machine.l2.ways, gpu.l2_dirty};
  else if (gpu.l2_bytes != machine.l2_bytes)
    machine.l2 = {};
  machine.l2_bytes = gpu.l2_bytes;
  return machine;
}

KernelVersion version_of(const Provenance& made) {
  // cuDNN's kernel and the papers' FA3 end with their short tile.
  if (made.program == "record-peers.py") return KernelVersion::V0_1;
  // "0.1.0", of which the first two numbers count.
  const char *at = made.program.data(), *end = at + made.program.size();
  unsigned major = 0, minor = 0;
  const auto [dot, fault] = std::from_chars(at, end, major);
  if (fault != std::errc() || dot == end || *dot != '.') return KernelVersion::Now;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return KernelVersion::Now;
  if (major > 0 || minor > 2) return KernelVersion::Now;
  return minor == 2 ? KernelVersion::V0_2 : KernelVersion::V0_1;
}

RunPrediction predict_run(const Problem& problem, Method kernel, const MachineSpec& spec, bool dram,
                          const KernelChange& change) {
  if (kernel == Method::SplitKv) return predict_split(problem, spec, change);
  Problem p = padded_problem(problem, kernel);
  const bool eight_bits = kernel == Method::Fa3Fp8;
  if (eight_bits) p.d = kFp8D, p.bc = fp8_keys(p.n_k), p.format = Format::E4M3;
  if (change.q_tile_rows) p.br = change.q_tile_rows;
  if (!change.skips_hidden) p.mistake = Mistake::NoEarlyExit;
  if (kernel == Method::Standard || kernel == Method::StandardBackward) p.br = p.bc = kProductTile;
  const Schedule& schedule = schedule_of(kernel);
  const Plan plan = kernel_plan(p, kernel, spec.multiprocessors, change.version);
  const Count one = count(schedule, plan);

  RunPrediction out;
  const int64_t heads = p.batch * p.heads;
  // Doubles, so that the check itself cannot overflow.
  const double nominal = 4.0 * double(problem.n_q) * double(problem.n_k) * double(problem.d);
  const double largest = std::max({double(one.total.fill_bytes()), double(one.total.drain_bytes()),
                                   double(one.total.matrix_flop), double(one.total.exponentials), nominal});
  if (largest * double(heads) >= kMostCounted) {
    out.counted = out.dram.modelled = false;
    return out;
  }
  for (size_t k = 0; k < one.passes.size(); ++k) {
    const Meters& pass = one.passes[k];
    if (!pass.steps) continue;
    const bool product = schedule.scores_in_memory && pass.matrix_flop > 0;
    // The papers' softmax keeps no L; the kernel writes it, so that its answer is like those of the others.
    const bool softmax = schedule.scores_in_memory && pass.exponentials > 0;
    const int64_t fill = product ? product_fill(p, schedule.backward(), k) : pass.fill_bytes();
    out.passes.push_back(
        {schedule.passes[k], fill * heads, (pass.drain_bytes() + (softmax ? p.n_q * kStatisticBytes : 0)) * heads});
    out.fill_bytes += out.passes.back().fill_bytes;
    out.drain_bytes += out.passes.back().drain_bytes;
  }
  if (kernel == Method::Standard) {
    const int64_t past = (standard_pitch(p.n_k) - p.n_k) * p.n_q * (heads - standard_unpadded_heads(heads, p.n_k)) *
                         (plan.variant.wide_scores ? 4 : bytes_of(p.format));
    out.passes.front().drain_bytes += past;
    out.drain_bytes += past;
    out.past_bytes = past;
  }
  out.fill_modelled = kernel == Method::Naive || (schedule.scores_in_memory && !product_tiles_known(p.n_q, p.n_k));
  if (kernel == Method::Fa3) {
    const int64_t past = rows_past_the_end(plan.tiling) * p.d * bytes_of(p.format) * heads;
    out.passes.front().fill_bytes += past;
    out.fill_bytes += past;
    out.past_bytes = past;
  }
  // L goes through the first pass: kept beside D, in base 2, where a visit loads both.
  if (kernel == Method::Fa2Backward || kernel == Method::Fa3Backward) {
    const int64_t beside = p.n_q * kStatisticBytes * heads;
    for (int64_t* bytes :
         {&out.passes.front().fill_bytes, &out.fill_bytes, &out.passes.front().drain_bytes, &out.drain_bytes})
      *bytes += beside;
  }
  if (kernel == Method::Fa3Backward) {
    const int64_t past = bytes_past_the_end_backward(plan.tiling, p.d * bytes_of(p.format)) * heads;
    out.passes[1].fill_bytes += past;
    out.fill_bytes += past;
    out.past_bytes = past;
  }
  // Whole tiles and boxes, and scales; O in 16 bits.
  const int64_t wide_o = eight_bits ? p.n_q * p.d * heads : 0;
  if (eight_bits) {
    const Fp8Traffic bytes = fp8_traffic(problem);
    out.passes = {{schedule.passes[0], bytes.loads, bytes.stores}};
    out.past_bytes = bytes.loads - out.fill_bytes;
    out.fill_bytes = bytes.loads;
    out.drain_bytes = bytes.stores;
  }
  out.matrix_flop = one.total.matrix_flop * heads;
  out.nominal_flop = int64_t(nominal_flop(problem, kernel));
  out.exponentials = one.total.exponentials * heads;
  // L2 keeps whole chunks, each of many of the naive kernel's rows.
  if (kernel == Method::Naive) p.bc = L2Cache::kChunk / (p.d * bytes_of(p.format));
  if (dram) {
    const Method form = eight_bits ? Method::Fa3 : kernel;
    const int64_t width = eight_bits ? p.d / 2 : p.d;
    const bool before = change.version < KernelVersion::Now, causal = p.mask == Mask::Causal;
    out.dram =
        estimate_dram(schedule, kernel == Method::Naive ? kernel_plan(p, kernel, spec.multiprocessors) : plan, spec,
                      {.resident = kernel_shape(kernel, int(p.d)).resident,
                       .group = launch_group(form, causal, heads, p.n_k, width),
                       .rest_last = before,
                       .ahead = before && causal && form == Method::Fa3});
  } else {
    out.dram.modelled = false;
  }
  if (!out.dram.modelled) return out;
  if (wide_o) {  // no more of O waits in L2 than may
    const int64_t o = out.dram.left_dirty_bytes + wide_o;
    const int64_t waits = spec.l2.dirty_bytes > 0 ? std::min(o, spec.l2.dirty_bytes) : o;
    out.dram.left_dirty_bytes = waits;
    out.dram.written_bytes += o - waits;
  }
  if (change.group > 1) {  // what K and V come to is shared by the heads of a group
    const int64_t q = p.n_q * p.d * bytes_of(p.format) * heads;
    out.dram.read_bytes = q + (out.dram.read_bytes - q) / change.group;
  }
  return out;
}

}  // namespace tilewalk
