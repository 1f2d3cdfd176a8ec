// The options that say what is run: the problem's as `tilewalk predict` has them, and the measurement's.
#pragma once

#include "core/run/run.h"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tilewalk::gpu {

// Ends a command with that exit code. what(): one sentence.
class CommandFault : public std::runtime_error {
 public:
  CommandFault(int code, const std::string& what) : std::runtime_error(what), code(code) {}
  int code;
};

class SpecOptions {
 public:
  // With the choice of kernels, and of what is measured of them beside time; or without.
  void add_to(CLI::App& command, bool kernels = true);
  RunSpec resolve() const;  // throws CommandFault

 private:
  void take_names(RunSpec& spec) const;
  void take_files(RunSpec& spec) const;

  int64_t n_ = 4096, batch_ = 1, heads_ = 16, d_ = 128, head_index_ = 1;
  std::optional<int64_t> n_q_, n_k_;
  bool causal_ = false;
  double scale_ = 0;
  uint64_t seed_ = 4;
  std::string format_, distribution_ = "normal", align_ = "bottom-right", layer_;
  std::vector<std::string> input_, kernels_;
  std::vector<CLI::Option*> generated_;  // options that a file of inputs leaves no room for
  int64_t kv_heads_ = 0, splits_ = 0;
  int repeats_ = 30, warmups_ = 10;
  bool flush_ = false, counters_ = false, trace_ = false, outputs_ = false;
};

// One head of the group `layer` in `files`, as values that travel in a request. `head` counts from 0. Throws IoError.
// Values are rounded once, to `format`; without one to bf16 where Q is in bf16, else to fp16. CommandFault where one is
// then too large.
RunSpec spec_of_file(const std::vector<std::filesystem::path>& files, const std::string& layer, int64_t head,
                     std::optional<Format> format = {});

}  // namespace tilewalk::gpu
