// wgmma on e4m3: D[64, N] = (add ? D : 0) + A[64, 32] B[32, N], the sums in registers as fp32. In its order of use and
// in where D lies it is as wgmma.cuh's. What is other:
//   - both operands must be K-major: a row holds consecutive elements of the summed dimension. For P V these are keys,
//   so
//     V has to be transposed before it gets here;
//   - a product takes 32 of the summed dimension, which are 32 bytes, as 16 of 16 bits are;
//   - A in registers wants four consecutive elements in one register where D has two: pack_rows_e4m3().
// Source: PTX ISA, "wgmma.mma_async", "Register fragments for wgmma.m64nNk32"; arXiv:2407.08608, section 3.3.
#pragma once

#include "kernels/common/wgmma.cuh"

namespace tilewalk::gpu {

// Descriptor of a tile that is not swizzled, [elements / 16][rows][16 bytes], K-major. 8 rows of 16 bytes lie one
// behind the other: the stride between groups of 8 rows is 128 bytes, that between sixteens of the summed dimension
// rows * 16.
TILEWALK_PTX uint64_t descriptor_sixteens(const void* tile, int rows) {
  return (shared_address(tile) & 0x3FFFF) >> 4 | uint64_t(rows) << 16 | uint64_t(128 / 16) << 32;
}

// Four numbers in e4m3, nearest, ties to even; beyond 448 they become 448. The first is in the lowest byte.
TILEWALK_PTX uint32_t pack_e4m3(float a, float b, float c, float d) {
  uint32_t r;
  asm("{.reg .b16 low, high;\n"
      "cvt.rn.satfinite.e4m3x2.f32 low, %2, %1;\n"
      "cvt.rn.satfinite.e4m3x2.f32 high, %4, %3;\n"
      "mov.b32 %0, {low, high};}"
      : "=r"(r)
      : "f"(a), "f"(b), "f"(c), "f"(d));
  return r;
}

// P as the left operand of the next product, without asking another lane. Of 32 keys the accumulator gives lane c of a
// quad keys 8 n + 2 c and the next, n = 0 ... 3; the operand's registers hold places 4 c ... 4 c + 3 and 16 more. So
// lane c's eight keys go to its eight places, and V's keys stand in the same order: key_at().
// p[4 k ... 4 k + 3] is the operand for keys 32 k to 32 k + 31.
template <int N>
TILEWALK_PTX void pack_rows_e4m3(uint32_t (&p)[N / 4], const float (&s)[N]) {
#pragma unroll
  for (int k = 0; k < N / 16; ++k)
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // row i % 2 of the thread's two; places below 16, then the others
      const float* const from = s + 16 * k + i / 2 * 8 + i % 2 * 2;
      p[4 * k + i] = pack_e4m3(from[0], from[1], from[4], from[5]);
    }
}
// Which of 32 keys stands at a place of the operand.
constexpr __host__ __device__ int key_at(int place) {
  return 16 * (place / 16) + 8 * (place % 4 / 2) + 2 * (place % 16 / 4) + place % 2;
}

//   shared():    A and B in shared memory
//   registers(): A in registers as pack_rows_e4m3() makes it, B in shared memory
template <int N>
struct WgmmaE4M3;

#define TW_OUT8(d, i)                                                                                         \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define TW_OUT16(d, i) TW_OUT8(d, i), TW_OUT8(d, i + 8)
#define TW_OUT32(d, i) TW_OUT16(d, i), TW_OUT16(d, i + 16)
#define TW_OUT64(d, i) TW_OUT32(d, i), TW_OUT32(d, i + 32)
#define TW_OUT80(d, i) TW_OUT64(d, i), TW_OUT16(d, i + 64)
#define TW_OUT96(d, i) TW_OUT64(d, i), TW_OUT32(d, i + 64)
#define TW_OUT112(d, i) TW_OUT96(d, i), TW_OUT16(d, i + 96)
#define TW_D64                                                                                             \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27," \
  "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,"   \
  "%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define TW_D80 TW_D64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79"
#define TW_D96 TW_D80 ",%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define TW_D112 TW_D96 ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111"

// R accumulators; P0 ... are the places of the operands behind them, as in wgmma.cuh.
#define TW_WGMMA_E4M3(N, R, P0, P1, P2, P3, P4, P5)                                                          \
  template <>                                                                                                \
  struct WgmmaE4M3<N> {                                                                                      \
    static TILEWALK_PTX void shared(float (&d)[R], uint64_t a, uint64_t b, int add) {                        \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %" #P2                                                     \
                   ", 0;\n"                                                                                  \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k32.f32.e4m3.e4m3 {" TW_D##R "}, %" #P0 ", %" #P1 \
                                                                                        ", p, 1, 1;}"        \
                   : TW_OUT##R(d, 0)                                                                         \
                   : "l"(a), "l"(b), "r"(add));                                                              \
    }                                                                                                        \
    static TILEWALK_PTX void registers(float (&d)[R], const uint32_t* a, uint64_t b, int add) {              \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %" #P5                                                     \
                   ", 0;\n"                                                                                  \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k32.f32.e4m3.e4m3 {" TW_D##R                      \
                   "}, {%" #P0 ", %" #P1 ", %" #P2 ", %" #P3 "}, %" #P4 ", p, 1, 1;}"                        \
                   : TW_OUT##R(d, 0)                                                                         \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));                          \
    }                                                                                                        \
  };
TW_WGMMA_E4M3(128, 64, 64, 65, 66, 67, 68, 69)
TW_WGMMA_E4M3(160, 80, 80, 81, 82, 83, 84, 85)
TW_WGMMA_E4M3(192, 96, 96, 97, 98, 99, 100, 101)
TW_WGMMA_E4M3(224, 112, 112, 113, 114, 115, 116, 117)
#undef TW_WGMMA_E4M3
#undef TW_D112
#undef TW_D96
#undef TW_D80
#undef TW_D64
#undef TW_OUT112
#undef TW_OUT96
#undef TW_OUT80
#undef TW_OUT64
#undef TW_OUT32
#undef TW_OUT16
#undef TW_OUT8

}  // namespace tilewalk::gpu
