#include "core/lesson/check.h"

#include "core/attention/presets.h"
#include "core/schedules/schedule.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <ctime>

namespace tilewalk::test_check {

namespace {

// Two boards, and walks of the toy preset.
CheckContext context() {
  CheckContext out;
  StageFacts clocks{.id = "clocks", .knobs = {}, .readings = {}, .stepped = false};
  clocks.knobs.push_back({"N", 1024, [](std::string_view text) -> std::optional<double> {
                            double value = 0;
                            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                            return error == std::errc() && end == text.data() + text.size() && value <= 65536
                                       ? std::optional(value)
                                       : std::nullopt;
                          }});
  // It shows its bytes where N is small.
  clocks.readings = [](const KnobValues& knobs) {
    Readings out{{"time", {2, "s", Origin::Model, ""}}};
    if (const auto n = knobs.find("N"); n != knobs.end() && n->second < 32) out["bytes"] = {1, "byte", {}, ""};
    return out;
  };
  StageFacts stepped{.id = "stepped", .knobs = {}, .readings = {}, .stepped = true};
  StageFacts walk{.id = "walk", .knobs = {}, .readings = {}, .stepped = false};
  walk.readings = [](const KnobValues&) { return Readings{{"m", {1, "", Origin::Computed, ""}}}; };
  stepped.readings = [](const KnobValues&) { return Readings{}; };
  out.stages = {walk, clocks, stepped};
  out.walk = [](const Words& words, std::string_view) {
    CheckedWalk walk;
    for (const auto& [word, text] : words)
      if (word != "preset") walk.faults.push_back(fmt::format("{} is not known.", word));
    const Plan plan = make_plan(schedule_of(Method::Fa2), preset_named("toy")->problem, VariantId::Paper);
    if (walk.faults.empty()) walk.steps = steps_of(schedule_of(Method::Fa2), plan), walk.rows = 16;
    return walk;
  };
  out.lesson_ids = {"1", "6", "traffic"};
  return out;
}

std::string lesson(std::string_view body, std::string_view front = "") {
  return fmt::format("+++\nid = \"a\"\ntitle = \"A\"\nbrief = \"A\"\nminutes = 5\n{}+++\n{}", front, body);
}

// "line: message", joined; what the reader says is a failed test.
std::string faults(const std::string& text) {
  const LessonFile file = read_lesson(text, "a.md");
  for (const LessonFault& fault : file.faults) FAIL_CHECK(fault.line << ": " << fault.message);
  if (!file.lesson) return "not read";
  std::vector<std::string> out;
  for (const LessonFault& fault : check_lesson(*file.lesson, context())) {
    CHECK(fault.file == "a.md");
    CHECK(fault.message.ends_with('.'));
    out.push_back(fmt::format("{}: {}", fault.line, fault.message));
  }
  return fmt::format("{}", fmt::join(out, "\n"));
}
// Of one beat with this text: the lines count from its first, which is line 9 of the file.
std::string of_text(std::string_view text, std::string_view front = "") {
  return faults(lesson(fmt::format("## hook: A\n\n{}\n", text), front));
}
std::string of_scene(std::string_view scene) {
  return faults(lesson(fmt::format("## hook: A\n\n```scene\n{}\n```\n", scene)));
}
std::string of_ask(std::string_view ask, std::string_view front = "") {
  return faults(lesson(fmt::format("## hook: A\n\n```ask\nid = \"q\"\ntext = \"T\"\n{}\n```\n", ask), front));
}

const char* kOptions =
    "[[options]]\ntext = \"a\"\nright = \"{}\"\nwhy = \"w\"\n[[options]]\ntext = \"b\"\nright = "
    "\"{}\"\nwhy = \"w\"\n";

}  // namespace

TEST_CASE("Expressions and formats are evaluated where they stand") {
  CHECK(of_text("{{1 + 1}} {{half | time}}", "[quantities]\nhalf = \"1 / 2\"\n").empty());
  CHECK(of_text("Text\nand {{nothing}}.") == "9: \"nothing\": \"nothing\" is not known here.");
  CHECK(of_text("{{1 | minutes}}").starts_with("9: \"minutes\" is no format; there are count, "));
  CHECK(of_text("{{1 +}}") == "9: \"1 +\": the expression ends too soon.");
  CHECK(of_text("- {{x | count}\n") == "9: a {{ is not closed by }} on its line.");
  // The reason is told where the name is made.
  CHECK(of_text("{{x}}", "[quantities]\nx = \"none(1)\"\n") ==
        "0: the quantity x: there is no function \"none\"; `tilewalk check --quantities` lists them.\n"
        "11: \"x\": \"x\" is not known here.");
  CHECK(of_text("Text", "[quantities]\nunused = \"none\"\n") == "0: the quantity unused: \"none\" is not known here.");
}

TEST_CASE("Knobs and readings mean something on their board alone") {
  const char* scene = "\n\n```scene\nstage = \"clocks\"\nknobs = {{ N = {} }}\nshow = [\"N\"]\n```";
  const auto with = [&](std::string_view text, std::string_view n = "64") {
    return of_text(std::string(text) + fmt::format(fmt::runtime(scene), n));
  };
  CHECK(with("{{knob.N}} {{stage.time | time}} {{1 / stage.time}} [it](reading:time)").empty());
  CHECK(with("{{knob.M}}") == "9: \"knob.M\": \"knob.M\" is not known here.");
  CHECK(with("[it](reading:bytes)") == "9: clocks shows no reading \"bytes\"; it shows time.");
  CHECK(with("[it](reading:bytes)", "16").empty());
  CHECK(with("Text", "\"x\"") == "12: N cannot be set to \"x\".");
  CHECK(with("Text", "1000000") == "12: N cannot be set to \"1000000\".");
  CHECK(of_text("{{stage.m}} [m](reading:m)").empty());
  CHECK(of_text("{{knob.N}}") == "9: \"knob.N\": \"knob.N\" is not known here.");
  // A quantity that is made of a knob is one on the board, not before it.
  CHECK(
      faults(lesson("## hook: A\n\n```scene\nstage = \"clocks\"\n```\n\n{{twice}}\n\n---\n\n## compute: B\n\n```scene\n"
                    "stage = \"walk\"\n```\n\n{{twice}}\n",
                    "[quantities]\ntwice = \"knob.N * 2\"\n")) == "25: \"twice\": \"twice\" is not known here.");
}

TEST_CASE("Stages, knobs, walks, tabs and places are known") {
  CHECK(of_scene("stage = \"clocks\"\nknobs = { N = 2048 }").empty());
  CHECK(of_scene("stage = \"clock\"") == "10: \"clock\" is no stage; there are walk, clocks, stepped.");
  CHECK(of_scene("stage = \"clocks\"\nknobs = { M = 1 }\nshow = [\"O\"]") ==
        "10: clocks has no knob \"M\"; it has N.\n10: clocks has no knob \"O\"; it has N.");
  CHECK(of_scene("knobs = { N = 1 }") == "10: knobs are for boards; here stands the walk.");
  CHECK(of_scene("room = { N = 1 }") == "10: knobs are for boards; here stands the walk.");
  CHECK(of_scene("stage = \"clocks\"\nroom = { M = 1 }") == "10: clocks has no knob \"M\"; it has N.");
  CHECK(of_scene("stage = \"clocks\"\n[walk]\nn = 16") == "10: [walk] is for the stage walk; here stands clocks.");
  CHECK(of_scene("stage = \"clocks\"\nseek = \"1\"") == "10: clocks has no steps to seek or play.");
  CHECK(of_scene("stage = \"stepped\"\nseek = \"start\"\nplay = \"3\"").empty());
  CHECK(of_scene("stage = \"stepped\"\nplay = \"first rescale\"").starts_with("10: \"first rescale\" is no step of"));
  CHECK(of_scene("[walk]\npreset = \"toy\"\ncolour = \"red\"") == "10: colour is not known.");
  CHECK(of_scene("row = 16").empty());
  CHECK(of_scene("row = 17") == "10: row is 17; the walk has 16 rows.");
  CHECK(of_scene("tab = \"code\"").starts_with("10: \"code\" is no tab; there are explain, numbers"));
  CHECK(of_scene("fault = \"no-rescale\"").empty());
  CHECK(of_scene("fault = \"nothing\"") == "10: \"nothing\" is no mistake that a walk can make.");
  CHECK(of_scene("focus = \"tile:K/2\"").empty());
  CHECK(of_scene("focus = \"stat:alpha/0\"").empty());
  CHECK(of_scene("focus = \"tile:X\"") == "10: \"tile:X\" names no tensor.");
  CHECK(of_scene("focus = \"tile:K/x\"") == "10: \"tile:K/x\" has an index that is none.");
  CHECK(of_scene("focus = \"K\"").starts_with("10: \"K\" is no place on the stage"));
}

TEST_CASE("A query must match a step of the walk on the stage") {
  CHECK(of_scene("seek = \"first rescale of Q tile 1\"\nplay = \"last store O\"").empty());
  CHECK(of_scene("seek = \"start\"\nplay = \"end\"").empty());
  CHECK(of_scene("seek = \"first rescale of Q tile 9\"") ==
        "10: no step of the walk on the stage is \"first rescale of Q tile 9\".");
  CHECK(of_scene("seek = \"nonsense\"").starts_with("10: \"nonsense\" names no step."));
  CHECK(of_text("[it](step:Rescale) and [it](<step:first rescale of Q tile 2>)").empty());
  CHECK(of_text("[it](step:StoreS)") == "9: no step of the walk on the stage is \"StoreS\".");
}

TEST_CASE("Links lead somewhere") {
  CHECK(of_text("[a](term:ridge) [b](lesson:6) [c](lesson:traffic) [d](https://example.org) [e](tile:S/1/2)").empty());
  CHECK(of_text("[a](term:rigde)") == "9: \"rigde\" is not in the glossary.");
  CHECK(of_text("[a](lesson:15)") == "9: there is no lesson \"15\".");
  CHECK(of_text("[a](https:example)") == "9: a web address lacks its //.");
  CHECK(of_text("[a](ftp://x)").starts_with("9: \"ftp://x\" leads nowhere"));
  CHECK(of_text("[a](tile:)").starts_with("9: \"tile:\" is no place"));
}

TEST_CASE("Figures in the text are found") {
  CHECK(of_text("It takes 66.9 µs.") == "9: \"66.9 µs\" stands here as digits; name it: {{expression | format}}.");
  CHECK(faults(lesson("## hook: At 4096\n\nText.\n")) ==
        "7: \"4096\" stands here as digits; name it: {{expression | format}}.");
  CHECK(of_ask(fmt::format(fmt::runtime("why = \"All 500 of them.\"\n" + std::string(kOptions)), 1, 0)) ==
        "12: \"500\" stands here as digits; name it: {{expression | format}}.");
}

TEST_CASE("A question has an answer, whatever the seed picks") {
  const auto choice = [](const char* a, const char* b, const char* more = "") {
    return of_ask(fmt::format(fmt::runtime(kOptions), a, b) + more);
  };
  CHECK(choice("true", "false").empty());
  CHECK(choice("N > 4", "N <= 4", "[vary]\nN = [\"1\", \"8\"]\n").empty());
  CHECK(choice("0", "false") == "10: no option of \"q\" is right.");
  CHECK(choice("N > 4", "N < 4", "[vary]\nN = [\"1\", \"4\"]\n") == "10: no option of \"q\" is right, where N = 4.");
  CHECK(choice("M", "1") == "10: the question \"q\": \"M\" is not known here.");
  CHECK(of_ask("answer = \"half * 3\"\nwhy = \"w\"\nunit = \"%\"", "[quantities]\nhalf = \"1/2\"\n").empty());
  CHECK(of_ask("answer = \"1 / N\"\nwhy = \"w\"\n[vary]\nN = [\"1\", \"0\"]") ==
        "10: the question \"q\": this divides by 0.");
  CHECK(of_ask("answer = \"1\"\nwhy = \"w\"\nformat = \"nice\"").starts_with("10: \"nice\" is no format"));
  CHECK(of_ask("answer = \"mem(S, N=64)\"\nwhy = \"w\"\nunit = \"MB\"").empty());
  CHECK(of_ask("answer = \"mem(S, N=64)\"\nwhy = \"w\"\nunit = \"Mb\"") ==
        "10: \"Mb\" is no unit that a typed number can have.");
  CHECK(of_ask("answer = \"7\"\nwhy = \"w\"\nunit = \"tiles\"").empty());
  CHECK(of_ask("answer = \"7\"\nwhy = \"{{N}}\"\n[vary]\nN = [\"1\"]").empty());
  CHECK(of_ask("answer = \"7\"\nwhy = \"w\"\ncover = [\"m\"]").empty());
  CHECK(of_ask("answer = \"7\"\nwhy = \"w\"\ncover = [\"time\"]") == "10: walk shows no reading \"time\"; it shows m.");
  CHECK(of_ask("answer = \"7\"\nwhy = \"w\"\n[proof]\nseek = \"first mask\"") ==
        "14: no step of the walk on the stage is \"first mask\".");
}

TEST_CASE("Beats come in their order, are short, and a lesson of the path has them all") {
  const auto beats = [](std::initializer_list<const char*> kinds, const char* front = "") {
    std::string body;
    for (const char* kind : kinds) body += fmt::format("{}## {}: A\n\nText.\n\n", body.empty() ? "" : "---\n\n", kind);
    return faults(lesson(body, front));
  };
  CHECK(beats({"hook", "explore", "predict", "reveal", "predict", "reveal", "break", "check", "compute"}).empty());
  CHECK(beats({"explore", "compute"}).empty());
  CHECK(beats({"explore", "hook"}) == "13: the hook is the first beat.");
  CHECK(beats({"compute", "check"}) == "7: compute is the last beat.");
  CHECK(beats({"reveal", "predict"}) == "7: reveal comes before predict.");
  CHECK(beats({"check", "explore"}) == "13: explore comes after check.");
  CHECK(beats({"hook"}, "number = 3\n") ==
        "0: the lesson has no beat explore.\n0: the lesson has no beat predict.\n0: the lesson has no beat reveal.\n"
        "0: the lesson has no beat break.\n0: the lesson has no beat check.\n0: the lesson has no beat compute.\n"
        "0: the check beats ask 0 questions; 2 to 4 are wanted.");
  std::string words;
  for (int k = 0; k < 60; ++k) words += "word ";
  CHECK(of_text(words).empty());
  CHECK(of_text(words + "more") == "7: this beat has 61 words; at most 60 are read.");
}

TEST_CASE("Time to read and do is estimated") {
  std::string body;
  for (int k = 0; k < 30; ++k) body += fmt::format("{}## explore: A\n\nOne two three four.\n\n", k ? "---\n\n" : "");
  const LessonFile file = read_lesson(lesson(body), "a.md");
  REQUIRE(file.lesson);
  CHECK(minutes_of(*file.lesson) == doctest::Approx(30.0 / 3 + 120.0 / 200));
  CHECK(faults(lesson(body, "number = 3\n"))
            .find("0: reading and doing take about 10.6 minutes; at most 8 are planned.") != std::string::npos);
}

TEST_CASE("what takes too much is told before it is worked out, and the same again") {
  std::string many = "## hook: A\n\n";
  for (int heads = 10; heads < 65; ++heads)
    many += fmt::format("{{{{dram(fa1, N=8192, d=64, H={}) | bytes}}}} ", heads);
  const std::clock_t begin = std::clock();
  const std::string first = faults(lesson(many));
  CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < 10);  // with sanitizers too; 11 s to 45 s before, without
  CHECK(first.find("0: its numbers take more than the 20,000,000 steps of a simulator that one lesson is given") == 0);
  CHECK(faults(lesson(many)) == first);  // though much of it is kept by now
  CHECK(faults(lesson("## hook: A\n\n{{dram(fa2, N=2048, d=64) | bytes}}\n")).empty());
}

TEST_CASE("names made of names made of names are soon done with") {
  std::string names = "[quantities]\nq0 = \"1\"\n";
  for (int k = 1; k < 250; ++k) names += fmt::format("q{} = \"q{} + 1\"\n", k, k - 1);
  const std::clock_t begin = std::clock();
  faults(lesson("## hook: A\n\n{{q150}}\n", names));
  CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < 10);

  for (int k = 250; k < 30'000; ++k) names += fmt::format("q{} = \"q{} + 1\"\n", k, k - 1);
  const LessonFile file = read_lesson(lesson("## hook: A\n\n{{q150}}\n", names), "a.md");
  REQUIRE(file.faults.size() == 1);
  CHECK(file.faults[0].message.find("names 30000 quantities; it may name up to 250") != std::string::npos);
}

TEST_CASE("a lesson has so many beats, questions and words, and no more") {
  std::string beats;
  for (int k = 0; k < 101; ++k) beats += fmt::format("{}## explore: A\n\nText.\n", k ? "---\n" : "");
  const LessonFile many = read_lesson(lesson(beats), "a.md");
  REQUIRE(many.faults.size() == 1);
  CHECK(many.faults[0].message == "the lesson has 101 beats; it may have up to 100.");
  const LessonFile long_text = read_lesson(lesson("## hook: A\n\n" + std::string(40'000, 'x') + "\n"), "a.md");
  REQUIRE(long_text.faults.size() == 1);
  CHECK(long_text.faults[0].message.find("this beat's text has 40") == 0);
}

TEST_CASE("What is for kernel people is checked as text is, and Explain has five to eight sentences on a board") {
  const std::string board = "## hook: A\n\nText.\n\n```scene\nstage = \"clocks\"\n```\n";
  CHECK(faults(lesson(board + "\n### For kernel people\n\n{{nothing}} spills.\n")) ==
        "17: \"nothing\": \"nothing\" is not known here.");
  std::string words;
  for (int k = 0; k < 121; ++k) words += "word ";
  CHECK(faults(lesson(board + "\n### For kernel people\n\n" + words + "\n")) ==
        "17: what is for kernel people has 121 words; at most 120 are read.");
  CHECK(faults(lesson(board + "\n### Explain\n\nOne. Two: {{2}}. Three? Four. Five.\n")).empty());
  CHECK(faults(lesson(board + "\n### Explain\n\nOne. Two.\n")) == "17: Explain has 2 sentences; 5 to 8 are wanted.");
  CHECK(of_text("Text.\n\n### Explain\n\nOne. Two. Three. Four. Five.") ==
        "13: a walk explains each of its steps itself; Explain is for a board.");
}

}  // namespace tilewalk::test_check
