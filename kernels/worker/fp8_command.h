// `tilewalk-gpu fp8`: FA3 in e4m3 on one problem, checked against float64 before and after rounding, timed, and its
// bytes counted.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk::gpu {

class Fp8Options {
 public:
  void add_to(CLI::App& command);
  int run(bool anyway, bool json) const;  // leaves as run_command() does; throws CommandFault

 private:
  int64_t n_ = 4096, batch_ = 1, heads_ = 16;
  std::string distribution_ = "normal";
  bool causal_ = false, per_tensor_ = false, rotate_ = false;
};

}  // namespace tilewalk::gpu
