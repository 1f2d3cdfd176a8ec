// What the GPU checks do on the GPU besides running the kernels under test: random inputs, the float64 reference, and
// looking for elements that nobody wrote. All pointers are device memory; every function waits until it is done and
// leaves the program with a sentence when CUDA reports an error.
#pragma once

#include "kernels/forward.h"

#include <cstdint>
#include <memory>

namespace tilewalk::gpu::check {

// N(0, 1); with one in a thousand ten times as wide; with one in eight, all of them above zero or below.
enum class Values : uint8_t { Normal, Outliers, Above, Below };

void must(cudaError_t error, const char* what);

struct Free {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using DeviceArray = std::unique_ptr<T[], Free>;
template <class T>
DeviceArray<T> device_array(size_t n) {
  void* p = nullptr;
  must(cudaMalloc(&p, (n ? n : 1) * sizeof(T)), "cudaMalloc");
  return DeviceArray<T>(static_cast<T*>(p));
}

// to[heads, n, padded_d] of 16-bit elements; columns from d on are zero.
void fill(void* to, Element element, int heads, int n, int d, int padded_d, Values values, uint64_t seed);

// One row of the result against float64 from the same inputs.
struct RowError {
  double error2, reference2;  // squared norms of O - O_ref and O_ref over the padded row
  double lse, reference_lse;
  double largest_score;  // |scale s| over the keys that it sees
};
// rows[count] are head * n_q + row. n_k is at most 6000: the scores of a row stay in shared memory.
void compare_rows(const Forward& f, const int64_t* rows, int count, RowError* errors);

// How many of n elements are no longer, or still, the poison that cudaMemset(0xFF) left: a NaN in either format.
int64_t count_nan(const void* elements, Element element, int64_t n);

}  // namespace tilewalk::gpu::check
