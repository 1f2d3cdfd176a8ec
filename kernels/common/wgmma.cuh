// wgmma: a warpgroup (4 warps, 64 rows) multiplies tiles straight out of shared memory, asynchronously. The result
// stays in registers, 16 rows a warp, laid out as in softmax.cuh. The order of use is
//   pin(registers)     for the compiler: what was written to them is written before this line
//   wgmma_fence()      for the hardware: the products see what was written to the registers
//   products...        queued, not done
//   wgmma_commit()     those queued since the last one are a group, which can be waited for
//   other work         must not touch the result, nor A where A is in registers
//   wgmma_wait<n>()    for the hardware: all groups but the n youngest are done
//   pin(registers)     for the compiler, which cannot see that they were in use: what is read next is read behind it
// Source: PTX ISA, "Asynchronous wgmma", "Matrix Descriptor", "Strides".
#pragma once

#include "kernels/common/ptx_sm80.cuh"
#include "kernels/common/tile.cuh"

namespace tilewalk::gpu {

// Orders the warpgroup's own writes to registers before the products that use them.
TILEWALK_PTX void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
TILEWALK_PTX void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most `pending` of the youngest committed groups are under way.
template <int pending>
TILEWALK_PTX void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// Descriptors of tiles in panels (tile.cuh) of 64 or 32 columns: where a tile lies, told in one number, in units of 16
// bytes. The instruction wants it so (PTX ISA, "Matrix Descriptor"):
//
//   bits   0-13      16-29                               32-45                              62-63
//          address   leading offset: to the next panel   stride: to the next 8 rows, 1024   1: 128-byte swizzle,
//                    (MN-major; K-major does without)    bytes in panels of 64 columns      2: 64-byte
//
// wgmma counts its addresses as if nothing were swizzled and xors bits 4-6 of each (4 and 5 in panels of 32 columns) at
// the end. So a product that begins some columns or rows further on has descriptor + bytes / 16, bytes counted in the
// tile as if it were not swizzled.
template <int kColumns>
constexpr uint64_t kPanels = uint64_t(8 * 2 * kColumns / 16) << 32 | uint64_t(kColumns == 64 ? 1 : 2) << 62;
// The instruction calls a product M x N x K: K is the dimension that is summed, not the keys; M and N are the result's.
// K-major: a row holds consecutive elements of the summed dimension (Q and K, summed over d). The leading offset is not
// used: 1.
template <int kColumns = kPanelColumns>
TILEWALK_PTX uint64_t descriptor_k_major(const void* tile) {
  return (shared_address(tile) & 0x3FFFF) >> 4 | uint64_t(1) << 16 | kPanels<kColumns>;
}
// MN-major: a row holds consecutive columns of the result (V, summed over keys); panels are panel_bytes apart.
template <int kColumns = kPanelColumns>
TILEWALK_PTX uint64_t descriptor_mn_major(const void* tile, int panel_bytes) {
  return (shared_address(tile) & 0x3FFFF) >> 4 | uint64_t(panel_bytes >> 4) << 16 | kPanels<kColumns>;
}

// Which of the two.
enum class Major { K, MN };

// D[64, N] = (add ? D : 0) + A[64, 16] B[16, N], fp32 sums. T is __half or __nv_bfloat16.
//   shared():    A and B in shared memory
//   registers(): A in registers, as pack_rows() makes it and ldmatrix brings it; B in shared memory
template <class T, int N>
struct Wgmma;

// Assembler operands cannot come from a loop: the lists of 32 to 128 accumulators are spelled out once.
#define TW_OUT8(d, i)                                                                                         \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define TW_OUT32(d, i) TW_OUT8(d, i), TW_OUT8(d, i + 8), TW_OUT8(d, i + 16), TW_OUT8(d, i + 24)
#define TW_OUT40(d, i) TW_OUT32(d, i), TW_OUT8(d, i + 32)
#define TW_OUT48(d, i) TW_OUT40(d, i), TW_OUT8(d, i + 40)
#define TW_OUT64(d, i) TW_OUT32(d, i), TW_OUT32(d, i + 32)
#define TW_OUT128(d, i) TW_OUT64(d, i), TW_OUT64(d, i + 64)
#define TW_D32                                                                                             \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27," \
  "%28,%29,%30,%31"
#define TW_D40 TW_D32 ",%32,%33,%34,%35,%36,%37,%38,%39"
#define TW_D48 TW_D40 ",%40,%41,%42,%43,%44,%45,%46,%47"
#define TW_D64 TW_D48 ",%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define TW_D128                                                                                                   \
  TW_D64                                                                                                          \
  ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90," \
  "%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,"    \
  "%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"

// After the count of accumulators R come the operands: A, B, add, and which of A and B are MN-major, for A in shared
// memory; a[0..3], B, add otherwise. The numbers after the shape are those operands' places.
#define TW_SHARED(T, TYPE, N, R, D, OUT, P0, P1, P2, P3, P4)                                                 \
  template <Major kA = Major::K, Major kB = Major::K>                                                        \
  static TILEWALK_PTX void shared(float(&d)[R], uint64_t a, uint64_t b, int add) {                           \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %" #P2                                                       \
                 ", 0;\n"                                                                                    \
                 "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" D "}, %" #P0 ", %" #P1 \
                 ", p, 1, 1, %" #P3 ", %" #P4 ";}"                                                           \
                 : OUT(d, 0)                                                                                 \
                 : "l"(a), "l"(b), "r"(add), "n"(int(kA)), "n"(int(kB)));                                    \
  }
#define TW_REGISTERS(T, TYPE, N, R, D, OUT, P0, P1, P2, P3, P4, P5, P6)                                       \
  template <Major kB = Major::MN>                                                                             \
  static TILEWALK_PTX void registers(float(&d)[R], const uint32_t* a, uint64_t b, int add) {                  \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %" #P5                                                        \
                 ", 0;\n"                                                                                     \
                 "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" D "}, {%" #P0 ", %" #P1 \
                 ", %" #P2 ", %" #P3 "}, %" #P4 ", p, 1, 1, %" #P6 ";}"                                       \
                 : OUT(d, 0)                                                                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add), "n"(int(kB)));               \
  }
#define TW_WGMMA(T, TYPE)                                                        \
  template <>                                                                    \
  struct Wgmma<T, 64> {                                                          \
    TW_SHARED(T, TYPE, 64, 32, TW_D32, TW_OUT32, 32, 33, 34, 35, 36)             \
    TW_REGISTERS(T, TYPE, 64, 32, TW_D32, TW_OUT32, 32, 33, 34, 35, 36, 37, 38)  \
  };                                                                             \
  template <>                                                                    \
  struct Wgmma<T, 128> {                                                         \
    TW_SHARED(T, TYPE, 128, 64, TW_D64, TW_OUT64, 64, 65, 66, 67, 68)            \
    TW_REGISTERS(T, TYPE, 128, 64, TW_D64, TW_OUT64, 64, 65, 66, 67, 68, 69, 70) \
  };
TW_WGMMA(__half, "f16")
TW_WGMMA(__nv_bfloat16, "bf16")
// For the other widths: 80 and 96 keys of S, 96 and 256 columns of O.
#define TW_WGMMA_WIDE(T, TYPE)                                                             \
  template <>                                                                              \
  struct Wgmma<T, 80> {                                                                    \
    TW_SHARED(T, TYPE, 80, 40, TW_D40, TW_OUT40, 40, 41, 42, 43, 44)                       \
  };                                                                                       \
  template <>                                                                              \
  struct Wgmma<T, 96> {                                                                    \
    TW_SHARED(T, TYPE, 96, 48, TW_D48, TW_OUT48, 48, 49, 50, 51, 52)                       \
    TW_REGISTERS(T, TYPE, 96, 48, TW_D48, TW_OUT48, 48, 49, 50, 51, 52, 53, 54)            \
  };                                                                                       \
  template <>                                                                              \
  struct Wgmma<T, 256> {                                                                   \
    TW_REGISTERS(T, TYPE, 256, 128, TW_D128, TW_OUT128, 128, 129, 130, 131, 132, 133, 134) \
  };
TW_WGMMA_WIDE(__half, "f16")
TW_WGMMA_WIDE(__nv_bfloat16, "bf16")
#undef TW_WGMMA_WIDE
#undef TW_WGMMA
#undef TW_REGISTERS
#undef TW_SHARED
#undef TW_D128
#undef TW_D64
#undef TW_D48
#undef TW_D40
#undef TW_D32
#undef TW_OUT128
#undef TW_OUT64
#undef TW_OUT48
#undef TW_OUT40
#undef TW_OUT32
#undef TW_OUT8

}  // namespace tilewalk::gpu
