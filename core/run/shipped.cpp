#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

namespace tilewalk {

const std::vector<RunResult>& shipped_recordings() {
  static const std::vector<RunResult> all = [] {
    std::vector<RunResult> out;
    for (const char* file : {"assets/recordings/h200.json", "assets/recordings/h200-pytorch.json"}) {
      std::string fault;  // of our own files: a test says that there is none
      if (auto results = read_recording(embedded_file(file), fault))
        for (RunResult& result : *results) out.push_back(std::move(result));
    }
    return out;
  }();
  return all;
}

}  // namespace tilewalk
