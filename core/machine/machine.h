// The machine that runs a schedule: memory, bounded SRAM and registers, arithmetic and meters. It refuses to compute on
// a tile that is not on chip and to hold more than fits, so that a program that runs to its end is shown to fit, and
// its traffic is what was moved. L2 is managed by hardware, not by the schedule: see core/model/l2.h.
#pragma once

#include "core/attention/inputs.h"
#include "core/machine/cost.h"
#include "core/machine/machine_spec.h"
#include "core/machine/tile_table.h"
#include "core/machine/program.h"

#include <stdexcept>
#include <vector>

namespace tilewalk {

// A tile on chip.
struct Resident {
  Tensor tensor;
  int32_t slot = 0;
  int32_t i = 0, j = 0;
  Level level = Level::Sram;  // Sram or Registers
  int64_t bytes = 0;
  TilePtr data;
};

// The whole machine after some number of steps. Cheap to copy: tiles are shared until they change.
struct MachineState {
  std::vector<Resident> chip;
  int64_t sram_used = 0, registers_used = 0;
  int32_t block_pass = -1, block_section = -1;
  TileTable s, p, dp, ds;         // [Tr * Tc], index i * Tc + j
  TileTable o, m, l, lse, d, dq;  // [Tr]
  TileTable dk, dv;               // [Tc]
  Meters meters;                  // so far
  int64_t step = 0;               // steps taken

  const Resident* find(Tensor tensor, int32_t slot = 0) const;  // on chip, or null
  const TileTable* memory(Tensor tensor) const;                 // null for Q, K, V, dO, alpha
  TileTable* memory(Tensor tensor);
  bool operator==(const MachineState& other) const;  // every value, bit for bit
};

// The tensors that have a table in the state, in a fixed order.
inline constexpr Tensor kStored[] = {Tensor::S, Tensor::P,   Tensor::DP, Tensor::DS, Tensor::O,  Tensor::M,
                                     Tensor::L, Tensor::Lse, Tensor::D,  Tensor::DQ, Tensor::DK, Tensor::DV};
// Where a tile stands in its tensor's table.
inline int64_t table_index(Tensor tensor, int64_t i, int64_t j, const Tiling& t) {
  return is_scores(tensor) ? i * t.tc + j : is_keyed(tensor) ? j : i;
}

// Where a step finds its tile: what a split leaves of O and L lies behind the rows' own, a table for each split.
inline int64_t table_index(Tensor tensor, const Step& step, const Tiling& t) {
  return is_part(step.kind) ? (1 + step.slot) * t.tr + step.i : table_index(tensor, step.i, step.j, t);
}

// A step that the machine refuses: something is not on chip, not in memory, or does not fit. what() is one sentence.
class MachineFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // What the step wants and is not there: on chip, or in memory, where nothing has stored it.
  struct Missing {
    Tensor tensor;
    bool on_chip;
  };
  MachineFault(const std::string& words, Missing what) : std::runtime_error(words), missing(what) {}
  std::optional<Missing> missing;
};

class Machine {
 public:
  // `inputs` are of one head and are copied tile by tile. A backward schedule finds in memory what the forward pass
  // kept (core/attention/gradients.h): that pass is made here.
  Machine(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs);

  const MachineState& start() const { return start_; }
  void apply(MachineState& state, const Step& step) const;  // throws MachineFault and leaves the state unusable

  const Plan& plan() const { return plan_; }
  const MachineSpec& spec() const { return spec_; }
  TilePtr input_tile(Tensor tensor, int64_t index) const;  // Q, K, V or dO

 private:
  void enter_block(MachineState& state, const Step& step) const;
  void load(MachineState& state, const Step& step) const;
  void store(MachineState& state, const Step& step) const;
  void compute(MachineState& state, const Step& step) const;
  void place(MachineState& state, const Step& step, Tensor tensor, TilePtr data) const;
  Resident& need(MachineState& state, const Step& step, Tensor tensor) const;

  const Schedule& schedule_;
  Plan plan_;
  MachineSpec spec_;
  std::vector<TilePtr> q_, k_, v_, do_;
  MachineState start_;
};

// Bytes of a tensor's tile on chip, and where it lies.
struct OnChip {
  Level level;
  int64_t bytes;
};
OnChip on_chip(Tensor tensor, int64_t i, int64_t j, const Plan& plan, const MachineSpec& spec);

}  // namespace tilewalk
