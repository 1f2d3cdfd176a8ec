#include "kernels/common/cublas.h"

#include <cublas_v2.h>  // types alone
#include <dlfcn.h>

namespace tilewalk::gpu {
namespace {

// cublasGemmStridedBatchedEx, which the header overloads.
using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                const void* alpha, const void* a, cudaDataType, int lda, long long next_a,
                                const void* b, cudaDataType, int ldb, long long next_b, const void* beta, void* c,
                                cudaDataType, int ldc, long long next_c, int count, cublasComputeType_t,
                                cublasGemmAlgo_t);

struct Cublas {
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  Gemm gemm = nullptr;
  cublasHandle_t handle = nullptr;
  const char* why = nullptr;  // it cannot be used

  Cublas() {
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.13",
                             "/usr/local/cuda/lib64/libcublas.so.12"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      why =
          "Standard attention needs cuBLAS: libcublas.so.13 or .12 was not found. Install it, or put its folder into "
          "LD_LIBRARY_PATH.";
      return;
    }
    const auto create = reinterpret_cast<decltype(&cublasCreate_v2)>(dlsym(library, "cublasCreate_v2"));
    set_stream = reinterpret_cast<decltype(set_stream)>(dlsym(library, "cublasSetStream_v2"));
    gemm = reinterpret_cast<Gemm>(dlsym(library, "cublasGemmStridedBatchedEx"));
    if (!create || !set_stream || !gemm)
      why =
          "Standard attention needs cuBLAS, and the one found lacks cublasGemmStridedBatchedEx. Install version 12 or "
          "13.";
    else if (create(&handle) != CUBLAS_STATUS_SUCCESS)
      why = "cuBLAS could not start on this GPU. Free some of its memory, or update the driver.";
  }
};
// Once for the process; the handle lives as long as it does.
Cublas& cublas() {
  static Cublas only;
  return only;
}

}  // namespace

const char* cublas_fault() { return cublas().why; }

cudaError_t multiply(Element element, const Product& p, cudaStream_t stream) {
  const Cublas& blas = cublas();
  if (blas.why) return cudaErrorSharedObjectInitFailed;
  const cudaDataType_t type = element == Element::Half ? CUDA_R_16F : CUDA_R_16BF;
  const cudaDataType_t type_c = p.wide_c ? CUDA_R_32F : type;
  const auto op = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const float zero = 0.f;
  if (blas.set_stream(blas.handle, stream) != CUBLAS_STATUS_SUCCESS) return cudaErrorUnknown;
  const cublasStatus_t status = blas.gemm(blas.handle, op(p.transposed_a), op(p.transposed_b), p.m, p.n, p.k, &p.factor,
                                          p.a, type, p.lda, p.next_a, p.b, type, p.ldb, p.next_b, &zero, p.c, type_c,
                                          p.ldc, p.next_c, p.heads, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace tilewalk::gpu
