// A class played by pages that behave and pages that do not.
#include "core/run/protocol.h"
#include "tests/core/classroom/played.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace tilewalk::test_room {
using namespace tilewalk::test;

namespace {

AskRun run_of(int64_t id, int64_t n) {
  RunSpec spec;
  spec.problem.n_q = spec.problem.n_k = n;
  spec.problem.d = 64;
  spec.kernels = {Method::Fa2};
  return {id, spec};
}

}  // namespace

TEST_CASE("Everybody follows who teaches, and who comes late or back is where the class is") {
  Played played;
  const ConnId teacher = played.page(kSecret), one = played.page();
  CHECK(played.last<Welcome>(teacher)->teacher);
  CHECK_FALSE(played.last<Welcome>(one)->teacher);
  played.say(teacher, Lead{"tilewalk://lesson/6/beat/1"});
  played.say(teacher, Lead{"tilewalk://lesson/6/beat/2"});
  REQUIRE(played.last<Led>(one));
  CHECK(played.last<Led>(one)->step == 2);
  CHECK(played.last<Led>(one)->link == "tilewalk://lesson/6/beat/2");
  const ConnId late = played.page();
  CHECK(played.last<Led>(late)->link == "tilewalk://lesson/6/beat/2");
  const std::string seat = played.last<Welcome>(one)->seat;
  played.room.closed(one);
  const ConnId back = played.page("", seat);
  CHECK(played.last<Welcome>(back)->seat == seat);
  CHECK(played.last<Led>(back)->step == 2);
  CHECK(played.room.learners() == 2);
}

TEST_CASE("A page that comes back before its lost connection is known to be takes its seat over") {
  Played played;
  const ConnId one = played.page();
  const std::string seat = played.last<Welcome>(one)->seat;
  const ConnId again = played.page("", seat);
  CHECK(played.ended[one]);
  CHECK(played.last<Welcome>(again)->seat == seat);
  CHECK(played.room.learners() == 1);
}

TEST_CASE("A question is asked, counted, told, discussed and asked again; nobody reads the answer before") {
  Played played;
  const ConnId teacher = played.page(kSecret);
  std::vector<ConnId> class_of;
  for (int k = 0; k < 10; ++k) class_of.push_back(played.page());
  played.say(teacher, OpenPoll{question()});
  for (const ConnId conn : class_of) {
    REQUIRE(played.last<PollShown>(conn));
    CHECK(played.last<PollShown>(conn)->open);
    CHECK(played.last<PollShown>(conn)->asked.right.empty());
    CHECK(played.last<PollShown>(conn)->rounds.empty());
  }
  CHECK(played.last<PollShown>(teacher)->asked.right == std::vector<int>{1});
  const int64_t poll = played.last<PollShown>(teacher)->poll;
  for (size_t k = 0; k < class_of.size(); ++k) {
    played.say(class_of[k], CastVote{poll, 1, int(k % 3), std::nullopt, 1});
    CHECK(played.last<VoteTaken>(class_of[k])->why_not.empty());
  }
  played.pass(1);
  CHECK(played.last<VoteCount>(teacher)->votes == 10);
  CHECK(played.last<VoteCount>(class_of[0])->of == 10);
  played.say(teacher, MovePoll{"show"});
  CHECK(played.last<PollShown>(class_of[0])->rounds.front().options[0][1] == 4);
  CHECK(played.last<PollShown>(class_of[0])->asked.right.empty());
  played.say(teacher, MovePoll{"tell"});
  CHECK(played.last<PollShown>(class_of[0])->asked.right == std::vector<int>{1});
  played.say(class_of[0], CastVote{poll, 1, 1, std::nullopt, 1});
  CHECK_FALSE(played.last<VoteTaken>(class_of[0])->why_not.empty());
  played.say(teacher, MovePoll{"again"});
  CHECK(played.last<PollShown>(class_of[0])->rounds.empty());
  CHECK(played.last<PollShown>(class_of[0])->asked.right.empty());
  for (const ConnId conn : class_of) played.say(conn, CastVote{poll, 2, 1, std::nullopt, 2});
  played.say(class_of[0], CastVote{poll, 1, 1, std::nullopt, 2});
  CHECK_FALSE(played.last<VoteTaken>(class_of[0])->why_not.empty());
  played.say(teacher, MovePoll{"tell"});
  const auto& rounds = played.last<PollShown>(class_of[0])->rounds;
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[1].options[1][2] == 10);
  played.say(teacher, CastVote{poll, 2, 1, std::nullopt, 2});
  CHECK_FALSE(played.last<VoteTaken>(teacher)->why_not.empty());
  const std::string summary = summary_text(played.room.left());
  CHECK(summary.find("| the lesson's 2. (right) | 3 | 0 | 10 | 10 |") != std::string::npos);
}

TEST_CASE("Who has voted and left is still one of those who were asked") {
  Played played;
  const ConnId teacher = played.page(kSecret);
  std::vector<ConnId> class_of;
  for (int k = 0; k < 5; ++k) class_of.push_back(played.page());
  played.say(teacher, OpenPoll{question()});
  const int64_t poll = played.last<PollShown>(teacher)->poll;
  for (int k = 0; k < 3; ++k) {
    played.say(class_of[size_t(k)], CastVote{poll, 1, 1, std::nullopt, 1});
    played.room.closed(class_of[size_t(k)]);
  }
  played.pass(1);
  CHECK(played.last<VoteCount>(teacher)->votes == 3);
  CHECK(played.last<VoteCount>(teacher)->of == 5);
  played.room.closed(class_of[3]);  // has said nothing
  played.pass(1);
  CHECK(played.last<VoteCount>(teacher)->of == 4);
  // And still is when the round is over.
  played.say(teacher, MovePoll{"show"});
  played.pass(1);
  CHECK(played.last<VoteCount>(teacher)->votes == 3);
  CHECK(played.last<VoteCount>(teacher)->of == 4);
}

TEST_CASE("Who comes for a vote and goes again does not count it up, and who comes back is told of a vote") {
  Played played;
  const ConnId teacher = played.page(kSecret);
  const ConnId first = played.page();
  played.page();
  played.say(teacher, OpenPoll{question()});
  const int64_t poll = played.last<PollShown>(teacher)->poll;
  played.say(first, CastVote{poll, 1, 2, std::nullopt, 2});
  for (int k = 0; k < 45; ++k) {
    const ConnId comes = played.page();
    played.say(comes, CastVote{poll, 1, 1, std::nullopt, 1});
    played.room.closed(comes);
  }
  const ConnId late = played.page();
  const std::string seat = played.last<Welcome>(late)->seat;
  played.say(late, CastVote{poll, 1, 0, std::nullopt, 0});
  played.pass(1);
  CHECK(played.last<VoteCount>(first)->votes == 2);
  CHECK(played.last<VoteCount>(first)->of == 3);
  played.room.closed(late);
  played.pass(1);
  CHECK(played.last<VoteCount>(first)->votes == 1);
  CHECK(played.last<VoteCount>(first)->of == 2);
  // Loaded anew, it has its vote.
  const ConnId again = played.page("", seat);
  const std::optional<CastVote>& mine = played.last<PollShown>(again)->mine;
  REQUIRE(mine);
  CHECK(mine->option == 0);
  CHECK(mine->sure == 0);
  played.pass(1);
  CHECK(played.last<VoteCount>(first)->votes == 2);
  // So has who was asked and went.
  const std::string of_first = played.last<Welcome>(first)->seat;
  played.room.closed(first);
  const ConnId back = played.page("", of_first);
  CHECK(played.last<PollShown>(back)->mine->option == 2);
  played.say(teacher, MovePoll{"tell"});
  CHECK(played.last<PollShown>(back)->rounds[0].votes == 2);
  CHECK_FALSE(played.last<PollShown>(back)->mine);
  played.pass(1);
  CHECK(played.last<VoteCount>(back)->of == 3);
}

TEST_CASE("A class says something every ten seconds, though nothing happens") {
  Played played;
  const ConnId page = played.page();
  played.pass(1);
  for (int k = 0; k < 3; ++k) {
    const size_t before = played.heard[page].size();
    for (int second = 0; second < 10; ++second) played.pass(1);
    CHECK(played.heard[page].size() > before);
  }
  CHECK(played.last<Alive>(page));
}

TEST_CASE("What many launches and warm-ups take is thought of before they run") {
  RunSpec spec;
  spec.problem.batch = 4, spec.problem.heads = 16;
  spec.problem.n_q = spec.problem.n_k = 4096;
  spec.problem.d = 128;
  spec.kernels = {Method::Fa2};
  CHECK(expected_seconds(spec) < 4);
  RunSpec many = spec;
  many.warmups = 1'000'000'000;
  CHECK(expected_seconds(many) > 60);
  many = spec;
  many.launches = 1'000'000'000;
  CHECK(expected_seconds(many) > expected_seconds(spec));
}

TEST_CASE("Minus nothing is nothing") {
  Played played;
  const ConnId teacher = played.page(kSecret), page = played.page();
  PollAsked asked = question();
  asked.options = 0;
  asked.right.clear();
  asked.answer = 2.5;
  played.say(teacher, OpenPoll{asked});
  played.say(page, CastVote{played.last<PollShown>(page)->poll, 1, -1, -0.0, 1});
  played.say(teacher, MovePoll{"show"});
  CHECK_FALSE(std::signbit(played.last<PollShown>(page)->rounds[0].numbers[0]));
}

TEST_CASE("Pages that guess, flood, send nonsense, or play the teacher are told once and let go") {
  Played played;
  const ConnId teacher = played.page(kSecret), good = played.page();
  const auto stranger = [&] {
    const ConnId conn = played.next++;
    REQUIRE(played.room.opened(conn, fmt::format("10.1.0.{}", conn), played.now));
    return conn;
  };
  const ConnId guesses = stranger(), early = stranger(), garbage = stranger(), silent = stranger();
  played.say(guesses, Join{"aaa-aaa", "", ""});
  CHECK(played.ended[guesses]);
  played.say(early, Where{"tilewalk://lesson/1"});
  CHECK(played.ended[early]);
  played.room.said(garbage, std::string(3000, '\xff'), played.now);
  played.deliver();
  CHECK(played.ended[garbage]);
  const ConnId usurper = played.page();
  played.say(usurper, Lead{"tilewalk://lesson/9"});
  CHECK(played.ended[usurper]);
  CHECK_FALSE(played.last<Led>(good));
  const ConnId flood = played.page();
  for (int k = 0; k < 200 && !played.ended[flood]; ++k) played.say(flood, Where{"tilewalk://lesson/1/beat/2"});
  CHECK(played.ended[flood]);
  played.pass(11);
  CHECK(played.ended[silent]);
  CHECK_FALSE(played.ended[good]);
  CHECK_FALSE(played.ended[teacher]);
  // Another one's seat is a number of 64 bits; a made-up one is as good as a new one.
  const ConnId made_up = played.page("", "00000000000000aa");
  CHECK_FALSE(played.ended[made_up]);
  CHECK(played.last<Refused>(guesses)->why.find("code") != std::string::npos);
}

TEST_CASE("Runs go to workers in turn, their answers to who asked, and who teaches sees the queue") {
  Played played;
  const ConnId teacher = played.page(kSecret), one = played.page(), two = played.page();
  played.say(one, run_of(1, 1024));
  CHECK(played.last<RunRefused>(one)->why.find("No GPU") != std::string::npos);
  played.room.worker_came(1, played.now);
  played.say(one, run_of(2, 1024));
  played.say(two, run_of(2, 2048));
  played.say(two, run_of(3, 1024));  // as the first one asks
  const auto begun = played.room.begin_runs(played.now);
  REQUIRE(begun.size() == 1);
  played.deliver();
  std::string fault;
  const auto request = to_worker(begun.front().line, fault);
  REQUIRE_MESSAGE(request, fault);
  CHECK(std::get<RunRequest>(*request).spec.problem.n_q == 1024);
  CHECK(played.last<RunWaits>(one)->running);
  CHECK(played.last<RunWaits>(two)->running);
  played.pass(2);
  CHECK(played.last<ClassNow>(teacher)->waiting == 1);
  CHECK(played.last<ClassNow>(teacher)->learners == 2);
  CHECK(played.last<ClassNow>(teacher)->workers == 1);
  played.room.run_ended(1, R"({"type":"done","id":0})", true, played.now);
  played.deliver();
  REQUIRE(played.answers[one].size() == 1);
  CHECK(played.answers[one].front() == answer_line(2, R"({"type":"done","id":0})"));
  CHECK(played.answers[two].front() == answer_line(3, R"({"type":"done","id":0})"));
  CHECK(played.room.begin_runs(played.now).size() == 1);
  played.room.worker_gone(1, played.now);
  played.room.no_more_workers("The GPU's worker cannot be started.", played.now);
  played.deliver();
  CHECK(played.last<RunRefused>(two)->id == 2);
}

TEST_CASE("Where pages are is counted by beat, without saying who") {
  Played played;
  const ConnId teacher = played.page(kSecret);
  for (int k = 0; k < 5; ++k)
    played.say(played.page(), Where{fmt::format("tilewalk://lesson/6/beat/{}?N=64", k < 3 ? 2 : 4), true});
  played.say(played.page(), Where{"tilewalk://walk/step/3", true});
  // Who follows is with the class, be that a beat or not.
  played.say(played.page(), Where{"tilewalk://walk/step/3"});
  played.say(played.page(), Where{"tilewalk://lesson/6/beat/2"});
  played.pass(2);
  CHECK(played.last<ClassNow>(teacher)->following == 2);
  const auto& places = played.last<ClassNow>(teacher)->places;
  REQUIRE(places.size() == 3);
  CHECK(places[0].place.empty());
  CHECK(places[1].place == "6.2");
  CHECK(places[1].pages == 3);
  CHECK(places[2].pages == 2);
}

TEST_CASE("A class that was ended in the middle goes on from its file, the votes of the open round with it") {
  Played before;
  const ConnId teacher = before.page(kSecret), one = before.page(), two = before.page();
  before.say(teacher, Lead{"tilewalk://lesson/6/beat/2"});
  before.say(teacher, OpenPoll{question()});
  before.say(one, CastVote{1, 1, 0, std::nullopt, 2});
  before.say(two, CastVote{1, 1, 1, std::nullopt, 0});
  const std::string seat = before.last<Welcome>(one)->seat, file = before.room.file();

  Played after;
  after.room = Room("other-code", "other-secret", [&] { return after.random(); });
  REQUIRE(after.room.resume(file).empty());
  CHECK(after.room.file() == file);
  const ConnId again = after.page("", seat), lecturer = after.page(kSecret);
  CHECK(after.last<Led>(again)->link == "tilewalk://lesson/6/beat/2");
  CHECK(after.last<PollShown>(again)->open);
  after.say(again, CastVote{1, 1, 1, std::nullopt, 2});  // the same seat: its vote is another one now
  after.say(lecturer, MovePoll{"tell"});
  CHECK(after.last<PollShown>(again)->rounds.front().votes == 2);
  CHECK(after.last<PollShown>(again)->rounds.front().options[1][2] == 1);
  CHECK(after.last<PollShown>(again)->rounds.front().options[1][0] == 1);
  CHECK(after.room.file().find(seat) == std::string::npos);  // nobody's vote is kept behind the round

  for (const std::string& broken :
       {std::string(), std::string("{}"), file.substr(0, file.size() / 2),
        std::string(R"({"tilewalk_class":2,"code":"a","teacher":"b","steps":[],"polls":[]})")}) {
    const std::string had = after.room.file();
    CHECK_FALSE(after.room.resume(broken).empty());
    CHECK(after.room.file() == had);
  }
  after.say(lecturer, EndClass{});
  CHECK(after.ended[again]);
  CHECK(after.room.ended());
  CHECK_FALSE(after.room.opened(99, "a", 0));
  CHECK_FALSE(before.room.resume(after.room.file()).empty());
}

TEST_CASE("Random pages: nobody is told what was not promised, and the room ends empty") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Played played;
    std::mt19937_64 random(seed);
    const ConnId teacher = played.page(kSecret);
    std::vector<ConnId> pages;
    for (int k = 0; k < 400; ++k) {
      played.now += 0.05;
      const ConnId conn = pages.empty() ? 0 : pages[random() % pages.size()];
      switch (random() % 9) {
        case 0:
        case 1: pages.push_back(played.page()); break;
        case 2:
          if (conn) {
            played.room.closed(conn);
            std::erase(pages, conn);
          }
          break;
        case 3: played.say(teacher, Lead{fmt::format("tilewalk://lesson/{}/beat/2", 1 + random() % 14)}); break;
        case 4: played.say(teacher, OpenPoll{question()}); break;
        case 5: {
          const char* const moves[] = {"close", "show", "tell", "again", "away", "nonsense"};
          played.say(teacher, MovePoll{moves[random() % 6]});
          break;
        }
        case 6:
        case 7:
          if (conn) played.say(conn, CastVote{int64_t(random() % 6), 1 + int(random() % 3), int(random() % 4), {}, 1});
          break;
        default:
          if (conn) played.say(conn, run_of(int64_t(random() % 4), 256));
          break;
      }
      played.pass(0);
      if (random() % 10 == 0) {
        Played copy;
        CHECK(copy.room.resume(played.room.file()).empty());
        CHECK(copy.room.file() == played.room.file());
      }
    }
    for (const ConnId conn : pages)
      if (const PollShown* shown = played.last<PollShown>(conn); shown && !shown->told) {
        CHECK(shown->asked.right.empty());
        if (!shown->counted) CHECK(shown->rounds.empty());
      }
    for (const ConnId conn : pages) played.room.closed(conn);
    CHECK(played.room.learners() == 0);
    CHECK_FALSE(played.ended[teacher]);
  }
}

}  // namespace tilewalk::test_room
