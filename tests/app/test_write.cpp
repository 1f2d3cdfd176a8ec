// Write: typing, undoing, what comes of a text, and where it stands in the window.
#include "app/session/write_moves.h"

#include "app/panels/panels.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/fields.h"
#include "app/session/hands.h"
#include "app/session/link_moves.h"
#include "app/session/open_any.h"
#include "app/session/overlays.h"
#include "app/session/update.h"
#include "app/session/write_link.h"
#include "app/state/written.h"
#include "core/io/file.h"
#include "core/walk/page.h"
#include "core/walk/reader.h"
#include "tests/app/writer.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <random>

namespace tilewalk::test_write {

TEST_CASE("a text is typed, deleted and moved in, by characters of UTF-8") {
  EditedText t;
  const auto key = [&](Key k, bool ctrl = false, bool shift = false) {
    return text_key(t, {.key = k, .shift = shift, .ctrl = ctrl});
  };
  const auto letter = [&](char32_t c) { return text_key(t, {.key = Key::Character, .character = c}); };
  letter(U'α'), letter(U'b');
  CHECK(t.text == "αb");
  key(Key::Left), key(Key::Left);
  CHECK(t.caret == 0);
  key(Key::Delete);
  CHECK(t.text == "b");
  replace_all(t, "for each:");
  key(Key::End), key(Key::Enter), letter(U'x'), key(Key::Enter);
  CHECK(t.text == "for each:\n  x\n  ");
  key(Key::Backspace);
  CHECK(t.text == "for each:\n  x\n");
  key(Key::Up), key(Key::End);
  CHECK(text_place(t.text, t.caret).column == 3);
  key(Key::Home, true);
  key(Key::End, false, true);
  CHECK(selected(t) == "for each:");
  key(Key::Backspace);
  CHECK(t.text == "\n  x\n");
  CHECK_FALSE(key(Key::Tab));
  CHECK_FALSE(key(Key::F1));
}

TEST_CASE("every change can be undone and done again, without limit") {
  EditedText t;
  t.most_bytes = 4000;
  std::mt19937 dice(7);
  std::vector<std::string> states{t.text};
  for (int n = 0; n < 20'000; ++n) {
    const auto roll = dice() % 12;
    if (roll < 5)
      text_key(t, {.key = Key::Character, .character = char32_t(U'a' + dice() % 26)});
    else if (roll == 5)
      text_key(t, {.key = Key::Enter});
    else if (roll == 6)
      text_key(t, {.key = Key::Backspace, .ctrl = dice() % 2 == 0});
    else if (roll == 7)
      type_words(t, "α long\nline");
    else
      text_key(t, {.key = Key(int(Key::Left) + int(dice() % 8)), .shift = dice() % 3 == 0, .ctrl = dice() % 3 == 0});
    REQUIRE(t.text.size() <= 4000);
  }
  const std::string end = t.text;
  size_t changes = 0;
  while (undo(t)) ++changes;
  CHECK(changes > 4000);
  CHECK(t.text.empty());
  while (redo(t)) {
  }
  CHECK(t.text == end);
}

TEST_CASE("Write begins with FA2 and puts what is typed on the stage") {
  Writer w;
  CHECK(w.session.setup().schedule == Method::Own);
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Good);
  const int64_t steps = w.session.walk().replay.length();
  // Without L nothing else changes: a step less for each Q tile, and one store.
  w.put_caret_behind("O = O / l");
  for (int k = 0; k < 17; ++k) w.key(Key::Delete);
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Fault);  // L is stored and not made
  w.put_caret_behind("store O[i]");
  for (int k = 0; k < 6; ++k) w.key(Key::Delete);
  CHECK(w.text().find("L[i]") == std::string::npos);
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Good);
  CHECK(w.session.walk().replay.length() < steps);
}

TEST_CASE("the last good program stays on the stage while the text cannot be read") {
  Writer w;
  w.put_caret_behind("load K[j], V[j]");
  w.type("\n");
  const int64_t generation = w.session.generation(), steps = w.session.walk().replay.length();
  w.type("S = ");
  CHECK(w.session.generation() == generation);
  CHECK(w.session.walk().replay.length() == steps);
  const WrittenSays says = written_says(w.view);
  CHECK(says.tone == WrittenSays::Tone::Fault);
  CHECK(says.line == 7);
  CHECK(w.view.write.now->meters.front().name == "Yours");
  const Scene scene = w.scene();
  REQUIRE(scene.find("write:line/6"));
  REQUIRE(scene.find("write:fault/6"));
  CHECK(scene.find("write:fault/6")->tip == says.words);
  w.ctrl(U'z'), w.ctrl(U'z'), w.ctrl(U'z');
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Good);
}

TEST_CASE("a text that never could be walked has no meters of its own") {
  Session session;
  ViewState view;
  take_program(session, view, "for each Q tile i:\n  load X[i]\n");
  CHECK(session.walk().schedule.id == Method::Fa2);
  REQUIRE(view.write.now->meters.size() == 5);
  CHECK(view.write.now->meters.front().name.empty());
  Scene scene = layout_window(session, view, {1280, 720});
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) CHECK(label->text != "Yours");
}

TEST_CASE("a program that takes no step leaves the last good one on the stage") {
  Writer w;
  // Under a full mask every Q tile sees a key, so that nothing of this is done; it reads all the same.
  take_program(w.session, w.view, "for each Q tile i:\n  if i sees a key:\n  else:  O = 0\n");
  CHECK(w.session.walk().replay.length() > 0);
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Fault);
  INFO(written_says(w.view).words);
  CHECK_FALSE(w.scene().regions.empty());
}

TEST_CASE("the judge's sentence names the line, and the meters stand beside the shipped schedules") {
  Writer w;
  w.put_caret_behind("O = alpha");
  for (int k = 0; k < 6; ++k) w.key(Key::Backspace);
  const WrittenSays says = written_says(w.view);
  CHECK(says.line == 10);
  CHECK(says.words.find("was not rescaled") != std::string::npos);
  const Written& now = *w.view.write.now;
  REQUIRE(now.meters.size() == 5);
  CHECK(now.meters[0].name == "Yours");
  CHECK(now.meters[3].name == "FA2");
  CHECK(now.meters[0].meters.fill_bytes == now.meters[3].meters.fill_bytes);
  CHECK(now.meters[1].meters.fill_bytes > now.meters[3].meters.fill_bytes);
  CHECK(now.meters[2].meters.blocks == 1);
  CHECK(now.meters[0].meters.blocks == 4);
}

TEST_CASE("keys go to the text while it has them, and step the walk when it has not") {
  Writer w;
  const size_t caret = w.view.write.program.caret;
  w.key(Key::Right);
  CHECK(w.view.write.program.caret == caret + 1);
  CHECK(w.view.playhead == 0);
  w.key(Key::Escape);
  w.key(Key::Right);
  CHECK(w.view.playhead > 0);
  CHECK(w.view.write.program.caret == caret + 1);
  // A press on a line brings them back, to the character that was pressed.
  w.last = w.scene();
  const Region* line = w.last.find("write:line/3");
  REQUIRE(line);
  pressed({line->rect.x + 1, line->rect.center().y}, w.last, w.session, w.view);
  released(w.view);
  CHECK(typing_in_program(w.view));
  CHECK(text_place(w.text(), w.view.write.program.caret).line == 3);
  CHECK(text_place(w.text(), w.view.write.program.caret).column == 0);
}

TEST_CASE("a program is begun, opened, kept in a link and found there again") {
  Writer w;
  for (const std::string_view key : shipped_programs()) {
    CAPTURE(key);
    update(w.session, w.view, BeginProgram{std::string(key)});
    CHECK(w.text() == shipped_program(key));
    CHECK(written_says(w.view).tone == WrittenSays::Tone::Good);
    CHECK(is_written_saved(w.view));
    const LinkHere here = link_here(w.session, w.view);
    CHECK(here.remark.empty());
    Session session;
    ViewState view;
    const Opened opened = open_link(here.text, session, view);
    CHECK(opened.there);
    CHECK(opened.lost.empty());
    CHECK(view.write.open);
    CHECK(view.write.program.text == w.text());
    CHECK(session.setup().schedule == Method::Own);
  }
  CHECK(unpacked_program(packed_program("a")) == "a");
  CHECK(unpacked_program(packed_program("for α\n")) == "for α\n");
  CHECK_FALSE(unpacked_program("%").has_value());
  // Too long for a link: said, and the link leads to Write without it.
  take_program(w.session, w.view, std::string(4000, '#') + "\n" + std::string(shipped_program("fa2")));
  CHECK(link_here(w.session, w.view).remark.find("too long for a link") != std::string::npos);
  Session other;
  ViewState view;
  CHECK(open_link("tilewalk://write?program=!!", other, view).words.find("cannot be read") != std::string::npos);
  CHECK(open_link("tilewalk://write?puzzle=keep-p", other, view).words.empty());
  CHECK(view.write.puzzle);
  CHECK(open_link("tilewalk://write?puzzle=none", other, view).words.find("no puzzle") != std::string::npos);
}

TEST_CASE("files of programs and puzzles are opened in Write") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tilewalk-write-test";
  std::filesystem::create_directories(folder);
  Session session;
  ViewState view;
  write_file(folder / "my.walk", "# mine\r\n" + std::string(shipped_program("fa1")));
  open_any(session, view, {folder / "my.walk"});
  CHECK(view.notice.empty());
  CHECK(view.write.open);
  CHECK(view.write.program.text.starts_with("# mine\n"));
  CHECK(view.write.file == folder / "my.walk");
  write_file(folder / "bad.puzzle", "title = 1");
  open_any(session, view, {folder / "bad.puzzle"});
  CHECK(view.notice.find("bad.puzzle:") == 0);
  open_any(session, view, {folder / "none.walk"});
  CHECK_FALSE(view.notice.empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("Write's panel and the list of programs lay out cleanly at many sizes") {
  for (const Vec2 size : {Vec2{1024, 576}, {1280, 720}, {1366, 768}, {1920, 1080}, {2560, 1440}, {3840, 2160}})
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      Writer w;
      w.fit(size);
      w.view.theme = theme;
      w.view.monitor_scale = size.x >= 3000 ? 2 : 1;
      const auto check = [&](const std::string& what) {
        CAPTURE(what);
        CAPTURE(size.x);
        const float scale = shown_scale(size, w.view.scale * w.view.monitor_scale).scale;
        for (const std::string& fault : layout_faults(w.scene(), 14 * scale, scale)) FAIL_CHECK(fault);
      };
      check("fa2");
      w.view.playhead = 20;
      w.put_caret_behind("O = alpha");
      w.type(
          "x and a line that is longer than there is room for, so that it is turned, surely, at every size there is");
      check("a long line with a fault");
      begin_program(w.session, w.view, "standard-backward");
      check("backward");
      begin_puzzle_named(w.session, w.view, "keep-p");
      run_command("hint", w.session, w.view), run_command("hint", w.session, w.view);
      run_command("hint", w.session, w.view);
      check("puzzle");
      begin_program(w.session, w.view, "");
      check("nothing");
      Scene list;
      list.size = size;
      const float scale = shown_scale(size, w.view.scale * w.view.monitor_scale).scale;
      layout_programs(list, w.view, {0, 0, size.x, size.y}, Style(theme, scale));
      for (const std::string& fault : layout_faults(list, 14 * scale, scale)) FAIL_CHECK(fault);
    }
}

TEST_CASE("F1 in Write lists what a program can say, a press writes it, and every line of the list can be read") {
  Writer w;
  begin_program(w.session, w.view, "");
  w.type("for each Q tile i, in parallel:");
  w.key(Key::F1);
  REQUIRE(is_open<WordSheet>(w.view));
  CHECK(std::get<WordSheet>(w.view.over).statements);
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}}) {
    w.fit(size);
    Scene sheet;
    sheet.size = size;
    layout_word_sheet(sheet, w.view, {0, 0, size.x, size.y}, Style(Theme::Light, 1));
    for (const std::string& fault : layout_faults(sheet, 14, 1)) FAIL_CHECK(fault);
  }
  std::get<WordSheet>(w.view.over).filter = "load Q";
  w.last = w.scene();
  const Region* line = w.last.find("statement:load Q[i]");
  REQUIRE(line);
  REQUIRE(line->press);
  activate(line->id, line->rect.center(), w.last, w.session, w.view);
  CHECK_FALSE(overlay_open(w.view));
  CHECK(w.text() == "for each Q tile i, in parallel:\n  load Q[i]");
  w.ctrl(U'z');
  CHECK(w.text().find("load") == std::string::npos);
  for (const WalkStatement& statement : walk_statements()) {
    const std::string text =
        "for each Q tile i and split s of 2:\n  for each K/V tile j of split s:\n    " + statement.typed + "\n";
    for (const WalkFault& fault : read_walk(text).faults)  // whatever else is missing, the words are known
      CHECK_MESSAGE(fault.message.find("no statement") == std::string::npos, statement.typed, ": ", fault.message);
  }
}

TEST_CASE("leaving Write keeps the program on the stage of the free walk, and a lesson takes it away") {
  Writer w;
  run_command("free-walk", w.session, w.view);
  CHECK_FALSE(w.view.write.open);
  CHECK(w.session.walk().schedule.id == Method::Own);
  CHECK(open_link(link_here(w.session, w.view).text, w.session, w.view).lost.empty());
  CHECK(w.session.walk().schedule.id == Method::Own);
  run_command("write", w.session, w.view);
  CHECK(w.view.write.open);
  run_command("reset", w.session, w.view);
  CHECK_FALSE(w.view.write.open);
  CHECK_FALSE(w.view.write.program.text.empty());
}

// TILEWALK_TYPED_EDITS=100000 for all of them, TILEWALK_TYPED_SEED for others. 50 ms a key is what somebody waits for
// at most.
TEST_CASE("random edits typed in Write neither crash nor hang") {
  const char* wanted = std::getenv("TILEWALK_TYPED_EDITS");
  const int edits = wanted ? std::atoi(wanted) : 1000;
  Writer w;
  Setup setup = w.session.setup();
  setup.problem.n_q = setup.problem.n_k = 64;
  setup.problem.br = setup.problem.bc = 16;
  REQUIRE(w.session.change(setup).empty());
  const char* seed = std::getenv("TILEWALK_TYPED_SEED");
  std::mt19937 dice(seed ? uint32_t(std::atoi(seed)) : 11);
  const std::string_view pieces[] = {"alpha ",
                                     "[j-1]",
                                     "S = ",
                                     "load P[i,j]",
                                     "store O[i]",
                                     "for each Q tile i:",
                                     "for each K/V tile j that i sees:",
                                     "m' = max(m, rowmax(S))",
                                     "; ",
                                     ", in parallel",
                                     "at the first visit:",
                                     "pass x\n",
                                     "O = O / l",
                                     "l = 0",
                                     "\n  ",
                                     "# α∞"};
  double slowest = 0;
  int64_t good = 0;
  for (int n = 0; n < edits; ++n) {
    if (n % 40 == 0) begin_program(w.session, w.view, shipped_programs()[dice() % shipped_programs().size()]);
    const auto roll = dice() % 16;
    const auto start = std::chrono::steady_clock::now();
    if (roll < 3)
      paste_into_program(w.session, w.view, pieces[dice() % std::size(pieces)]);
    else if (roll < 6)
      w.type(std::string(1, char(' ' + dice() % 95)));
    else if (roll < 8)
      w.key(Key::Backspace, dice() % 4 == 0);
    else if (roll == 8)
      w.key(Key::Enter);
    else if (roll < 12)
      w.ctrl(U'z', dice() % 4 == 0);
    else
      w.key(Key(int(Key::Left) + int(dice() % 8)), dice() % 4 == 0, dice() % 4 == 0);
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    good += written_says(w.view).tone == WrittenSays::Tone::Good;
    if (n % 50 == 0) w.last = w.scene();
  }
  MESSAGE("slowest key " << slowest * 1000 << " ms, attention after " << good << " of " << edits);
  CHECK(good > 0);
}

TEST_CASE("a fault is told of the problem on the stage; where all is right there, the problem is named") {
  Writer w;
  w.put_caret_behind("O = alpha");
  for (int k = 0; k < 6; ++k) w.key(Key::Backspace);
  const Problem& stage = w.session.problem();
  REQUIRE(w.view.write.now->on_stage);
  CHECK(w.view.write.now->on_stage->problem.n_q == stage.n_q);
  CHECK(written_says(w.view).words == w.view.write.now->on_stage->message);
  CHECK(written_says(w.view).words.find("its first " + std::to_string(stage.bc)) != std::string::npos);
  // With one tile of keys no max rises on the stage.
  REQUIRE(apply_field(w.session, w.view, "bc", std::to_string(stage.n_k)).empty());
  settle(w.session, w.view);
  CHECK(written_says(w.view).tone == WrittenSays::Tone::Fault);
  CHECK(written_says(w.view).words.starts_with("Right here, but with "));
  CHECK(written_says(w.view).words.find(w.view.write.now->verdict->message) != std::string::npos);
}

}  // namespace tilewalk::test_write
