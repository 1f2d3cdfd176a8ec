#include "core/kernel/packed.h"

#include "core/machine/cost.h"
#include "core/machine/words.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

int seat_of(Tensor tensor, const Step& step) {
  const bool part = slot_of(tensor, step) == kPartSlot && (tensor == Tensor::O || tensor == Tensor::Lse);
  return !part ? packed_seat(tensor) : tensor == Tensor::O ? kPartSeatO : kPartSeatLse;
}

class Packer : public StepSink {
 public:
  Packer(const Schedule& schedule, const Plan& plan)
      : schedule_(schedule), plan_(plan), slots_(schedule.passes.size()), bytes_(schedule.passes.size()) {
    out.passes.resize(schedule.passes.size());
  }

  void take(const Step& step) override {
    begin_block(step);
    add(step);
    out.stores_lse |= step.kind == StepKind::StoreLse;
    const Touched touched = touched_by(step);
    for (const auto& tensors : {touched.reads, touched.writes})
      for (Tensor tensor : tensors)
        if (tensor != kNoTensor) settle(tensor, step);
  }

  // Once all steps are taken.
  void seat() {
    out.begin.push_back(uint32_t(out.words.size()));
    for (size_t pass = 0; pass < out.passes.size(); ++pass)
      for (size_t seat = 0; seat < kPackedSeats; ++seat) {
        PackedPass& p = out.passes[pass];
        p.seat[seat] = p.chip_bytes;
        p.apart[seat] = bytes_[pass][seat];
        p.chip_bytes += bytes_[pass][seat] * slots_[pass][seat];
      }
  }

  PackedProgram out;

 private:
  void begin_block(const Step& step) {
    const int32_t section = schedule_.section_is_block ? step.section : 0;
    if (step.pass == pass_ && section == section_) return;
    PackedPass& pass = out.passes[step.pass];
    if (pass.blocks++ == 0) pass.first_block = uint32_t(out.begin.size());
    out.begin.push_back(uint32_t(out.words.size()));
    moved_ = true;
    pass_ = step.pass;
    section_ = section;
  }

  void add(const Step& step) {
    moved_ |= step.slot != last_.slot || step.i != last_.i || step.j != last_.j;
    out.words.push_back(uint16_t(uint32_t(step.kind) | uint32_t(step.flags & 0x7F) << 8 | (moved_ ? kPackedMoves : 0)));
    if (moved_)
      for (uint32_t word : {uint32_t(step.slot), uint32_t(step.i) & 0xFFFF, uint32_t(step.i) >> 16,
                            uint32_t(step.j) & 0xFFFF, uint32_t(step.j) >> 16})
        out.words.push_back(uint16_t(word));
    last_ = step;
    moved_ = false;
  }

  // A seat is as large as a whole tile of what lies there.
  void settle(Tensor tensor, const Step& step) {
    const size_t seat = size_t(seat_of(tensor, step));
    const bool slotted = is_scores(tensor) || tensor == Tensor::K || tensor == Tensor::V;
    const int64_t rows = is_keyed(tensor) ? plan_.tiling.bc : plan_.tiling.br;
    const int64_t cols = is_statistic(tensor) ? 1 : is_scores(tensor) ? plan_.tiling.bc : plan_.tiling.d;
    const int64_t bytes = (rows * cols * (packed_narrow(tensor) ? 2 : 4) + 15) / 16 * 16;
    bytes_[step.pass][seat] = uint32_t(std::min<int64_t>(bytes, 1 << 24));
    uint32_t& slots = slots_[step.pass][seat];
    slots = std::max(slots, slotted ? uint32_t(step.slot) + 1 : 1);
  }

  const Schedule& schedule_;
  const Plan& plan_;
  std::vector<std::array<uint32_t, kPackedSeats>> slots_, bytes_;  // of each pass
  int pass_ = -1, section_ = -1;
  Step last_;
  bool moved_ = true;
};

int64_t memory_bytes_of(const Schedule& schedule, const Plan& plan) {
  const Tiling& t = plan.tiling;
  const int64_t rows = 12 * t.n_q + 6 * t.n_k + schedule.splits(plan) * t.n_q;  // of d numbers, 4 bytes at most
  return 4 * (rows * t.d + 6 * t.n_q) + (schedule.scores_in_memory ? 8 * t.n_q * t.n_k : 0);
}

std::string fault_of(const Schedule& schedule, const Plan& plan) {
  const int64_t heads = plan.problem.batch * plan.problem.heads;
  if (plan.problem.format != Format::Float16) return "A program runs in fp16 on a GPU.";
  const Meters total = count(schedule, plan).total;
  if (total.steps > int64_t(kMostPackedSteps))
    return fmt::format("A head has {} steps; up to {} run on a GPU.", with_commas(total.steps),
                       with_commas(kMostPackedSteps));
  if (total.matrix_flop > kMostPackedFlop / heads)
    return fmt::format("The products of a head take {} FLOP; up to {} run on a GPU with {} heads.",
                       with_commas(total.matrix_flop), with_commas(kMostPackedFlop / heads), heads);
  if (memory_bytes_of(schedule, plan) > kMostPackedMemory / heads)
    return fmt::format("A head's tensors take {}; with {} heads up to {} each run on a GPU.",
                       bytes_words(memory_bytes_of(schedule, plan)), heads, bytes_words(kMostPackedMemory / heads));
  return {};
}

}  // namespace

Packed pack(const Schedule& schedule, const Plan& plan, int64_t chip_bytes) {
  if (std::string fault = fault_of(schedule, plan); !fault.empty()) return {{}, std::move(fault)};
  Packer packer(schedule, plan);
  for (int64_t s = 0; s < schedule.sections(plan); ++s) schedule.emit(plan, s, packer);
  packer.seat();
  packer.out.splits = schedule.splits(plan);
  for (size_t pass = 0; pass < packer.out.passes.size(); ++pass) {
    if (const int64_t bytes = packer.out.passes[pass].chip_bytes; bytes > chip_bytes)
      return {{},
              fmt::format("Pass {} keeps {} on chip at once; a thread block has {} there.", pass + 1,
                          bytes_words(bytes), bytes_words(chip_bytes))};
  }
  return {std::move(packer.out), {}};
}

}  // namespace tilewalk
