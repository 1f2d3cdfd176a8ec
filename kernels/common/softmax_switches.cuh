// Other ways to take a max and an exponential, for the kernels that are built with a switch
// (core/kernel/switches.h). Without one, switched_max() is `risen`, and exponential() one fused multiply-add and one
// exp2.
#pragma once

#include "kernels/common/built_switch.h"
#include "kernels/common/ptx_sm80.cuh"

namespace tilewalk::gpu {

// 2^x for x <= 0, without the special function unit: 2^n 2^f with n the nearest integer, f in [-1/2, 1/2], and a cubic
// for 2^f, off by 1e-4 of it at most, less than P's rounding to fp16. Below 2^-126 it is 0.
// FlashAttention-4, arXiv:2603.05451, section on software exponentials (Cody and Waite's reduction).
TILEWALK_PTX float exp2_by_polynomial(float x) {
  constexpr float kRound = 12582912.f;  // 1.5 * 2^23: a sum with it has no bits behind the point
  const float shifted = x + kRound, f = x - (shifted - kRound);
  const float power = fmaf(fmaf(fmaf(0.05517166f, f, 0.24261112f), f, 0.69326099f), f, 0.99992807f);
  const float scaled = __int_as_float(__float_as_int(power) + (__float_as_int(shifted) << 23));
  return x < -126.f ? 0.f : scaled;
}

// e^(scale (s - m)) of element i of a thread's row: scale_log2 = scale log2(e), shift = m scale_log2.
TILEWALK_PTX float exponential(int i, float s, float scale_log2, float shift) {
  constexpr float kLn2 = 0.693147180559945f;
  constexpr int kShare = 8;
  if constexpr (kSwitch == Switch::Expf) return expf(s * (scale_log2 * kLn2) - shift * kLn2);
  if constexpr (kSwitch == Switch::Polynomial)
    if (i % kShare == 0) return exp2_by_polynomial(s * scale_log2 - shift);
  return exp2_approx(s * scale_log2 - shift);
}

// Whether a row's m, in raw scores, has to follow: `old` before the tile, `risen` with it. A row without any key yet
// has m = -inf, and follows.
TILEWALK_PTX bool rises_enough(float old, float risen, float scale_log2) {
  constexpr float kEnough = 8.f;  // powers of 2
  return kSwitch == Switch::AnyRise ? risen > old : !((risen - old) * scale_log2 <= kEnough);
}
// FA2's m and O follow at every tile, as in the paper; its mistakes would be none elsewhere.
constexpr TILEWALK_PTX bool rescales_anyway() {
  return kSwitch == Switch::EveryTile || kSwitch == Switch::NoRescale || kSwitch == Switch::WrongOrder;
}

// FA3's new m of a row: `old` before the tile, `risen` with it.
TILEWALK_PTX float switched_max(float old, float risen, float scale_log2) {
  if constexpr (kSwitch == Switch::NoMax) return 0.f;
  if constexpr (kSwitch == Switch::Raised) return rises_enough(old, risen, scale_log2) ? risen : old;
  return risen;
}
// Whether its alpha is 1, whatever the exponential says: who asks for an alpha other than 1 would find many that
// rounding alone put off it (row_max() in softmax.cuh).
TILEWALK_PTX bool alpha_is_one(float old, float m) {
  if constexpr (kSwitch == Switch::NoRescale) return true;
  return (kSwitch == Switch::Risen || kSwitch == Switch::Raised) && m == old;
}

}  // namespace tilewalk::gpu
