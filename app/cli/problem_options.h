// The options that say what is computed: one problem, its inputs, the schedule and the machine. Every command that
// needs a problem takes the same ones.
#pragma once

#include "app/cli/console.h"
#include "core/attention/inputs.h"
#include "core/io/qkv.h"
#include "core/machine/machine_spec.h"
#include "core/schedules/schedule.h"
#include "core/walk/program.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

// What the options came to. The problem has passed validate().
struct Asked {
  Problem problem;
  std::vector<const Schedule*> schedules;  // one, unless the command allows "all"
  std::shared_ptr<const Schedule> own;     // the one of --program, which is then the only one
  VariantId variant = VariantId::Paper;
  const MachineSpec* machine = nullptr;
  std::string preset;              // the one the problem began with; empty for inputs from a file
  std::optional<QkvChoice> files;  // where Q, K and V come from
  int64_t choices = 1;             // how many the files offered
  int64_t batch = 0, head = 0;     // the head that is walked, from 0

  const Schedule& schedule() const { return *schedules.front(); }
  Plan plan() const { return make_plan(schedule(), problem, variant); }
};

// "standard, fa1, fa2, ...": every schedule's key, the backward ones too; with `all` behind them where that is allowed.
std::string schedule_list(bool all);

class ProblemOptions {
 public:
  struct Defaults {
    std::string preset;  // empty: `problem`, which has no preset's name
    Problem problem;
    bool all_schedules = false;  // "all" is allowed
    bool programs = false;       // --program is
  };
  explicit ProblemOptions(Defaults defaults) : defaults_(std::move(defaults)) {}

  void add_to(CLI::App& command);

  bool was_given(const std::string& option) const { return given(option) != nullptr; }  // "br", without the dashes

  std::vector<std::string> all_given() const;  // every option that was, without the dashes

  // Throws CommandError with every fault that was found. Reads the headers of input files, no data.
  Asked resolve() const;

  const std::string* given(const std::string& option) const;  // its text, or null

 private:
  bool whole_number(const std::string& option, int64_t least, int64_t most, int64_t& value,
                    std::vector<std::string>& faults) const;
  void take_files(Asked& asked, std::vector<std::string>& faults) const;
  void take_sizes(Asked& asked, std::vector<std::string>& faults) const;
  void take_names(Asked& asked, std::vector<std::string>& faults) const;
  void take_head(Asked& asked, std::vector<std::string>& faults) const;

  Defaults defaults_;
  std::map<std::string, std::optional<std::string>> text_;  // by option, without the dashes
  bool causal_ = false;
  std::vector<std::string> input_;
};

// What a file of a program says (core/walk/reader.h). Throws CommandError: where it cannot be read, or with "file:line:
// sentence" for each fault.
WalkProgram read_program(const std::string& path);

// Q, K and V of the head asked for, in the problem's format. Throws CommandError.
Inputs make_inputs(const Asked& asked);

// "induction-head.safetensors, layer0, head 1", or "normal, seed 4".
std::string words_of_inputs(const Asked& asked, const Inputs& inputs);

}  // namespace tilewalk
