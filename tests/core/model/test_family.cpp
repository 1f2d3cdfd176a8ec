// The family tree: no faults, no circles, dates in order, and the filters.
#include "core/model/family.h"

#include "core/io/embedded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace tilewalk::test_family {

namespace {

std::set<std::string> shown(const FamilyFilter& filter) {
  std::set<std::string> ids;
  for (const FamilyMember& member : family())
    if (passes(member, filter)) ids.insert(member.id);
  return ids;
}

}  // namespace

TEST_CASE("the family tree in the program has no faults") {
  std::vector<std::string> faults;
  read_family(embedded_file("lessons/data/family.toml"), "family.toml", faults);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  REQUIRE(family().size() == 21);
  int before = 0;
  for (const FamilyMember& member : family()) {
    CAPTURE(member.id);
    CHECK(member.year >= before);
    before = member.year;
    CHECK(member.title.size() <= 14);
    CHECK(member.text.size() <= 120);
    CHECK(member.text.ends_with('.'));
    for (const std::string& id : member.from) {
      const FamilyMember* older = family_member(id);
      REQUIRE(older);
      CHECK(older->year <= member.year);  // nothing descends from what came later
    }
    CHECK((member.kind == FamilyKind::Library) != member.wraps.empty());
  }
}

TEST_CASE("nothing descends from itself") {
  std::function<int(const FamilyMember&, int)> depth = [&](const FamilyMember& member, int deep) {
    REQUIRE(deep < 30);
    int most = deep;
    for (const std::string& id : member.from) most = std::max(most, depth(*family_member(id), deep + 1));
    return most;
  };
  int most = 0;
  for (const FamilyMember& member : family()) most = std::max(most, depth(member, 0));
  CHECK(most == 6);  // FA4, FA3, FA2, Triton, FA1, linear memory, online softmax
}

TEST_CASE("filters") {
  CHECK(shown({}).size() == family().size());
  CHECK(shown({0, 2018}) == std::set<std::string>{"online-softmax"});
  CHECK(shown({0, 2017}).empty());
  FamilyFilter decode;
  decode.decode = true;
  CHECK(!shown(decode).contains("fa2"));
  CHECK(shown(decode).contains("flash-decoding"));
  FamilyFilter exact;
  exact.exact = true;
  CHECK(family().size() - shown(exact).size() == 2);
  CHECK(!shown(exact).contains("nsa"));
  FamilyFilter training;
  training.training = true;
  CHECK(family().size() - shown(training).size() == 1);

  const auto on = [](int cc) { return shown({cc}); };
  CHECK(on(75).contains("fa1"));
  CHECK(!on(75).contains("fa2"));
  CHECK(on(75).contains("torch22"));  // through its memory-efficient kernel
  CHECK(!on(80).contains("fa3"));
  CHECK(on(90).contains("fa3"));
  CHECK(!on(100).contains("fa3"));  // newer does not mean allowed
  for (const int cc : {80, 86, 89, 90, 100, 103, 110, 120, 121}) {
    CAPTURE(cc);
    CHECK(on(cc).contains("fa4"));
    FamilyFilter backward{cc};
    backward.training = true;
    CHECK(shown(backward).contains("fa4") == (cc >= 90));
    CHECK(shown(backward).contains("fa2"));
  }
  CHECK(!on(75).contains("fa4"));
  CHECK(!on(100).contains("fa1"));
  CHECK(on(75).contains("online-softmax"));
}

TEST_CASE("who wraps whom") {
  const auto by = wrapped_by("fa2");
  CHECK(std::ranges::find(by, "torch22") != by.end());
  CHECK(std::ranges::find(by, "xformers") != by.end());
  CHECK(std::ranges::find(by, "huggingface") != by.end());
  CHECK(wrapped_by("fa1") == std::vector<std::string>{"torch20"});
  CHECK(wrapped_by("torch211").empty());
  CHECK(family_member("fa3")->date == "July 2024");
  CHECK(family_member("triton")->date == "2022");
  CHECK(!family_member("none"));
}

TEST_CASE("a bad entry is left out and says why") {
  const std::string good =
      "[[member]]\nid = \"a\"\ntitle = \"A\"\nkind = \"idea\"\ndate = \"2018-05\"\nsource = \"s\"\ntext = \"T.\"\n"
      "exact = true\ntraining = true\ndecode = false\n";
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find("\"a\""), 3, "\"b\"");
    text.replace(text.find(from), from.size(), to);
    return good + text;
  };
  struct Bad {
    std::string text;
    const char* says;
    size_t left;
  };
  const Bad bad[] = {
      {changed("\"idea\"", "\"thing\""), "kind is none", 1},
      {changed("2018-05", "2018-5"), "date is neither", 1},
      {changed("2018-05", "2018-13"), "date is neither", 1},
      {changed("exact = true\n", ""), "exact is missing", 1},
      {changed("exact = true", "exact = 1"), "neither true nor false", 1},
      {changed("decode = false", "decode = false\ncc = [9.0]"), "cc is not", 1},
      {changed("decode = false", "decode = false\ncc = [9.0, 8.0]"), "cc is not", 1},
      {changed("decode = false", "decode = false\nfrom = [\"c\"]"), "\"c\" is no other entry", 2},
      {changed("decode = false", "decode = false\nwraps = [\"b\"]"), "\"b\" is no other entry", 2},
      {changed("decode = false", "decode = false\nyear = 5"), "\"year\" is not a field", 1},
      {good + good, "taken", 1},
  };
  for (const Bad& one : bad) {
    CAPTURE(one.text);
    std::vector<std::string> faults;
    CHECK(read_family(one.text, "my.toml", faults).size() == one.left);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("my.toml:"));
    CHECK(faults[0].find(one.says) != std::string::npos);
  }
}

}  // namespace tilewalk::test_family
