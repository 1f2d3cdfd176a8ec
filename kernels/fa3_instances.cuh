// FA3 on the host: which instance of the kernel solves a problem.
#pragma once

#include "kernels/common/built_switch.h"
#include "kernels/fa3_tiles.cuh"
#include "kernels/forward.h"

namespace tilewalk::gpu::fa3 {
namespace {  // of the file that includes it, which may be built with a switch

// Calls body.operator()<Config>() for the instance that f needs. With a switch: those of fp16, untraced.
template <bool traced, class Body>
cudaError_t with_instance(const Forward& f, const Body& body) {
  const auto by_mask = [&]<class T, int D>() {
    return f.causal ? body.template operator()<Config<T, D, true, traced, kSwitch>>()
                    : body.template operator()<Config<T, D, false, traced, kSwitch>>();
  };
  const auto by_type = [&]<class T>() {
    if constexpr (kSwitch == Switch::None) {
      if (f.d == 96) return by_mask.template operator()<T, 96>();
      if (f.d == 256) return by_mask.template operator()<T, 256>();
    }
    return f.d == 64 ? by_mask.template operator()<T, 64>() : by_mask.template operator()<T, 128>();
  };
  if constexpr (kSwitch == Switch::None || !traced)
    if (f.element == Element::Half) return by_type.template operator()<__half>();
  if constexpr (kSwitch == Switch::None) return by_type.template operator()<__nv_bfloat16>();
  return cudaErrorNotSupported;
}

}  // namespace
}  // namespace tilewalk::gpu::fa3
