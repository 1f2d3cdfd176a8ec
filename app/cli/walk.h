// `tilewalk walk`: a schedule in words and numbers, one step, part or tile after the other, for a followed query row.
#pragma once

#include "app/cli/console.h"
#include "app/cli/problem_options.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk {

class WalkCommand {
 public:
  explicit WalkCommand(CLI::App& command);
  void run(Console& console) const;  // throws CommandError

 private:
  ProblemOptions problem_;
  std::optional<std::string> row_, steps_, at_;
  std::string unit_ = "part";
  bool json_ = false;
};

}  // namespace tilewalk
