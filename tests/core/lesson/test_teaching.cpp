// What a lesson of the path owes its reader: each rule is broken once, and kept once.
#include "core/lesson/check_paper.h"
#include "core/lesson/check_teaching.h"

#include "core/io/number.h"
#include "core/machine/gpus.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace tilewalk::test_teaching {

namespace {

// A board about a head on a GPU; it reads a time, which goes with N.
CheckContext context() {
  CheckContext out;
  StageFacts walk{.id = "walk", .knobs = {}, .readings = [](const KnobValues&) { return Readings{}; }};
  StageFacts clocks{.id = "clocks", .knobs = {}, .readings = {}};
  const auto number = [](std::string_view text) { return number_of<double>(text); };
  clocks.knobs = {{"N", 4096, number, {4096, 8192}}, {"d", 64, number}, {"H", 1, number}};
  clocks.knobs.push_back({"gpu", 0, [](std::string_view text) -> std::optional<double> {
                            return text == "a100-80" ? 0.0 : text == "h100" ? std::optional(1.0) : std::nullopt;
                          }});
  clocks.readings = [](const KnobValues& knobs) {
    const auto n = knobs.find("N");
    return Readings{{"time", {n == knobs.end() ? 4096 : n->second, "s", Origin::Model, ""}}};
  };
  out.stages = {walk, clocks};
  return out;
}

std::string scene(std::string_view knobs, std::string_view more = "") {
  return fmt::format("\n\n```scene\nstage = \"clocks\"\nknobs = {{ {} }}\n{}\n```\n\n", knobs, more);
}

Lesson lesson(std::string_view body, double minutes = 30) {
  const LessonFile file = read_lesson(
      fmt::format("+++\nid = \"a\"\nnumber = 3\nphase = 1\ntitle = \"A\"\nbrief = \"A\"\nminutes = {}\n+++\n{}",
                  minutes, body),
      "a.md");
  for (const LessonFault& fault : file.faults) FAIL_CHECK(fault.line << ": " << fault.message);
  REQUIRE(file.lesson);
  return *file.lesson;
}

// "line: message", joined.
std::string faults(std::string_view body, double minutes = 30) {
  std::vector<std::string> out;
  for (const LessonFault& fault : check_teaching(lesson(body, minutes), context())) {
    CHECK(fault.message.ends_with('.'));
    out.push_back(fmt::format("{}: {}", fault.line, fault.message));
  }
  return fmt::format("{}", fmt::join(out, "\n"));
}
std::string of_text(std::string_view text) { return faults(fmt::format("## hook: A\n\n{}\n", text)); }

constexpr std::string_view kNext = "---\n\n## {}: B\n\n{}";
std::string two_beats(std::string_view first, std::string_view kind, std::string_view second) {
  return faults(fmt::format("## hook: A\n\n{}\n\n", first) + fmt::format(fmt::runtime(kNext), kind, second));
}

std::string choice(std::string_view id, std::string_view right, std::string_view wrong, std::string_view more = "") {
  return fmt::format(
      "```predict\nid = \"{}\"\ntext = \"T\"\n{}\n[[options]]\ntext = \"{}\"\nright = \"true\"\nwhy = \"w\"\n"
      "[[options]]\ntext = \"{}\"\nright = \"false\"\nwhy = \"w\"\n```\n",
      id, more, right, wrong);
}

}  // namespace

TEST_CASE("A word of this lesson or a later one stands first as a link to what it means") {
  CHECK(of_text("A kernel and its bandwidth.").empty());  // explained in lesson 1
  CHECK(of_text("The warps wait.") ==
        "11: \"warp\" stands here before it is explained, in lesson 10; write [warp](term:warp).");
  CHECK(of_text("[The warps](term:warp) wait, each warp.").empty());
  CHECK(of_text("Each warp, [a warp](term:warp).").starts_with("11: \"warp\" stands"));
  CHECK(of_text("TMA copies.").starts_with("11: \"TMA\" stands here before it is explained, in lesson 11"));
  CHECK(of_text("A warpath, and mathematics.").empty());
  // In what is asked too, and in the options.
  CHECK(faults("## hook: A\n\n" + choice("q", "The warp", "Another one")).find("\"warp\" stands") != std::string::npos);
  // Outside the path nothing is owed.
  Lesson own = lesson("## hook: A\n\nThe warps wait.\n");
  own.number = 0;
  CHECK(check_teaching(own, context()).empty());
}

TEST_CASE("Another N, d, GPU or number of heads than before is said where it comes") {
  const std::string same = scene("N = 4096");
  CHECK(of_text("Text." + same).empty());  // the running example needs no word
  CHECK(two_beats("Text." + same, "explore", "Text." + scene("N = 8192")) ==
        "23: N is 8,192 here and was 4,096; say so.");
  CHECK(two_beats("Text." + same, "explore", "Now {{8192 | count}}." + scene("N = 8192")).empty());
  CHECK(two_beats("Text.", "explore", "Text." + scene("d = 128")) == "15: d is 128 here and was 64; say so.");
  CHECK(two_beats("Text.", "explore", "Text." + scene("H = 16")) == "15: heads is 16 here and was 1; say so.");
  CHECK(two_beats("Text.", "explore", "Text." + scene("gpu = \"h100\"")) ==
        "15: the GPU is an H100 here and was an A100; say so.");
  CHECK(two_beats("Text.", "explore", "On an H100." + scene("gpu = \"h100\"")).empty());
  // The way back is a change too.
  CHECK(two_beats("{{8192 | count}} tokens." + scene("N = 8192"), "explore", "Text." + scene("N = 4096")) ==
        "23: N is 4,096 here and was 8,192; say so.");
  // A question that puts its own numbers on the stage.
  const std::string asked = choice("q", "a", "b", "[scene]\nknobs = { N = 2048 }\n");
  CHECK(faults("## hook: A\n\nText." + same + asked).find("N is 2,048 here and was 4,096") != std::string::npos);
}

TEST_CASE("Bytes of one beat are of one family of units, unless one number is shown in both") {
  CHECK(of_text("{{mem(S, N=4096) | binary}} and {{mem(S, N=2048) | binary}}.").empty());
  CHECK(of_text("{{mem(S, N=4096) | binary}} and {{mem(S, N=2048) | bytes}}.") ==
        "9: 32 MiB and 8.39 MB are units of two families; keep to one.");
  CHECK(of_text("{{mem(S, N=4096) | binary}} is {{mem(S, N=4096) | bytes}}.").empty());
}

TEST_CASE("What is predicted stood on no earlier screen") {
  const std::string right = choice("q", "{{66.9e-6 | number}} long", "{{13.8 | number}} of them now");
  CHECK(two_beats("It takes {{66.9e-6 | number}}.", "predict", right)
            .find("stands in the answer of \"q\" and on an earlier screen; ask for another.") != std::string::npos);
  CHECK(two_beats("It takes {{13.8 | number}}.", "predict", right).empty());
  // What the question gives is no answer, and small counts are everywhere.
  CHECK(two_beats("It takes {{3}}.", "predict", choice("q", "{{3}} are", "{{4}} aren't")).empty());
  const std::string number =
      "```predict\nid = \"n\"\ntext = \"T\"\nanswer = \"66.9\"\nformat = \"number\"\nwhy = "
      "\"w\"\n```\n";
  CHECK(two_beats("It takes {{66.9 | number}}.", "predict", number).find("66.9 stands in the answer") !=
        std::string::npos);
  // A reading that the question covers lay open before, on the same setting.
  const std::string covered = choice("q", "a", "b", "cover = [\"time\"]");
  CHECK(two_beats("Text." + scene("N = 4096"), "predict", scene("N = 4096") + covered)
            .find("time, which \"q\" asks for, lies open on the beat of line 9; cover it there.") != std::string::npos);
  CHECK(two_beats("Text." + scene("N = 4096", "cover = [\"time\"]"), "predict", scene("N = 4096") + covered).empty());
  CHECK(
      two_beats("Text." + scene("N = 4096"), "predict", "Now {{8192 | count}}." + scene("N = 8192") + covered).empty());
}

TEST_CASE("A knob within reach that shows the answer is locked, or what it shows is covered") {
  const auto asked = [](std::string_view more) { return choice("q", "{{8192 | number}} s", "{{1 | number}} s", more); };
  const auto of = [&](std::string_view shown, std::string_view more) {
    return faults("## hook: A\n" + scene("N = 4096", fmt::format("show = [\"{}\"]", shown)) + asked(more));
  };
  CHECK(of("N", "").find("N is within reach and shows the answer of \"q\", in time; lock it, or cover that.") !=
        std::string::npos);
  CHECK(of("d", "").empty());
  CHECK(of("N", "cover = [\"time\"]").empty());
  CHECK(of("N", "lock = [\"N\"]").empty());
  CHECK(of("N", "[proof]\nknobs = { N = 8192 }\n").empty());  // what the proof turns is locked by itself
}

TEST_CASE("The longest option is right no more often than chance") {
  const auto asked = [](int longest_right, int longest_wrong) {
    std::string body = "## hook: A\n\n";
    int n = 0;
    for (int k = 0; k < longest_right; ++k) body += choice(fmt::format("q{}", n++), "much longer than it", "short");
    for (int k = 0; k < longest_wrong; ++k) body += choice(fmt::format("q{}", n++), "short", "much longer than it");
    return body;
  };
  CHECK(faults(asked(2, 2)).empty());
  CHECK(faults(asked(3, 1)) == "0: the longest option is right in 3 of 4 choices; by chance it would be in 2.0.");
  CHECK(faults(asked(1, 0)).empty());  // one alone says nothing
  // Together too: what each lesson may have once, all of them may not.
  const Lesson one = lesson(asked(1, 0)), two = lesson(asked(1, 0)), three = lesson(asked(1, 0));
  CHECK(check_longest_options(std::array{&one, &two}).starts_with("the longest option is right in 2 of 2 choices"));
  CHECK_FALSE(check_longest_options(std::array{&one, &two, &three}).empty());
}

TEST_CASE("The minutes that are told are those that learners take") {
  const std::string body = "## hook: A\n\nText.\n\n---\n\n## explore: B\n\nText.\n\n---\n\n## compute: C\n\nText.\n";
  CHECK(minutes_of(lesson(body)) == doctest::Approx(1.015));
  CHECK(faults(body, 1).empty());
  std::string longer = "## hook: A\n\nText.\n";
  for (int k = 0; k < 20; ++k) longer += "\n---\n\n## explore: B\n\nText.\n";
  CHECK(faults(longer, 8) == "0: minutes is 8; learners take about 13.");
  CHECK(faults(longer, 13).empty());
}

TEST_CASE("The beat after a prediction says its answer, where a number says it") {
  const std::string asked = scene("N = 1024") + "N = {{1024}}.\n\n" + choice("q", "{{77}} MB", "{{78}} MB");
  const auto after = [&](std::string_view text) {
    return faults("## hook: A\n\nN = {{1024 | count}}." + asked + "\n---\n\n## reveal: B\n\n" + std::string(text) +
                  "\n");
  };
  CHECK(after("It is {{77}}.").find("is not said") == std::string::npos);
  CHECK(after("It was less.").find("the answer to the question before, 77, is not said here.") != std::string::npos);
}

TEST_CASE("A beat that asks nothing shows a board that is not set as on the beat before") {
  const auto second = [](std::string_view knobs) {
    return two_beats("N = {{2048 | count}}." + scene("N = 2048"), "explore",
                     "N = {{2048 | count}} or {{1024 | count}}." + scene(knobs));
  };
  CHECK(second("N = 1024").find("as on the beat before") == std::string::npos);
  CHECK(second("N = 2048").find("the stage is set as on the beat before; show something of this beat.") !=
        std::string::npos);
}

TEST_CASE("What only a window has is marked in its text, and no note speaks of a tab or a question's place") {
  const auto told = [](std::string_view text, std::string_view note) {
    std::string out;
    for (const LessonFault& fault :
         check_paper(lesson(fmt::format("## hook: A\n\n{}\n\n<!-- note: {} -->\n", text, note))))
      out += fmt::format("{}: {}", fault.line, fault.message);
    return out;
  };
  CHECK(told("It waits. [[Try other GPUs.]]", "Ask.").empty());
  CHECK(told("It waits. Try other GPUs.", "Ask.") ==
        "11: \"Try other GPUs.\" speaks of what paper has not; write [[...]] around it, or say it so that it "
        "holds there.");
  CHECK(told("It waits.\n\n" + choice("q", "The stage shows it", "Half"), "Ask.")
            .find("\"The stage shows it\" speaks of") != std::string::npos);
  CHECK(told("It waits. [[Write [it](puzzle:keep-p).]]", "Ask.").empty());
  CHECK(told("It waits. Now [a puzzle](puzzle:keep-p).", "Ask.") ==
        "11: \"a puzzle\" speaks of what paper has not; write [[...]] around it, or say it so that it "
        "holds there.");
  CHECK(told("It waits.", "C in the Problem tab.").find("the note says \"Problem tab\"") != std::string::npos);
  Lesson own = lesson("## hook: A\n\nTry other GPUs.\n");
  own.number = 0;
  CHECK(check_paper(own).empty());
}

}  // namespace tilewalk::test_teaching
