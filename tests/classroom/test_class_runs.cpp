// Runs of a class: queued, answered, shared; workers that die are started again.
#include "core/run/protocol.h"
#include "tests/classroom/served.h"

#include <fmt/format.h>

#include <csignal>
#include <set>

#include <unistd.h>

namespace tilewalk::test_class_runs {

namespace {

ServerSettings with_workers(int count, const char* script = "well") {
  ServerSettings settings;
  for (int k = 0; k < count; ++k) settings.workers.push_back({TILEWALK_STAND_IN, script});
  return settings;
}

AskRun run_of(int64_t id, int64_t n) {
  RunSpec spec;
  spec.problem.n_q = spec.problem.n_k = n;
  spec.problem.d = 64;
  spec.problem.br = spec.problem.bc = 64;
  spec.kernels = {Method::Fa2};
  return {id, spec};
}

// The number of the run that was answered, and the worker's answer; nothing where it was refused or is late.
struct Answered {
  int64_t id = 0;
  RunResult result;
};
std::optional<Answered> answer(PageClient& page, std::string& refused, int milliseconds = 20000) {
  const double until = steady_seconds() + milliseconds / 1000.0;
  while (steady_seconds() < until && page.open()) {
    while (!page.messages.empty()) {
      const std::string line = page.messages.front();
      page.messages.erase(page.messages.begin());
      std::string fault;
      constexpr std::string_view kBegin = "{\"type\":\"answer\",\"id\":";
      if (line.starts_with(kBegin)) {
        Answered out;
        out.id = std::stoll(line.substr(kBegin.size()));
        const size_t at = line.find("\"line\":") + 7;
        const auto read = from_worker(line.substr(at, line.size() - at - 1), fault);
        REQUIRE_MESSAGE(read, fault);
        if (const Done* done = std::get_if<Done>(&*read)) out.result = done->result;
        return out;
      }
      if (const auto read = to_page(line, fault))
        if (const RunRefused* why = std::get_if<RunRefused>(&*read)) return refused = why->why, std::nullopt;
    }
    page.read(200);
  }
  return std::nullopt;
}

PageClient there(Served& served) {  // once a GPU is at work
  for (int k = 0; k < 100; ++k) {
    PageClient page = served.page();
    const auto welcome = page.wait<Welcome>();
    REQUIRE(welcome);
    if (welcome->workers > 0) return page;
    usleep(100000);
  }
  FAIL("no worker came");
  return served.page();
}

}  // namespace

TEST_CASE("Everybody's run is answered, by two workers, with the result of what was asked") {
  if (!can_serve_classes()) return;
  Served served(with_workers(2));
  std::vector<PageClient> pages;
  pages.push_back(there(served));
  for (int k = 1; k < 12; ++k) pages.push_back(served.page());
  for (size_t k = 0; k < pages.size(); ++k) pages[k].say(run_of(int64_t(100 + k), 64 * int64_t(1 + k % 4)));
  std::string refused;
  for (size_t k = 0; k < pages.size(); ++k) {
    CAPTURE(k);
    const auto got = answer(pages[k], refused);
    REQUIRE_MESSAGE(got, refused);
    CHECK(got->id == int64_t(100 + k));
    CHECK(got->result.spec.problem.n_q == 64 * int64_t(1 + k % 4));
    REQUIRE(got->result.kernels.size() == 1);
    CHECK(got->result.kernels.front().timing);
  }
  // What was run lately is answered without a GPU.
  pages[0].say(run_of(7, 64));
  CHECK(answer(pages[0], refused, 500));
}

TEST_CASE("What a class does not run is refused in a sentence, and the page stays") {
  if (!can_serve_classes()) return;
  Served served(with_workers(1));
  PageClient page = there(served);
  AskRun large = run_of(1, 1 << 18);
  large.spec.problem.heads = 1024;
  page.say(large);
  std::string refused;
  CHECK_FALSE(answer(page, refused));
  CHECK(refused.find("shorter") != std::string::npos);
  CHECK(page.open());
}

TEST_CASE("A worker that dies in the middle is started again, and its run is repeated once") {
  if (!can_serve_classes()) return;
  Served served(with_workers(1, "die"));
  PageClient page = there(served);
  page.say(run_of(1, 64));
  std::string refused;
  CHECK_FALSE(answer(page, refused, 30000));
  CHECK(refused.find("twice") != std::string::npos);
  CHECK(served.all_said().find("started again") != std::string::npos);
}

TEST_CASE("Runs that end their worker, one after the other, do not take the GPU from the class") {
  if (!can_serve_classes()) return;
  Served served(with_workers(1, "die"));
  for (int k = 0; k < 4; ++k) {
    PageClient page = there(served);
    page.say(run_of(k, 64 * (1 + k)));
    std::string refused;
    CHECK_FALSE(answer(page, refused, 30000));
    CHECK(refused.find("twice") != std::string::npos);
  }
  CHECK(there(served).open());
}

TEST_CASE("A worker that cannot be started is given up, and who waits is told") {
  if (!can_serve_classes()) return;
  ServerSettings settings;
  settings.workers.push_back({"/nowhere/tilewalk-gpu", "serve"});
  Served served(std::move(settings));
  PageClient page = served.page();
  REQUIRE(page.wait<Welcome>());
  page.say(run_of(1, 64));
  std::string refused;
  CHECK_FALSE(answer(page, refused));
  CHECK(refused.find("recordings") != std::string::npos);
}

TEST_CASE("While the only worker is started again runs wait for it, and are told so") {
  if (!can_serve_classes()) return;
  Served served(with_workers(1, "die"));
  PageClient page = there(served), other = served.page();
  REQUIRE(other.wait<Welcome>());
  page.say(run_of(1, 64));  // ends the worker
  for (int k = 0; k < 100 && served.all_said().find("started again") == std::string::npos; ++k) usleep(20000);
  other.say(run_of(2, 128));
  const auto waits = other.wait<RunWaits>(2000);
  REQUIRE(waits);
  CHECK(waits->starting);
}

TEST_CASE(
    "A worker that does not stop a run that nobody waits for is ended after five seconds, and the next run goes on") {
  if (!can_serve_classes()) return;
  Served served(with_workers(1, "hang-run"));
  PageClient page = there(served);
  page.say(run_of(1, 64));
  std::optional<RunWaits> waits;
  do waits = page.wait<RunWaits>();
  while (waits && !waits->running);
  REQUIRE(waits);
  usleep(300000);  // until it hears nothing any more
  page.say(CancelRun{1});
  const double began = steady_seconds();
  while (served.all_said().find("did not stop") == std::string::npos && steady_seconds() - began < 15) usleep(50000);
  CAPTURE(served.all_said());
  CHECK(steady_seconds() - began > 4);
  CHECK(steady_seconds() - began < 8);
  CHECK(there(served).open());
}

}  // namespace tilewalk::test_class_runs
