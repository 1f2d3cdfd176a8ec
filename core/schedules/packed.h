// A program as a GPU takes it (kernels/program.cu): the steps of its thread blocks one after the other, eight bytes
// each, and where on chip their tiles lie. It is made by the interpreter, so that what runs there is what is walked
// here; and it is bounded, since programs come from strangers.
#pragma once

#include "core/machine/program.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// 8 bits of kind, 8 of flags, 12 of slot, 18 each of i and j.
struct PackedStep {
  uint64_t bits;

  static constexpr int kMostSlots = 1 << 12, kMostTiles = 1 << 18;
  constexpr StepKind kind() const { return StepKind(bits & 0xFF); }
  constexpr uint8_t flags() const { return uint8_t(bits >> 8); }
  constexpr int slot() const { return int(bits >> 16 & (kMostSlots - 1)); }
  constexpr int i() const { return int(bits >> 28 & (kMostTiles - 1)); }
  constexpr int j() const { return int(bits >> 46); }
};
PackedStep packed(const Step& step);

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
  std::vector<PackedStep> steps;
  std::vector<uint32_t> begin;  // of each block's steps, and the end of the last
  std::vector<PackedPass> passes;
  int64_t splits = 0;
};

constexpr size_t kMostPackedSteps = size_t{1} << 22;      // 32 MiB
constexpr int64_t kMostPackedFlop = int64_t{1} << 42;     // of matrix products, all heads: seconds on any GPU
constexpr int64_t kMostPackedMemory = int64_t{16} << 30;  // of tensors in memory, all heads

struct Packed {
  std::optional<PackedProgram> program;
  std::string refused;  // one sentence where there is none
};
// `chip_bytes`: what a thread block may have. Formats of 16 bits alone.
Packed pack(const Schedule& schedule, const Plan& plan, int64_t chip_bytes);

}  // namespace tilewalk
