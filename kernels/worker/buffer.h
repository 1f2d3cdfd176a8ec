// Device memory that frees itself.
#pragma once

#include "kernels/worker/fault.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tilewalk::gpu {

class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~Buffer() { release(); }

  // At least `bytes`, contents not kept; what is there is kept where it is large enough.
  void* hold(size_t bytes) {
    if (bytes > bytes_) {
      release();
      check(cudaMalloc(&data_, bytes), "Allocating GPU memory");
      bytes_ = bytes;
    }
    return data_;
  }
  void release() {
    if (data_) cudaFree(data_);
    data_ = nullptr;
    bytes_ = 0;
  }
  size_t bytes() const { return bytes_; }
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

  template <class T>
  void upload(std::span<const T> values) {
    hold(values.size_bytes());
    check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "Copying to the GPU");
  }
  template <class T>
  std::vector<T> download(size_t count, size_t first = 0) const {
    std::vector<T> out(count);
    if (count)
      check(cudaMemcpy(out.data(), as<T>() + first, count * sizeof(T), cudaMemcpyDeviceToHost), "Copying from the GPU");
    return out;
  }

 private:
  void swap(Buffer& other) {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace tilewalk::gpu
