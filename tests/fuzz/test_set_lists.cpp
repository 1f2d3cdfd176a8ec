#include "app/session/set_list.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_set_lists {

TEST_CASE("set lists") {
  fuzz({"set_lists",
        {"# A talk\ntilewalk://lesson/6/beat/2  # Ask the room.\n\ntilewalk://walk/step/37?N=64\n",
         "tilewalk://board/clocks?N=1024 # slow\r\ntilewalk://lesson/1\n"},
        {"tilewalk://walk\n", " # ", "#", "\n", "\r\n", "lesson/6", "?N=1&", "%20", "\t", "\x1b]0;x\x07"},
        [](const std::string& input) {
          const SetList list = read_set_list(input, "a.set");
          for (size_t k = 0; k < std::min<size_t>(list.items.size(), 20); ++k)
            REQUIRE(with_note(input, list.items[k], "a note").has_value());
          read_set_list(with_item(input, "tilewalk://walk", "a"), "a.set");
          return list.faults.empty();
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_text(reader, dice); }});
}

}  // namespace tilewalk::test_set_lists
