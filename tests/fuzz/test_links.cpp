#include "app/session/link.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_links {

TEST_CASE("links") {
  fuzz({"links",
        {"tilewalk://lesson/6/step/37?N=64&d=16&Br=16&Bc=16&mask=causal&seed=7&view=numbers&v=1",
         "tilewalk://lesson/one-q-tile/beat/3", "tilewalk://walk/step/12?schedule=fa1",
         "tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h100&gpu-kernel=fa3",
         "tilewalk://board/clocks?N=1024", "tilewalk://write/step/3?puzzle=keep-p&program=Zm9yIGVhY2g"},
        {"tilewalk://", "lesson/", "walk", "board/", "beat/", "step/", "?", "&", "=", "%1b", "%00", "%", "+", "#",
         "9223372036854775808", "-1", "v=2", "/", " "},
        [](const std::string& input) {
          ReadLink read = read_link(input);
          if (!read.fault.empty()) return false;
          read.link.unknown.clear();  // what is not known is told, and not passed on
          const ReadLink again = read_link(link_text(read.link));
          if (again.fault.empty()) REQUIRE(again.link == read.link);  // escapes may make it longer than links are
          return true;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_text(reader, dice); }});
}

}  // namespace tilewalk::test_links
