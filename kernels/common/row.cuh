// A whole row of Q and O in one thread: what the rungs without tensor cores share. Q stays in 16 bits, two elements a
// register; O is fp32.
#pragma once

#include "kernels/common/softmax.cuh"

namespace tilewalk::gpu {

// The two elements of a register, the lower half first.
template <class T>
TILEWALK_PTX float2 unpack(uint32_t two);
template <>
TILEWALK_PTX float2 unpack<__half>(uint32_t two) {
  return __half22float2(*reinterpret_cast<const __half2*>(&two));
}
template <>
TILEWALK_PTX float2 unpack<__nv_bfloat16>(uint32_t two) {
  return {__uint_as_float(two << 16), __uint_as_float(two & 0xFFFF0000u)};
}

// 8 elements, 16 bytes, at a time.
template <int D>
TILEWALK_PTX void load_row(uint32_t (&row)[D / 2], const uint16_t* from) {
#pragma unroll
  for (int c = 0; c < D / 8; ++c) {
    const uint4 eight = reinterpret_cast<const uint4*>(from)[c];
    row[4 * c] = eight.x, row[4 * c + 1] = eight.y, row[4 * c + 2] = eight.z, row[4 * c + 3] = eight.w;
  }
}
template <class T, int D>
TILEWALK_PTX void store_row(uint16_t* to, const float (&o)[D]) {
#pragma unroll
  for (int c = 0; c < D / 8; ++c)
    reinterpret_cast<uint4*>(to)[c] = {pack<T>(o[8 * c], o[8 * c + 1]), pack<T>(o[8 * c + 2], o[8 * c + 3]),
                                       pack<T>(o[8 * c + 4], o[8 * c + 5]), pack<T>(o[8 * c + 6], o[8 * c + 7])};
}

// What a thread keeps of its one row: m in raw scores, l of all keys so far. (RowStats, in softmax.cuh, is that of the
// two rows which a lane of a tensor core's accumulator shares with three others.)
struct RowState {
  float m = -INFINITY, l = 0.f;
};

// RowMax. m takes in `highest`; returns alpha = e^(scale (m_old - m_new)), and shift = m * scale_log2. A row that has
// seen no key yet keeps m = -inf and shift 0. `old` is the shift of the key or tile before to the last bit, since both
// products are rounded: what rounding put into that one's exponentials, alpha takes out again.
TILEWALK_PTX float raise_max(RowState& row, float highest, float scale_log2, float& shift) {
  const float old = __fmul_rn(row.m, scale_log2);
  row.m = fmaxf(row.m, highest);
  shift = row.m == -INFINITY ? 0.f : __fmul_rn(row.m, scale_log2);
  return exp2_approx(old - shift);
}

}  // namespace tilewalk::gpu
