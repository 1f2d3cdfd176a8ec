#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array kFiles{"assets/recordings/h200.json", "assets/recordings/h200-pytorch.json"};

}  // namespace

const std::vector<RunResult>& shipped_recordings() {
  static const std::vector<RunResult> all = [] {
    std::vector<RunResult> out;
    for (const char* file : kFiles) {
      std::string fault;  // of our own files: a test says that there is none
      if (auto results = read_recording(embedded_file(file), fault))
        for (RunResult& result : *results) out.push_back(std::move(result));
    }
    return out;
  }();
  return all;
}

bool is_shipped(std::string_view text) {
  return std::ranges::any_of(kFiles, [&](const char* file) { return embedded_file(file) == text; });
}

}  // namespace tilewalk
