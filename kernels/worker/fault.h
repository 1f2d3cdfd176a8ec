// What ends a run, thrown from where it is noticed: a fault that a request's answer names, or a CUDA error.
#pragma once

#include "core/run/protocol.h"

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace tilewalk::gpu {

// The answer to a request that cannot be carried out; the id is filled in by whoever answers.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Failure failure) : std::runtime_error(failure.message), failure(std::move(failure)) {}
  Refused(std::string code, std::string message) : Refused(Failure{0, std::move(code), std::move(message), 0, 0, 0}) {}
  Failure failure;
};

// A CUDA call failed. `dead`: the context is lost, and with it every later call of this process.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t error, const std::string& what);
  cudaError_t error;
  bool dead;
};

// Throws CudaError: "FA2's launch failed: an illegal memory access was encountered (cudaErrorIllegalAddress, 700)".
void check(cudaError_t error, const std::string& what);

}  // namespace tilewalk::gpu
