// `tilewalk predict`: what a problem costs at every level of memory, without running it. Counts are exact; what L2
// leaves for DRAM is a model's answer and says so. With --gpu: how long it takes there, by a model.
#pragma once

#include "app/cli/console.h"
#include "app/cli/estimate.h"
#include "app/cli/problem_options.h"

namespace CLI {
class App;
}

namespace tilewalk {

class PredictCommand {
 public:
  explicit PredictCommand(CLI::App& command);
  void run(Console& console) const;  // throws CommandError

 private:
  ProblemOptions problem_;
  EstimateOptions estimate_;
  bool json_ = false;
};

}  // namespace tilewalk
