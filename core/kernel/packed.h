// A program as a GPU takes it (kernels/program.cu): the steps of its thread blocks one after the other, and where on
// chip their tiles lie. It is made by the interpreter, so that what runs there is what is walked here; and it is
// bounded, since programs come from strangers.
#pragma once

#include "core/machine/program.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// A step as it is read back. Its slot and tiles stay from step to step until a word says others.
struct PackedStep {
  StepKind kind{};
  uint8_t flags = 0;
  int slot = 0, i = 0, j = 0;
};

// Words of 16 bits: 8 of kind, 7 of flags, and whether five more follow: the slot, i and j, low halves first. The first
// step of a block has them. `word(n)` gives word n; `at` goes behind the step.
constexpr uint32_t kPackedMoves = 1u << 15;
template <class Word>
constexpr void next_packed(const Word& word, uint32_t& at, PackedStep& step) {
  const uint32_t first = word(at++);
  step.kind = StepKind(first & 0xFF);
  step.flags = uint8_t(first >> 8 & 0x7F);
  if (!(first & kPackedMoves)) return;
  step.slot = int(word(at));
  step.i = int(word(at + 1) | word(at + 2) << 16);
  step.j = int(word(at + 3) | word(at + 4) << 16);
  at += 5;
}

// Places on chip: one for each tensor, where those that share registers have one, and two for parts of O and L.
constexpr int kPackedSeats = kTensorCount + 2, kPartSeatO = kTensorCount, kPartSeatLse = kTensorCount + 1;
constexpr int packed_seat(Tensor t) { return is_scores(t) ? int(is_gradient(t) ? Tensor::DP : Tensor::S) : int(t); }
// Q, K, V and dO lie there in 16 bits, all else in fp32.
constexpr bool packed_narrow(Tensor t) { return is_input(t); }

struct PackedPass {
  uint32_t first_block = 0, blocks = 0;  // of one head
  // Bytes: where the first slot begins, and how far slots are apart. All whole multiples of 16.
  std::array<uint32_t, kPackedSeats> seat{}, apart{};
  uint32_t chip_bytes = 0;
};

struct PackedProgram {
  std::vector<uint16_t> words;
  std::vector<uint32_t> begin;  // of each block's words, and the end of the last
  std::vector<PackedPass> passes;
  int64_t splits = 0;
  bool stores_lse = false;
};

constexpr size_t kMostPackedSteps = size_t{1} << 22;
constexpr int64_t kMostPackedFlop = int64_t{1} << 42;     // of matrix products, all heads: seconds on any GPU
constexpr int64_t kMostPackedMemory = int64_t{16} << 30;  // of tensors in memory, all heads

// What a thread block of compute capability 9.0 may have on chip.
constexpr int64_t kProgramChipBytes = 227 * 1024;

struct Packed {
  std::optional<PackedProgram> program;
  std::string refused;  // one sentence where there is none
};
// `chip_bytes`: what a thread block may have. Formats of 16 bits alone.
Packed pack(const Schedule& schedule, const Plan& plan, int64_t chip_bytes);

}  // namespace tilewalk
