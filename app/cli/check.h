// `tilewalk check`: what is wrong with lessons and with programs (.walk), file and line, and the functions that
// lessons' expressions know.
#pragma once

#include "app/cli/console.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

class CheckCommand {
 public:
  explicit CheckCommand(CLI::App& command);
  // Throws CommandError; its code is kFailure where a file is at fault, and then it has no sentences of its own.
  void run(Console& console) const;

 private:
  std::vector<std::string> paths_;
  bool json_ = false, quantities_ = false;
};

}  // namespace tilewalk
