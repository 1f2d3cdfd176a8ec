#include "core/playback/deviation.h"

#include "core/attention/gradients.h"
#include "core/attention/reference.h"

namespace tilewalk {
namespace {

// Over the tiles that are stored; nothing where none is.
void compare(Deviation& out, Tensor tensor, const MachineState& end, const Tiling& t, const Matrix& expected) {
  const TileTable& table = *end.memory(tensor);
  const int64_t tiles = is_keyed(tensor) ? t.tc : t.tr, rows = is_keyed(tensor) ? t.bc : t.br;
  double largest = 0;
  bool stored = false;
  for (int64_t k = 0; k < tiles; ++k)
    if (const TilePtr tile = table.get(k)) {
      stored = true;
      largest = wider_gap(largest, tile_difference(*tile, expected, k * rows), 0);
    }
  if (stored) out.tensors.push_back({tensor, largest});
}

}  // namespace

double tile_difference(const Matrix& tile, const Matrix& expected, int64_t first) {
  double largest = 0;
  for (int64_t r = 0; r < tile.rows; ++r)
    for (int64_t c = 0; c < tile.cols; ++c) largest = wider_gap(largest, tile.at(r, c), expected.at(first + r, c));
  return largest;
}

double Deviation::of_results() const {
  double largest = 0;
  for (const Of& of : tensors)
    if (!is_statistic(of.tensor)) largest = wider_gap(largest, of.largest, 0);
  return largest;
}

Deviation deviation(Replay& replay, const Inputs& inputs) {
  const Problem& p = replay.plan().problem;
  const Tiling& t = replay.plan().tiling;
  const MachineState& end = replay.at(replay.length());
  Deviation out;
  if (replay.schedule().backward()) {
    const Gradients expected = reference_gradients(p, inputs, output_gradient(p, inputs));
    compare(out, Tensor::DQ, end, t, expected.dq);
    compare(out, Tensor::DK, end, t, expected.dk);
    compare(out, Tensor::DV, end, t, expected.dv);
    return out;
  }
  const Reference expected = reference(p, inputs);
  Matrix lse(p.n_q, 1);
  lse.values = expected.lse;
  compare(out, Tensor::O, end, t, expected.o);
  compare(out, Tensor::Lse, end, t, lse);
  return out;
}

}  // namespace tilewalk
