// Set lists: read, walked with the clicker, and what a bad line does.
#include "app/export/talk_page.h"
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/open_any.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"
#include "app/window/beginning.h"
#include "app/window/wishes.h"
#include "core/io/file.h"
#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace tilewalk::test_set_list {

namespace {

const char* const kTalk =
    "# A talk\n"
    "\n"
    "tilewalk://lesson/6/beat/1  # why a max runs\n"
    "tilewalk://lesson/7/beat/2#kept  \r\n"
    "see slide 12\n"
    "tilewalk://lesson/99  # gone\n"
    "tilewalk://lesson/7/beat/4\t# the row in numbers # twice\n";

}  // namespace

TEST_CASE("A set list is links and notes; a line that is none is said with file and line, the rest works") {
  const SetList list = read_set_list(kTalk, "talks/a.set");
  REQUIRE(list.items.size() == 4);
  CHECK(list.items[0].link == "tilewalk://lesson/6/beat/1");
  CHECK(list.items[0].note == "why a max runs");
  CHECK(list.items[0].line == 3);
  CHECK(list.items[1].note.empty());
  CHECK(list.items[3].note == "the row in numbers # twice");
  REQUIRE(list.faults.size() == 1);
  CHECK(faults_of(list)[0].find("a.set line 5") != std::string::npos);
  CHECK(faults_of(list)[0].find("see slide 12") != std::string::npos);
  CHECK(read_set_list("", "a.set").items.empty());
}

TEST_CASE("Page Down walks the list, past a line that leads nowhere") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  view.present.set = read_set_list(kTalk, "a.set");
  begin_presenting(session, view, true);
  CHECK(lesson_on_show(view)->number == 6);
  CHECK(view.lesson.beat == 0);
  const auto next = [&] {
    const int place = view.present.place;
    for (int k = 0; k < 20 && view.present.place == place; ++k) present_next(session, view);
  };
  next();
  CHECK(lesson_on_show(view)->number == 7);
  CHECK(view.lesson.beat == 1);
  next();
  CHECK(view.present.place == 3);
  CHECK(view.lesson.beat == 3);
  CHECK(presented_share(view) == 1);
  for (int k = 0; k < 20 && view.notice.empty(); ++k) present_next(session, view);
  CHECK(view.notice == "That was the last of the set list.");
  while (view.present.question) present_back(session, view);
  present_back(session, view);
  CHECK(view.present.place == 1);
}

TEST_CASE("A file that is not there keeps the list that was") {
  Session session;
  ViewState view;
  view.present.set = read_set_list("tilewalk://walk\n", "a.set");
  CHECK_FALSE(use_set_list(session, view, "no/such/list.set").empty());
  CHECK(view.present.set.items.size() == 1);
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-empty.set";
  std::ofstream(file) << "# nothing\n";
  CHECK(use_set_list(session, view, file).find("no links") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("A view that is added is a line more") {
  CHECK(with_item("", "tilewalk://walk", "") == "tilewalk://walk\n");
  CHECK(with_item("a", "tilewalk://walk", "the end") == "a\ntilewalk://walk  # the end\n");
}

TEST_CASE("In the overview stops move, are there twice, go and come back, and the file follows with its comments") {
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-edit.set";
  const std::string text =
      "# my talk\ntilewalk://lesson/6/beat/1  # first\n\nslide: A title\n# a thought\ntilewalk://lesson/7/beat/2\n";
  write_file(file, text);
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(use_set_list(session, view, file).empty());
  begin_presenting(session, view, true);
  Presentation& p = view.present;
  toggle_overview(view);
  const auto press = [&](Key key, bool ctrl, char32_t character = 0) {
    KeyPress k;
    k.key = key, k.ctrl = ctrl, k.character = character;
    CHECK(overview_key(k, session, view));
  };
  press(Key::Right, true);
  CHECK(p.overview_at == 1);
  CHECK(p.place == 1);  // one stands where one stood
  CHECK(read_file(file) ==
        "# my talk\nslide: A title\n\ntilewalk://lesson/6/beat/1  # first\n# a thought\ntilewalk://lesson/7/beat/2\n");
  CHECK(p.set.items[1].note == "first");
  press(Key::Character, true, U'd');
  CHECK(p.set.items.size() == 4);
  CHECK(p.set.items[2].link == p.set.items[1].link);
  press(Key::Delete, false);
  CHECK(p.set.items.size() == 3);
  for (int k = 0; k < 3; ++k) press(Key::Character, true, U'z');
  CHECK(read_file(file) == text);
  CHECK(p.set.items.size() == 3);
  press(Key::Character, true, U'z');
  CHECK(view.notice == "Nothing was changed in the set list.");
  // Past the ends nothing is moved, and a file that somebody else has changed is left alone.
  p.overview_at = 0;
  press(Key::Left, true);
  CHECK(read_file(file) == text);
  write_file(file, "tilewalk://walk\n");
  press(Key::Right, true);
  CHECK(read_file(file) == "tilewalk://walk\n");
  CHECK(view.notice.find("nothing was changed") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("In the overview a stop's title and note are written: into the file, and nothing else of it changes") {
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-words.set";
  const std::string text =
      "# my talk\ntilewalk://lesson/6/beat/1  # first\nslide: A title | a line\nslide: a.png\n"
      "tilewalk://lesson/7/beat/2 \"Mine\"\n";
  write_file(file, text);
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(use_set_list(session, view, file).empty());
  Presentation& p = view.present;
  CHECK(stop_title(p.set.items[3], view) == "Mine");
  begin_presenting(session, view, true);
  toggle_overview(view);
  const auto write = [&](int at, char32_t key, const std::string& words) {
    p.overview_at = at;
    KeyPress k;
    k.key = Key::Character, k.character = key, k.ctrl = key == U'n';
    CHECK(overview_key(k, session, view));
    REQUIRE(view.editing == (k.ctrl ? "field:stop-note" : "field:stop-title"));
    const std::string there = text_in(view.editing, session, view);
    typed_into(view.editing, words, view);
    finish_typing(session, view);
    CHECK(view.editing.empty() == !view.notice.starts_with("Not kept: "));
    leave_typing(view);
    return there;
  };
  const std::string by_itself = stop_title(p.set.items[0], view);
  CHECK(write(0, U'r', "Why \"a max\" runs\t# 1 | 2") == by_itself);
  CHECK(stop_title(p.set.items[0], view) == "Why 'a max' runs No.  1 / 2");
  CHECK(p.set.items[0].note == "first");
  CHECK(write(0, U'n', "  ask # twice ") == "first");
  CHECK(p.set.items[0].note == "ask # twice");
  CHECK(write(1, U'r', "Another") == "A title");
  CHECK(p.set.items[1].link == "slide: Another | a line");
  write(1, U'r', "");
  CHECK(view.notice.find("Not kept: ") == 0);
  CHECK(write(2, U'r', "What we saw") == "");
  CHECK(p.set.items[2].link == "slide: What we saw | a.png");
  write(3, U'r', "");
  CHECK(stop_title(p.set.items[3], view) != "Mine");
  CHECK(read_file(file) ==
        "# my talk\ntilewalk://lesson/6/beat/1 \"Why 'a max' runs No.  1 / 2\"  # ask # twice\n"
        "slide: Another | a line\nslide: What we saw | a.png\ntilewalk://lesson/7/beat/2\n");
  for (int k = 0; k < 5; ++k) CHECK(undo_set_edit(view) == "The set list is as it was before.");
  CHECK(read_file(file) == text);
  // A slide that the room sees is shown as it is now.
  REQUIRE(open_set_item(session, view, 1));
  toggle_overview(view);
  toggle_overview(view);
  write(1, U'r', "Shown");
  CHECK(p.slide == "slide: Shown | a line");
  CHECK_FALSE(off_set_list(view));
  // What somebody else has changed is read first: the stop that stands there now is the one that is written.
  write_file(file, "tilewalk://walk\n" + text);
  CHECK(write(1, U'r', "Ours") == "A title");
  std::string ours = "tilewalk://walk\n" + text;
  CHECK(read_file(file) == ours.replace(ours.find("A title"), 7, "Ours"));
  std::filesystem::remove(file);
}

TEST_CASE("Pictures and PDFs that are dropped become slides of the list, where they lie beside it") {
  ScratchFolder folder;
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  Presentation& p = view.present;
  const std::filesystem::path file = folder / "talk.set";
  const std::string text = "# mine\ntilewalk://lesson/6/beat/1   # first\ntilewalk://lesson/7/beat/2\n";
  std::filesystem::create_directory(folder / "figures");
  std::filesystem::create_directory(folder / "elsewhere");
  for (const char* name : {"figures/a.png", "deck.pdf", "elsewhere/b.jpg", "a # b.png"}) put(folder / name, "x");
  // Without a list there is nothing that it could be a slide of.
  CHECK_FALSE(open_any(session, view, {folder / "deck.pdf"}));
  CHECK(view.notice.find("drop the list (talk.set) first") != std::string::npos);
  put(file, text);
  REQUIRE(open_any(session, view, {file}));
  CHECK(open_any(session, view, {folder / "figures/a.png", folder / "deck.pdf"}));
  CHECK(view.notice == "2 slides stand behind stop 2. Ctrl+Z in the overview (O) takes that back.");
  CHECK(read_file(file) == text + "slide: figures/a.png\nslide: deck.pdf\n");
  // Behind the card that is chosen, and where one stands goes along.
  begin_presenting(session, view, true);
  REQUIRE(open_set_item(session, view, 1));
  toggle_overview(view);
  p.overview_at = 0;
  CHECK(open_any(session, view, {folder / "deck.pdf"}));
  CHECK(p.set.items[1].link == "slide: deck.pdf");
  CHECK(p.place == 2);
  CHECK(p.overview_at == 1);
  const std::string before = read_file(file);
  CHECK(before.starts_with("# mine\ntilewalk://lesson/6/beat/1   # first\nslide: deck.pdf\n"));
  // What a list cannot name leaves it alone.
  p.set.file = folder / "elsewhere/talk.set";
  CHECK_FALSE(open_any(session, view, {folder / "deck.pdf"}));
  CHECK(view.notice.find("deck.pdf does not lie beside talk.set") == 0);
  p.set.file = file;
  CHECK_FALSE(open_any(session, view, {folder / "a # b.png"}));
  CHECK(view.notice.find("The name of a # b.png cannot stand in a set list") == 0);
  CHECK(read_file(file) == before);
  undo_set_edit(view);
  undo_set_edit(view);
  CHECK(read_file(file) == text);
}

TEST_CASE("G before a room finds lessons and beats by their titles") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  begin_presenting(session, view, true);
  const auto lesson = view.lesson.course->lesson_numbered(9);
  REQUIRE(lesson);
  CHECK(present_go_to(lesson->title, session, view).empty());
  CHECK(view.lesson.id == lesson->id);
  CHECK(view.lesson.beat == 0);
  const auto six = view.lesson.course->lesson_numbered(6);
  const std::string beat = six->beats[2].title;
  CHECK(present_go_to(beat, session, view).empty());
  CHECK(lesson_on_show(view)->beats[size_t(view.lesson.beat)].title == beat);
  const std::string there = view.lesson.id;
  CHECK_FALSE(present_go_to("no such title at all", session, view).empty());
  CHECK(view.lesson.id == there);
}

TEST_CASE("G before a room finds a lesson by its number, written out, and what a word means") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  begin_presenting(session, view, true);
  for (const bool walk : {true, false}) {
    CAPTURE(walk);
    if (!walk) REQUIRE(present_go_to("5.1", session, view).empty());
    REQUIRE(view.board.board.empty() == walk);
    view.over = GoTo{{}, 9};  // the last of what is called so
    CHECK(present_go_to("occupancy", session, view) == "");
    CHECK(is_open<WordSheet>(view));
    view.over = {};
    CHECK(present_go_to("lesson 14", session, view) == "");
    REQUIRE(lesson_on_show(view));
    CHECK(lesson_on_show(view)->number == 14);
    CHECK(present_go_to(" lesson 6.3 ", session, view) == "");
    CHECK(view.lesson.beat == 2);
  }
}

TEST_CASE("The handout is called as its talk, tells its answers in words and no speaker's minutes") {
  const std::string page = talk_page(shipped_lessons(),
                                     read_set_list("slide: What a GPU waits for  # [1 min] say who\n"
                                                   "tilewalk://lesson/12/beat/3  # [2 min] ask first\n",
                                                   "prepared.set"),
                                     true);
  CHECK(page.find("<h1>What a GPU waits for</h1>") != std::string::npos);
  CHECK(page.find("<h1>prepared</h1>") == std::string::npos);
  CHECK(page.find("min]") == std::string::npos);
  CHECK(page.find("</b> say who<") != std::string::npos);
  const size_t answers = page.find("<h2>Answers</h2>");
  REQUIRE(answers != std::string::npos);
  CHECK_MESSAGE(page.find(": FA2. The import decides.", answers) != std::string::npos, page.substr(answers, 400));
}

TEST_CASE("A talk has a title of its own, which editing keeps; it heads the handout, else the file's name does") {
  const std::string text = "title: Attention # of May\ntilewalk://lesson/6/beat/3\n";
  const SetList list = read_set_list(text, "may.set");
  CHECK(list.faults.empty());
  CHECK(list.title == "Attention");
  REQUIRE(list.items.size() == 1);
  CHECK(with_note(text, list.items[0], "Ask.") == "title: Attention # of May\ntilewalk://lesson/6/beat/3  # Ask.\n");
  CHECK(talk_page(shipped_lessons(), list, false).find("<h1>Attention</h1>") != std::string::npos);
  const SetList none = read_set_list("tilewalk://lesson/6/beat/3\n", "may.set");
  CHECK(talk_page(shipped_lessons(), none, false).find("<h1>may</h1>") != std::string::npos);
  const SetList slide = read_set_list("title: Attention\nslide: Welcome\n", "may.set");
  const std::string page = talk_page(shipped_lessons(), slide, false);
  CHECK(page.find("<h1>Attention</h1>") != std::string::npos);
  CHECK(page.find("1. Welcome") != std::string::npos);
  for (const auto& [bad, fault] : {std::pair{"title:\n", "a talk's title is written as \"title: "},
                                   std::pair{"title: A\ntitle: B\n", "a.set line 2: the talk has a title already"}}) {
    const SetList read = read_set_list(bad, "a.set");
    REQUIRE(read.faults.size() == 1);
    CHECK_MESSAGE(faults_of(read)[0].find(fault) != std::string::npos, faults_of(read)[0]);
  }
}

TEST_CASE("A handout shows a stop that breaks something whole, then broken in each way") {
  const SetList list = read_set_list("tilewalk://lesson/6/beat/5\n", "a.set");
  const std::string page = talk_page(shipped_lessons(), list, false);
  const size_t whole = page.find("(1.204824, 0.675973)"),
               rescale = page.find("Broken on purpose: the rescale is skipped"),
               max = page.find("Broken on purpose: the max is skipped");
  REQUIRE(whole < rescale);
  REQUIRE(rescale < max);
  CHECK(page.find("(1.000000, 0.500000)", rescale) < max);  // the wrong answer
  CHECK(page.find("(no number, no number)", max) != std::string::npos);
}

TEST_CASE("What a picture keeps for a later stop stands among the handout's answers") {
  const SetList set = read_set_list("tilewalk://lesson/9/beat/1\n", "a.set");
  const std::string page = talk_page(shipped_lessons(), set, false);
  CHECK_MESSAGE(page.find("Picture 1: Tiles visited, of 1,024: 528;") != std::string::npos,
                page.substr(page.size() / 2));
}

// The picture is of the row's first tile, and the question of the second.
TEST_CASE("A pair that a picture keeps is told as the picture writes it, with the step at which it is that") {
  const std::string page = talk_page(shipped_lessons(), read_set_list("tilewalk://lesson/6/beat/3\n", "a.set"), false);
  const size_t answers = page.find("Picture 1, at its step 2: ");
  REQUIRE(answers != std::string::npos);
  for (const char* told : {"o: (1.871094, 1.049787)", "O: (1.204824, 0.675973)", "plain softmax: (1.204824, 0.675973)"})
    CHECK_MESSAGE(page.find(told, answers) != std::string::npos, page.substr(answers, 400));
}

TEST_CASE("A slide of words is words in the handout, and the pictures of the other stops have the sheets") {
  const std::string page = talk_page(
      shipped_lessons(),
      read_set_list("tilewalk://board/clocks\nslide: Take home | Bytes <decide> | Tile by tile # ask\n", "a.set"),
      true);
  const size_t slide = page.find("<h2>2. Take home</h2>");
  REQUIRE(slide != std::string::npos);
  const std::string after = page.substr(slide, page.find("</section>", slide) - slide);
  CHECK(after.find("<p>Bytes &lt;decide&gt;</p>") != std::string::npos);
  CHECK(after.find("<p>Tile by tile</p>") != std::string::npos);
  CHECK(after.find("ask<") == std::string::npos);
  CHECK(page.find("</b> ask<", slide + after.size()) != std::string::npos);
  CHECK(after.find("<svg") == std::string::npos);
  CHECK(page.substr(0, slide).find("<svg") != std::string::npos);
}

TEST_CASE("A stop's own title is in the header of the presenter's window") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  view.present.set = read_set_list("tilewalk://lesson/6/beat/3 \"Why a max runs\"\n", "a.set");
  begin_presenting(session, view, true);
  view.present.screens = Screens::Two;
  int seen = 0;
  for (const Item& item : layout_presenter(session, view, {1920, 1080}).items)
    if (const auto* label = std::get_if<Label>(&item)) seen += label->text == "Why a max runs";
  CHECK(seen == 1);
}

TEST_CASE("A set list that is opened without presenting is told") {
  const ScratchFolder folder;
  put(folder / "talk.set", "slide: One\nslide: Two\n");
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  WindowOptions options;
  options.set_list = folder / "talk.set";
  begin(options, session, view);
  CHECK(view.notice.starts_with("talk.set: 2 stops. F5"));
}

TEST_CASE("A handout's notes have their numbers, not what stands for them") {
  const std::string page = talk_page(
      shipped_lessons(), read_set_list("tilewalk://lesson/F/beat/3\ntilewalk://lesson/9/beat/3\n", "a.set"), true);
  CHECK(page.find("{{") == std::string::npos);
  CHECK(page.find("id=\"note-2\"") != std::string::npos);
}

}  // namespace tilewalk::test_set_list
