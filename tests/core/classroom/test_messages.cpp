// What pages and the class say to each other: written and read back, and nothing that strangers write does harm.
#include "core/classroom/messages.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace tilewalk::test_messages {

namespace {

std::vector<FromPage> of_pages() {
  RunSpec spec;
  spec.kernels = {Method::Fa2};
  return {Join{"k7m-2xq", "secret", "0123456789abcdef"},
          CastVote{3, 2, 1, std::nullopt, 2},
          CastVote{3, 2, -1, 4.5, 0},
          AskRun{7, spec},
          AskProgram{8, {"fa2", {"load Q[i]\n"}, {}}},
          CancelRun{7},
          Where{"tilewalk://lesson/6/beat/3"},
          LockRoofline{"8192.128.h100", "dram:3.35e12", "standard:1.1e12:6e9"},
          AtPuzzle{"split", true, {{"fill-bytes", 4608}}},
          Lead{"tilewalk://lesson/6/beat/3"},
          OpenPoll{{"tilewalk://lesson/6/beat/3", "max", 4, "A max that streams", "", {2}}},
          MovePoll{"tell"},
          LockAhead{true},
          EndClass{}};
}

}  // namespace

TEST_CASE("Every message of a page comes back as it was written") {
  for (const FromPage& message : of_pages()) {
    const std::string line = line_of(message);
    CAPTURE(line);
    std::string fault;
    const auto read = from_page(line, fault);
    REQUIRE_MESSAGE(read, fault);
    CHECK(read->index() == message.index());
    CHECK(line_of(*read) == line);
  }
}

TEST_CASE("Every message of the class comes back as it was written") {
  Tally tally{{{1, 2, 3}, {0, 0, 1}}, {}, 7};
  const std::vector<ToPage> all{
      Welcome{"0123456789abcdef", true, 2, "http://10.0.0.5:8660/", {"# ", " #"}},
      Refused{"No."},
      Led{3, "tilewalk://walk", true, "tilewalk://lesson/6"},
      PollShown{1, 2, false, true, true, {"tilewalk://lesson/6", "max", 2, "t", "MB", {1}, 4.5, "a", 9}, {tally}, {}},
      PollShown{1,
                2,
                true,
                false,
                false,
                {"tilewalk://lesson/6", "max", 2, "t", "MB", {}, {}, "a", 9},
                {},
                CastVote{1, 2, 1, 2.5, 2}},
      PollShown{},
      VoteTaken{1, 2, "No."},
      VoteCount{1, 20, 30, tally},
      RunWaits{1, 3, 4.5, false},
      RunRefused{1, "No."},
      ClassNow{30, 1, 2, 4, 12, 21, {{"6.3", 28}, {"", 2}}, {{"split", 1, 2, {{"fill-bytes", 4608}}}}},
      RooflineLocked{3, {"8192.128.h100", "dram:3.35e12", ""}},
      ClassEnded{"Over.", ClassLeft{{{"tilewalk://lesson/6/beat/1", 3}},
                                    {{{"tilewalk://lesson/6/beat/1", "max", 2}, {{{{1, 0, 2}, {0, 0, 0}}, {}, 3}}}},
                                    {{"split", 1, 2, {{"fill-bytes", 4608}}}},
                                    {{"8192.128.h100", 2}},
                                    7}},
      Alive{}};
  for (const ToPage& message : all) {
    const std::string line = line_of(message);
    CAPTURE(line);
    std::string fault;
    const auto read = to_page(line, fault);
    REQUIRE_MESSAGE(read, fault);
    CHECK(line_of(*read) == line);
  }
  std::string fault;
  const auto shown = to_page(line_of(all[3]), fault);
  REQUIRE(shown);
  CHECK(std::get<PollShown>(*shown).rounds.front().options[0][2] == 3);
}

TEST_CASE("Lines of a worker are handed on as they are") {
  CHECK(answer_line(7, "{}") == R"({"type":"answer","id":7,"line":{}})");
  const std::string line = R"({"type":"done","line":{"a":"}"}})";
  const std::string answer = answer_line(-3, line), gpu = gpu_line(line);
  REQUIRE(answer_of(answer));
  CHECK(answer_of(answer)->id == -3);
  CHECK(answer_of(answer)->line == line);
  REQUIRE(gpu_of(gpu));
  CHECK(*gpu_of(gpu) == line);
  CHECK(gpu_of(gpu_line(""))->empty());
  CHECK_FALSE(gpu_of(answer));
  CHECK_FALSE(answer_of(gpu));
  CHECK_FALSE(answer_of(R"({"type":"answer","id":x,"line":{}})"));
  CHECK_FALSE(answer_of(R"({"type":"answer","id":7})"));
}

TEST_CASE("What is no message is named in one sentence") {
  for (const char* line :
       {"", "{}", "[]", "null", "{\"type\":3}", "{\"type\":\"join\"}", "{\"type\":\"shell\",\"run\":\"ls\"}",
        R"({"type":"vote","poll":1,"round":1,"sure":9})", R"({"type":"vote","poll":1e300,"round":1,"sure":1})",
        R"({"type":"ask","asked":{"place":"","question":"","options":99}})",
        R"({"type":"ask","asked":{"place":"","question":"","options":2,"right":[2]}})"}) {
    CAPTURE(line);
    std::string fault;
    CHECK_FALSE(from_page(line, fault));
    CHECK(fault.ends_with("."));
  }
  std::string fault;
  CHECK_FALSE(from_page(R"({"type":"where","link":")" + std::string(kMostFromPage, 'x') + "\"}", fault));
  CHECK(fault.find("longer than") != std::string::npos);
}

// TILEWALK_MUTATIONS: how many; ten thousand without.
TEST_CASE("Mutated messages are read or refused, and what is read can be written") {
  const char* wanted = std::getenv("TILEWALK_MUTATIONS");
  const int count = wanted ? std::atoi(wanted) : 10000;
  std::vector<std::string> lines;
  for (const FromPage& message : of_pages()) lines.push_back(line_of(message));
  std::mt19937_64 random(11);
  int understood = 0;
  for (int k = 0; k < count; ++k) {
    std::string line = lines[random() % lines.size()];
    for (uint64_t edits = 1 + random() % 4; edits > 0 && !line.empty(); --edits) {
      const size_t at = random() % line.size();
      switch (random() % 5) {
        case 0: line[at] = char(random()); break;
        case 1: line.erase(at, 1 + random() % 8); break;
        case 2: line.insert(at, lines[random() % lines.size()].substr(0, random() % 40)); break;
        case 3: line.insert(at, std::string(1 + random() % 20, "{[\"0-e"[random() % 6])); break;
        default: line.resize(at); break;
      }
    }
    std::string fault;
    if (const auto read = from_page(line, fault)) {
      ++understood;
      CHECK(from_page(line_of(*read), fault));
    } else {
      CHECK_FALSE(fault.empty());
    }
  }
  CHECK(understood > count / 200);
  CHECK(understood < count);
}

}  // namespace tilewalk::test_messages
