#include "tests/gpu/timing.h"

#include "tests/gpu/device_arrays.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tilewalk::gpu::check {

std::vector<Times> time_in_turns(const std::vector<Contender>& contenders, int launches, int rounds) {
  constexpr size_t kFlushBytes = size_t(256) << 20;  // more than L2 holds; and it keeps the queue from running empty
  const auto flush = device_array<char>(kFlushBytes);
  std::vector<std::vector<double>> samples(contenders.size());
  std::vector<cudaEvent_t> begin(launches), end(launches);
  for (int k = 0; k < launches; ++k) {
    must(cudaEventCreate(&begin[k]), "cudaEventCreate");
    must(cudaEventCreate(&end[k]), "cudaEventCreate");
  }
  for (int round = 0; round < rounds; ++round) {
    for (size_t c = 0; c < contenders.size(); ++c) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      for (int k = 0; k < 5; ++k) contenders[c].launch();
      for (int k = 0; k < launches; ++k) {
        must(cudaMemsetAsync(flush.get(), k, kFlushBytes, nullptr), "cudaMemsetAsync");
        must(cudaEventRecord(begin[k], nullptr), "cudaEventRecord");
        contenders[c].launch();
        must(cudaEventRecord(end[k], nullptr), "cudaEventRecord");
      }
      must(cudaDeviceSynchronize(), contenders[c].name.c_str());
      for (int k = 0; k < launches; ++k) {
        float ms = 0;
        must(cudaEventElapsedTime(&ms, begin[k], end[k]), "cudaEventElapsedTime");
        samples[c].push_back(ms);
      }
    }
  }
  for (int k = 0; k < launches; ++k) {
    cudaEventDestroy(begin[k]);
    cudaEventDestroy(end[k]);
  }
  std::vector<Times> out;
  for (auto& s : samples) {
    std::ranges::sort(s);
    out.push_back({s[s.size() / 2], s.front()});
  }
  return out;
}

double Cell::tflops(double milliseconds) const {
  const double flop = 4.0 * batch() * heads() * double(n) * n * d * (causal ? 0.5 : 1.0);
  return flop / milliseconds / 1e9;
}

std::vector<Cell> timing_cells(int only_n, int only_d) {
  std::vector<int> sizes;
  for (int n = 512; n <= 16384; n *= 2) sizes.push_back(n);
  if (only_n > 0) sizes = {only_n};
  const std::vector<int> widths = only_d > 0 ? std::vector{only_d} : std::vector{128, 64};
  std::vector<Cell> cells;
  for (int d : widths)
    for (bool causal : {false, true})
      for (int n : sizes) cells.push_back({n, d, causal});
  return cells;
}

}  // namespace tilewalk::gpu::check
