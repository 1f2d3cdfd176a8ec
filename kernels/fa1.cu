// FlashAttention-1 (arXiv:2205.14135, Algorithm 1), in two forms of one kernel, and Algorithm 1 once more with
// tiles of 16 rows.
//
//   Algorithm 1    fa1-paper   a thread block walks a whole head; tiles by the paper's rule for this chip's SRAM:
//                              Bc = ceil(M / 4d), rounded down to sixteens of keys, and Br = min(Bc, d), where M is how
//                              many 16-bit numbers fit into the shared memory that a block can have, 227 KB.
//                              Compute capability 9.0 and up: its 176 KB are more than 8.x has.
//   large tiles    fa1         K/V tiles of 128 keys at d = 128, of 256 at d = 64; where batch and heads alone leave
//                              multiprocessors idle, several blocks share a head: of 1 to 30 the fewest that come
//                              within 5 % of the fullest last wave. Compute capability 8.0 and up.
//
// The paper's lines, under the headings below: 6 LoadK, LoadV; 8 LoadQ, LoadO, LoadStats; 9 Score; 10 and 11 RowMax,
// Exponentiate, RowSum, against the new max at once; 12 Denormalize, Rescale, Accumulate, Normalize, StoreO; 13
// StoreStats. Lines 5 and 7 are the two loops.
//
// New against the tiled kernel: (1) products on tensor cores: one mma.sync of a warp multiplies 16 x 16 numbers by
// 16 x 8, which is 2,048 multiply-adds where a warp's FMA makes 32. The operands lie spread over the registers of its
// 32 lanes (drawn in common/softmax.cuh), and ldmatrix brings them there. (2) cp.async copies the next Q tile to shared
// memory while the warps work on this one; K_j and V_j, once a K/V tile, are waited for. (3) K/V tiles are the outer
// loop now, Q tiles the inner one, which costs: O goes to memory and back at every K/V tile. (1) and (2) are why it is
// faster; FA2 takes (3) back.
//
// The idea: S and P are never whole. A tile of keys and values stays in shared memory while all queries pass by;
// softmax is made online, with a running max m and a running sum l for each row. K/V tiles outside, Q tiles inside: so
// a block reads each of K and V once, and fills shared memory with them; but what a Q tile has gathered, O, m and l,
// must wait in memory until the next K/V tile is there.
//
//                                                          large tiles                 Algorithm 1
//   where            what                                  d = 128       d = 64        d = 128       d = 64
//   shared memory    Q tile  [Br, d], two of them           64 x 128      64 x 64      128 x 128      64 x 64
//                    K tile, V tile  [Bc, d], one of each  128 x 128     256 x 64      224 x 128     448 x 64
//                    together                                  96 KB         80 KB         176 KB       128 KB
//   registers        S, later P  [Br, Bc]  fp32             64 a thread  128 a thread   56 (halves)   112 (halves)
//                    P in 16 bits, in S's place             32           64             28            56
//                    O  [Br, d]  fp32                       64 a thread   32 a thread   64 a thread   32 a thread
//   memory           O  [n_q, d] fp32, kept normalised; m, l  [n_q] fp32: loaded and stored at every visit
//
//   a head's Q tiles, shared by three blocks:   1  2  3  1  2  3  1  2 ...    each block: for all K/V tiles, its own
//
// A block owns its Q tiles' O, so no two blocks ever write the same one. Each visit moves Br * (2 d + 4 d + 8) bytes in
// and Br * (4 d + 8) out, and each K/V tile 2 * Bc * 2 d bytes in. The first visit of a Q tile (the last K/V tile that
// it sees) starts O, m and l on chip; the last one (j = 0) rounds O to the output's format and makes L.
//
// What limits it. Algorithm 1: it has one block a head, so few heads leave most multiprocessors idle, and so does a
// last wave of heads (the blocks that run at the end, when no others are left) that is not full. Large tiles: DRAM,
// through which O in fp32 goes there and back for every K/V tile, as all heads' O together is far larger than L2. O's
// loads are under way while S is made. They go past L1 (ld.global.cg), since nobody else on the multiprocessor wants
// what they bring.
//
// What FA1's authors released differs from this form in what no count of bytes shows: there the warps split the keys,
// 16 rows of Q at a time, and added up their parts of O in shared memory; tiles went from first to last; and L alone
// was kept of m and l. Here tiles go from last to first, as in FA2 and FA3, and warps split the rows of Q, 16 each. The
// next Q tile comes while the present one is worked on.
#include "kernels/common/rung.cuh"
#include "kernels/common/slabs.cuh"
#include "kernels/common/tile_mma.cuh"
#include "kernels/fa1_in_memory.cuh"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

// Keys whose scores a warp makes at once. Algorithm 1's tiles of 224 keys (d = 128) and 448 (d = 64), both multiples of
// 224, are taken in two halves: all their scores would not fit in the registers beside O.
__host__ __device__ constexpr int piece_of(int bc) { return bc % 224 == 0 ? bc / 2 : bc; }

// How blocks share a head's tr Q tiles: block `part` of `parts` takes tiles part, part + parts, ...
struct HeadShares {
  int tr, parts;
};

// How many K/V tiles the Q tile of `rows` rows from first_row on meets: 0 ... visits - 1.
template <int Bc>
__device__ int visits_of(int first_row, int rows, int n_k, int diagonal) {
  const int last_key = min(n_k, first_row + rows + diagonal) - 1;
  return last_key < 0 ? 0 : last_key / Bc + 1;
}

template <class T, int D, int Br, int Bc, int kWarps, bool kTraced>
__global__ void __launch_bounds__(kWarps * 32)
    fa1_kernel(const Forward f, const HeadShares shares, const TraceArgs<kTraced> args) {
  constexpr int kThreads = kWarps * 32, kWarpRows = Br / kWarps, kM = kWarpRows / 16, kPiece = piece_of(Bc);
  static_assert(kM == 1, "O waits by slabs of 16 rows, one a warp");
  static_assert(Bc % kPiece == 0 && kPiece % 16 == 0);
  constexpr int kKeyBytes = Bc * D * 2;  // a tile of K or V
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tiles = shared_address(shared);
  const uint32_t k_tile = q_tiles + 2 * Br * D * 2, v_tile = k_tile + kKeyBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace(args, warp, lane == 0);

  const auto [tr, parts] = shares;
  const int head = int(blockIdx.x) / parts, part = int(blockIdx.x) % parts;
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + size_t(head) * f.n_q * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(head) * f.n_k * D;
  uint16_t* const out = static_cast<uint16_t*>(f.o) + size_t(head) * f.n_q * D;
  float* const out_lse = f.lse + size_t(head) * f.n_q;
  const InMemory in_memory = InMemory::of(f, head, tr * Br);

  // Row r sees key c iff c <= r + diagonal.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const float scale_log2 = f.scale * kLog2E;
  const int warp_row = warp * kWarpRows;
  const auto load_q = [&](int i) __attribute__((always_inline)) {
    const int first_row = i * Br, slot = i / parts % 2;
    load_tile<Br, D, kThreads, true>(q_tiles + slot * Br * D * 2, q + size_t(first_row) * D, f.n_q - first_row);
  };

  // Queries that see no key at all.
  for (int i = part; i < tr; i += parts) {
    const int first_row = i * Br, rows = min(Br, f.n_q - first_row);
    if (visits_of<Bc>(first_row, rows, f.n_k, diagonal) > 0) break;  // this one sees a key, and so do all later ones
    STEP(StoreO, 0) {
      for (int e = int(threadIdx.x) * 8; e < rows * D; e += kThreads * 8)
        *reinterpret_cast<uint4*>(out + size_t(first_row) * D + e) = uint4{};
    }
    STEP(StoreLse, 0) {
      for (int r = int(threadIdx.x); r < rows; r += kThreads) out_lse[first_row + r] = -INFINITY;
    }
  }

  const auto visit = [&](int i, int j, auto is_masked) __attribute__((always_inline)) {
    constexpr bool kMasked = decltype(is_masked)::value;
    const int first_row = i * Br, rows = min(Br, f.n_q - first_row);
    const int row = first_row + warp_row + lane / 4;  // the first of the lane
    const int q_place = i / parts % 2 * Br * D * 2;
    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // Q_i, K_j and V_j are there for every warp, and no warp reads the Q tile before any more
    }
    STEP(LoadQ, j) {
      if (i + parts < tr) load_q(i + parts);
      copy_commit();
    }

    float o[kM][D / 2];
    RowStats stats[kM];
    if (visits_of<Bc>(first_row, rows, f.n_k, diagonal) - 1 == j) {  // the first visit
      STEP(InitO, j) { clear(o); }
      STEP(InitStats, j) { clear(stats); }
    } else {
      STEP(LoadO, j) { in_memory.load_o(o[0], first_row + warp_row, row, f.n_q); }
      STEP(LoadStats, j) { in_memory.load_stats(stats[0], row, f.n_q); }
    }
    // O waited divided by l, and must be multiplied by it again. O itself may still be on its way, so this step only
    // keeps the factor; Rescale multiplies O once, by alpha * l_before. And l becomes the sum of a quad's four parts,
    // as RowSum wants it: the first lane has all of it, the others 0.
    float l_before[2];
    STEP(Denormalize, j) {
#pragma unroll
      for (int h = 0; h < 2; ++h) l_before[h] = stats[0].l[h], stats[0].l[h] = lane % 4 == 0 ? l_before[h] : 0.f;
    }

#pragma unroll 1
    for (int c = 0; c < Bc; c += kPiece) {  // once, or once for each piece of a long tile
      float s[kM][kPiece / 2];
      STEP(Score, j) {
        multiply_q_kt<T, D, Br, Bc, kM, kPiece, Bring::Ahead>(
            s, QAddress(q_tiles + q_place + warp_row * kPanelRowBytes), KAddress(k_tile + c * kPanelRowBytes));
      }
      if constexpr (kMasked) {
        STEP(Mask, j) { mask_scores(s, row, j * Bc + c, f.n_k, diagonal); }
      }

      float alpha[kM][2], shift[kM][2];
      uint32_t p[kM][kPiece / 4];
      STEP(RowMax, j) { row_max(s, stats, alpha, shift, scale_log2, kMasked); }
      STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }
      STEP(RowSum, j) { row_sum(s, stats, alpha); }
      STEP(Rescale, j) {
        if (c == 0) alpha[0][0] *= l_before[0], alpha[0][1] *= l_before[1];  // after RowSum, which wants alpha alone
        scale_rows(o, alpha);
      }
      STEP(Accumulate, j) {
        pack_rows<T>(p, s);
        multiply_p_v<T, D, Bc, kM, kPiece>(o, p, VAddress(v_tile + c * kPanelRowBytes));
      }
    }
    TRACED {
      if (head == args.to.head && args.to.m) record_stats(stats, args.to, j, row, f.n_q, scale_log2);
    }
    STEP(Normalize, j) {
      sum_over_quads(stats);
      divide_rows(o, stats);
    }

    if (j == 0) {  // the last visit
      float lse[kM][2];
      STEP(LogSumExp, j) { log_sum_exp(lse, stats, scale_log2); }
      STEP(StoreO, j) {
        __syncwarp();  // every warp writes over its own rows of Q, which its lanes have read
        store_rows<T, D, Br>(out + size_t(first_row) * D, o, shared + q_place, warp_row, rows);
      }
      STEP(StoreLse, j) { store_lse(out_lse, lse, row, f.n_q); }
    } else {
      STEP(StoreO, j) { in_memory.store_o(o[0], first_row + warp_row, row, f.n_q); }
      STEP(StoreStats, j) { in_memory.store_stats(stats[0], row, f.n_q); }
    }
  };

  const int tc = (f.n_k + Bc - 1) / Bc;
  for (int j = tc - 1; j >= 0; --j) {
    const int first_seeing = max(0, j * Bc - diagonal);  // row
    if (first_seeing >= f.n_q) continue;                 // every query lies before these keys
    // The first Q tile of this block that sees any of them: the smallest i >= first_seeing / Br that is `part` modulo
    // `parts`.
    const int first_i = part + (max(0, first_seeing / Br - part) + parts - 1) / parts * parts;
    if (first_i >= tr) continue;

    __syncthreads();  // no warp reads K_(j+1), V_(j+1) or a Q tile any more
    STEP(LoadK, j) { load_tile<Bc, D, kThreads, true>(k_tile, k + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadV, j) { load_tile<Bc, D, kThreads, true>(v_tile, v + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadQ, j) {
      load_q(first_i);
      copy_commit();
    }

    // Q tiles that the diagonal crosses come first. A last K/V tile that ends early is masked for all of them.
    const bool ragged = (j + 1) * Bc > f.n_k;
    const int unmasked = ragged ? tr : min(tr, (max(0, (j + 1) * Bc - 1 - diagonal) + Br - 1) / Br);
    int i = first_i;
    for (; i < unmasked; i += parts) visit(i, j, std::true_type{});
    for (; i < tr; i += parts) visit(i, j, std::false_type{});
  }
  trace.finish();
}

// ---- Host (common/rung.cuh) -----------------------------------------------------------------------------------------

// Large tiles, Algorithm 1, and that with 16-row tiles.
template <Method kForm>
struct Fa1 {
  static constexpr Method kId = kForm;
  static constexpr bool kCanTrace = true;
  using Order = HeadShares;
  template <class T, int D, bool kTraced>
  static auto kernel() {
    constexpr KernelShape kShape = kernel_shape(kId, D);
    return fa1_kernel<T, D, kShape.br, kShape.bc, kShape.warps, kTraced>;
  }
  static int shared_bytes(KernelShape s, int d) { return (2 * s.br + 2 * s.bc) * d * int(sizeof(uint16_t)); }
  static cudaError_t order(const Forward& f, KernelShape shape, HeadShares& shares) {
    int multiprocessors = 0;
    if (const cudaError_t error = count_multiprocessors(multiprocessors)) return error;
    shares = {(f.n_q + shape.br - 1) / shape.br, int(blocks_of_head(kId, f.heads, f.n_q, f.d, multiprocessors))};
    return cudaSuccess;
  }
  static int64_t blocks(const Forward& f, HeadShares shares) { return int64_t(f.heads) * shares.parts; }
  static size_t workspace_bytes(const Forward& f) {
    const size_t br = size_t(kernel_shape(kId, f.d).br), padded_rows = (f.n_q + br - 1) / br * br;
    return size_t(f.heads) * (padded_rows * f.d + 2 * size_t(f.n_q)) * sizeof(float);
  }
};

}  // namespace

extern const Calls kFa1Calls = calls_of_rung<Fa1<Method::Fa1>>();
extern const Calls kFa1PaperCalls = calls_of_rung<Fa1<Method::Fa1Paper>>();
extern const Calls kFa1SmallCalls = calls_of_rung<Fa1<Method::Fa1Small>>();

}  // namespace tilewalk::gpu
