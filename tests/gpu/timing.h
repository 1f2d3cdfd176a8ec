// Times of launches, by events: the median of launches timed one by one, L2 overwritten before each, contenders taking
// turns so that all see the same clocks and temperature.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tilewalk::gpu::check {

struct Contender {
  std::string name;
  std::function<void()> launch;  // on the default stream
};
struct Times {
  double median = 0, best = 0;  // milliseconds
};
// 5 untimed and `launches` timed ones for each contender, in each of `rounds` rounds, with a pause between contenders.
std::vector<Times> time_in_turns(const std::vector<Contender>& contenders, int launches = 20, int rounds = 2);

struct Cell {
  int n, d;
  bool causal;
  int batch() const { return 16384 / n; }
  int heads() const { return 2048 / d; }
  double tflops(double milliseconds) const;  // 4 B H N^2 d operations, half of them if causal
};
// N = 512 ... 16384 or one size alone, d = 64 and 128 or that one, full and causal.
std::vector<Cell> timing_cells(int only_n = 0, int only_d = 0);

}  // namespace tilewalk::gpu::check
