// Makes a result count that nobody wants: the compiler cannot know that it never equals this number.
#pragma once

#include <cstdint>

namespace tilewalk::gpu {

__device__ __forceinline__ void consume(uint32_t result, uint32_t* sink) {
  if (result == 0x9E3779B9u) *sink = result;
}

}  // namespace tilewalk::gpu
