// `tilewalk-gpu decode`: split-KV for one query a head, checked against float64, timed, and its bytes counted.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk::gpu {

class DecodeOptions {
 public:
  void add_to(CLI::App& command);
  int run(bool anyway) const;  // leaves as run_command() does; throws CommandFault

 private:
  int64_t n_ = 131072, batch_ = 1, kv_heads_ = 8, group_ = 4, d_ = 128, splits_ = 0;
  std::string format_ = "fp16";
  bool sweep_ = false, warm_ = false;
};

}  // namespace tilewalk::gpu
