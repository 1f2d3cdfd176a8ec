// Every recording that is shipped opens, was measured on a GPU, and says nothing that cannot be.
#include "core/run/run_json.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace tilewalk;

TEST_CASE("The shipped recordings open; what ran was right before it was timed") {
  int files = 0, timed = 0, traced = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWALK_SOURCE_DIR "/assets/recordings")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    INFO(entry.path().filename().string());
    for (const RunResult& result : load_recording(entry.path())) {
      CHECK(!result.provenance.gpu.empty());
      CHECK(result.provenance.date.size() == 20);
      CHECK(!result.kernels.empty());
      for (const KernelResult& kernel : result.kernels) {
        if (kernel.timing) {
          ++timed;
          REQUIRE(kernel.errors);
          CHECK(kernel.errors->passed);
          CHECK(kernel.timing->count >= 10);
          CHECK(kernel.timing->best <= kernel.timing->median);
          CHECK(kernel.timing->p10 <= kernel.timing->median);
          CHECK(kernel.timing->median <= kernel.timing->p90);
        } else {
          CHECK(!kernel.refused.empty());
        }
        if (kernel.trace) ++traced;
      }
    }
  }
  CHECK(files >= 1);
  CHECK(timed >= 40);
  CHECK(traced >= 1);
}
