// Keys in Write's text that are a writer's own: depth of lines, looking something up and going on, what a press on a
// line of the reference writes.
#include "tests/app/writer.h"

#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/overlays.h"
#include "app/session/update.h"
#include "app/state/written.h"
#include "core/lesson/course.h"
#include "core/walk/page.h"

#include <algorithm>
#include <memory>

namespace tilewalk::test_write_keys {

TEST_CASE("Tab and Shift+Tab make lines deeper and less deep, and the keys stay with the text") {
  Writer w;
  const std::string before = w.text();
  w.put_caret_behind("load K[j]");
  const std::string line = "    load K[j], V[j]\n";
  w.key(Key::Tab);
  CHECK(w.text().find("  " + line) != std::string::npos);
  CHECK(w.text().substr(w.view.write.program.caret).starts_with(", V[j]"));
  w.key(Key::Tab, false, true);
  CHECK(w.text() == before);
  w.key(Key::Tab, false, true);
  CHECK(w.text().find("\n  load K[j], V[j]\n") != std::string::npos);
  w.ctrl('z');
  CHECK(w.text() == before);
  CHECK(typing_in_program(w.view));
  // All lines that are selected, wherever in them the selection begins.
  w.put_caret_behind("S = Q[i]");
  w.view.write.program.anchor = w.text().find("O = alpha O");
  w.key(Key::Tab);
  CHECK(w.text().find("\n      S = Q[i]") != std::string::npos);
  CHECK(w.text().find("\n      O = alpha O") != std::string::npos);
  w.key(Key::Tab, false, true);
  CHECK(w.text() == before);
  w.put_caret_behind("for each Q");
  w.key(Key::Tab, false, true);  // no shallower
  CHECK(w.text() == before);
}

TEST_CASE("Home goes to a line's first letter, then to its edge; a line that is pasted is as deep as where it is put") {
  Writer w;
  w.put_caret_behind("    S = Q[i]");
  w.key(Key::Home);
  CHECK(w.text().substr(w.view.write.program.caret).starts_with("S = Q[i]"));
  w.key(Key::Home);
  CHECK(w.text().substr(w.view.write.program.caret).starts_with("    S = Q[i]"));
  w.put_caret_behind("load K[j], V[j]");
  w.key(Key::Enter);
  paste_into_program(w.session, w.view, "    O = round(O)");
  CHECK(w.text().find("\n    O = round(O)\n") != std::string::npos);
}

TEST_CASE("Who looks something up for the program goes on writing it") {
  for (const char* command : {"statements", "programs"}) {
    CAPTURE(command);
    Writer w;
    w.view.focus = std::string("command:") + command;  // as a press on the button leaves it
    REQUIRE(run_command(command, w.session, w.view));
    REQUIRE(overlay_open(w.view));
    w.last = w.scene();
    w.key(Key::Escape);
    CHECK_FALSE(overlay_open(w.view));
    CHECK(typing_in_program(w.view));
  }
}

TEST_CASE("A line of the reference is written with its other half, and how a loop goes on behind the loop") {
  Writer w;
  w.put_caret_behind("load K[j], V[j]");
  const auto press = [&](const std::string& typed) {
    w.view.over = WordSheet{{}, 0, true};
    std::get<WordSheet>(w.view.over).filter = typed;
    const Region* region = nullptr;
    const Scene found = w.scene();
    for (const Region& each : found.regions)
      if (each.id == "statement:" + typed) region = &each;
    if (!region || !region->press) return false;
    update(w.session, w.view, *region->press);
    return true;
  };
  REQUIRE(press("alpha = exp(m - m')"));
  CHECK(w.text().find("\n    m' = max(m, rowmax(S));  alpha = exp(m - m')\n    S =") != std::string::npos);
  w.ctrl('z'), w.ctrl('z');
  CHECK_FALSE(press("... that i sees"));  // not in a loop's line
  close_overlays(w.view);
  begin_puzzle_named(w.session, w.view, "streaming-max");
  w.put_caret_behind("for each K/V tile j");
  REQUIRE(press("... that i sees"));
  CHECK(w.text().find("for each K/V tile j that i sees:") != std::string::npos);
  CHECK(typing_in_program(w.view));
}

TEST_CASE("Lines of the reference are found by what people call them") {
  for (const auto& [words, line] : {std::pair("causal", "... that i sees"), {"new max", "m' = max(m, rowmax(S))"}}) {
    Writer w;
    w.view.over = WordSheet{words, 0, true};
    const Scene scene = w.scene();
    CHECK_MESSAGE(std::ranges::any_of(scene.items,
                                      [&](const Item& item) {
                                        const auto* label = std::get_if<Label>(&item);
                                        return label && label->text == line;
                                      }),
                  words);
  }
}

TEST_CASE("A lesson that is opened from Write has its text beside it") {
  Writer w;
  auto course = std::make_shared<Course>();
  course->open({TILEWALK_SOURCE_DIR "/lessons/en"});
  w.view.lesson.course = course;
  w.fit({1600, 900});
  w.scene();
  REQUIRE(open_lesson(w.session, w.view, course->lesson_numbered(6)->id, 0));
  CHECK(w.view.column_open);
}

}  // namespace tilewalk::test_write_keys
