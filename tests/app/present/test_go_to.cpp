// Where G leads by the ordinary terms of the field: a part of a lesson's, a beat's or a word's name is enough.
#include "app/session/choice_list.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/talk_target.h"
#include "app/session/typing.h"
#include "core/io/letters.h"
#include "core/lesson/glossary.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>
#include <utility>

namespace tilewalk::test_go_to {

namespace {

std::string go(Talk& talk, bool room, const std::string& words) {
  talk.view.over = {};
  return room ? present_go_to(words, talk.session, talk.view) : go_anywhere(words, talk.session, talk.view);
}

}  // namespace

TEST_CASE("G finds words of the field by a part of their name, from a walk and from a board") {
  for (const bool room : {true, false})
    for (const int from : {7, 5})
      for (const auto& [words, term] : {std::pair{"online", "online-softmax"},
                                        {"Online softmax", "online-softmax"},
                                        {"softmax online", "online-softmax"},
                                        {"arithmetic", "arithmetic-intensity"},
                                        {"specialization", "warp-specialization"},
                                        {"high bandwidth", "dram"},
                                        {"grouped query", "gqa"}}) {
        CAPTURE(room);
        CAPTURE(from);
        CAPTURE(words);
        Talk talk({}, from, 0, room);
        if (room) {
          // In front of a room come first the places that a talk can go to.
          const std::vector<TalkHit> hits = talk_hits(words, talk.session, talk.view);
          REQUIRE(hits.size() >= 1);
          REQUIRE(hits.size() <= 4);
          for (size_t k = 0; k + 1 < hits.size(); ++k) CHECK(hits[k].target.word.empty());
          REQUIRE_FALSE(hits.back().target.word.empty());
          talk.view.over = GoTo{{}, int(hits.size()) - 1};
          CHECK(present_go_to(words, talk.session, talk.view) == "");
        } else {
          CHECK(go(talk, room, words) == "");
        }
        REQUIRE(is_open<WordSheet>(talk.view));
        Scene sheet;
        sheet.size = {1920, 1080};
        layout_overlays(sheet, talk.session, talk.view, {0, 0, 1920, 1080}, Style(Theme::Light, 1));
        const std::string shown = Talk::words_in(sheet);
        CHECK(shown.find(term_named(term)->name + "\n") != std::string::npos);
        CHECK(shown.find("No word has this") == std::string::npos);
      }
}

TEST_CASE("G finds lessons and beats by what the field calls them, in any form") {
  for (const bool room : {true, false})
    for (const auto& [words, lesson] : {std::pair{"FA3", 11},
                                        {"fa2", 10},
                                        {"masking causal", 9},
                                        {"tensor cores", 1},
                                        {"Private pad", 2},
                                        {"backward passes", 8}}) {
      CAPTURE(room);
      CAPTURE(words);
      Talk talk({}, 5, 0, room);
      CHECK(go(talk, room, words) == "");
      if (is_open<WordSheet>(talk.view)) continue;  // a word of that whole name
      REQUIRE(lesson_on_show(talk.view));
      CHECK(lesson_on_show(talk.view)->number == lesson);
    }
}

TEST_CASE("Every word of the glossary is found by each longer word of its name, and nothing by what names nothing") {
  Talk talk({}, 5, 0, true);
  for (const Term& term : glossary())
    for (const std::string& words : {term.name, term.id}) {
      if (words.size() < 4) continue;
      CAPTURE(words);
      CHECK(go(talk, true, words) == "");
    }
  for (const char* words : {"cau", "the", "of", "paged eviction", "zzzz", ""}) {
    CAPTURE(words);
    CHECK(go(talk, true, words) != "");
    CHECK_FALSE(is_open<WordSheet>(talk.view));
  }
}

TEST_CASE("G finds a relative by its name in the list, with or without a hyphen") {
  for (const auto& [words, id] :
       {std::pair{"MLA", "latent-attention"}, {"mla", "latent-attention"}, {"flash decoding", "flash-decoding"}}) {
    CAPTURE(words);
    Talk talk({}, 5, 0, true);
    CHECK(go(talk, true, words) == "");
    REQUIRE(lesson_on_show(talk.view));
    CHECK(lesson_on_show(talk.view)->id.ends_with(id));
  }
}

TEST_CASE("G finds the speaker's own titles and slides, and boards of the list") {
  Talk talk(
      "tilewalk://lesson/7/beat/2\nslide: What we measured\n# Why a max runs\ntilewalk://lesson/6/beat/2\n"
      "tilewalk://board/estimate\n");
  REQUIRE(talk.p().set.items.size() == 4);
  talk.p().set.items[2].title = "Why a max runs";
  for (const auto& [words, place] : {std::pair{"what we measured", 1}, {"a max runs", 2}, {"estimate", 3}}) {
    CAPTURE(words);
    CHECK(go(talk, true, words) == "");
    CHECK(talk.p().place == place);
  }
}

TEST_CASE("A clicker goes on from the words and from a list of choices") {
  Talk talk("tilewalk://board/estimate\ntilewalk://lesson/6/beat/2\n");
  talk.view.over = WordSheet{"online", 0};
  talk.press("Page Down");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().place == 1);
  talk.press("Page Up");
  talk.view.over = ChoiceList{};
  talk.press("B");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().blank == Blank::Black);
  talk.press("B");
  talk.view.over = ChoiceList{};
  talk.press("Page Down");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().place == 1);
  // Also where a name begins with such a letter.
  talk.press("Page Up");
  open_choices(talk.session, talk.view, "gpu");
  const std::vector<std::string_view> names = listed_choices(talk.session, talk.view).words;
  REQUIRE(std::ranges::any_of(names, [](std::string_view name) { return name.find("B200") != std::string::npos; }));
  talk.press("B");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().blank == Blank::Black);
  talk.press("B");
  open_choices(talk.session, talk.view, "gpu");
  talk.press("F");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().frozen);
  // A field that a key opens has what is typed then, and the list is gone.
  talk.press("F");
  open_choices(talk.session, talk.view, "gpu");
  talk.press("Ctrl+N");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.view.editing == "field:note");
}

TEST_CASE("What is typed behind G shows where Enter leads, what else is called so, and that nothing is") {
  Talk talk("tilewalk://lesson/7/beat/2\nslide: What we measured\ntilewalk://board/estimate\n", 5);
  const auto shown = [&](const std::string& words) {
    talk.view.over = GoTo{};
    talk.view.go_to_text = words;
    return Talk::words_in(talk.scene());
  };
  const auto title = [&](int lesson, int beat) {
    return talk.view.lesson.course->lesson_numbered(lesson)->beats[size_t(beat - 1)].title;
  };
  CHECK(shown("6.3").find("Enter: Lesson 6, beat 3: " + title(6, 3)) != std::string::npos);
  CHECK(shown("7.2").find("Enter: Stop 1: " + title(7, 2)) != std::string::npos);
  CHECK(shown("measured").find("Enter: Stop 2: What we measured") != std::string::npos);
  CHECK(shown("me").find("Enter: Stop 2: What we measured") != std::string::npos);  // a word's beginning
  CHECK(shown("easu").find("Enter: Stop 2: What we measured") != std::string::npos);
  CHECK(shown("ea").find("Nothing is called so.") != std::string::npos);
  CHECK(shown("online").find("Enter: Lesson 6, beat 1: " + title(6, 1)) != std::string::npos);
  CHECK(shown("online").find("The word \"online\"") != std::string::npos);
  CHECK(shown("tile 2").find("Enter: A step of this walk") != std::string::npos);
  CHECK(shown("zzzz").find("Nothing is called so.") != std::string::npos);
  CHECK(shown("99").find("There is no lesson 99.") != std::string::npos);
  CHECK(shown("").find("6.3 is beat 3 of lesson 6.") != std::string::npos);
  // More than one: Enter leads to the first.
  CHECK(talk_hits("tile", talk.session, talk.view).size() == 4);
  for (const char* words : {"6.3", "7.2", "measured", "causal", "tensor cores", "estimate"}) {
    CAPTURE(words);
    const TalkTarget target = talk_target(words, talk.session, talk.view);
    CHECK(go(talk, true, words) == "");
    if (target.place >= 0) CHECK(talk.p().place == target.place);
    if (target.lesson) CHECK(lesson_on_show(talk.view)->id == target.lesson->id);
    if (target.lesson) CHECK(talk.view.lesson.beat == target.beat);
  }
}

TEST_CASE("Down behind G chooses another of those that are called so") {
  Talk talk({}, 6, 0);
  talk.press("G");
  typed_into("field:go-to", "tensor cores", talk.view);
  const std::vector<TalkHit> hits = talk_hits("tensor cores", talk.session, talk.view);
  REQUIRE(hits.size() > 1);
  // What has it in its title comes before what the word means.
  REQUIRE(hits[0].target.lesson != nullptr);
  REQUIRE(hits.back().target.word == "tensor core");
  for (size_t k = 1; k < hits.size(); ++k) talk.press("↓");
  CHECK(size_t(std::get<GoTo>(talk.view.over).chosen) == hits.size() - 1);
  finish_typing(talk.session, talk.view);
  CHECK(is_open<WordSheet>(talk.view));
  CHECK(present_go_to("tensor cores", talk.session, talk.view).empty());
  CHECK(lesson_on_show(talk.view)->id == hits[0].target.lesson->id);
  CHECK(talk.view.lesson.beat == hits[0].target.beat);
}

TEST_CASE("G finds the lesson whose subject a word is, then what has the word in its text, and the word itself last") {
  Talk talk({}, 5, 0);
  const std::vector<TalkHit> hits = talk_hits("online", talk.session, talk.view);
  REQUIRE(hits.size() >= 3);
  REQUIRE(hits.size() <= 4);
  REQUIRE(hits[0].target.lesson);
  CHECK(hits[0].target.lesson->number == 6);
  CHECK(hits[0].target.beat == 0);
  REQUIRE(hits[1].target.lesson);
  CHECK(hits.back().target.word == "online");
  talk.press("G");
  typed_into("field:go-to", "online", talk.view);
  finish_typing(talk.session, talk.view);
  CHECK_FALSE(overlay_open(talk.view));
  REQUIRE(lesson_on_show(talk.view));
  CHECK(lesson_on_show(talk.view)->number == 6);
  CHECK(talk.view.editing.empty());
  // Of a set list its own stops come first: the lesson's, by its subject, then one whose slide says it.
  Talk listed("tilewalk://board/estimate\nslide: Take home | One online pass\ntilewalk://lesson/6/beat/3\n");
  const std::vector<TalkHit> own = talk_hits("online", listed.session, listed.view);
  REQUIRE(own.size() >= 3);
  CHECK(own[0].target.place == 2);
  CHECK(own[1].target.place == 1);
  CHECK(own.back().target.word == "online");
}

TEST_CASE("G finds beats by a word of their text that no title has, at the desk too") {
  const auto has = [](const Lesson& lesson, int beat, std::string_view word) {
    std::string all;
    for (const Block& block : lesson.beats[size_t(beat)].text)
      for (const Span& span : block.spans) all += span.text;
    for (const Question& question : lesson.beats[size_t(beat)].questions)
      for (const Block& block : question.text)
        for (const Span& span : block.spans) all += span.text;
    return has_letters(all, word);
  };
  for (const bool room : {true, false})
    for (const char* word : {"tolerance", "colleague"}) {
      CAPTURE(room);
      CAPTURE(std::string(word));
      Talk talk({}, 5, 0, room);
      CHECK(go(talk, room, word) == "");
      CHECK_FALSE(overlay_open(talk.view));
      REQUIRE(lesson_on_show(talk.view));
      CHECK(has(*lesson_on_show(talk.view), talk.view.lesson.beat, word));
    }
  Talk talk({}, 5, 0);
  CHECK(talk_hits("tolerance", talk.session, talk.view).size() <= 4);
  CHECK(talk_hits("olerance", talk.session, talk.view)[0].words == "Nothing is called so.");  // no word begins so
}

TEST_CASE("Ctrl+Backspace leads back from what a word means to the talk, and a lesson's tag there closes it") {
  Talk talk({}, 6, 2);
  const int step = talk.view.board.step;
  for (const char* back : {"Ctrl+Backspace", "Esc"}) {
    CAPTURE(std::string(back));
    talk.view.over = WordSheet{"online", 0};
    talk.view.editing = "field:word-filter";
    CHECK(Talk::words_in(talk.scene()).find("Esc or Ctrl+Backspace") != std::string::npos);
    talk.press(back);
    CHECK_FALSE(overlay_open(talk.view));
    CHECK(talk.view.editing.empty());
    CHECK(talk.p().on);
    CHECK(talk.view.notice.empty());
    CHECK(lesson_on_show(talk.view)->number == 6);
    CHECK(talk.view.lesson.beat == 2);
    CHECK(talk.view.board.step == step);
  }
  talk.view.over = WordSheet{"memory traffic", 0};
  talk.view.editing = "field:word-filter";
  talk.click("lesson:1");
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.view.editing.empty());
  CHECK(lesson_on_show(talk.view)->number == 1);
  // Who is not in front of a room edits the field with it.
  Talk desk({}, 6, 2, false);
  desk.view.over = WordSheet{"online", 0};
  desk.view.editing = "field:word-filter";
  CHECK_FALSE(restores_from_field(parse_keys("Ctrl+Backspace").front(), desk.view));
}

TEST_CASE("A relative's beat behind G is its stop of the list, by its letter and by its name") {
  Talk talk("tilewalk://lesson/1/beat/1\ntilewalk://lesson/F/beat/1\ntilewalk://lesson/ring-attention/beat/2\n");
  for (const auto& [words, place] : {std::pair{"F.1", 1}, {"f.1", 1}, {"R.2", 2}, {"r.2", 2}}) {
    CAPTURE(std::string(words));
    CHECK(talk_target(words, talk.session, talk.view).place == place);
  }
  CHECK(talk_target("F.2", talk.session, talk.view).place == -1);
  CHECK(present_go_to("F.1", talk.session, talk.view).empty());
  CHECK_FALSE(off_set_list(talk.view));
  CHECK(talk.p().place == 1);
}

}  // namespace tilewalk::test_go_to
