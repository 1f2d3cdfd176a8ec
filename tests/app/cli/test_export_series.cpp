// Series of pictures: something is rescaled in them where anything can be, and each stands as long as it takes to read.
#include "app/export/job.h"
#include "core/io/file.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewalk::test_export_series {
using test::contains;
using test::run;

namespace {

// What the pictures of a link say, one after the other.
std::vector<std::string> said(const std::string& link, const std::string& steps) {
  const test::Folder folder;
  REQUIRE(run("export '" + link + "' --steps " + steps + " --size 1280x720 -o " + (folder / "a.svg").string()).code ==
          0);
  std::vector<std::string> out;
  for (int k = 1; k < 1000; ++k) {
    const auto file = folder / ("a-" + std::to_string(1000 + k).substr(1) + ".svg");
    if (!std::filesystem::exists(file)) break;
    const std::string picture = read_file(file);
    const size_t from = picture.find("<desc>") + 6;
    out.push_back(picture.substr(from, picture.find("</desc>") - from));
  }
  return out;
}

// How long each picture of a GIF stands, in hundredths of a second.
std::vector<int> delays(const std::string& gif) {
  std::vector<int> out;
  for (size_t at = gif.find("\x21\xf9\x04"); at != gif.npos; at = gif.find("\x21\xf9\x04", at + 1))
    if (gif[at + 7] == 0) out.push_back(uint8_t(gif[at + 4]) | uint8_t(gif[at + 5]) << 8);
  return out;
}

}  // namespace

TEST_CASE("a picture of two walks says what both say, and stands as long as that takes to be read") {
  const std::string link = "tilewalk://lesson/4/beat/4";
  const std::vector<std::string> words = said(link, "0-4");
  REQUIRE(words.size() == 5);
  CHECK(
      words[1] ==
      "Q₁ comes from memory into SRAM, 32 bytes. Q₁ comes from memory into SRAM, 32 bytes. Its O and l start at 0, its "
      "m at −∞. m = −∞;  l = 0");
  CHECK_MESSAGE(words[3].find("Row 1", 5) == words[3].npos, words[3]);  // both say the same: once
  CHECK(contains(words[4], "to memory, 32 bytes: the softmax will read it back. Row 1"));
  bool shrinks = false;
  for (const std::string& each : said(link, "5-20")) shrinks |= contains(each, "shrinks by α = 0.135");
  CHECK(shrinks);
  const test::Folder folder;
  CHECK(run("export " + link + " --steps 0-4 --size 960x540 -o " + (folder / "a.gif").string()).code == 0);
  const std::vector<int> stand = delays(read_file(folder / "a.gif"));
  REQUIRE(stand.size() + 1 == words.size());  // not the one before the first step, which has nothing on chip
  for (size_t k = 0; k < stand.size(); ++k) CHECK(stand[k] >= reading_hundredths(words[k + 1]));
  CHECK(stand[0] > 800);
}

TEST_CASE("each picture of a series says what its numbers depend on") {
  for (const auto& [link, premises] :
       {std::pair{"tilewalk://walk?preset=toy&seed=9",
                  "FA2 · one head · N 16 · d 8 · tiles 4 × 4 · fp16 · no mask · H200 · seed 9"},
        {"tilewalk://board/ring?N=1024&devices=2",
         "Devices 2 · Mask full · Tokens N 1,024 · one head · d 128 · fp16"}}) {
    CAPTURE(link);
    const test::Folder folder;
    CHECK(
        run(std::string("export '") + link + "' --steps 0-1 --size 1280x720 -o " + (folder / "a.svg").string()).code ==
        0);
    for (const char* file : {"a-001.svg", "a-002.svg"}) {
      const std::string picture = read_file(folder / file);
      CHECK_MESSAGE(contains(picture, premises), picture);
    }
  }
}

TEST_CASE("beside a walk that rescales nothing the row is followed that the other one rescales first") {
  const std::string link = "tilewalk://walk?schedule=standard&compare=fa2&N=16&d=8&Br=4&Bc=4";
  for (const auto& [row, followed] : {std::pair{"", true}, {"&row=1", false}}) {
    CAPTURE(row);
    bool shrinks = false;
    for (const std::string& words : said(link + row, "all")) shrinks |= contains(words, "= e^(0.603 − 0.993) = 0.677");
    CHECK(shrinks == followed);
  }
}

TEST_CASE("a series of a question's picture ends with what it kept back") {
  const test::Folder folder;
  CHECK(run("export tilewalk://lesson/6/beat/3 --steps all -o " + (folder / "a.svg").string()).code == 0);
  const std::string before = read_file(folder / "a-002.svg"), last = read_file(folder / "a-003.svg");
  CHECK(contains(before, ">?<"));
  CHECK_FALSE(contains(last, "?<"));
  CHECK(contains(last, ">0.135335<"));
}

TEST_CASE("a row of keys that stands in reverse is met forward, so that it is rescaled, unless its order is named") {
  for (const auto& [order, rescaled] : {std::pair{"", true}, {"?order=reverse", false}}) {
    CAPTURE(order);
    const test::Folder folder;
    CHECK(run(std::string("export 'tilewalk://lesson/6/beat/4") + order + "' --steps all -o " +
              (folder / "a.svg").string())
              .code == 0);
    CHECK(contains(read_file(folder / "a-003.svg"), ">0.135335<") == rescaled);
  }
}

}  // namespace tilewalk::test_export_series
