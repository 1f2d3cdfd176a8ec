#include "kernels/common/tensor_map.h"

namespace tilewalk::gpu {
namespace {
using Encode = decltype(&cuTensorMapEncodeTiled);

Encode encoder() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(entry) : nullptr;
}
}  // namespace

cudaError_t encode_tensor_map(CUtensorMap& map, const void* tensor, Element element, int heads, int n, int d,
                              int box_rows) {
  static const Encode encode = encoder();
  if (!encode) return cudaErrorNotSupported;
  const CUtensorMapDataType type =
      element == Element::Half ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  const cuuint32_t columns = d % 64 ? 32 : 64, panels = cuuint32_t(d) / columns;
  const cuuint64_t size[4] = {columns, cuuint64_t(n), panels, cuuint64_t(heads)};
  const cuuint64_t stride[3] = {cuuint64_t(d) * 2, columns * 2, cuuint64_t(n) * d * 2};  // bytes, of dimensions 1 to 3
  const cuuint32_t box[4] = {columns, cuuint32_t(box_rows), panels, 1};
  const cuuint32_t step[4] = {1, 1, 1, 1};
  const CUresult result =
      encode(&map, type, 4, const_cast<void*>(tensor), size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
             columns == 64 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

bool is_hopper(const char** why) {
  int device = 0, major = 0, minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return *why = "There is no usable CUDA device.", false;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (major == 9 && minor == 0) return true;
  return *why = "FA3 needs compute capability 9.0 exactly: it is written in Hopper's own instructions.", false;
}

}  // namespace tilewalk::gpu
