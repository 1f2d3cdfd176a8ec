// cuBLAS, opened at run time when it is first needed: nothing links to it. What standard attention multiplies with,
// forward and backward.
#pragma once

#include "kernels/forward.h"

#include <cstdint>

namespace tilewalk::gpu {

// Why it cannot be used, in a sentence; null: it is ready.
const char* cublas_fault();

// C[m, n] = factor * op(A) op(B) for every head, in cuBLAS's column-major words: a row-major [rows, columns] is a
// column-major [columns, rows]. A and B in the element's format, sums in fp32.
struct Product {
  bool transposed_a, transposed_b;
  int m, n, k;
  float factor;
  const void *a, *b;
  void* c;
  bool wide_c;                     // fp32, else as a and b
  int lda, ldb, ldc;               // elements from one column to the next
  int64_t next_a, next_b, next_c;  // elements from one head to the next
  int heads;
};
cudaError_t multiply(Element element, const Product& product, cudaStream_t stream);

}  // namespace tilewalk::gpu
