// `tilewalk describe LINK`: what a link leads to, in plain words.
#pragma once

#include "app/cli/console.h"

#include <string>

namespace CLI {
class App;
}

namespace tilewalk {

class DescribeCommand {
 public:
  explicit DescribeCommand(CLI::App& command);
  void run(Console& console) const;  // throws CommandError

 private:
  std::string link_;
};

}  // namespace tilewalk
