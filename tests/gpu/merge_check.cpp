// Holds the merge of two parts of attention against float64: every way that it reads and writes, rows at the edges of a
// block, L of parts without a key, far apart, equal. Leaves with 0 if all is right, 1 if not, 77 where there is no GPU.
#include "kernels/merge.h"
#include "tests/gpu/device_arrays.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace tilewalk::gpu::check {
namespace {

double widened(uint16_t bits, Element element) {
  if (element == Element::Half) return __half2float(__ushort_as_half(bits));
  return __bfloat162float(__ushort_as_bfloat16(bits));
}
uint16_t narrowed(float value, Element element) {
  if (element == Element::Half) return __half_as_ushort(__float2half_rn(value));
  return __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

template <class T>
DeviceArray<T> on_device(const std::vector<T>& values) {
  auto out = device_array<T>(values.size());
  must(cudaMemcpy(out.get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return out;
}
template <class T>
std::vector<T> back(const DeviceArray<T>& array, size_t count) {
  std::vector<T> out(count);
  must(cudaMemcpy(out.data(), array.get(), count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return out;
}

constexpr int kMargin = 64;  // elements behind each output that stay as they were

// Empty, or what is wrong.
std::string fault_of(int64_t rows, int d, Element element, bool first, bool last, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const size_t count = size_t(rows) * size_t(d), padded = count + kMargin;
  std::vector<uint16_t> o(padded), part(count);
  std::vector<float> sum(padded), lse(size_t(rows) + kMargin), part_lse(static_cast<size_t>(rows));
  for (uint16_t& x : o) x = narrowed(normal(random), element);
  for (uint16_t& x : part) x = narrowed(normal(random), element);
  for (float& x : sum) x = normal(random);
  for (size_t r = 0; r < lse.size(); ++r) lse[r] = 3 * normal(random) + (r % 7 == 3 ? 200.f : 0.f);
  for (size_t r = 0; r < part_lse.size(); ++r) {
    part_lse[r] = r % 11 == 5 ? lse[r] : 3 * normal(random) + (r % 7 == 6 ? 200.f : 0.f);
    const auto hide = [&](float& l, bool hidden) {
      if (hidden) l = -INFINITY;
    };
    hide(lse[r], r % 13 == 1 || r % 13 == 4);
    hide(part_lse[r], r % 13 == 2 || r % 13 == 4);
    for (int c = 0; c < d; ++c) {  // a row without keys has O = 0
      const size_t at = r * size_t(d) + size_t(c);
      if (lse[r] == -INFINITY) o[at] = narrowed(0, element), sum[at] = 0;
      if (part_lse[r] == -INFINITY) part[at] = narrowed(0, element);
    }
  }
  const auto device_o = on_device(o), device_part = on_device(part);
  const auto device_sum = on_device(sum), device_lse = on_device(lse), device_part_lse = on_device(part_lse);
  must(launch_merge({.o = device_o.get(),
                     .sum = device_sum.get(),
                     .lse = device_lse.get(),
                     .part = device_part.get(),
                     .part_lse = device_part_lse.get(),
                     .rows = rows,
                     .d = d,
                     .element = element,
                     .first = first,
                     .last = last},
                    nullptr),
       "launch_merge");
  must(cudaDeviceSynchronize(), "merge");
  const auto out_o = back(device_o, padded);
  const auto out_sum = back(device_sum, padded);
  const auto out_lse = back(device_lse, lse.size());
  for (size_t at = 0; at < padded; ++at) {
    const bool here = at < count;
    if ((!here || !last) && out_o[at] != o[at]) return "O was written where it should not be";
    if ((!here || last) && out_sum[at] != sum[at]) return "the fp32 sum was written where it should not be";
  }
  for (size_t r = 0; r < out_lse.size(); ++r) {
    if (r >= size_t(rows)) {
      if (out_lse[r] != lse[r]) return "something was written behind L";
      continue;
    }
    const double a = lse[r], b = part_lse[r], m = std::fmax(a, b);
    const double whole = m == -INFINITY ? m : m + std::log(std::exp(a - m) + std::exp(b - m));
    if (whole == -INFINITY ? out_lse[r] != -INFINITY
                           : !(std::fabs(out_lse[r] - whole) <= 2e-6 * std::fmax(1, std::fabs(whole))))
      return "L is " + std::to_string(out_lse[r]) + " and should be " + std::to_string(whole);
    for (size_t at = r * size_t(d); at < (r + 1) * size_t(d); ++at) {
      const double x = first ? widened(o[at], element) : double(sum[at]), y = widened(part[at], element);
      const double want = whole == -INFINITY ? 0 : std::exp(a - whole) * x + std::exp(b - whole) * y;
      const double got = last ? widened(out_o[at], element) : double(out_sum[at]);
      const double room = last ? (element == Element::Half ? 0x1p-11 : 0x1p-8) * std::fabs(want) + 1e-6 : 0;
      if (!(std::fabs(got - want) <= room + 3e-6 * (std::fabs(x) + std::fabs(y))))
        return "O is " + std::to_string(got) + " and should be " + std::to_string(want);
    }
  }
  return "";
}

int check() {
  int run = 0, wrong = 0;
  for (const int d : {64, 128})
    for (const Element element : {Element::Half, Element::BFloat16})
      for (const bool first : {false, true})
        for (const bool last : {false, true})
          for (const int64_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 129, 1000, 4097}) {
            const std::string fault = fault_of(rows, d, element, first, last, unsigned(++run));
            if (fault.empty()) continue;
            std::printf("d %d %s%s%s, %ld rows: %s\n", d, element == Element::Half ? "fp16" : "bf16",
                        first ? " first" : "", last ? " last" : "", long(rows), fault.c_str());
            ++wrong;
          }
  std::printf("merge     %d problems: %d wrong\n", run, wrong);
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace tilewalk::gpu::check

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("There is no GPU.\n");
    return 77;
  }
  return tilewalk::gpu::check::check();
}
