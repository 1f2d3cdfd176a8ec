// Runs of a room in a fair order: as promised, nobody starves, nothing is lost, whatever workers do.
#include "core/classroom/run_queue.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk::test_run_queue {

namespace {

// Workers of known times, in time that is counted and not waited for.
struct Simulated {
  RunQueue queue;
  double now = 0;
  std::map<WorkerId, std::pair<double, RunStart>> busy;  // until when, and with what
  std::vector<std::string> order;                        // problems as they were begun
  std::map<std::pair<AskerId, int64_t>, int> told;       // how often each was answered
  std::vector<RunAnswer> answers;

  explicit Simulated(int workers, QueueLimits limits = {}) : queue(limits) {
    for (int w = 1; w <= workers; ++w) queue.worker_came(WorkerId(w));
  }
  void tell(const std::vector<RunAnswer>& all) {
    for (const RunAnswer& each : all) {
      ++told[{each.asker, each.request}];
      CHECK((each.answer != nullptr) == each.refused.empty());
      if (each.answer) CHECK_FALSE(each.answer->empty());
      answers.push_back(each);
    }
  }
  void ask(AskerId asker, int64_t request, std::string problem, double seconds) {
    if (const auto answer = queue.ask(asker, request, std::move(problem), seconds, now)) tell({*answer});
  }
  void begin(const std::map<std::string, double>& seconds) {
    for (RunStart& start : queue.start(now)) {
      order.push_back(start.problem);
      busy[start.worker] = {now + seconds.at(start.problem), start};
    }
  }
  // The run that ends first ends; false: none is under way.
  bool end_one(bool keep = true) {
    if (busy.empty()) return false;
    const auto next = std::ranges::min_element(busy, {}, [](const auto& each) { return each.second.first; });
    const WorkerId worker = next->first;
    now = std::max(now, next->second.first);
    const std::string problem = next->second.second.problem;
    busy.erase(next);
    tell(queue.done(worker, "answer of " + problem, keep));
    return true;
  }
};

}  // namespace

TEST_CASE("Three hundred runs at once: first runs before second ones, small before large, each answered once") {
  for (const int workers : {1, 2, 5}) {
    CAPTURE(workers);
    Simulated room(workers);
    std::mt19937_64 random(7);
    std::map<std::string, double> seconds;
    std::map<std::string, int> turn;
    for (int run = 0; run < 2; ++run)
      for (AskerId asker = 1; asker <= 150; ++asker) {
        const std::string problem = fmt::format("{}/{}", asker, run);
        seconds[problem] = 0.1 * double(1 + random() % 100);
        turn[problem] = run;
        room.ask(asker, run, problem, seconds[problem]);
      }
    CHECK(room.told.empty());
    const auto far = room.queue.place(150, 1, room.now);
    REQUIRE(far);
    CHECK(far->ahead >= 150);
    do room.begin(seconds);
    while (room.end_one());
    REQUIRE(room.order.size() == 300);
    for (size_t k = 1; k < room.order.size(); ++k) {
      const std::string &a = room.order[k - 1], &b = room.order[k];
      CHECK(turn[a] <= turn[b]);
      if (turn[a] == turn[b]) CHECK(seconds[a] <= seconds[b]);
    }
    CHECK(room.told.size() == 300);
    for (const auto& [who, times] : room.told) CHECK(times == 1);
  }
}

TEST_CASE("Who keeps asking waits behind who asks for the first time, and both come to their turn") {
  Simulated room(1, {.waiting_of_one = 1000});
  std::map<std::string, double> seconds;
  for (int run = 0; run < 40; ++run) {
    const std::string problem = fmt::format("greedy/{}", run);
    seconds[problem] = 0.1;
    room.ask(1, run, problem, 0.1);
  }
  room.begin(seconds);
  room.now = 5;  // later, and larger
  seconds["late"] = 9;
  room.ask(2, 0, "late", 9);
  do room.begin(seconds);
  while (room.end_one());
  REQUIRE(room.order.size() == 41);
  CHECK(room.order[1] == "late");
  CHECK(room.order.back() == "greedy/39");
}

TEST_CASE("The same problem is run once for all who ask it, and answered at once to who asks later") {
  Simulated room(1);
  const std::map<std::string, double> seconds{{"a", 1}, {"b", 1}};
  for (AskerId asker = 1; asker <= 30; ++asker) room.ask(asker, 5, "a", 1);
  room.begin(seconds);
  room.ask(31, 5, "a", 1);  // while it runs
  CHECK(room.queue.place(31, 5, room.now)->running);
  REQUIRE(room.end_one());
  CHECK(room.answers.size() == 31);
  room.ask(32, 1, "a", 1);
  CHECK(room.answers.size() == 32);
  CHECK(*room.answers.back().answer == "answer of a");
  CHECK(room.order == std::vector<std::string>{"a"});
  // A failure is told and not kept.
  room.ask(1, 6, "b", 1);
  room.begin(seconds);
  REQUIRE(room.end_one(false));
  room.ask(1, 7, "b", 1);
  room.begin(seconds);
  CHECK(room.order.back() == "b");
  CHECK(room.order.size() == 3);
}

TEST_CASE("Only the answers that were given last are kept, and not too large ones") {
  Simulated room(1, {.kept = 2, .kept_bytes = 30});
  std::map<std::string, double> seconds;
  for (const char* problem : {"a", "b", "c"}) {
    seconds[problem] = 1;
    room.ask(1, problem[0], problem, 1);
    room.begin(seconds);
    room.end_one();
  }
  room.ask(2, 1, "a", 1);
  CHECK(room.answers.size() == 3);  // forgotten: it waits
  room.ask(2, 2, "c", 1);
  CHECK(room.answers.size() == 4);
}

TEST_CASE("What is too long, too many or asked twice is refused in a sentence, and nothing is lost by it") {
  Simulated room(1, {.waiting_of_one = 2, .waiting = 3, .longest = 10});
  room.ask(1, 1, "a", 11);
  CHECK(room.answers.back().refused.find("10 s") != std::string::npos);
  room.ask(1, 1, "a", 1);
  room.ask(1, 1, "b", 1);
  CHECK(room.answers.back().refused.find("already") != std::string::npos);
  room.ask(1, 2, "b", 1);
  room.ask(1, 3, "c", 1);
  CHECK(room.answers.back().refused.find("2 of your runs") != std::string::npos);
  room.ask(2, 1, "d", 1);
  room.ask(3, 1, "e", 1);
  CHECK(room.answers.back().refused.find("3 runs wait") != std::string::npos);
  CHECK(room.queue.waiting() == 3);
  RunQueue without;
  CHECK_FALSE(without.ask(1, 1, "a", 1, 0)->refused.empty());
}

TEST_CASE("Who asks for what was just cancelled under way has a run of its own, and no half answer") {
  RunQueue queue;
  queue.worker_came(1);
  CHECK_FALSE(queue.ask(1, 1, "same", 1, 0));
  REQUIRE(queue.start(0).size() == 1);
  queue.cancel(1, 1);
  CHECK_FALSE(queue.ask(2, 1, "same", 1, 0.1));
  CHECK(queue.unwanted().size() == 1);
  CHECK(queue.done(1, "cancelled, half of it", false).empty());
  // A third one shares the run of the second.
  CHECK_FALSE(queue.ask(3, 1, "same", 1, 0.2));
  CHECK(queue.start(0.3).size() == 1);
  CHECK(queue.unwanted().empty());
  CHECK(queue.done(1, "whole", true).size() == 2);
}

TEST_CASE("A cancelled run is not begun, or its worker may stop, and who shares it still has it") {
  Simulated room(1);
  const std::map<std::string, double> seconds{{"a", 1}, {"b", 1}, {"c", 1}};
  room.ask(1, 1, "a", 1);
  room.begin(seconds);
  room.ask(2, 1, "b", 1);
  room.ask(3, 1, "b", 1);
  room.ask(4, 1, "c", 1);
  room.queue.cancel(4, 1);
  room.queue.cancel(2, 1);
  CHECK(room.queue.waiting() == 1);
  CHECK(room.queue.unwanted().empty());
  room.queue.leave(1);
  REQUIRE(room.queue.unwanted().size() == 1);
  CHECK(room.queue.unwanted().front().problem == "a");
  room.end_one();
  room.begin(seconds);
  room.end_one();
  CHECK(room.told.size() == 1);
  CHECK(room.told.count({3, 1}) == 1);
}

TEST_CASE("A worker that dies gives its run back once; the run that ends a second worker is refused") {
  Simulated room(2);
  const std::map<std::string, double> seconds{{"bad", 1}, {"good", 1}};
  room.ask(1, 1, "bad", 1);
  room.begin(seconds);
  const WorkerId first = room.busy.begin()->first;
  room.busy.clear();
  room.tell(room.queue.worker_gone(first));
  CHECK(room.answers.empty());
  room.ask(2, 1, "good", 0.5);
  room.begin(seconds);
  CHECK(room.order.back() == "bad");  // it keeps its place
  const WorkerId second = room.busy.begin()->first;
  room.busy.clear();
  room.tell(room.queue.worker_gone(second));
  REQUIRE(room.answers.size() == 1);
  CHECK(room.answers.front().refused.find("twice") != std::string::npos);
  CHECK(room.queue.workers() == 0);
  CHECK_FALSE(room.queue.place(2, 1, room.now));
  room.queue.worker_came(9);
  room.begin(seconds);
  room.end_one();
  CHECK(room.told[{2, 1}] == 1);
}

TEST_CASE("Workers that die a thousand times: each run is answered once or refused once") {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Simulated room(3, {.waiting_of_one = 3, .waiting = 200});
    std::map<std::string, double> seconds;
    std::set<std::pair<AskerId, int64_t>> asked, gone;
    std::map<AskerId, int64_t> next;
    WorkerId fresh = 100;
    int deaths = 0;
    while (deaths < 1000) {
      const AskerId asker = 1 + random() % 40;
      const int64_t request = next[asker]++;
      const std::string problem = fmt::format("p{}", random() % 300);
      seconds.try_emplace(problem, 0.05 * double(1 + random() % 60));
      asked.insert({asker, request});
      room.ask(asker, request, problem, seconds[problem]);
      room.begin(seconds);
      switch (random() % 5) {
        case 0: {
          const auto all = room.busy;
          if (all.empty()) break;
          const auto dies = std::next(all.begin(), long(random() % all.size()));
          room.busy.erase(dies->first);
          room.tell(room.queue.worker_gone(dies->first));
          room.queue.worker_came(++fresh);
          ++deaths;
          break;
        }
        case 1:
          if (random() % 3 == 0 && !room.told.count({asker, request})) {
            room.queue.cancel(asker, request);
            gone.insert({asker, request});
          }
          break;
        default: room.end_one(random() % 4 != 0); break;
      }
      room.begin(seconds);
    }
    do room.begin(seconds);
    while (room.end_one());
    CHECK(room.queue.waiting() == 0);
    for (const auto& who : asked) CHECK(room.told[who] == (gone.count(who) ? 0 : 1));
    CHECK(std::ranges::any_of(room.answers,
                              [](const RunAnswer& each) { return each.refused.find("twice") != each.refused.npos; }));
  }
}

TEST_CASE("Where no worker will come any more all who wait are told") {
  Simulated room(1);
  room.ask(1, 1, "a", 1);
  room.ask(2, 1, "a", 1);
  room.ask(3, 1, "b", 1);
  room.tell(room.queue.give_up("The GPU is gone."));
  CHECK(room.answers.size() == 3);
  CHECK(room.queue.places(0).empty());
}

TEST_CASE("While a worker is expected runs wait for it, and how long is never nothing while one is under way") {
  RunQueue queue;
  CHECK(queue.ask(1, 1, "a", 2, 0)->refused.find("No GPU") != std::string::npos);
  queue.expect_workers(true);
  CHECK_FALSE(queue.ask(1, 1, "a", 2, 0));
  CHECK_FALSE(queue.ask(2, 1, "b", 2, 0.1));
  CHECK(queue.place(2, 1, 1)->starting);
  queue.worker_came(1);
  CHECK_FALSE(queue.place(2, 1, 1)->starting);
  REQUIRE(queue.start(1).size() == 1);
  CHECK(queue.place(2, 1, 1)->seconds == doctest::Approx(2));
  CHECK(queue.place(2, 1, 3)->seconds >= 1);    // it should have ended
  CHECK(queue.place(2, 1, 33)->seconds >= 10);  // and takes long
  queue.worker_gone(1);
  CHECK(queue.place(1, 1, 34)->starting);
  queue.expect_workers(false);
  CHECK(queue.give_up("Gone.").size() == 2);
  CHECK(queue.ask(1, 2, "a", 2, 40));
}

}  // namespace tilewalk::test_run_queue
