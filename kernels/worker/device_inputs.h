// Q, K and V of all heads on the GPU: generated there, bit for bit as core/attention/inputs.h does, or brought along in
// the request; rounded to the problem's format and padded with zeros to the kernel's d, `width`. Kept until another
// problem or width comes.
#pragma once

#include "core/attention/inputs.h"
#include "core/run/run.h"
#include "kernels/forward.h"
#include "kernels/worker/buffer.h"

#include <string>

namespace tilewalk::gpu {

class DeviceInputs {
 public:
  // True where these inputs are there already, of whatever width.
  bool holds(const RunSpec& spec) const;
  // Makes them. Throws CudaError.
  void make(const RunSpec& spec, int64_t width);
  void release();

  const void* q() const { return q_.data(); }
  const void* k() const { return k_.data(); }
  const void* v() const { return v_.data(); }
  uint64_t hash() const { return hash_; }  // hash_of() head 0, read back from the GPU
  int64_t width() const { return width_; }
  size_t held() const { return q_.bytes() + k_.bytes() + v_.bytes(); }
  static size_t bytes(const RunSpec& spec, int64_t width);

 private:
  Buffer q_, k_, v_;
  Problem problem_;  // what decides the values, the rest at its defaults
  RunInputs inputs_;
  int64_t group_ = 1, width_ = 0;
  bool made_ = false;
  uint64_t hash_ = 0;
};

// Some rows of a generated tensor, of all heads: [B H, rows, padded_d(d)] at `out` on the current device. Asynchronous.
void make_rows(const Problem& problem, InputTensor tensor, int64_t first, int64_t rows, void* out);

constexpr Element element_of(Format format) { return format == Format::BFloat16 ? Element::BFloat16 : Element::Half; }

}  // namespace tilewalk::gpu
