// Numbers for the tiles of one head that lie in memory: 0 .. size() - 1, those of S and P last, so that a schedule that
// never stores them can leave them out. Alpha has none.
#pragma once

#include "core/attention/tiling.h"
#include "core/machine/step.h"

#include <cstdint>

namespace tilewalk {

class TileNumbers {
 public:
  struct Name {
    Tensor tensor;
    int32_t i, j;  // 0 where the tensor's tiles have no such index
    bool output;   // O in the output's format; it and the O between visits are buffers of their own
  };

  explicit TileNumbers(const Tiling& tiling) : tr_(tiling.tr), tc_(tiling.tc) {}

  int64_t of(Tensor tensor, int64_t i, int64_t j, bool output) const {
    switch (tensor) {
      case Tensor::K: return j;
      case Tensor::V: return tc_ + j;
      case Tensor::S: return without_scores() + i * tc_ + j;
      case Tensor::P: return without_scores() + (tr_ + i) * tc_ + j;
      default: return 2 * tc_ + row_tensor(tensor, output) * tr_ + i;
    }
  }

  Name name(int64_t number) const {
    if (number < 2 * tc_)
      return {number < tc_ ? Tensor::K : Tensor::V, 0, int32_t(number % tc_), false};
    if (number >= without_scores()) {
      number -= without_scores();
      return {number < tr_ * tc_ ? Tensor::S : Tensor::P, int32_t(number / tc_ % tr_), int32_t(number % tc_), false};
    }
    constexpr Tensor kRowTensors[] = {Tensor::Q, Tensor::O, Tensor::O, Tensor::M, Tensor::L, Tensor::Lse};
    number -= 2 * tc_;
    return {kRowTensors[number / tr_], int32_t(number % tr_), 0, number / tr_ == 2};
  }

  int64_t without_scores() const { return 2 * tc_ + 6 * tr_; }
  int64_t size() const { return without_scores() + 2 * tr_ * tc_; }

 private:
  static int64_t row_tensor(Tensor tensor, bool output) {
    switch (tensor) {
      case Tensor::Q: return 0;
      case Tensor::O: return output ? 2 : 1;
      case Tensor::M: return 3;
      case Tensor::L: return 4;
      default: return 5;
    }
  }

  int64_t tr_, tc_;
};

}  // namespace tilewalk
