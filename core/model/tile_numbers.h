// Numbers for the tiles of one head that lie in memory: 0 .. size() - 1, those of the N x N matrices last, so that a
// schedule that never moves them can leave them out. Alpha has none.
#pragma once

#include "core/attention/tiling.h"
#include "core/machine/step.h"

#include <cstdint>
#include <iterator>

namespace tilewalk {

class TileNumbers {
 public:
  struct Name {
    Tensor tensor;
    int32_t i, j;  // 0 where the tensor's tiles have no such index
    bool output;   // O or dQ in the output's format; it and the one between visits are buffers of their own
  };

  // `splits`: of a row's keys, each of which leaves a part of O and L; 0 without.
  explicit TileNumbers(const Tiling& tiling, int64_t splits = 0) : tr_(tiling.tr), tc_(tiling.tc), splits_(splits) {}

  int64_t of(Tensor tensor, const Step& step) const {
    if (is_part(step.kind)) return rows_end() + ((tensor == Tensor::O ? 0 : splits_) + step.slot) * tr_ + step.i;
    return of(tensor, step.i, step.j, step.has(Step::kOutput));
  }
  int64_t of(Tensor tensor, int64_t i, int64_t j, bool output) const {
    if (is_keyed(tensor)) return place(kKeyed, {tensor, false}) * tc_ + j;
    if (is_scores(tensor)) return without_scores() + (place(kScores, {tensor, false}) * tr_ + i) * tc_ + j;
    return kKeyedCount * tc_ + place(kRows, {tensor, output && has_output(tensor)}) * tr_ + i;
  }

  Name name(int64_t number) const {
    if (number < kKeyedCount * tc_) return {kKeyed[number / tc_].tensor, 0, int32_t(number % tc_), false};
    if (number >= without_scores()) {
      number -= without_scores();
      return {kScores[number / (tr_ * tc_)].tensor, int32_t(number / tc_ % tr_), int32_t(number % tc_), false};
    }
    if (number >= rows_end()) {
      number -= rows_end();
      return {number < splits_ * tr_ ? Tensor::O : Tensor::Lse, int32_t(number % tr_), 0, false};
    }
    number -= kKeyedCount * tc_;
    const Buffer& buffer = kRows[number / tr_];
    return {buffer.tensor, int32_t(number % tr_), 0, buffer.output};
  }

  int64_t without_scores() const { return rows_end() + 2 * splits_ * tr_; }
  int64_t size() const { return without_scores() + int64_t(std::size(kScores)) * tr_ * tc_; }

  static constexpr bool has_output(Tensor tensor) { return tensor == Tensor::O || tensor == Tensor::DQ; }

 private:
  struct Buffer {
    Tensor tensor;
    bool output;
    constexpr bool operator==(const Buffer&) const = default;
  };
  static constexpr Buffer kKeyed[] = {{Tensor::K, false}, {Tensor::V, false}, {Tensor::DK, false}, {Tensor::DV, false}};
  static constexpr Buffer kRows[] = {{Tensor::Q, false},  {Tensor::O, false},   {Tensor::O, true},   {Tensor::M, false},
                                     {Tensor::L, false},  {Tensor::Lse, false}, {Tensor::DO, false}, {Tensor::D, false},
                                     {Tensor::DQ, false}, {Tensor::DQ, true}};
  static constexpr Buffer kScores[] = {
      {Tensor::S, false}, {Tensor::P, false}, {Tensor::DP, false}, {Tensor::DS, false}};
  static constexpr int64_t kKeyedCount = std::size(kKeyed);

  template <size_t Count>
  static int64_t place(const Buffer (&table)[Count], Buffer wanted) {
    int64_t at = 0;
    while (at + 1 < int64_t(Count) && !(table[at] == wanted)) ++at;
    return at;
  }

  int64_t rows_end() const { return kKeyedCount * tc_ + int64_t(std::size(kRows)) * tr_; }

  int64_t tr_, tc_, splits_;
};

}  // namespace tilewalk
