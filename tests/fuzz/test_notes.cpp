#include "app/session/speaker_notes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_notes {

TEST_CASE("notes.json") {
  ScratchFile scratch("notes.json");
  fuzz({"notes",
        {R"({"tilewalk_notes": 1, "notes": {"online-softmax / A row": "Ask who has seen this before.", "b": ""}})"},
        {"{", "}", "[", "]", ",", "\"notes\": {", "null", "1e308", ":"},
        [&](const std::string& input) {
          const OwnNotes read = load_notes(scratch.with(input), "2026-11-22");
          if (!read.notice.empty()) return false;
          keep_notes(scratch.path(), {}, read.notes, "2026-11-22");
          REQUIRE(load_notes(scratch.path(), "2026-11-22").notice.empty());
          return true;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_notes
