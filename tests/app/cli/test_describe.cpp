// What a link leads to, in plain words and with the right exit codes.
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>

namespace tilewalk::test_describe {
using test::contains;
using test::run;

TEST_CASE("a step is told with its caption, its row's numbers and the bytes so far") {
  const test::Ran ran = run("describe 'tilewalk://walk/step/16?preset=micro'");
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  for (const char* part : {"FA2: ", "Step 16 of 22", "The old sum 1.37 shrinks", "m = 4", "α = 0.135335", "l = 1.55300",
                           "In DRAM: ", "So far, computed: ", "exponentials."}) {
    CHECK_MESSAGE(contains(ran.out, part), part);
  }
  CHECK(test::widest_line(ran.out) <= 80);
}

TEST_CASE("beside L and the divided output no α is told: nothing is rescaled any more") {
  for (const char* schedule : {"fa2", "fa3"}) {
    const std::string out = run(std::string("describe 'tilewalk://walk?at=end&schedule=") + schedule + "'").out;
    CHECK(contains(out, "  L = "));
    CHECK_FALSE(contains(out, "  α = "));
  }
}

TEST_CASE("a beat is told with its text, its numbers and its questions, and what is covered stays covered") {
  const test::Ran ran = run("describe tilewalk://lesson/7/beat/3");
  CHECK(ran.code == 0);
  for (const char* part :
       {"Lesson 7: ", "Beat 3 of 9. Predict: How often?", "How often is o divided by l", "C) Once, after the last"})
    CHECK_MESSAGE(contains(ran.out, part), part);
  CHECK(contains(run("describe tilewalk://lesson/7/beat/5").out, "Filled in already: all but three"));
  CHECK_FALSE(contains(ran.out, "{{"));
  CHECK_FALSE(contains(ran.out, "?, "));
  CHECK(contains(run("describe tilewalk://lesson/7/beat/4").out, "1.435982"));  // l, out of the simulator

  const test::Ran covered = run("describe tilewalk://lesson/1/beat/6");
  CHECK(covered.code == 0);
  CHECK(contains(covered.out, "covered until the question is answered"));
}

TEST_CASE("every beat of lesson 6 can be walked without a display") {
  for (int beat = 1; beat <= 7; ++beat) {
    CAPTURE(beat);
    const test::Ran ran = run("describe tilewalk://lesson/6/beat/" + std::to_string(beat));
    CHECK(ran.code == 0);
    CHECK(ran.err == "");
    CHECK(contains(ran.out, "Beat " + std::to_string(beat) + " of 7."));
  }
}

TEST_CASE("a board is told with knobs and readings") {
  const test::Ran ran = run("describe 'tilewalk://board/clocks?N=1024&gpu=h100'");
  CHECK(ran.code == 0);
  for (const char* part : {"Two clocks", "Sequence length N: 1,024", "GPU: H100", "computed", "model"})
    CHECK_MESSAGE(contains(ran.out, part), part);
}

TEST_CASE("links that lead nowhere leave with a sentence and a code; notes go to standard error") {
  CHECK(run("describe").code == 2);
  CHECK(run("describe hello").code == 2);
  const test::Ran gone = run("describe tilewalk://lesson/42");
  CHECK(gone.code == 1);
  CHECK(gone.out == "");
  CHECK(contains(gone.err, "tilewalk describe: The link leads to lesson \"42\", which is not here"));
  const test::Ran clamped = run("describe tilewalk://walk/step/9999");
  CHECK(clamped.code == 1);  // it is told, and is not what was asked for
  CHECK(contains(clamped.err, "Step 9999 is out of range"));
  CHECK(contains(clamped.out, "Step 152 of 152"));
  const test::Ran unknown = run("describe 'tilewalk://walk/step/3?colour=red'");
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "colour"));
}

TEST_CASE("a link or a file alone opens the window with it") {
  WindowRequest asked;
  const OpenWindow window = [&](const WindowRequest& request) {
    asked = request;
    return 0;
  };
  CHECK(run("tilewalk://lesson/6/beat/2", window).code == 0);
  CHECK(asked.file == "tilewalk://lesson/6/beat/2");
  CHECK(run("--theme dark TILEWALK://walk", window).code == 0);
  CHECK(asked.file == "TILEWALK://walk");
  CHECK(run(test::real_head(), window).code == 0);
  CHECK(asked.file == test::real_head());
  CHECK(run("--open tilewalk://walk tilewalk://walk", window).code == 2);
  CHECK(run("no-such-file.npy", window).code == 2);
}

TEST_CASE("of a row of four keys four scores are told, of eight keys eight") {
  for (const auto& [beat, keys] : {std::pair{"2", 4}, {"7", 8}}) {
    const std::string told = run(std::string("describe tilewalk://lesson/6/beat/") + beat).out;
    int scores = 0;
    for (size_t at = told.find("  Score of key "); at != told.npos; at = told.find("  Score of key ", at + 1)) ++scores;
    CHECK(scores == keys);
  }
}

}  // namespace tilewalk::test_describe
