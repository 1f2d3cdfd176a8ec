// What a class does together beside following and voting: puzzles, beats that are not open yet, what it leaves.
#include "core/classroom/class_left.h"
#include "core/classroom/puzzle_board.h"
#include "core/puzzle/puzzle.h"
#include "tests/core/classroom/played.h"

#include <doctest/doctest.h>

namespace tilewalk::test_class_left {
using namespace tilewalk::test;

TEST_CASE("Who is at which puzzle and who has solved it is counted by seat, with the best of each meter") {
  PuzzleBoard board;
  board.take(1, "fuse-all", false, {});
  board.take(2, "fuse-all", false, {});
  board.take(3, "split", false, {});
  REQUIRE(board.counts().size() == 2);
  CHECK(board.counts()[0] == PuzzleCount{"fuse-all", 2, 0, {}});
  board.take(1, "fuse-all", true, {{"fill-bytes", 6144}, {"blocks", 4}, {"nonsense", 1}});
  board.take(2, "fuse-all", true, {{"fill-bytes", 4608}, {"blocks", 2}, {"fill-bytes", -1}});
  board.take(1, "fuse-all", true,
             {{"fill-bytes", 9000}, {"blocks", 1}});  // a later one that is worse takes nothing away
  CHECK(board.counts()[0] == PuzzleCount{"fuse-all", 0, 2, {{"fill-bytes", 4608}, {"blocks", 4}}});
  board.take(1, "split", false, {});  // who solved one and went on has solved it
  board.left(2);
  CHECK(board.counts()[0].solved == 2);
  CHECK(board.counts()[1] == PuzzleCount{"split", 2, 0, {}});
  board.take(1, std::string(65, 'x'), true, {});
  CHECK(board.counts()[1].at == 1);
  for (int k = 0; k < 200; ++k) board.take(4, "p" + std::to_string(k), true, {});
  CHECK(board.counts().size() <= 65);
}

TEST_CASE("Puzzles of pages reach who teaches alone, and stand in the class's file until it is over") {
  Played played;
  const ConnId teacher = played.page(kSecret), one = played.page(), two = played.page();
  played.say(one, AtPuzzle{"fuse-all", true, {{"fill-bytes", 4608}}});
  played.say(two, AtPuzzle{"fuse-all", false, {}});
  played.say(teacher, AtPuzzle{"split", true, {}});
  played.pass(2);
  REQUIRE(played.last<ClassNow>(teacher)->puzzles.size() == 1);
  CHECK(played.last<ClassNow>(teacher)->puzzles[0] == PuzzleCount{"fuse-all", 1, 1, {{"fill-bytes", 4608}}});
  CHECK_FALSE(played.last<ClassNow>(one));
  played.say(one, LockRoofline{"8192.128.h100", "dram:3e12", ""});
  const std::string seat = played.last<Welcome>(one)->seat, file = played.room.file();
  CHECK(file.find(seat) != std::string::npos);
  Played after;
  REQUIRE(after.room.resume(file).empty());
  CHECK(after.room.file() == file);
  after.say(after.page("", seat), AtPuzzle{"fuse-all", true, {{"fill-bytes", 4000}}});
  const ClassLeft left = after.room.left();
  REQUIRE(left.puzzles.size() == 1);
  CHECK(left.puzzles[0] == PuzzleCount{"fuse-all", 0, 1, {{"fill-bytes", 4000}}});  // the same seat, once
  REQUIRE(left.rooflines.size() == 1);
  CHECK(left.rooflines[0].locked == 1);
  const std::string words = summary_text(left);
  CHECK(words.find(puzzle_named("fuse-all")->title + ": 1 solved it; best L2→SM 4,000 B") != std::string::npos);
  CHECK(words.find("8192.128.h100: 1") != std::string::npos);
  played.say(teacher, EndClass{});
  CHECK(played.room.file().find(seat) == std::string::npos);
}

TEST_CASE(
    "A class's summary has a line for each place, however many steps were taken there, and no link of a page's "
    "length") {
  ClassLeft left;
  for (int step = 0; step < 5; ++step)
    left.places.push_back({fmt::format("tilewalk://lesson/6/beat/2/step/{}?v=1", step), 3});
  left.places.push_back({"tilewalk://walk/step/7?N=16", 3});
  left.places.push_back({"tilewalk://write/step/0?program=" + std::string(900, 'Z'), 3});
  left.places.push_back({"tilewalk://lesson/6/beat/2/step/1?v=1", 3});
  left.runs = 29;
  const std::string words = summary_text(left);
  CHECK(words.find("- 6.2, 5 steps: <tilewalk://lesson/6/beat/2/step/4?v=1>\n- walk: <tilewalk://walk/step/7?N=16>\n"
                   "- write: <tilewalk://write/step/0>\n- 6.2: <tilewalk://lesson/6/beat/2/step/1?v=1>\n") !=
        std::string::npos);
  CHECK(words.find("runs that were answered: 29") != std::string::npos);
}

TEST_CASE("Beats that the class has not come to are closed to pages while who teaches says so") {
  Played played;
  const ConnId teacher = played.page(kSecret), one = played.page();
  played.say(teacher, LockAhead{true});
  CHECK(played.last<Led>(one)->locked);
  CHECK(played.last<Led>(one)->step == 0);
  played.say(teacher, Lead{"tilewalk://lesson/6/beat/2"});
  CHECK(played.last<Led>(one)->beat.empty());  // it is there
  played.say(teacher, Lead{"tilewalk://walk/step/3"});
  const ConnId late = played.page();
  for (const ConnId conn : {one, late, teacher}) {
    CHECK(played.last<Led>(conn)->locked);
    CHECK(played.last<Led>(conn)->beat == "tilewalk://lesson/6/beat/2");
  }
  Played after;
  REQUIRE(after.room.resume(played.room.file()).empty());
  const ConnId again = after.page();
  CHECK(after.last<Led>(again)->locked);
  played.say(teacher, LockAhead{false});
  CHECK_FALSE(played.last<Led>(one)->locked);
  CHECK(played.last<Led>(one)->step == 2);
  played.say(one, LockAhead{true});
  CHECK(played.ended[one]);
}

TEST_CASE("Who teaches sees the votes as they come, and what the class leaves; pages do not") {
  Played played;
  const ConnId teacher = played.page(kSecret), one = played.page();
  played.say(teacher, OpenPoll{question()});
  played.say(one, CastVote{1, 1, 2, std::nullopt, 2});
  played.pass(1);
  CHECK(played.last<VoteCount>(one)->votes == 1);
  CHECK_FALSE(played.last<VoteCount>(one)->so_far);
  REQUIRE(played.last<VoteCount>(teacher)->so_far);
  CHECK(played.last<VoteCount>(teacher)->so_far->options[2][2] == 1);
  played.say(teacher, EndClass{});
  REQUIRE(played.last<ClassEnded>(teacher)->left);
  CHECK(played.last<ClassEnded>(teacher)->left->polls.size() == 1);
  CHECK_FALSE(played.last<ClassEnded>(one)->left);
}

TEST_CASE("The summary has the wall's letters and words; a number is told in its unit, with how far the class was") {
  PollAsked asked = question();
  asked.order = {2, 0, 1};
  asked.words = "Which max | of <all>?";
  asked.said = {"the first", "the running one", "none"};
  const Tally before{{{0, 0, 1}, {0, 3, 2}, {1, 0, 0}}, {}, 7}, after{{{0, 0, 0}, {0, 0, 7}, {0, 0, 0}}, {}, 7};
  const std::string words = summary_text({{}, {{asked, {before, after}}}, {}, {}});
  CAPTURE(words);
  CHECK(words.find("| option | before | of them sure | after talking it over | of them sure |") != std::string::npos);
  CHECK(words.find("| A none | 1 | 0 | 0 | 0 |") != std::string::npos);
  CHECK(words.find("| B the first | 1 | 1 | 0 | 0 |") != std::string::npos);
  CHECK(words.find("| C the running one (right) | 5 | 2 | 7 | 7 |") != std::string::npos);
  CHECK(words.find("Which max \\| of \\<all>?") != std::string::npos);
  PollAsked number{"tilewalk://lesson/7/beat/2", "time", 0, "How long", "µs", {}, 66.9e-6, "ridge", 1};
  number.answer_words = "66.9 µs";
  number.one_unit = 1e-6;
  const std::string told = summary_text({{}, {{number, {{{}, {30e-6, 60e-6, 133.8e-6}, 3}}}}, {}, {}});
  CAPTURE(told);
  CHECK(told.find("right: 66.9 µs") != std::string::npos);
  CHECK(told.find("middle 60 µs") != std::string::npos);
  CHECK(told.find("the middle is 1.11× too low, 1 of 3 within a quarter") != std::string::npos);
}

TEST_CASE("A class's file of before, without words and letters, opens, and its summary claims no letter") {
  Played played;
  const ConnId teacher = played.page(kSecret), page = played.page();
  PollAsked asked = question();
  played.say(teacher, OpenPoll{asked});
  const std::string before = played.room.file();
  CHECK(before.find("\"order\"") == std::string::npos);
  Played old;
  REQUIRE(old.room.resume(before).empty());
  CHECK(summary_text(old.room.left()).find("| the lesson's 2. (right) |") != std::string::npos);
  asked.order = {2, 0, 1};
  asked.said = {"a", "b", "c"};
  asked.words = "What?";
  played.say(teacher, OpenPoll{asked});
  CHECK(played.last<PollShown>(page)->asked.words.empty());  // pages have it of the lesson
  Played after;
  REQUIRE(after.room.resume(played.room.file()).empty());
  CHECK(after.room.left().polls.back().asked.order == asked.order);
  CHECK(after.room.left().polls.back().asked.said == asked.said);
  asked.order = {0, 0, 1};
  played.say(teacher, OpenPoll{asked});
  CHECK(played.ended[teacher]);
}

}  // namespace tilewalk::test_class_left
