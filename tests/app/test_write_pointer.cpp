// The pointer over Write's panel: what is pressed there while one types leaves the keys with the text.
#include "app/session/commands.h"
#include "app/session/update.h"
#include "app/state/written.h"
#include "app/text/text.h"
#include "core/puzzle/puzzle.h"
#include "core/walk/words.h"
#include "tests/app/writer.h"

#include <algorithm>

namespace tilewalk::test_write_pointer {

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

TEST_CASE(
    "Lines stand with their glyphs but for the one that is typed in, and a press finds the letter that was typed") {
  Writer w;
  w.scene();
  const std::string_view typed = "alpha = exp(m - m')", shown = "α = e^(m − m′)";
  const size_t begin = w.text().find(typed);
  REQUIRE(begin != std::string::npos);
  const size_t number = text_place(w.text(), begin).line;
  const auto line_on_show = [&] {
    w.last = w.scene();
    const Region* region = w.last.find("write:line/" + std::to_string(number));
    REQUIRE(region);
    std::string words;
    for (const Item& item : w.last.items)
      if (const auto* label = std::get_if<Label>(&item); label && region->rect.contains(label->slot.center())) {
        if (label->face == Face::Mono) words += label->text;
      }
    return words;
  };
  w.key(Key::Home, true);
  CHECK(line_on_show().find(shown) != std::string::npos);
  CHECK(line_on_show().find(typed) == std::string::npos);

  // On the second m of "e^(m − m′)": its place as it was typed, where the line now stands as it was typed.
  const Region line = *w.last.find("write:line/" + std::to_string(number));
  const std::string_view whole = lines_of(w.view.write.program)[number];
  const ShownWalk glyphs = walk_with_glyphs(whole);
  const size_t m = glyphs.text.find("m′)");
  REQUIRE(m != std::string::npos);
  const float x = text_width(glyphs.text.substr(0, m), Face::Mono, line.rect.h / 1.5f);
  pressed({line.rect.x + x + 1, line.rect.center().y}, w.last, w.session, w.view);
  released(w.view);
  CHECK(typing_in_program(w.view));
  CHECK(w.text().substr(w.view.write.program.caret).starts_with("m')"));
  CHECK(line_on_show().find(typed) != std::string::npos);

  // What is selected stands as it was typed, too; left, all is glyphs again.
  w.key(Key::Home, true);
  CHECK(line_on_show().find(shown) != std::string::npos);
  w.key(Key::End, true, true);
  CHECK(line_on_show().find(typed) != std::string::npos);
  w.key(Key::Home, true);
  w.key(Key::Escape);
  CHECK(line_on_show().find(shown) != std::string::npos);
}

}  // namespace tilewalk::test_write_pointer
