#include "core/roofline/work.h"

#include "core/attention/split_kv.h"
#include "core/machine/words.h"
#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace tilewalk {
namespace {

constexpr int64_t kMostEstimatedD = 256;
constexpr int64_t kProductTile = 128;  // stands for cuBLAS's own tiles, as in core/run/prediction.cpp

// Of FA4's exponentials (arXiv:2603.05451: 10 to 25 %), and what one costs on the fp32 units: clamp, round, subtract
// and three multiply-adds.
constexpr double kPolynomials = 0.1, kPolynomialOps = 6;

bool unfused(Method method) { return !is_fused(method); }

const Schedule& schedule_of(Method method, Direction direction) {
  return schedule_of(direction == Direction::Forward ? method : *info_of(method).turned);
}

KernelShape shape_of(Method method, int64_t d) { return kernel_shape(method, int(padded_d(method, d))); }

// Rows of the smallest tile that the instruction multiplies.
int64_t least_rows(Multiply by) { return by == Multiply::MmaSync ? 16 : by == Multiply::Wgmma ? 64 : 128; }

// The problem with the kernel's tiles and its padded d. There is no backward kernel here: its tiles are the released
// ones (Dao-AILab/flash-attention, flash_bwd_launch_template.h, and of FA4 flash_attn/cute/interface.py).
Problem tiled(Method method, const Problem& problem, Direction direction) {
  Problem p = padded_problem(problem, method);
  const KernelShape shape = shape_of(method, p.d);
  p.br = unfused(method) ? kProductTile : shape.br;
  p.bc = unfused(method) ? kProductTile : shape.bc;
  if (direction == Direction::Backward && !unfused(method))
    p.br = p.d <= 64 || method == Method::Fa4 ? 128 : 64, p.bc = 128;
  if (direction == Direction::Forward && p.n_q < p.br) {
    const int64_t rows = least_rows(info_of(method).estimate.multiply);
    p.br = (p.n_q + rows - 1) / rows * rows;
    p.bc = 128;
  }
  return p;
}

// Rows that share one read of an operand from shared memory: those of a warp (mma.sync), of a warpgroup (wgmma), of a
// Q tile (tcgen05).
int64_t reading_rows(Method method, const Problem& p) {
  const Multiply by = info_of(method).estimate.multiply;
  const KernelShape shape = shape_of(method, p.d);
  return std::min(p.br, by == Multiply::MmaSync ? int64_t{shape.br / shape.warps} : least_rows(by));
}

// One head's count, which B and H do not change. A board asks for the same few problems in every frame, and a long
// causal one takes a millisecond, so the last ones are kept.
const Count& counted(const Schedule& schedule, const Plan& plan) {
  using Key =
      std::tuple<Method, int64_t, int64_t, int64_t, int64_t, int64_t, Mask, CausalAlign, Format, int64_t, int64_t>;
  constexpr size_t kMost = 1024;
  thread_local std::map<Key, Count> kept;
  const Problem& p = plan.problem;
  const Key key{schedule.id,      p.n_q, p.n_k, p.d, p.br, p.bc, p.mask, p.align, p.format, plan.variant.blocks_of_head,
                plan.tiling.fewer};
  const auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  if (kept.size() >= kMost) kept.clear();
  return kept.emplace(key, count(schedule, plan)).first->second;
}

// Bytes from shared memory for each FLOP of the products: of one visit by the rows that read together.
double sram_per_flop(Method method, const Schedule& schedule, Problem p, Direction direction) {
  if (direction == Direction::Forward) p.br = reading_rows(method, p);
  p.batch = p.heads = 1;
  p.mask = Mask::Full;
  p.n_q = p.br;
  p.n_k = p.bc;
  const Meters& visit = counted(schedule, make_plan(schedule, p, VariantId::Kernel)).total;
  return double(visit.operand_bytes) / double(visit.matrix_flop);
}

// The blocks of a fused pass: one for each Q tile (FA2, FA3), or as many for a head as FA1 launches; backward one for
// each K/V tile, and for each head.
Blocks blocks_of(Method method, const Plan& plan, Direction direction, int64_t splits) {
  const Tiling& t = plan.tiling;
  const bool by_keys = direction == Direction::Backward;
  const auto heads = double(plan.problem.batch * plan.problem.heads);
  double all = 0, longest = 0, shortest = double(std::max(t.tr, t.tc));
  for (int64_t k = 0, end = by_keys ? t.tc : t.tr; k < end; ++k) {
    const auto visits = double(by_keys ? t.tr - t.first_row_tile(k) : t.visits(k));
    all += visits;
    longest = std::max(longest, visits);
    shortest = std::min(shortest, visits);
  }
  Blocks out;
  // Of a head, where FA1 walks it.
  const int64_t shared = by_keys && method == Method::Fa1
                             ? fa1_backward_blocks(int64_t(heads), t.tc, plan.problem.mask == Mask::Causal,
                                                   default_machine().multiprocessors)
                             : plan.variant.blocks_of_head;
  out.per_head = method == Method::Fa1 ? shared : (by_keys ? t.tc : t.tr) * splits;
  out.count = int64_t(heads) * out.per_head;
  out.resident = by_keys ? 1 : shape_of(method, t.d).resident;
  out.visits = all * heads;
  const double walk = std::ceil(all / double(shared));
  out.longest = method == Method::Fa1 ? walk : std::ceil(longest / double(splits));
  // Under a causal mask FA2, FA3 and FA4 launch from the longest block to the shortest; otherwise all are alike.
  out.last = method == Method::Fa1 ? walk : std::ceil(shortest / double(splits));
  return out;
}

PassWork pass_of(const Meters& one, std::string_view name, double heads) {
  PassWork pass;
  pass.name = name;
  pass.matrix_flop = double(one.matrix_flop) * heads;
  pass.exponentials = double(one.exponentials) * heads;
  pass.vector_ops = double(one.vector_flop) * heads;
  pass.l2_bytes = double(one.fill_bytes() + one.drain_bytes()) * heads;
  pass.two_level_bytes = double(one.paper_bytes()) * heads;
  return pass;
}

// A pass that reads S and writes it again, with one operation a score.
PassWork over_scores(std::string_view name, double scores, double element) {
  PassWork pass;
  pass.name = name;
  pass.vector_ops = scores;
  pass.l2_bytes = pass.dram_bytes = pass.two_level_bytes = 2 * scores * element;
  return pass;
}

void add_unfused(Work& work, const Schedule& schedule, const Count& one) {
  const Problem& p = work.problem;
  const double heads = double(work.heads()), element = bytes_of(p.format);
  const double scores = double(p.n_q) * double(p.n_k) * heads;
  for (size_t k = 0; k < one.passes.size(); ++k) {
    PassWork pass = pass_of(one.passes[k], schedule.passes[k], heads);
    // As the papers count; what cuBLAS's tiles read again (core/kernel/product_tiles.h) stays below L2's roof.
    if (pass.matrix_flop > 0) pass.l2_bytes = pass.two_level_bytes;
    pass.dram_bytes = pass.two_level_bytes;
    work.passes.push_back(std::move(pass));
    const bool forward = work.direction == Direction::Forward;
    if (work.method != Method::Eager || k != (forward ? 0u : 2u)) continue;
    // Forward, S · scale and the mask stand before the softmax; backward, the same factors are put on dS behind it.
    work.passes.push_back(over_scores(forward ? "S · scale" : "dS · scale", scores, element));
    if (p.mask == Mask::Causal) work.passes.push_back(over_scores(forward ? "mask S" : "mask dS", scores, element));
  }
}

void add_fused(Work& work, const Schedule& schedule, const Plan& plan, const Count& one) {
  const Problem& p = plan.problem;
  const double heads = double(work.heads());
  for (size_t k = 0; k < one.passes.size(); ++k) {
    const Meters& meters = one.passes[k];
    if (!meters.steps) continue;
    PassWork pass = pass_of(meters, schedule.passes[k], heads);
    pass.dram_bytes = pass.l2_bytes;  // passes without products meet each tensor once
    if (meters.matrix_flop > 0) {
      const bool waits = work.method == Method::Fa1 && work.direction == Direction::Backward;
      pass.blend = waits ? Blend::Waits : info_of(work.method).estimate.blend;
      if (work.method == Method::Fa4 && work.direction == Direction::Forward) {
        const double moved = kPolynomials * pass.exponentials;
        pass.exponentials -= moved, pass.vector_ops += kPolynomialOps * moved;
      }
      pass.blocks = blocks_of(work.method, plan, work.direction, work.splits);
      pass.blocks.useful = double(meters.matrix_flop) * heads /
                           double((work.direction == Direction::Forward ? 4 : 10) * p.br * p.bc * p.d);
      pass.sram_bytes = pass.matrix_flop * sram_per_flop(work.method, schedule, p, work.direction);
      if (pass.blocks.resident == 1 && (pass.blend == Blend::TwoGroups || pass.blend == Blend::Roles)) {
        // Q, K and then O; backward K, V, Q, dO and then dK, dV.
        const bool forward = work.direction == Direction::Forward;
        const int64_t rows = forward ? 2 * p.br + p.bc : 2 * p.br + 4 * p.bc;
        pass.edge_bytes = double(pass.blocks.count) * double(rows * p.d * bytes_of(p.format));
      }
      // Each tensor once; what is left of the fills comes again.
      const double q = double(p.n_q * p.d), kv = double(p.n_k * p.d), element = bytes_of(p.format);
      const double rows = double(p.n_q) * kStatisticBytes;
      if (work.direction == Direction::Forward) {
        const bool trips = work.method == Method::Fa1;  // of O in fp32, m and l
        pass.dram_bytes = heads * (2 * q * element + 2 * kv * element + rows);
        pass.keys_outside = trips;
        pass.kept_per_head = trips ? q * element + 4 * q + 2 * rows : 2 * kv * element;
        pass.again = trips ? pass.l2_bytes - pass.dram_bytes : heads * 2 * kv * element;
      } else {
        // Q, dO, L, D and dQ in fp32 (added to in L2); K, V in, dK, dV out.
        pass.keys_outside = work.method == Method::Fa1;
        pass.dram_bytes = heads * (2 * q * element + 2 * rows + 4 * q + 4 * kv * element);
        pass.kept_per_head = 2 * q * element + 2 * rows + 4 * q;
        pass.again = heads * pass.kept_per_head;
      }
    }
    work.passes.push_back(std::move(pass));
  }
}

// Flash-Decoding's second kernel, and the pieces of O and L that it reads.
void add_merge(Work& work, const Problem& p) {
  const SplitTraffic traffic = split_traffic(p, work.splits);
  PassWork& first = work.passes.front();
  first.l2_bytes = double(traffic.split_loads + traffic.split_stores);
  PassWork merge;
  merge.name = "merge";
  merge.l2_bytes = merge.dram_bytes = merge.two_level_bytes = double(traffic.merge_loads + traffic.merge_stores);
  const double pieces = double(work.heads() * p.n_q * work.splits);
  merge.vector_ops = 2 * pieces * double(p.d);
  merge.exponentials = pieces;
  work.passes.push_back(std::move(merge));
}

}  // namespace

int64_t Blocks::waves(int sms) const {
  const int64_t room = int64_t(sms) * resident;
  return room > 0 ? (count + room - 1) / room : 0;
}

double Blocks::spread(int sms) const {
  if (count == 0 || sms <= 0 || !(visits > 0)) return 1;
  // Alike, the busiest multiprocessor takes one more than the others. From the longest to the shortest, the span is at
  // most an even share and the block handed out last (Graham, "Bounds on multiprocessing timing anomalies", 1969).
  const bool alike = longest == last;
  const double even = visits / sms;
  const double span =
      alike ? std::ceil(double(count) / sms) * longest : std::max(longest, even + last * (1 - 1.0 / sms));
  return std::max(1.0, span / even);
}

double PassWork::amount(Roof roof) const {
  switch (roof) {
    case Roof::Dram: return dram_bytes;
    case Roof::L2: return l2_bytes;
    case Roof::Sram: return sram_bytes;
    case Roof::Tensor: return matrix_flop;
    case Roof::Exponential: return exponentials;
    case Roof::Vector: return vector_ops;
  }
  return 0;
}

double PassWork::dram_behind(double l2_bytes_of_gpu, int sms, int64_t heads) const {
  if (kept_per_head == 0 || l2_bytes_of_gpu <= 0 || sms <= 0) return dram_bytes;
  const double room = double(sms) * double(blocks.resident);
  const double in_flight = std::clamp(std::ceil(room / double(blocks.per_head)), 1.0, double(heads));
  if (in_flight * kept_per_head <= l2_bytes_of_gpu) return dram_bytes;
  // Blocks of a head that run side by side march in step, so each wave of them reads the head's tiles once.
  const double more = keys_outside ? 1 : std::ceil(double(blocks.per_head) / room) - 1;
  return std::min(dram_bytes + more * again, std::max(dram_bytes, two_level_bytes));
}

double Work::total(Roof roof) const {
  double sum = 0;
  for (const PassWork& pass : passes) sum += pass.amount(roof);
  return sum;
}

double Work::two_level_bytes() const {
  double sum = 0;
  for (const PassWork& pass : passes) sum += pass.two_level_bytes;
  return sum;
}

std::string fault_of(const Problem& p) {
  if (p.format != Format::Float16 && p.format != Format::BFloat16)
    return fmt::format("Times are estimated for fp16 and bf16, not for {}.", name_of(p.format));
  if (p.d > kMostEstimatedD)
    return fmt::format("d is {}; FlashAttention's kernels take up to {}.", p.d, kMostEstimatedD);
  return {};
}

Work work_of(Method method, const Problem& problem, Direction direction, int64_t splits, KernelVersion version) {
  Work work{method, direction, problem, splits, {}, 0, 0};
  const Schedule& schedule = schedule_of(method, direction);
  // What goes through memory unfused is the papers' count: S in the problem's format.
  const VariantId variant = unfused(method) ? VariantId::Paper : VariantId::Kernel;
  Plan plan = make_plan(schedule, tiled(method, problem, direction), variant);
  if (direction == Direction::Forward) {
    // As on an H100 or H200: other GPUs launch a few blocks more or less.
    plan.variant.blocks_of_head =
        blocks_of_head(method, work.heads(), plan.problem.n_q, int(plan.problem.d), default_machine().multiprocessors);
    plan.tiling.fewer = fewer_rows(method, plan.problem.n_q, plan.problem.br, version);
  }
  const Count one = counted(schedule, plan);  // a copy: the count of one visit may push it out
  if (unfused(method))
    add_unfused(work, schedule, one);
  else
    add_fused(work, schedule, plan, one);
  if (splits > 1 && work.passes.size() == 1) add_merge(work, plan.problem);
  work.nominal_flop = nominal_flop(problem) * (direction == Direction::Backward ? kBackwardFlop : 1);
  work.memory_bytes = memory_of(method, problem, direction);
  return work;
}

int64_t released_splits(Method method, const Problem& problem, Direction direction, int sms) {
  if (direction == Direction::Backward || !info_of(method).estimate.splits || sms <= 0 || problem.n_q >= problem.n_k)
    return 1;
  return chosen_splits(tiled(method, problem, direction), sms);
}

int64_t fa1_backward_blocks(int64_t heads, int64_t tiles, bool causal, int sms) {
  if (causal && tiles >= 10) return tiles;
  const auto filled = [&](int64_t blocks) {
    const double waves = double(blocks) / sms;
    return waves / std::ceil(waves);
  };
  // What one block a head saves: dQ is neither cleared before nor copied behind.
  const double copies = 1 + (causal ? 0.5 : 1.0) / double(tiles);
  return filled(heads) >= filled(heads * tiles) / copies ? 1 : tiles;
}

double memory_of(Method method, const Problem& p, Direction direction) {
  const double heads = double(p.batch * p.heads), element = bytes_of(p.format);
  const double q = double(p.n_q * p.d), kv = double(p.n_k * p.d), rows = double(p.n_q) * kStatisticBytes;
  const double scores = double(p.n_q) * double(p.n_k) * element;
  const bool backward = direction == Direction::Backward;
  // Q, O and K, V; backward dO, dQ and dK, dV too.
  double head = (2 * q + 2 * kv) * element * (backward ? 2 : 1);
  if (unfused(method))  // each pass writes a matrix while the one it reads is still there: S and P; backward P, dP, dS
    head += backward ? 3 * scores : 2 * scores;
  else if (method == Method::Fa1)  // O in fp32 with m and l between visits; backward dQ, with m and l
    head += (backward ? 0 : 4 * q) + 2 * rows;
  else  // L; backward L, D and dQ in fp32
    head += backward ? 2 * rows + 4 * q : rows;
  return head * heads;
}

double memory_in_place(const Problem& p) {
  const double score = keeps_wide_scores(p) ? bytes_of(Format::Float32) : bytes_of(p.format);
  const double tensors = 2 * (double(p.n_q) + double(p.n_k)) * double(p.d) * bytes_of(p.format);
  return (tensors + double(p.n_q) * double(p.n_k) * score) * double(p.batch * p.heads);
}

std::string why_not(Method method, const Roofs& roofs, const Problem& problem, Direction direction) {
  const std::string_view name = info_of(method).name;
  const auto needs = [&](std::string_view capability) {
    return fmt::format("{} needs compute capability {}; this is {}.{}.", name, capability, roofs.cc / 10,
                       roofs.cc % 10);
  };
  const bool amd = roofs.cc == 0;
  if (problem.format == Format::BFloat16 && !amd && roofs.cc < 80)
    return fmt::format("Tensor cores multiply bf16 from compute capability 8.0 on; this is {}.{}.", roofs.cc / 10,
                       roofs.cc % 10);
  switch (method) {
    case Method::Fa1:
      if (amd) return "FA1's kernels are CUDA.";
      if (roofs.cc < 75) return needs("7.5 or newer");
      if (problem.d > kMostKernelD) return fmt::format("FA1 takes d up to {}; this is {}.", kMostKernelD, problem.d);
      // No kernel here goes backward; these are flash-attention 1.0.9's.
      if (direction == Direction::Backward && roofs.cc >= 100) return needs("7.5 to 9.0 backward");
      if (direction == Direction::Backward && problem.d > 64 && roofs.cc != 80 && roofs.cc != 90)
        return needs("8.0 or 9.0 backward where d is over 64");
      return {};
    case Method::Fa2: return amd || roofs.cc >= 80 ? std::string() : needs("8.0 or newer");
    case Method::Fa3:
      if (amd) return "FA3's kernels are CUDA.";
      return roofs.cc != 90 ? needs("9.0 and no other") : std::string();
    case Method::Fa4:
      if (amd) return "FA4's kernels are CUDA.";
      if (roofs.cc >= 100 && roofs.cc < 120) return {};
      if (roofs.cc < 80) return needs("10.x or 11.x");
      return fmt::format("{} Its package runs here with matrix products as {}'s, which is another kernel.",
                         needs("10.x or 11.x for its tensor memory"), roofs.cc / 10 == 9 ? "FA3" : "FA2");
    default: return {};  // of standard attention any library's matrix products do
  }
}

std::string whose_kernel(Method method, const Roofs& roofs, const Problem& problem, Direction direction) {
  if (!is_fused(method) || !why_not(method, roofs, problem, direction).empty()) return {};
  const MethodInfo& info = info_of(method);
  if (info.kernel.kind == KernelKind::None)
    return "FA4 has no kernel here: its time is estimated from its paper (arXiv:2603.05451) and its released tiles.";
  if (roofs.cc == 0)
    return fmt::format(
        "{} runs here as flash-attention's ROCm build, by Composable Kernel or Triton; the model takes the tiles and "
        "the order of the CUDA kernel.",
        info.name);
  if (const int least = info.kernel.least_cc; roofs.cc < least)
    return fmt::format("{} runs here as flash-attention 1.0.9; the kernel of this program needs {}.{}.", info.name,
                       least / 10, least % 10);
  return {};
}

Method best_fused(const Roofs& roofs, const Problem& problem, Direction direction) {
  const auto all = estimated_methods();
  for (auto info = all.rbegin(); info != all.rend(); ++info)
    if (is_fused(info->id) && why_not(info->id, roofs, problem, direction).empty()) return info->id;
  return Method::Fa2;
}

}  // namespace tilewalk
