// A page's side of a class, against the class itself: connections that are lost, and what is said again.
#include "core/classroom/attendance.h"
#include "core/classroom/room.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace tilewalk::test_attendance {

namespace {

constexpr const char* kCode = "k7m-2xq";
constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

// A class whose wires can be cut.
struct Wired {
  std::mt19937_64 random{3};
  Room room{kCode, kSecret, [this] { return random(); }};
  double now = 0;
  ConnId next = 1;
  std::map<ConnId, Attendance*> pages;

  void connect(Attendance& page) {
    REQUIRE(page.wants_connection(now));
    page.connecting();
    CHECK_FALSE(page.wants_connection(now + 1000));
    const ConnId conn = next++;
    REQUIRE(room.opened(conn, fmt::format("10.0.0.{}", conn), now));
    pages[conn] = &page;
    page.opened();
    carry();
  }
  void cut(Attendance& page) {
    for (auto at = pages.begin(); at != pages.end();) {
      if (at->second != &page) {
        ++at;
        continue;
      }
      room.closed(at->first);
      at = pages.erase(at);
      page.ended(now);
    }
  }
  void carry() {
    for (bool more = true; more;) {
      more = false;
      for (const auto& [conn, page] : std::map(pages))
        for (const std::string& line : page->take_out()) room.said(conn, line, now), more = true;
      for (const Room::Out& out : room.take_out()) {
        more = true;
        const auto found = pages.find(out.to);
        if (found == pages.end()) continue;
        Attendance& page = *found->second;
        page.heard(*out.text);
        if (!out.close) continue;
        room.closed(out.to);
        pages.erase(out.to);
        page.ended(now);
      }
    }
  }
  void pass(double seconds) {
    now += seconds;
    room.tick(now);
    carry();
  }
};

PollAsked question() { return {"tilewalk://lesson/6/beat/3", "max", 3, "A max", "", {1}, {}, "running-max", 7}; }

}  // namespace

TEST_CASE("A page joins, follows, votes and is told; who teaches leads, asks and tells") {
  Wired wired;
  wired.room.invite("http://10.0.0.5:8660/", {"# ", " #"});
  Attendance teacher({kCode, kSecret, ""}), page({kCode, "", ""});
  CHECK(page.state() == Attendance::State::Joining);
  wired.connect(teacher);
  wired.connect(page);
  REQUIRE(page.in());
  CHECK(teacher.welcome().qr.size() == 2);
  CHECK(page.welcome().join.empty());
  teacher.lead("tilewalk://lesson/6/beat/2");
  teacher.lead("tilewalk://lesson/6/beat/2");
  wired.carry();
  CHECK(page.led().step == 1);
  CHECK(page.led().link == "tilewalk://lesson/6/beat/2");
  page.lead("tilewalk://lesson/1/beat/1");  // it does not teach
  page.ask(question());
  wired.carry();
  CHECK(page.in());
  CHECK(page.led().step == 1);
  CHECK_FALSE(page.poll());

  teacher.ask(question());
  wired.carry();
  REQUIRE(page.poll());
  CHECK(page.poll()->asked.seed == 7);
  CHECK(page.poll()->asked.right.empty());
  page.vote(2, std::nullopt, Sure::Guess);
  CHECK_FALSE(page.vote_counts());
  wired.carry();
  CHECK(page.vote_counts());
  page.vote(9, std::nullopt, Sure::Sure);  // there is no such option
  wired.carry();
  CHECK_FALSE(page.my_vote());
  CHECK_FALSE(page.vote_fault().empty());
  page.vote(1, std::nullopt, Sure::Sure);
  wired.pass(1);
  CHECK(teacher.count().votes == 1);
  teacher.move_poll("show");
  wired.carry();
  CHECK(page.poll()->rounds.front().options[1][2] == 1);
  CHECK(page.poll()->asked.right.empty());
  teacher.move_poll("again");
  wired.carry();
  CHECK_FALSE(page.my_vote());
  CHECK(page.poll()->round == 2);
  teacher.move_poll("tell");
  wired.carry();
  CHECK(page.poll()->asked.right == std::vector<int>{1});
  teacher.move_poll("away");
  wired.carry();
  CHECK_FALSE(page.poll());
  page.stands_at("tilewalk://lesson/6/beat/4", true);
  wired.carry();
  wired.pass(2);
  REQUIRE(teacher.now().places.size() == 1);
  CHECK(teacher.now().places[0].place == "6.4");
  teacher.end_class();
  wired.carry();
  CHECK(page.state() == Attendance::State::Over);
  CHECK_FALSE(page.wants_connection(1e9));
}

TEST_CASE(
    "A wrong code is told and not tried again; a lost connection is, later and later, and what it held comes back") {
  Wired wired;
  Attendance stranger({"aaa-aaa", "", ""});
  wired.connect(stranger);
  CHECK(stranger.state() == Attendance::State::Refused);
  CHECK(stranger.why().find("code") != std::string::npos);
  CHECK_FALSE(stranger.wants_connection(1e9));

  Attendance teacher({kCode, kSecret, ""}), page({kCode, "", ""});
  wired.connect(teacher);
  wired.connect(page);
  teacher.lead("tilewalk://lesson/6/beat/1");
  teacher.ask(question());
  wired.carry();
  page.vote(0, std::nullopt, Sure::Rather);
  CHECK(page.take_out().size() == 1);  // on its way when the wire is cut
  RunSpec spec;
  spec.kernels = {Method::Fa2};
  page.ask_run(4, spec);
  page.take_out();
  const std::string seat = page.ticket().seat;
  wired.cut(page);
  CHECK(page.state() == Attendance::State::Lost);
  CHECK_FALSE(page.wants_connection(wired.now + 0.2));
  CHECK(page.wants_connection(wired.now + 0.8));
  double before = 0;
  for (int tries = 0; tries < 8; ++tries) {
    wired.now += page.seconds_to_connect(wired.now);
    page.connecting();
    page.ended(wired.now);  // nobody is there
    const double pause = page.seconds_to_connect(wired.now);
    CHECK(pause >= before);
    CHECK(pause <= 12);
    before = pause;
  }
  CHECK(before >= 4);
  teacher.lead("tilewalk://lesson/6/beat/2");
  wired.carry();
  wired.now += 20;
  wired.connect(page);
  REQUIRE(page.in());
  CHECK(page.ticket().seat == seat);
  CHECK(page.led().link == "tilewalk://lesson/6/beat/2");
  CHECK(page.vote_counts());
  wired.pass(1);
  CHECK(teacher.count().votes == 1);
  const auto news = page.take_runs();  // it was asked again, and there is no GPU
  REQUIRE(news.size() == 1);
  CHECK(news[0].id == 4);
  CHECK(news[0].refused.find("No GPU") != std::string::npos);

  // Who teaches comes back, and the class is not led to where it is once more.
  const int64_t step = page.led().step;
  wired.cut(teacher);
  wired.now += 20;
  wired.connect(teacher);
  teacher.lead("tilewalk://lesson/6/beat/2");
  wired.carry();
  CHECK(page.led().step == step);
  teacher.lead("tilewalk://lesson/6/beat/3");
  wired.carry();
  CHECK(page.led().step == step + 1);
}

TEST_CASE(
    "A page that is loaded anew while a question is open has its vote, and behind its end does not say that it has "
    "none") {
  Attendance page(Join{"k7m-2xq", "", "00000000000000aa"});
  page.connecting(), page.opened();
  const auto hear = [&](const ToPage& message) { page.heard(line_of(message)); };
  hear(Welcome{"00000000000000aa", false, 0, {}, {}});
  PollShown shown;
  shown.poll = 3;
  shown.open = true;
  shown.asked.place = "tilewalk://lesson/6/beat/3";
  shown.asked.question = "max";
  shown.asked.options = 3;
  shown.mine = CastVote{3, 1, 2, std::nullopt, 1};
  hear(shown);
  REQUIRE(page.my_vote());
  CHECK(page.my_vote()->option == 2);
  CHECK(page.vote_counts());
  CHECK_FALSE(page.may_have_voted());
  shown.mine.reset();
  shown.poll = 4;
  hear(shown);  // the next one, unanswered
  CHECK_FALSE(page.my_vote());
  CHECK_FALSE(page.may_have_voted());
  shown.open = false;
  hear(shown);
  CHECK_FALSE(page.may_have_voted());
  // Lost and back: whether it had answered cannot be known.
  page.ended(1);
  page.connecting(), page.opened();
  hear(Welcome{"00000000000000aa", false, 0, {}, {}});
  hear(shown);
  CHECK(page.may_have_voted());
}

TEST_CASE("A page is told of the GPU, of its place in the queue and of the answer, as the worker gave it") {
  Wired wired;
  Attendance page({kCode, "", ""});
  wired.connect(page);
  CHECK(page.gpu().empty());
  wired.room.worker_came(1, wired.now, R"({"type":"hello","gpu":"one"})");
  wired.room.worker_came(2, wired.now, R"({"type":"hello","gpu":"two"})");
  wired.carry();
  CHECK(page.gpu() == R"({"type":"hello","gpu":"one"})");
  Attendance late({kCode, "", ""});
  wired.connect(late);
  CHECK(late.gpu() == page.gpu());
  RunSpec spec;
  spec.kernels = {Method::Fa2};
  page.ask_run(7, spec);
  wired.carry();
  auto news = page.take_runs();
  REQUIRE(news.size() == 1);
  REQUIRE(news[0].waits);
  CHECK_FALSE(news[0].waits->running);
  REQUIRE(wired.room.begin_runs(wired.now).size() == 1);
  wired.carry();
  news = page.take_runs();
  REQUIRE(news.size() == 1);
  CHECK(news[0].waits->running);
  wired.room.run_ended(1, R"({"type":"done","id":0,"line":{}})", true, wired.now);
  wired.carry();
  news = page.take_runs();
  REQUIRE(news.size() == 1);
  CHECK(news[0].id == 7);
  CHECK(news[0].line == R"({"type":"done","id":0,"line":{}})");
  wired.room.worker_gone(1, wired.now);
  wired.carry();
  CHECK(page.gpu() == R"({"type":"hello","gpu":"two"})");
  wired.room.worker_gone(2, wired.now);
  wired.carry();
  CHECK(page.gpu().empty());
  page.heard("nonsense");
  CHECK(page.state() == Attendance::State::Refused);
}

TEST_CASE(
    "A program is asked for as a run is; one that is too large, too long or asked of a class that ended is refused") {
  Wired wired;
  Attendance page({kCode, "", ""}), teacher({kCode, kSecret, ""});
  wired.connect(page);
  wired.connect(teacher);
  wired.room.worker_came(1, wired.now, R"({"type":"hello"})");
  ProgramSpec program{"fa2", {"load Q[i]\n"}, program_problem(Mask::Full)};
  page.ask_program(1, program);
  wired.carry();
  REQUIRE(page.take_runs().size() == 1);  // it waits
  const auto begun = wired.room.begin_runs(wired.now);
  REQUIRE(begun.size() == 1);
  CHECK(begun[0].line.find("load Q[i]") != std::string::npos);
  wired.carry();
  page.take_runs();

  const auto refused = [&](int64_t id) {
    wired.carry();
    for (const auto& news : page.take_runs())
      if (news.id == id && !news.waits) return news.refused;
    return std::string();
  };
  ProgramSpec large = program;
  large.problem.n_k *= 2;
  page.ask_program(2, large);
  CHECK(refused(2).find("N = 512") != std::string::npos);
  ProgramSpec long_one = program;
  long_one.text.words.assign(kMostFromPage, '#');
  page.ask_program(3, long_one);
  CHECK(refused(3).find("as long") != std::string::npos);
  CHECK(page.in());
  teacher.end_class();
  CHECK(refused(1).find("The class is over") != std::string::npos);
}

TEST_CASE("A page that is told to wait tries again by itself, and comes in") {
  Wired wired;
  Attendance wrong({"aaa-aaa", "", ""});
  wired.connect(wrong);
  CHECK(wrong.state() == Attendance::State::Refused);
  const auto guess = [&](int count) {
    for (int k = 0; k < count; ++k) {
      const ConnId conn = wired.next++;
      REQUIRE(wired.room.opened(conn, "10.0.0.77", wired.now));
      wired.room.said(conn, line_of(FromPage(Join{"aaa-aaa", "", ""})), wired.now);
      wired.room.take_out();
      wired.room.closed(conn);
    }
  };
  guess(9);
  Attendance page({kCode, "", ""});
  page.connecting();
  const ConnId conn = wired.next++;
  REQUIRE(wired.room.opened(conn, "10.0.0.77", wired.now));
  wired.pages[conn] = &page;
  page.opened();
  wired.carry();
  CHECK(page.state() == Attendance::State::Joining);
  CHECK(page.why().find("tries again in 5 s") != std::string::npos);
  CHECK_FALSE(page.wants_connection(wired.now + 4.9));
  CHECK(page.wants_connection(wired.now + 6.1));
  wired.now += 6.1;
  wired.connect(page);
  CHECK(page.in());
  CHECK(page.why().empty());
}

TEST_CASE("A run waits while a worker is started again, and is told anew when a wait turns out wrong") {
  Wired wired;
  Attendance one({kCode, "", ""}), two({kCode, "", ""});
  wired.connect(one);
  wired.connect(two);
  wired.room.expect_workers(true, wired.now);
  wired.room.worker_came(1, wired.now, R"({"type":"hello"})");
  wired.room.worker_gone(1, wired.now);
  wired.carry();
  CHECK_FALSE(one.gpu().empty());  // runs can still be asked for
  RunSpec spec, other;
  spec.kernels = {Method::Fa2};
  other.kernels = {Method::Fa3};
  one.ask_run(1, spec);
  wired.carry();
  two.ask_run(1, other);
  wired.carry();
  auto news = one.take_runs();
  REQUIRE(news.size() == 1);
  REQUIRE(news[0].waits);
  CHECK(news[0].waits->starting);
  wired.room.worker_came(2, wired.now, R"({"type":"hello"})");
  wired.room.begin_runs(wired.now);
  wired.carry();
  CHECK_FALSE(one.take_runs().back().waits->starting);
  two.take_runs();
  int told = 0;
  for (int k = 0; k < 40; ++k) {
    wired.pass(1);
    for (const Attendance::RunNews& each : two.take_runs()) {
      ++told;
      CHECK(each.waits->seconds >= 1);
    }
  }
  CHECK(told >= 4);
  CHECK(told <= 8);  // every five seconds at most
  wired.room.worker_gone(2, wired.now);
  wired.room.no_more_workers("The GPU is gone.", wired.now);
  wired.carry();
  CHECK(two.take_runs().back().refused == "The GPU is gone.");
  CHECK(two.gpu().empty());
}

}  // namespace tilewalk::test_attendance
