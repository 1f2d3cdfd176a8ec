// The relatives' kernels through the model of L2 (core/model/l2_cache.h), block by block, as kernels/sparse.cu and
// differential.cu launch them; chunks of memory whole.
#include "core/attention/selected_blocks.h"
#include "core/kernel/kernel_shapes.h"
#include "core/kernel/launch_order.h"
#include "core/model/in_turns.h"
#include "core/model/l2_cache.h"
#include "core/run/relative_run.h"

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// A tensor's rows in memory, a head's from a chunk on.
struct Laid {
  int64_t first, of_head, row;  // chunks; bytes

  template <class Touch>
  void rows(int64_t head, int64_t begin, int64_t end, const Touch& touch) const {
    const int64_t from = first + head * of_head;
    for (int64_t at = begin * row / L2Cache::kChunk; at * L2Cache::kChunk < end * row; ++at) touch(from + at);
  }
};
class Memory {
 public:
  Laid lay(int64_t heads, int64_t rows, int64_t row) {
    const int64_t of_head = (rows * row + L2Cache::kChunk - 1) / L2Cache::kChunk;
    return {std::exchange(next_, next_ + heads * of_head), of_head, row};
  }
  int64_t chunks() const { return next_; }

 private:
  int64_t next_ = 0;
};

struct ThroughL2 {
  L2Cache cache;
  auto load(int multiprocessor) {
    return [this, multiprocessor](int64_t chunk) { cache.load(multiprocessor, chunk, L2Cache::kChunk); };
  }
  auto store(int multiprocessor) {
    return [this, multiprocessor](int64_t chunk) { cache.store(multiprocessor, chunk, L2Cache::kChunk); };
  }
  DramEstimate estimate() const { return {cache.read(), cache.written(), cache.dirty()}; }
};

// A block at its visits: turn 0 loads Q, each further one a visit.
struct Visiting {
  int64_t number;
  int64_t turn = 0;
};

// Blocks of a multiprocessor: two of sparse attention in 227 KB of shared memory; of a thread of differential attention
// 255 registers, so that one of both maps finds room, or two of one map.
constexpr int kSparseResident = 2, kBothMapsResident = 1, kOneMapResident = 2;
constexpr int64_t kDifferentialRows = 128, kDifferentialKeys = 64, kDifferentialGroup = 4;  // as in kernels/relatives.h
constexpr int64_t kSixteenBits = 2;

DramEstimate chosen_blocks(const RelativeSpec& spec, const MachineSpec& machine) {
  const Problem& p = spec.problem;
  const BlockChoice choice = choice_of(spec);
  const BlockLists lists = choose_blocks(choice);
  Memory memory;
  const int64_t row = p.d * kSixteenBits, heads = p.batch * p.heads;
  const Laid q = memory.lay(heads, p.n_q, row), k = memory.lay(choice.kv_heads, p.n_k, row),
             v = memory.lay(choice.kv_heads, p.n_k, row), o = memory.lay(heads, p.n_q, row),
             list = memory.lay(1, int64_t(lists.entries.size()), int64_t(sizeof lists.entries[0]));
  ThroughL2 l2{L2Cache(machine.l2_bytes, machine.l2, memory.chunks())};
  const auto advance = [&](Visiting& block, int multiprocessor) {
    const int64_t kv_head = block.number / p.n_q, query = block.number % p.n_q, first = kv_head * spec.group();
    const auto from = size_t(lists.first[size_t(block.number)]), to = size_t(lists.first[size_t(block.number) + 1]);
    const auto load = l2.load(multiprocessor);
    if (block.turn == 0) {
      for (int64_t head = first; head < first + spec.group(); ++head) q.rows(head, query, query + 1, load);
      list.rows(0, int64_t(from), int64_t(to), load);
    }
    const size_t at = from + size_t(block.turn++);
    if (at >= to) {
      for (int64_t head = first; head < first + spec.group(); ++head)
        o.rows(head, query, query + 1, l2.store(multiprocessor));
      return false;
    }
    const int64_t key = int64_t(lists.entries[at] & 0xFFFF) * kBlockKeys, end = std::min(p.n_k, key + kBlockKeys);
    k.rows(kv_head, key, end, load);
    v.rows(kv_head, key, end, load);
    return true;
  };
  in_turns(
      choice.kv_heads * p.n_q, machine.multiprocessors, kSparseResident, [](int64_t n) { return Visiting{n}; },
      advance);
  return l2.estimate();
}

// A kernel whose blocks take a Q tile of a head and walk over the K/V tiles that it sees, from the last to the first.
struct TileWalk {
  int64_t heads, sharing;  // of Q; of Q that one of K and V serves
  int64_t br, bc, group;   // tiles; heads side by side, of which none were left over in what earlier versions recorded
  int resident;
  std::vector<Laid> q, k;  // loaded once; once a visit
  Laid o;
};
void walk_tiles(const Problem& p, const MachineSpec& machine, const TileWalk& w, ThroughL2& l2) {
  const int64_t tr = (p.n_q + w.br - 1) / w.br;
  const auto advance = [&](Visiting& block, int multiprocessor) {
    const auto [head, i] = launched_as(block.number, w.heads, tr, w.group);
    const int64_t first = i * w.br, end = std::min(p.n_q, first + w.br);
    const int64_t keys = p.mask == Mask::Causal ? std::clamp<int64_t>(end + p.n_k - p.n_q, 0, p.n_k) : p.n_k;
    const auto load = l2.load(multiprocessor);
    if (block.turn == 0)
      for (const Laid& tensor : w.q) tensor.rows(head, first, end, load);
    const int64_t key = ((keys + w.bc - 1) / w.bc - 1 - block.turn++) * w.bc;
    if (key < 0) {
      w.o.rows(head, first, end, l2.store(multiprocessor));
      return false;
    }
    for (const Laid& tensor : w.k) tensor.rows(head / w.sharing, key, std::min(p.n_k, key + w.bc), load);
    return true;
  };
  in_turns(
      w.heads * tr, machine.multiprocessors, w.resident, [](int64_t n) { return Visiting{n}; }, advance);
}

DramEstimate every_key(const RelativeSpec& spec, const MachineSpec& machine) {
  const Problem& p = spec.problem;
  const KernelShape fa2 = kernel_shape(Method::Fa2, int(p.d));
  Memory memory;
  const int64_t row = p.d * kSixteenBits, heads = p.batch * p.heads, kv_heads = p.batch * spec.kv_heads;
  const Laid q = memory.lay(heads, p.n_q, row), k = memory.lay(kv_heads, p.n_k, row),
             v = memory.lay(kv_heads, p.n_k, row), o = memory.lay(heads, p.n_q, row);
  ThroughL2 l2{L2Cache(machine.l2_bytes, machine.l2, memory.chunks())};
  const int64_t group = launch_group(Method::Fa2, p.mask == Mask::Causal, heads, p.n_k, p.d);
  walk_tiles(p, machine, {heads, spec.group(), fa2.br, fa2.bc, group, fa2.resident, {q}, {k, v}, o}, l2);
  return l2.estimate();
}

DramEstimate two_maps(const RelativeSpec& spec, const MachineSpec& machine) {
  const Problem& p = spec.problem;
  Memory memory;
  const int64_t row = p.d * kSixteenBits, heads = p.batch * p.heads;
  const Laid q[] = {memory.lay(heads, p.n_q, row), memory.lay(heads, p.n_q, row)};
  const Laid k[] = {memory.lay(heads, p.n_k, row), memory.lay(heads, p.n_k, row)};
  const Laid v = memory.lay(heads, p.n_k, 2 * row), o = memory.lay(heads, p.n_q, 2 * row);
  const int64_t group = p.mask == Mask::Causal ? kDifferentialGroup : 1;
  const auto made = [&](int resident, std::vector<Laid> once, std::vector<Laid> again, const Laid& out) {
    return TileWalk{heads, 1, kDifferentialRows, kDifferentialKeys, group, resident, std::move(once), std::move(again),
                    out};
  };
  if (spec.form == RelativeForm::Differential) {
    ThroughL2 l2{L2Cache(machine.l2_bytes, machine.l2, memory.chunks())};
    walk_tiles(p, machine, made(kBothMapsResident, {q[0], q[1]}, {k[0], k[1], v}, o), l2);
    return l2.estimate();
  }
  const Laid of_map[] = {memory.lay(heads, p.n_q, 2 * row), memory.lay(heads, p.n_q, 2 * row)};
  ThroughL2 l2{L2Cache(machine.l2_bytes, machine.l2, memory.chunks())};
  for (const int map : {0, 1}) walk_tiles(p, machine, made(kOneMapResident, {q[map]}, {k[map], v}, of_map[map]), l2);
  for (int64_t head = 0; head < heads; ++head) {  // the subtraction
    for (const Laid& each : of_map) each.rows(head, 0, p.n_q, l2.load(0));
    o.rows(head, 0, p.n_q, l2.store(0));
  }
  return l2.estimate();
}

}  // namespace

DramEstimate relative_dram(const RelativeSpec& spec, const MachineSpec& machine) {
  switch (spec.form) {
    case RelativeForm::SparseShared:
    case RelativeForm::SparseApart: return chosen_blocks(spec, machine);
    case RelativeForm::SparseFull: return every_key(spec, machine);
    case RelativeForm::Differential:
    case RelativeForm::DifferentialTwice: return two_maps(spec, machine);
    case RelativeForm::Latent:
    case RelativeForm::LatentHeads: break;
  }
  return {.modelled = false};
}

}  // namespace tilewalk
