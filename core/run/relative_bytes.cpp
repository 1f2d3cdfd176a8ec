// What the relatives' kernels move, by the loops of kernels/sparse.cu, latent.cu and differential.cu.
#include "core/attention/selected_blocks.h"
#include "core/run/relative_run.h"
#include "core/kernel/kernel_shapes.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kElement = 2, kFloat = 4, kSector = 32;

// Rows of Q and keys that Q tiles of `br` rows load, from a walk over K/V tiles of `bc` keys, of one head.
struct Walked {
  double rows = 0, keys = 0;
};
Walked walked(const Problem& p, int64_t br, int64_t bc) {
  Walked out;
  for (int64_t first = 0; first < p.n_q; first += br) {
    const int64_t rows = std::min(br, p.n_q - first);
    const int64_t seen = p.mask == Mask::Causal ? std::clamp<int64_t>(first + rows + p.n_k - p.n_q, 0, p.n_k) : p.n_k;
    out.rows += double(rows);
    out.keys += double(std::min((seen + bc - 1) / bc * bc, p.n_k));
  }
  return out;
}

RelativeBytes sparse(const RelativeSpec& spec) {
  const Problem& p = spec.problem;
  const double row = double(p.d) * kElement, heads = double(p.batch * p.heads),
               kv_heads = double(p.batch * spec.kv_heads);
  RelativeBytes out;
  out.kv = 2 * kv_heads * double(p.n_k) * row;
  out.dram = out.kv + heads * double(p.n_q) * (2 * row + kFloat);
  if (spec.form == RelativeForm::SparseFull) {
    const KernelShape fa2 = kernel_shape(Method::Fa2, p.d);
    const Walked one = walked(p, fa2.br, fa2.bc);
    out.l2_to_sm = heads * (one.rows + 2 * one.keys) * row;
    return out;
  }
  const BlockChoice choice = choice_of(spec);
  const BlockLists lists = choose_blocks(choice);
  const KeysLoaded keys = keys_loaded(choice, lists);
  out.l2_to_sm = heads * double(p.n_q) * row + 2 * double(keys.chosen) * row;
  // Of each list the sectors that it touches; of the offsets one, or two where its own and the next lie in two.
  for (size_t k = 0; k + 1 < lists.first.size(); ++k) {
    const int32_t from = lists.first[k], to = lists.first[k + 1];
    if (to > from) out.l2_to_sm += kSector * double((to - 1) / 8 - from / 8 + 1);
    out.l2_to_sm += kSector * (k % 8 == 7 ? 2 : 1);
  }
  out.dram += kFloat * double(lists.first.size() + lists.entries.size());
  out.share = double(keys.chosen) / double(keys.all);
  return out;
}

RelativeBytes latent(const RelativeSpec& spec) {
  const Problem& p = spec.problem;
  const bool compressed = spec.form == RelativeForm::Latent;
  const double heads = double(p.batch * p.heads), tokens = double(p.batch * p.n_k), splits = double(spec.splits);
  const double wide = double(compressed ? kLatentRank : p.d), q_row = compressed ? wide + kLatentRopeSize : wide;
  RelativeBytes out;
  out.kv = tokens * (compressed ? q_row : 2 * wide * double(p.heads)) * kElement;
  const double groups = compressed ? double((p.heads + 63) / 64) : 1;  // blocks that read the same tokens
  // The combine step reads each split's O, and of L a sector for every block of four heads.
  const double parts = spec.splits == 1 ? 0 : splits * heads * wide * kFloat;
  const double stats = spec.splits == 1 ? 0 : splits * double((p.batch * p.heads + 3) / 4) * kSector;
  out.l2_to_sm = groups * out.kv + splits * heads * q_row * kElement + parts + stats;
  out.dram = out.kv + heads * (q_row + wide) * kElement;
  return out;
}

RelativeBytes differential(const RelativeSpec& spec) {
  const Problem& p = spec.problem;
  const double row = double(p.d) * kElement, wide = 2 * row, heads = double(p.batch * p.heads), rows = double(p.n_q);
  const bool twice = spec.form == RelativeForm::DifferentialTwice;
  const Walked one = walked(p, 128, 64);
  RelativeBytes out;
  out.kv = heads * double(p.n_k) * (2 * row + wide);
  const double v_reads = twice ? 2 : 1;
  out.l2_to_sm = heads * (2 * one.rows * row + one.keys * (2 * row + v_reads * wide));
  out.dram = out.kv + heads * rows * (2 * row + wide + 2 * kFloat);
  if (twice) {
    out.l2_to_sm += 2 * heads * rows * wide;
    out.dram += heads * double(p.n_k) * wide + 4 * heads * rows * wide;  // V again; two O written, and read again
  }
  return out;
}

}  // namespace

BlockChoice choice_of(const RelativeSpec& spec) {
  const Problem& p = spec.problem;
  return {.kv_heads = p.batch * spec.kv_heads,
          .n_q = p.n_q,
          .n_k = p.n_k,
          .group = int(spec.group()),
          .causal = p.mask == Mask::Causal,
          .apart = spec.form == RelativeForm::SparseApart,
          .seed = p.seed};
}

RelativeBytes relative_bytes(const RelativeSpec& spec) {
  return is_sparse(spec.form) ? sparse(spec) : is_latent(spec.form) ? latent(spec) : differential(spec);
}

}  // namespace tilewalk
