// What a class has of its GPUs: pages' runs go into the queue, workers' answers to who asked.
#include "core/classroom/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

constexpr double kPlaceEvery = 5, kPlaceWrong = 2;  // seconds: how often a wait is told anew, and when it is another

}  // namespace

void Room::ask_run(ConnId conn, Page& page, int64_t id, const ToWorker& request, double seconds, double now) {
  page.told.erase(id);
  const auto answer = queue_.ask(page.seat, id, line_of(request), seconds, now);
  class_changed_ = true;
  if (answer) return tell_answers({*answer});
  if (const auto place = queue_.place(page.seat, id, now)) tell_place(conn, page, id, *place, now);
}

void Room::tell_place(ConnId conn, Page& page, int64_t request, const RunPlace& place, double now) {
  page.told[request] = {place, now};
  send(conn, RunWaits{request, int64_t(place.ahead), place.seconds, place.running, place.starting});
}

// Programs take what time they like: those that a GPU runs for a class are as large as Write makes them, not more.
void Room::ask_program(ConnId conn, Page& page, const AskProgram& message, double now) {
  const auto scores = [](const Problem& p) {
    return double(p.batch) * double(p.heads) * double(p.n_q) * double(p.n_k) * double(p.d);
  };
  if (const Problem most = program_problem(message.spec.problem.mask); scores(message.spec.problem) > scores(most))
    return send(conn, RunRefused{message.id, fmt::format("The GPU of a class runs programs on N = {}, d = {}, B = {}, "
                                                         "H = {} at most.",
                                                         most.n_q, most.d, most.batch, most.heads)});
  ask_run(conn, page, message.id, ProgramRequest{0, message.spec, true}, expected_seconds(message.spec), now);
}

void Room::tell_answers(const std::vector<RunAnswer>& answers) {
  for (const RunAnswer& each : answers) {
    const auto conn = conn_of_.find(each.asker);
    if (conn == conn_of_.end()) continue;
    pages_.at(conn->second).told.erase(each.request);
    if (each.answer) ++runs_, class_changed_ = true;
    if (each.answer)
      send(conn->second, std::make_shared<const std::string>(answer_line(each.request, *each.answer)));
    else
      send(conn->second, RunRefused{each.request, each.refused});
  }
}

// Those whose place is another one than they were told, or whose wait has turned out to be.
void Room::tell_places(double now) {
  for (const RunQueue::Waiting& each : queue_.places(now)) {
    const auto conn = conn_of_.find(each.asker);
    if (conn == conn_of_.end()) continue;
    Page& page = pages_.at(conn->second);
    const Page::Told& told = page.told[each.request];
    const bool moved = told.place.ahead != each.place.ahead || told.place.running != each.place.running ||
                       told.place.starting != each.place.starting || told.at < 0;
    const bool wrong = now - told.at >= kPlaceEvery && std::abs(each.place.seconds - told.place.seconds) >= kPlaceWrong;
    if (moved || wrong) tell_place(conn->second, page, each.request, each.place, now);
  }
}

// Of several workers pages are told of the one that has been there for longest.
// While none is there and one is expected the last one still stands for it: runs can be asked for, and wait.
std::string Room::gpu_now() const {
  if (!hellos_.empty()) return hellos_.begin()->second;
  return queue_.expects_workers() ? last_hello_ : std::string();
}

void Room::expect_workers(bool expected, double now) {
  if (expected == queue_.expects_workers()) return;
  const std::string before = gpu_now();
  queue_.expect_workers(expected);
  tell_gpu(before);
  tell_places(now);
}

void Room::no_more_workers(const std::string& why, double now) {
  expect_workers(false, now);
  tell_answers(queue_.give_up(why));
}

void Room::tell_gpu(const std::string& before) {
  const std::string now = gpu_now();
  if (now == before) return;
  const auto text = std::make_shared<const std::string>(gpu_line(now));
  for (const auto& [conn, page] : pages_)
    if (page.joined && !page.going) send(conn, text);
}

void Room::worker_came(WorkerId worker, double now, std::string hello) {
  const std::string before = gpu_now();
  queue_.worker_came(worker);
  hellos_[worker] = std::move(hello);
  tell_gpu(before);
  class_changed_ = true;
  tell_places(now);
}

void Room::worker_gone(WorkerId worker, double now) {
  const std::string before = gpu_now();
  if (hellos_.size() == 1 && hellos_.contains(worker)) last_hello_ = hellos_[worker];
  hellos_.erase(worker);
  tell_gpu(before);
  tell_answers(queue_.worker_gone(worker));
  class_changed_ = true;
  tell_places(now);
}

std::vector<Room::Begin> Room::begin_runs(double now) {
  std::vector<Begin> all;
  for (RunStart& start : queue_.start(now)) all.push_back({start.worker, start.job, std::move(start.problem)});
  if (!all.empty()) tell_places(now);
  return all;
}

void Room::run_ended(WorkerId worker, std::string line, bool answered, double now) {
  tell_answers(queue_.done(worker, std::move(line), answered));
  class_changed_ = true;
  tell_places(now);
}

double expected_seconds(const RunSpec& spec) {
  const Problem& p = spec.problem;
  const double flop = 4.0 * double(p.n_q) * double(p.n_k) * double(p.d) * double(p.heads) * double(p.batch);
  const double runs = double(std::max<size_t>(1, answers_of(spec).size()));
  // A check in float64 of some rows, warm-ups, then launches for 0.3 s or as many as are asked for, 2 s at most or two.
  const double launch = flop / 1e14;
  const double timing = std::min(std::max(0.3, double(spec.launches) * launch), std::max(2.0, 2 * launch));
  return 1 + runs * (0.3 + double(spec.warmups) * launch + timing + (spec.counters ? 0.5 + launch : 0) +
                     (spec.trace ? 0.3 + launch : 0));
}

double expected_seconds(const ProgramSpec& spec) {
  // The check of some heads in float64, launches for 0.3 s or 30 of them, and passes for the counters.
  return 2 + (spec.counters ? 1 : 0);
}

}  // namespace tilewalk
