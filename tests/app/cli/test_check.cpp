// `tilewalk check`: faults by file and line, and that the lessons of the program have none.
#include "app/cli/check.h"

#include "core/io/file.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tilewalk::test_check {
using namespace tilewalk::test;

namespace {

std::string lesson(std::string_view id, std::string_view body, std::string_view front = "") {
  return "+++\nid = \"" + std::string(id) + "\"\ntitle = \"T\"\nbrief = \"B\"\nminutes = 5\n" + std::string(front) +
         "+++\n## hook: A\n\n" + std::string(body) + "\n";
}

}  // namespace

TEST_CASE("the program's lessons have no faults") {
  const std::string folder = TILEWALK_SOURCE_DIR "/lessons/en";
  const Ran ran = run("check " + folder);
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  if (ran.code != 0) FAIL_CHECK(ran.out);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.path().extension() == ".md";
  CHECK(files > 0);
  CHECK(size_t(std::ranges::count(ran.out, '\n')) == files);
}

TEST_CASE("faults come with file and line, and a code") {
  const Folder folder;
  const std::string good = folder.write("good.md", lesson("good", "{{1 + 1}} and [lesson 6](lesson:6)."));
  const std::string bad = folder.write("bad.md", lesson("bad", "{{none}}\nand 4096."));
  CHECK(run("check " + good).code == 0);
  const Ran ran = run("check " + bad);
  CHECK(ran.code == 1);
  CHECK(ran.err.empty());
  CHECK(ran.out == bad + ":9: \"4096\" stands here as digits; name it: {{expression | format}}.\n" + bad +
                       ":9: \"none\": \"none\" is not known here.\n");
  const Ran both = run("check " + good + " " + bad);
  CHECK(both.code == 1);
  CHECK(contains(both.out, good + ": good, about "));
}

TEST_CASE("boards, their knobs and walks are the program's own") {
  const Folder folder;
  const auto check = [&](std::string_view scene) {
    return run("check " + folder.write("a.md", lesson("a", "Text.\n\n```scene\n" + std::string(scene) + "\n```\n")))
        .out;
  };
  CHECK(contains(check("stage = \"clocks\"\nknobs = { N = 2048, gpu = \"a100-80\" }\nshow = [\"N\"]"), "good, about"));
  CHECK(contains(check("stage = \"clocks\"\nknobs = { N = 2047 }"), ":12: N cannot be set to \"2047\"."));
  CHECK(contains(check("stage = \"clocks\"\nknobs = { gpu = \"a200\" }"), ":12: gpu cannot be set to \"a200\"."));
  CHECK(contains(check("stage = \"clock\""), ":12: \"clock\" is no stage; there are walk, clocks"));
  CHECK(contains(check("stage = \"walk\"\nseek = \"last store O\"\n[walk]\npreset = \"micro\"\nschedule = \"fa1\""),
                 "good, about"));
  CHECK(contains(check("seek = \"store S\"\n[walk]\nschedule = \"fa2\""),
                 ":12: no step of the walk on the stage is \"store S\"."));
  CHECK(contains(check("[walk]\nschedule = \"fa9\""), ":12: "));
  CHECK(contains(check("[walk]\nbr = 5000"), ":12: "));
}

TEST_CASE("two lessons with one id, and two with one number") {
  const Folder folder;
  const std::string path = std::filesystem::path(folder.write("a.md", lesson("same", "Text."))).parent_path();
  folder.write("b.md", lesson("same", "Text."));
  Ran ran = run("check " + path);
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "b.md: a.md and b.md have one id, \"same\"; the second one is left out."));
  folder.write("b.md", lesson("other", "Text.", "number = 20\n"));
  folder.write("c.md", lesson("third", "Text.", "number = 20\n"));
  ran = run("check " + path);
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "b.md is number 20 already; leave the number out, or change it."));
}

TEST_CASE("what cannot be read, and no path, are told apart") {
  const Folder folder;
  Ran ran = run("check " + (folder / "none").string());
  CHECK(ran.code == 4);
  CHECK(contains(ran.err, "is not there; name a lesson or a folder of lessons."));
  const std::string path = std::filesystem::path(folder.write("a.txt", "x")).parent_path();
  ran = run("check " + path);
  CHECK(ran.code == 4);
  CHECK(contains(ran.err, "holds no lessons"));
  CHECK(run("check").code == 2);
  CHECK(run("check --nonsense").code == 2);
  ran = run("check " + folder.write("b.md", "\xFF"));
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "b.md:1: here is a byte that is not UTF-8; save the file as UTF-8."));
}

TEST_CASE("for programs there is one JSON document; the functions are listed") {
  const Folder folder;
  const Ran ran = run("check --json " + folder.write("a.md", lesson("a", "Two words {{none}}.")));
  CHECK(ran.code == 1);
  const auto json = nlohmann::json::parse(ran.out);
  REQUIRE(json["files"].size() == 1);
  CHECK(json["files"][0]["id"] == "a");
  CHECK(json["files"][0]["beats"] == 1);
  CHECK(json["files"][0]["words"] == 3);
  REQUIRE(json["files"][0]["faults"].size() == 1);
  CHECK(json["files"][0]["faults"][0]["line"] == 9);
  const Ran list = run("check --quantities");
  CHECK(list.code == 0);
  for (const char* name : {"traffic(SCHEDULE, N=", "gpu(GPU, FIELD)", "walk(PRESET, VALUE", "Formats: count, bytes"})
    CHECK(contains(list.out, name));
  CHECK(widest_line(list.out) <= 80);
}

TEST_CASE("a program is attention, or the line where it stops being so is said") {
  const Folder folder;
  const std::string fa2 = read_file(TILEWALK_SOURCE_DIR "/core/schedules/fa2.walk");
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = fa2;
    return folder.write("own.walk", text.replace(text.find(from), from.size(), to));
  };
  const std::string own = with("", "");
  CHECK(run("check " + own).out == own + ": good, attention on 20 problems in float64\n");
  CHECK(run("check " + own).code == 0);

  const Ran lost = run("check " + with("O = alpha O + P", "O = O + P"));
  CHECK(lost.code == 1);
  CHECK(lost.err.empty());
  CHECK(lost.out.starts_with(own + ":10: tile 2, row "));
  CHECK(contains(lost.out, "and O was not rescaled; its first "));
  CHECK(contains(lost.out, " times too much.\n"));

  CHECK(run("check " + with("P = exp(S - m')", "P = exp(S")).out ==
        own + ":9:5: the nearest statement is \"P = P / l\"; \"P = exp(S\" is none.\n");
  CHECK(contains(run("check " + with(" that i sees", "")).out, ": good, attention"));
  CHECK(contains(run("check " + with("store O[i], L[i]", "store L[i]")).out, ": O tile 1 is never stored.\n"));

  const auto json = nlohmann::json::parse(run("check --json " + with("O = alpha O + P", "O = O + P")).out);
  CHECK(json.at("files")[0].at("verdict") == "wrong");
  CHECK(json.at("files")[0].at("line") == 10);
  CHECK(run("check none.walk").code == 4);

  const Ran all = run("check " TILEWALK_SOURCE_DIR "/core/schedules/fa1-backward.walk");
  CHECK(contains(all.out, "good, the gradients of attention on 20 problems"));
}

TEST_CASE("a set list: what is no stop, and what leads nowhere, by its line") {
  const Folder folder;
  const std::string good =
      folder.write("good.set", "# a talk\nslide: A title | and a line\ntilewalk://lesson/6/beat/2  # note\n");
  const Ran fine = run("check " + good);
  CHECK(fine.code == 0);
  CHECK(fine.out == good + ": good, 2 stops\n");
  const std::string bad = folder.write("bad.set", "tilewalk://lesson/6\nslide:\nsee page 3\ntilewalk://lesson/99\n");
  const Ran ran = run("check " + bad);
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, bad + ":2: the slide has no title"));
  CHECK(contains(ran.out, bad + ":3: \"see page 3\" is no link"));
  CHECK(!contains(ran.out, " line "));
  CHECK(contains(ran.out, bad + ":4: The link leads to lesson \"99\""));
  const std::string lost =
      folder.write("lost.set", "tilewalk://board/estimate?N=4096\ntilewalk://board/estimate?given=all\n");
  CHECK(contains(run("check " + lost).out, lost + ":2: The link says what is not known there: \"given\""));
  CHECK(contains(run("check --json " + good).out, "\"stops\": 2"));
  const std::string far = folder.write("far.set", "tilewalk://lesson/1/beat/99\n");
  CHECK(run("check " + far).out.find("Beat 99 is out of range") == run("check " + far).out.rfind("Beat 99 is out of"));
  const std::string none = folder.write("none.set", "# nothing\n");
  CHECK(run("check " + none).out == none + ": the set list has no stop in it.\n");
  CHECK(run("check no-such.set").code == 4);
}

}  // namespace tilewalk::test_check
