// The catalogue of GPUs: what a datasheet or a whitepaper says of each, with its source. Read from assets/gpus.toml,
// which is embedded in the program. Rates are dense (no sparsity) and of one GPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Where GpuSpec::dram_bytes are from; its other figures are of GpuSpec::source.
inline constexpr std::string_view kMemorySource = "as many bytes as its driver reports; datasheets round";

struct GpuSpec {
  std::string id;          // "a100-80": in lessons and on the command line
  std::string title;       // "A100 SXM 80 GB"
  int cc = 0;              // compute capability times ten: 80; 0 is not NVIDIA's
  double tensor_rate = 0;  // FLOP/s of fp16 and bf16 matrix products with fp32 sums
  double fp8_rate = 0;     // FLOP/s; 0 has none
  double mma_rate = 0;     // FLOP/s of those fp16 products by mma.sync; 0: see mma_sync_rate()
  double dram_rate = 0;    // byte/s
  double dram_bytes = 0;   // capacity: as many as the driver says there are
  double l2_bytes = 0;     // of 2^20
  double l2_rate = 0;      // byte/s between L2 and the multiprocessors; 0: nobody says
  int sms = 0;
  double smem_per_sm = 0, smem_per_block = 0;  // byte, of 1024
  double clock = 0;                            // Hz, at which tensor_rate is stated
  int exponentials = 16;                       // a clock and SM
  int lanes = 0;                               // fp32 operations a clock and SM; 0: see fp32_lanes()
  std::vector<std::string> unverified;         // fields that could not be checked: shown with a mark
  std::string source;

  double sram_rate() const { return double(sms) * 128 * clock; }          // byte/s: 128 bytes a clock and SM
  double exp_rate() const { return double(sms) * exponentials * clock; }  // a second
  // What mma.sync does of the products. Up to compute capability 8.x, and on 12.x, it is the tensor cores' only
  // instruction for fp16, as another one is AMD's: then this is tensor_rate. On 9.x, where wgmma does more, it is what
  // an H200 did a clock and multiprocessor (kHopperMmaSync). Nobody has published it of 10.x and 11.x; the same figure
  // stands for it there, marked.
  static constexpr double kHopperMmaSync = 2719;  // FLOP; assets/recordings/h200-ceilings.json, and 4,076 by wgmma
  double mma_sync_rate() const;
  bool mma_sync_differs() const { return mma_rate > 0 || (cc >= 90 && cc < 120); }
  bool mma_sync_known() const { return mma_rate > 0 || cc < 100 || cc >= 120; }
  // fp32 lanes of a multiprocessor, by compute capability (CUDA C++ Programming Guide, throughput of arithmetic
  // instructions); 0: not known.
  int fp32_lanes() const { return lanes > 0 ? lanes : cc == 0 ? 0 : cc < 86 ? 64 : 128; }
  double fp32_rate() const { return double(sms) * fp32_lanes() * clock; }  // operations a second, a multiply-add is one
  double ridge() const { return tensor_rate / dram_rate; }                 // FLOP/byte
};

std::span<const GpuSpec> gpus();                // in the catalogue's order
const GpuSpec* gpu_named(std::string_view id);  // or null

// Reads a catalogue. Entries with a missing or impossible field are left out; each leaves a sentence in `faults`.
std::vector<GpuSpec> read_gpus(std::string_view toml, std::string_view file, std::vector<std::string>& faults);

}  // namespace tilewalk
