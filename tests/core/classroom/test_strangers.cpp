// What strangers write of themselves: puzzles and rooflines stand in the class's file and on the desk, so that only
// what a page writes is taken; and who guesses codes keeps nobody else out.
#include "core/classroom/class_left.h"
#include "core/classroom/puzzle_board.h"
#include "tests/core/classroom/played.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tilewalk::test_strangers {
using namespace tilewalk::test;

TEST_CASE("Only puzzles and rooflines as a page writes them are taken; others are told once and let go") {
  Played played;
  for (const char* id : {"<script>alert(1)</script>", "Fuse", "a b", "fuse_all", "é"}) {
    CAPTURE(id);
    const ConnId page = played.page();
    played.say(page, AtPuzzle{id, true, {}});
    CHECK(played.ended[page]);
    CHECK(played.last<Refused>(page)->why.find("puzzle") != std::string::npos);
  }
  const LockRoofline wrong[] = {{"8192.128.<b>BRUNO", "dram:3e12", ""}, {"8192.128.", "dram:3e12", ""},
                                {"0.0.h200", "dram:3e12", ""},          {"99999999999.128.h200", "dram:3e12", ""},
                                {"8192.128.xyz", "dram:3e12", ""},      {"8192.999.h200", "dram:3e12", ""},
                                {"8192.128.h100.x", "dram:3e12", ""},   {"x.128.h100", "dram:3e12", ""},
                                {"8192.128.h100", "bruno:3e12", ""},    {"8192.128.h100", "dram:-3e12", ""},
                                {"8192.128.h100", "dram:inf", ""},      {"8192.128.h100", "dram:nan", ""},
                                {"8192.128.h100", "dram:1e999", ""},    {"8192.128.h100", "dram:3e12,dram:4e12", ""},
                                {"8192.128.h100", "dram:3e12,", ""},    {"8192.128.h100", "dram", ""},
                                {"8192.128.h100", "", "bruno:1e12"},    {"8192.128.h100", "", "fa2-up:1e12"},
                                {"8192.128.h100", "", "fa2:0"},         {"8192.128.h100", "", "fa2:<b>"}};
  for (const LockRoofline& drawn : wrong) {
    CAPTURE(drawn.of);
    CAPTURE(drawn.roofs);
    CAPTURE(drawn.points);
    const ConnId page = played.page();
    played.say(page, drawn);
    CHECK(played.ended[page]);
    CHECK(played.last<Refused>(page)->why.find("roofline") != std::string::npos);
  }
  CHECK(played.room.left().puzzles.empty());
  CHECK(played.room.left().rooflines.empty());
  const ConnId good = played.page();
  played.say(good, LockRoofline{"8192.128.rtx4090", "dram:3.35e+12,tensor:989400000000000,l2:5e12,exponential:1e12",
                                "standard:1.1e12:b6e9,fa3-bwd-causal:x63,fa2:1e12,eager-causal:b6e9:x10"});
  played.say(good, AtPuzzle{"", false, {}});
  CHECK_FALSE(played.ended[good]);
  CHECK(played.room.left().rooflines.size() == 1);
}

TEST_CASE("A class's file that names what no page writes opens without it") {
  Played played;
  const ConnId page = played.page();
  played.say(page, AtPuzzle{"fuse-all", true, {}});
  played.say(page, LockRoofline{"8192.128.h100", "dram:3e12", ""});
  std::string file = played.room.file();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = file.find(from);
    REQUIRE(at != file.npos);
    file.replace(at, from.size(), to);
  };
  replace("fuse-all", "<script>");
  replace("8192.128.h100", "8192.128.<b>BRUNO");
  Played after;
  CHECK(after.room.resume(file).empty());
  CHECK(after.room.left().puzzles.empty());
  CHECK(after.room.left().rooflines.empty());
}

TEST_CASE("Puzzles that nobody shipped are one line, each page counted once, and leave the shipped ones room") {
  Played played;
  const ConnId one = played.page(), two = played.page();
  for (int k = 0; k < 20; ++k) played.say(one, AtPuzzle{fmt::format("own-{}", k), true, {}});
  played.say(two, AtPuzzle{"own-3", true, {}});
  const std::string words = summary_text(played.room.left());
  CHECK(words.find("puzzles of one's own: 2 solved one") != std::string::npos);
  CHECK(words.find("own-3") == std::string::npos);
  PuzzleBoard board;
  for (int k = 0; k < 200; ++k) board.take(4, fmt::format("p-{}", k), true, {});
  board.take(5, "fuse-all", true, {});
  CHECK(std::ranges::count(board.counts(), "fuse-all", &PuzzleCount::puzzle) == 1);
}

TEST_CASE("While strangers guess, the right code lets in who guessed nothing, and a seat that the room knows") {
  Played played;
  const auto tries = [&](const std::string& address, Join join) {
    const ConnId conn = played.next++;
    REQUIRE(played.room.opened(conn, address, played.now));
    played.say(conn, join);
    return conn;
  };
  const ConnId known = tries("10.0.0.7", {kCode, "", ""});
  const std::string seat = played.last<Welcome>(known)->seat;
  played.room.closed(known);
  for (int k = 0; k < 600; ++k) tries(fmt::format("10.1.{}.{}", k / 250, k % 250), {"aaa-aaa", "", ""});
  for (int k = 0; k < 20; ++k) tries("10.0.0.7", {"aaa-aaa", "", ""});  // somebody beside it, behind the same router
  CHECK(played.last<Welcome>(tries("10.9.0.1", {kCode, "", ""})));
  CHECK(played.last<Welcome>(tries("10.0.0.7", {kCode, "", seat})));
  CHECK(played.last<Welcome>(tries("10.9.0.2", {kCode, kSecret, ""})));
  const ConnId guesser = tries("10.1.0.3", {kCode, "", ""});
  CHECK_FALSE(played.last<Welcome>(guesser));
  CHECK(played.last<Refused>(guesser)->why.find(" s.") != std::string::npos);
  played.now += 30;
  // One network of IPv6 is one address, however many a computer makes up in it.
  for (int k = 0; k < 20; ++k) tries(fmt::format("2001:db8:0:7::{:x}", k + 1), {"aaa-aaa", "", ""});
  played.now += 2;
  CHECK_FALSE(played.last<Welcome>(tries("2001:db8:0:7:1:2:3:4", {kCode, "", ""})));
  CHECK(played.last<Welcome>(tries("2001:db8:0:8::1", {kCode, "", ""})));
}

}  // namespace tilewalk::test_strangers
