// A slide that is typed in the overview, as the set list's file has it: a title, a picture beside the list, a page of a
// PDF; what cannot be kept is refused, and what was typed stays in its field.
#include "app/session/set_reread.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_typed_slides {

namespace {

struct Typed : Talk {
  ScratchFolder folder;
  Typed() : Talk({}, 7, 0, false) {
    std::filesystem::create_directory(folder / "figures");
    for (const char* name : {"own.png", "figures/times.jpg", "deck.pdf"}) put(folder / name, "x");
    put(folder / "talk.set", "tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/2\n");
    REQUIRE(use_set_list(session, view, folder / "talk.set").empty());
    press("F5");
    p().screens = Screens::Two;
    press("O");
  }
  void type(const std::string& words) {
    typed_into(view.editing, words, view);
    finish_typing(session, view);
  }
  // A slide behind the first stop; its line.
  std::string added(const std::string& words) {
    p().overview_at = 0;
    press("A");
    REQUIRE(view.editing == "field:stop-title");
    type(words);
    return p().set.items[1].link;
  }
  std::string text() { return read_file(folder / "talk.set"); }
};

}  // namespace

TEST_CASE("A slide is typed as a line of the list's file: a picture beside it, a page, with a title or without") {
  for (const char* words : {"What we measured | own.png", "own.png", "Times | figures/times.jpg", "deck.pdf#7",
                            "The plan | deck.pdf#2", "To take home | one pass"}) {
    CAPTURE(words);
    Typed talk;
    CHECK(talk.added(words) == std::string("slide: ") + words);
    CHECK(talk.view.editing.empty());
    CHECK(talk.view.notice.find("is kept") != std::string::npos);
    CHECK(talk.text().find(std::string("\nslide: ") + words + "\n") != std::string::npos);
  }
  // R writes it anew the same way; a title alone leaves the picture.
  Typed talk;
  talk.added("Mine");
  for (const auto& [words, line] : {std::pair{"What we measured | own.png", "slide: What we measured | own.png"},
                                    {"Measured", "slide: Measured | own.png"},
                                    {"Measured anew | deck.pdf#3", "slide: Measured anew | deck.pdf#3"},
                                    {"figures/times.jpg", "slide: figures/times.jpg"},
                                    {"Page # 2 | deck.pdf#3", "slide: Page No.  2 | deck.pdf#3"}}) {
    CAPTURE(words);
    talk.press("R");
    talk.type(words);
    CHECK(talk.p().set.items[1].link == line);
  }
}

TEST_CASE("What cannot be kept of a typed slide says why, and stays in its field") {
  Typed talk;
  const std::string where = talk.folder.path.string();
  for (const auto& [words, why] :
       {std::pair{"What we measured | gone.png", "gone.png is not there; it was looked for in " + where},
        {"gone.pdf#3", "gone.pdf is not there; it was looked for in " + where},
        {"figures/own.png", "own.png is not there; it was looked for in " + where + "/figures"},
        {"Up | ../own.png", std::string("does not lie beside the set list")},
        {"Two | own.png | a line", std::string("a slide has a title and nothing more")},
        {"deck.pdf#0", std::string("names no page of a PDF")},
        {"", std::string("a slide has a title")}}) {
    CAPTURE(words);
    const std::string before = talk.text();
    talk.p().overview_at = 0;
    talk.press("A");
    talk.type(words);
    CHECK_MESSAGE(talk.view.notice.starts_with("Not kept: "), talk.view.notice);
    CHECK_MESSAGE(talk.view.notice.find(why) != std::string::npos, talk.view.notice);
    CHECK(talk.view.editing == "field:stop-title");
    CHECK(text_in(talk.view.editing, talk.session, talk.view) == words);
    leave_typing(talk.view);  // Esc
    CHECK(talk.text() == before);
  }
  // Put right, it is kept.
  talk.added("What we measured | gone.png");
  talk.type("What we measured | own.png");
  CHECK(talk.view.editing.empty());
  CHECK(talk.p().set.items[1].link == "slide: What we measured | own.png");
  // A picture that is gone since does not hold up its title.
  std::filesystem::remove(talk.folder / "own.png");
  talk.press("R");
  talk.type("Measured");
  CHECK(talk.p().set.items[1].link == "slide: Measured | own.png");
}

TEST_CASE("A refused slide holds up no clicker, and a press beside its field leaves it open") {
  Typed talk;
  const std::string before = talk.text();
  talk.added("What we measured | gone.png");
  talk.click("set:2");
  CHECK(talk.view.editing == "field:stop-title");
  CHECK(talk.p().stop_text == "What we measured | gone.png");
  CHECK(talk.p().place == 0);
  CHECK(talk.p().overview);
  talk.press("Page Down");
  CHECK(talk.view.editing.empty());
  CHECK(talk.text() == before);
  CHECK(talk.view.notice.starts_with("Not kept: "));
  CHECK_FALSE(talk.p().overview);
  CHECK(talk.p().place == 1);  // the talk has gone on
}

TEST_CASE(
    "A slide and the title that was typed with it are one change: Ctrl+Z takes both back, and R its title alone") {
  Typed talk;
  const std::string before = talk.text();
  talk.press("End");
  talk.press("A");
  talk.type("Thanks | see you");
  const std::string added = talk.text();
  CHECK(added == before + "slide: Thanks | see you\n");
  CHECK(talk.view.notice.find("Ctrl+Z takes it back") != std::string::npos);
  talk.press("R");
  talk.type("Questions");
  CHECK(talk.text() == before + "slide: Questions | see you\n");
  talk.press("Ctrl+Z");
  CHECK(talk.text() == added);
  talk.press("Ctrl+Z");
  CHECK(talk.view.notice == "The set list is as it was before.");
  CHECK(talk.text() == before);
  CHECK(talk.p().set.items.size() == 2);
  // Put right after it was refused, too, and where nothing was typed.
  for (const char* words : {"gone.png", ""}) {
    talk.press("A");
    if (*words)
      talk.type(words), talk.type("Thanks");
    else
      finish_typing(talk.session, talk.view);
    REQUIRE(talk.p().set.items.size() == 3);
    talk.press("Ctrl+Z");
    CHECK(talk.text() == before);
  }
}

TEST_CASE("R takes a title alone, or the stop's whole line as it stands in the list's file") {
  const std::string link = "tilewalk://lesson/6/beat/1";
  for (const std::string& words : {std::string("Why a max runs"), link + " \"Why a max runs\""}) {
    CAPTURE(words);
    Typed talk;
    talk.press("Home");
    talk.press("R");
    talk.type(words);
    CHECK(talk.view.editing.empty());
    CHECK(talk.text().starts_with(link + " \"Why a max runs\"\n"));
    for (const std::string& none : {std::string(), link}) {
      talk.press("R");
      talk.type(none);
      CHECK(talk.text().starts_with(link + "\n"));
      talk.press("Ctrl+Z");
    }
  }
  Typed talk;
  const std::string before = talk.text();
  talk.press("Home");
  talk.press("R");
  talk.type("tilewalk://lesson/9/beat/1 \"Causal\"");
  CHECK(talk.view.editing == "field:stop-title");
  CHECK_MESSAGE(talk.view.notice.starts_with("Not kept: "), talk.view.notice);
  CHECK(talk.text() == before);
}

}  // namespace tilewalk::test_typed_slides
