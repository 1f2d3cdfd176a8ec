// The memories a schedule runs in. A paper machine has one on-chip memory M for the Q, K, V and O tiles and keeps S in
// registers without a limit (arXiv:2205.14135 section 2.1). A GPU machine has shared memory for Q, K and V as the
// kernel keeps them, and registers for the fp32 accumulators S and O, each with its own limit per thread block.
#pragma once

#include "core/machine/step.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewalk {

struct GpuSpec;

enum class Level : uint8_t { Registers, Sram, L2, Dram };

// What is known of how L2 is built; see core/model/l2_cache.h.
struct L2Build {
  int halves = 1;           // 2: what all multiprocessors read is there twice
  int ways = 0;             // chunks of 4 KiB in a set; 0: any chunk anywhere
  int64_t dirty_bytes = 0;  // that wait to be written to DRAM, at most; 0: no limit
};

struct MachineSpec {
  std::string_view id;     // "h200", for the command line
  std::string_view title;  // "H200"
  int64_t sram_bytes;      // that one thread block can use
  int64_t register_bytes;  // of one multiprocessor; 0 is no limit
  bool o_in_sram;          // O among the tiles of M (paper), or in registers as fp32 (GPU)
  int64_t l2_bytes;
  int multiprocessors;
  std::string_view source;  // of the capacities
  L2Build l2 = {};
};

// A GPU of the catalogue (core/machine/gpus.h) as a machine for one thread block: shared memory for tiles, registers
// for the accumulators. It shares the GPU's texts.
MachineSpec machine_of(const GpuSpec& gpu);

// Registers that a computing thread of a block may hold: the multiprocessor's over all of the block's, in eights, and
// 255 at most (CUDA C++ Programming Guide, technical specifications by compute capability). `loads_apart`: 128 threads
// more only load, with 24 each (arXiv:2407.08608, section 3.1).
int registers_of_thread(const MachineSpec& machine, int threads, bool loads_apart);

// Their sizes are the catalogue's, but where the source beside them says otherwise.
std::span<const MachineSpec> machines();
const MachineSpec* machine_named(std::string_view id);  // or null
const MachineSpec& default_machine();

}  // namespace tilewalk
