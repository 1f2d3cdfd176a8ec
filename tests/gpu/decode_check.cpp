// Holds split-KV, its combine step and grouped queries against float64: ragged splits, splits of one tile, more splits
// than tiles, groups of 1 to 16 heads. Twice each, outputs and workspace poisoned, with a margin that stays as it was.
// Leaves with 0 if all is right, 1 if not, 77 where there is no GPU.
//
//   decode_check [--small]     a few problems instead, for compute-sanitizer
#include "kernels/split_kv.h"
#include "kernels/worker/decode_reference.h"
#include "tests/gpu/device_arrays.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace tilewalk::gpu::check {
namespace {

constexpr size_t kMargin = 256;  // bytes behind each output that nobody may write

struct Decode {
  int kv_heads, group, n_k, d, splits;
  Element element;
  Values values = Values::Normal;
};

std::string words(const Decode& c) {
  return std::to_string(c.kv_heads) + " heads of K and V, " + std::to_string(c.group) + " queries each, N " +
         std::to_string(c.n_k) + " d " + std::to_string(c.d) + ", " + std::to_string(c.splits) + " splits, " +
         (c.element == Element::Half ? "fp16" : "bf16") + (c.values == Values::Normal ? "" : " outliers");
}

struct Poisoned {
  explicit Poisoned(size_t bytes) : size(bytes), memory(device_array<char>(bytes + kMargin)) {
    must(cudaMemset(memory.get(), 0xFF, size + kMargin), "poisoning");
  }
  bool margin_intact() const {
    std::vector<unsigned char> margin(kMargin);
    must(cudaMemcpy(margin.data(), memory.get() + size, kMargin, cudaMemcpyDeviceToHost), "reading a margin");
    for (unsigned char byte : margin)
      if (byte != 0xFF) return false;
    return true;
  }
  size_t size;
  DeviceArray<char> memory;
};

std::string fault_of(const Decode& c, DecodeErrors& worst) {
  Forward f;
  f.heads = c.kv_heads * c.group, f.kv_heads = c.kv_heads;
  f.n_k = c.n_k, f.d = c.d, f.element = c.element, f.scale = 1 / std::sqrt(float(c.d));
  const size_t q_size = size_t(f.heads) * c.d, k_size = size_t(c.kv_heads) * c.n_k * c.d;
  const auto q = device_array<uint16_t>(q_size), k = device_array<uint16_t>(k_size), v = device_array<uint16_t>(k_size);
  const uint64_t seed = uint64_t(c.n_k) * 131 + uint64_t(c.group) * 17 + uint64_t(c.splits);
  fill(q.get(), c.element, f.heads, 1, c.d, c.d, c.values, 3 * seed);
  fill(k.get(), c.element, c.kv_heads, c.n_k, c.d, c.d, c.values, 3 * seed + 1);
  fill(v.get(), c.element, c.kv_heads, c.n_k, c.d, c.d, c.values, 3 * seed + 2);
  const Poisoned o(q_size * 2), lse(size_t(f.heads) * sizeof(float)), parts(workspace_bytes_split_kv(f, c.splits));
  f.q = q.get(), f.k = k.get(), f.v = v.get(), f.o = o.memory.get();
  f.lse = reinterpret_cast<float*>(lse.memory.get()), f.workspace = parts.memory.get();
  const char* why = "";
  if (!prepare_split_kv(f, &why)) return why;
  for (int time = 0; time < 2; ++time) {
    must(launch_split_kv(f, c.splits, nullptr), "launch");
    must(cudaDeviceSynchronize(), words(c).c_str());
  }
  for (const Poisoned* each : {&o, &lse, &parts})
    if (!each->margin_intact()) return "something was written behind an output";
  const auto gaps = device_array<DecodeGap>(size_t(f.heads));
  must(compare_decode(f, gaps.get()), "compare_decode");
  std::vector<DecodeGap> all(static_cast<size_t>(f.heads));
  must(cudaMemcpy(all.data(), gaps.get(), all.size() * sizeof(DecodeGap), cudaMemcpyDeviceToHost), "cudaMemcpy");
  const DecodeErrors errors = judge_decode(f, all);
  if (!errors.passed) return "relative error " + std::to_string(errors.row) + ", of L " + std::to_string(errors.lse);
  worst.row = std::max(worst.row, errors.row), worst.lse = std::max(worst.lse, errors.lse);
  return "";
}

std::vector<Decode> cases(bool small) {
  std::vector<Decode> out;
  for (Element element : {Element::Half, Element::BFloat16})
    for (int d : {64, 128}) {
      if (small) {
        out.push_back({2, 8, 300, d, 3, element});
        out.push_back({3, 1, 129, d, 1, element});
        continue;
      }
      for (int group : {1, 2, 4, 8, 16})
        for (int n_k : {1, 16, 63, 64, 65, 127, 129, 1000, 4097})
          for (int splits : {1, 2, 7, 128}) {
            const bool wide = (out.size() % 5) == 4;
            out.push_back(
                {1 + int(out.size() % 3), group, n_k, d, splits, element, wide ? Values::Outliers : Values::Normal});
          }
    }
  return out;
}

// What it cannot do gets a sentence.
int refusal_faults() {
  int faults = 0;
  Forward right;
  right.heads = 8, right.kv_heads = 2, right.n_k = 64, right.d = 128;
  const auto refuses = [&](const char* what, auto change) {
    Forward f = right;
    change(f);
    const char* why = "";
    if (prepare_split_kv(f, &why) || !*why) std::printf("%s is not refused\n", what), ++faults;
  };
  refuses("d = 96", [](Forward& f) { f.d = 96; });
  refuses("two queries", [](Forward& f) { f.n_q = 2; });
  refuses("3 heads of K for 8 of Q", [](Forward& f) { f.kv_heads = 3; });
  refuses("17 queries a head of K", [](Forward& f) { f.heads = 34; });
  refuses("no key", [](Forward& f) { f.n_k = 0; });
  return faults;
}

int check(bool small) {
  DecodeErrors half, bfloat;
  int faults = refusal_faults();
  for (int d : {64, 128}) {
    Forward f;
    f.kv_heads = 1, f.d = d, f.n_k = 64;
    const char* why = "";
    int blocks = 0, major = 0;
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "cudaDeviceGetAttribute");
    if (!prepare_split_kv(f, &why)) return std::printf("%s\n", why), 1;
    must(resident_blocks_split_kv(f, &blocks), "resident_blocks");
    if (major == 9 && blocks != kSplitResident)
      std::printf("d %d: a multiprocessor holds %d blocks, and kSplitResident is %d\n", d, blocks, kSplitResident),
          ++faults;
  }
  const std::vector<Decode> all = cases(small);
  for (const Decode& c : all)
    if (const std::string fault = fault_of(c, c.element == Element::Half ? half : bfloat); !fault.empty())
      if (++faults <= 10) std::printf("%s: %s\n", words(c).c_str(), fault.c_str());
  std::printf(
      "split-kv  %zu problems: %d wrong; largest relative error of a row, of L: fp16 %.1e %.1e, bf16 %.1e %.1e\n",
      all.size(), faults, half.row, half.lse, bfloat.row, bfloat.lse);
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tilewalk::gpu::check

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("decode_check: there is no NVIDIA GPU here\n");
    return 77;
  }
  return tilewalk::gpu::check::check(argc > 1 && std::strcmp(argv[1], "--small") == 0);
}
