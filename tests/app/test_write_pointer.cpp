// The pointer over Write's panel: what is pressed there while one types leaves the keys with the text.
#include "app/session/commands.h"
#include "app/session/update.h"
#include "app/state/written.h"
#include "core/puzzle/puzzle.h"
#include "tests/app/writer.h"

#include <algorithm>

using namespace tilewalk;

namespace {

void press_on(Writer& w, std::string_view id) {
  w.last = w.scene();
  CAPTURE(id);
  const Region* region = w.last.find(id);
  REQUIRE(region);
  const Vec2 at = region->rect.center();
  pressed(at, w.last, w.session, w.view);
  released(w.view);
}

size_t caret_line(const Writer& w) { return text_place(w.text(), w.view.write.program.caret).line; }

}  // namespace

TEST_CASE("A press on what is said of a line leads there, and letters go on being letters") {
  for (const Vec2 size : {Vec2{1280, 720}, {1920, 1080}}) {
    Writer w;
    w.fit(size);
    REQUIRE(begin_puzzle_named(w.session, w.view, "keep-p"));
    w.scene();
    w.put_caret_behind("load K[j]");
    const size_t wrong = caret_line(w);
    w.key(Key::Backspace);
    w.key(Key::Home, true);
    REQUIRE(written_says(w.view).line == int(wrong) + 1);
    for (const std::string& id : {"write:fault/" + std::to_string(wrong), std::string("write:says")}) {
      w.key(Key::Home, true);
      press_on(w, id);
      CHECK(typing_in_program(w.view));
      CHECK(caret_line(w) == wrong);
      const std::string before = w.text();
      w.type("hw");
      CHECK(w.view.write.hints == 0);
      CHECK(w.text().size() == before.size() + 2);
      w.key(Key::Backspace), w.key(Key::Backspace);
    }
    // Task, goals and meters; and the next hint, which is asked for once.
    for (const Region& region : w.scene().regions)
      if (region.id.starts_with("meter:")) {
        press_on(w, region.id);
        CHECK(typing_in_program(w.view));
      }
    press_on(w, "command:hint");
    CHECK(w.view.write.hints == 1);
    CHECK(typing_in_program(w.view));
    w.type(" h");
    CHECK(w.view.write.hints == 1);
    // What turns the walk leaves them there; on the stage they are taken away. No letter alone asks for a hint.
    press_on(w, "scrubber");
    CHECK(typing_in_program(w.view));
    press_on(w, "command:part-forward");
    CHECK(typing_in_program(w.view));
    w.key(Key::Escape);
    CHECK_FALSE(typing_in_program(w.view));
    w.type("h");
    CHECK(w.view.write.hints == 1);
    // Who does not type is not made to by a press on a number.
    w.last = w.scene();
    const Region* text = w.last.find(kWriteText);
    REQUIRE(text);
    pressed({text->rect.center().x, text->rect.bottom() + 2}, w.last, w.session, w.view);
    CHECK_FALSE(typing_in_program(w.view));
  }
}

TEST_CASE("The caret goes to the character that is pressed in a line that is turned") {
  Writer w;
  w.scene();
  w.put_caret_behind("load Q[i]");
  const size_t line = caret_line(w);
  w.type(" # a comment that is a good deal longer than the line has room for in a window as small as this one is");
  w.last = w.scene();
  const auto region = std::ranges::find_if(
      w.last.regions, [&](const Region& r) { return r.id.starts_with("write:line/" + std::to_string(line) + "/"); });
  REQUIRE(region != w.last.regions.end());
  const size_t left = std::stoul(region->id.substr(region->id.rfind('/') + 1));
  REQUIRE(left > 0);
  pressed({region->rect.x + 1, region->rect.center().y}, w.last, w.session, w.view);
  CHECK(caret_line(w) == line);
  CHECK(text_place(w.text(), w.view.write.program.caret).column == left);
}
