#include "kernels/worker/fault.h"

#include <fmt/format.h>

namespace tilewalk::gpu {
namespace {

std::string words_of(cudaError_t error, const std::string& what) {
  return fmt::format("{} failed: {} ({}, {})", what, cudaGetErrorString(error), cudaGetErrorName(error), int(error));
}

// After an error that spoils the context, every call returns an error; after others the next call works.
bool context_is_dead() {
  cudaGetLastError();
  return cudaDeviceSynchronize() != cudaSuccess;
}

}  // namespace

CudaError::CudaError(cudaError_t error, const std::string& what)
    : std::runtime_error(words_of(error, what)), error(error), dead(context_is_dead()) {}

void check(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) throw CudaError(error, what);
}

}  // namespace tilewalk::gpu
