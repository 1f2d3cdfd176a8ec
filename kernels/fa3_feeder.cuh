// FA3 without its producer warpgroup (Switch::Producer, core/kernel/switches.h): the first thread of the consumers
// starts the copies that produce() would, in the same order, between its own products. It has to wait for the buffers
// that the others have not read yet, and its warpgroup with it: what a producer is for.
#pragma once

#include "kernels/fa3_tiles.cuh"

namespace tilewalk::gpu::fa3 {

// With a producer there is nothing to feed.
template <class C, bool kProducer = C::kProducer>
struct Feeder {
  TILEWALK_PTX Feeder(Shared<C>&, const CUtensorMap&, const CUtensorMap&, const CUtensorMap&, const Args&) {}
  TILEWALK_PTX void next_tile() {}
  TILEWALK_PTX void feed(int) {}
};

template <class C>
struct Feeder<C, false> {
  TILEWALK_PTX Feeder(Shared<C>& shared, const CUtensorMap& q_map, const CUtensorMap& k_map, const CUtensorMap& v_map,
                      const Args& args)
      : shared(shared), q_map(q_map), k_map(k_map), v_map(v_map), args(args) {}

  // Once this warp has said that it needs Q no more: Q and the last K tile of the Q tile that comes next, or the word
  // that there is none.
  TILEWALK_PTX void next_tile() {
    if (threadIdx.x == 0) begin();
  }
  // While S_j is under way: K_{j-1} and V_j.
  TILEWALK_PTX void feed(int j) {
    if (threadIdx.x != 0) return;
    if (j > 0) load(shared.k, shared.k_full, shared.k_empty, k_ring, k_map, j - 1);
    load(shared.v, shared.v_full, shared.v_empty, v_ring, v_map, j);
    tile.visited(j);
  }

 private:
  using Tile = typename Buffers<C>::Tile;

  TILEWALK_PTX void begin() {
    const bool more = tile.next(args);
    if (more) {
      const int j = visits_of<C>(args, tile.i) - 1;
      tile.begins(j);
      load(shared.k, shared.k_full, shared.k_empty, k_ring, k_map, j);
    }
    shared.q_empty.wait(q_parity ^ 1);
    q_parity ^= 1;
    shared.i = more ? tile.i : -1;
    shared.head = tile.head;
    if (!more) return shared.q_full.arrive();
    const int first = first_box<C>(args, tile.i);
    shared.q_full.arrive_and_expect((C::kConsumers - first) * C::kQBytes);
    for (int w = first; w < C::kConsumers; ++w)
      tma_load(shared.q[w], q_map, shared.q_full, first_row_of<C>(args, tile.i, w), tile.head, l2_evict_first());
  }
  TILEWALK_PTX void load(Tile (&to)[C::kStages], Barrier (&full)[C::kStages], Barrier (&empty)[C::kStages],
                         Ring<C::kStages>& ring, const CUtensorMap& map, int j) {
    empty[ring.stage].wait(ring.parity ^ 1);
    full[ring.stage].arrive_and_expect(C::kTileBytes);
    tma_load(to[ring.stage], map, full[ring.stage], j * C::Bc, tile.head / args.sharing, l2_evict_last());
    ring.next();
  }

  Shared<C>& shared;
  const CUtensorMap &q_map, &k_map, &v_map;
  const Args& args;
  Tiles<C> tile;
  Ring<C::kStages> k_ring, v_ring;
  int q_parity = 0;
};

}  // namespace tilewalk::gpu::fa3
