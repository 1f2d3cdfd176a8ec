// `tilewalk class`: serves the page and the GPU of this computer to a room.
#pragma once

#include "app/cli/console.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

class ClassCommand {
 public:
  explicit ClassCommand(CLI::App& command);
  void run(Console& console) const;  // until Ctrl+C, or until who teaches ends it; throws CommandError

 private:
  std::string listen_ = "127.0.0.1:8660", address_, site_, code_, keep_, certificate_, key_;
  std::vector<std::string> workers_;
  bool no_worker_ = false, log_addresses_ = false;
};

}  // namespace tilewalk
