#include "core/lesson/progress.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_progress {

namespace {

constexpr const char* kSeed =
    R"({"tilewalk_progress": 1, "last": "traffic", "lessons": {"traffic": {"beat": 3, "furthest": 5, "done": false,
 "seen": "2026-11-21", "answers": {"doubling": {"first": "2", "right": true, "score": 100, "sure": false, "attempts": 1,
 "date": "2026-11-21"}}}, "tiles": {"beat": 0, "furthest": 1, "done": true, "seen": "2026-11-20", "answers": {}}}})";

}  // namespace

TEST_CASE("progress.json") {
  ScratchFile scratch("progress.json");
  fuzz({"progress",
        {kSeed},
        {"{", "}", "[", "]", ",", "\"answers\": {", "null", "1e308", "\"first\":"},
        [&](const std::string& input) {
          const LoadedProgress loaded = load_progress(scratch.with(input), "2026-11-22");
          if (!loaded.notice.empty()) return false;
          progress_csv(loaded.progress);
          save_progress(scratch.path(), loaded.progress);
          REQUIRE(load_progress(scratch.path(), "2026-11-22").notice.empty());
          return true;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_progress
