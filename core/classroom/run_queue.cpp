#include "core/classroom/run_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostAskers = 20000;
constexpr double kLeastLeft = 1;  // seconds that a run under way is thought to take yet

}  // namespace

std::optional<RunAnswer> RunQueue::ask(AskerId asker, int64_t request, std::string problem, double seconds,
                                       double now) {
  const auto refused = [&](std::string why) { return RunAnswer{asker, request, nullptr, std::move(why)}; };
  if (workers_.empty() && !expected_)
    return refused("No GPU is at work for this class just now: recordings are shown.");
  for (const Kept& kept : kept_)
    if (kept.problem == problem) return RunAnswer{asker, request, kept.answer, {}};
  size_t own = 0;
  for (const auto& [id, job] : jobs_)
    for (const Ask& ask : job.asks) {
      if (ask.asker != asker) continue;
      if (ask.request == request) return refused("This run was asked for already.");
      ++own;
    }
  if (own >= limits_.waiting_of_one)
    return refused(fmt::format("{} of your runs wait already; cancel one, or wait for its answer.", own));
  if (!(seconds >= 0) || seconds > limits_.longest)
    return refused(
        fmt::format("This run would take about {:.0f} s; in a class a run may take {:.0f} s. "
                    "Ask for a shorter sequence or fewer kernels.",
                    seconds >= 0 ? seconds : limits_.longest, limits_.longest));
  // Only who asks for a run that nobody has asked for takes a turn.
  const auto same = by_problem_.find(problem);
  if (same != by_problem_.end()) {
    Job& job = jobs_.at(same->second);
    job.asks.push_back({asker, request});
    // Somebody whose turn is earlier takes it along.
    job.turn = std::min(job.turn, asked_[asker]);
    return std::nullopt;
  }
  if (waiting() >= limits_.waiting)
    return refused(fmt::format("{} runs wait already: ask again in a while.", waiting()));
  Job job;
  job.problem = problem;
  job.seconds = seconds;
  job.asked = now;
  if (asked_.size() > kMostAskers) asked_.clear();  // a class has fewer; who takes a new seat each time is let begin
  job.turn = asked_[asker]++;
  job.asks.push_back({asker, request});
  by_problem_.emplace(std::move(problem), next_);
  jobs_.emplace(next_++, std::move(job));
  return std::nullopt;
}

void RunQueue::cancel(AskerId asker, int64_t request) {
  for (auto at = jobs_.begin(); at != jobs_.end(); ++at) {
    Job& job = at->second;
    if (std::erase_if(job.asks, [&](const Ask& ask) { return ask.asker == asker && ask.request == request; }) == 0)
      continue;
    if (job.asks.empty()) {
      forget(at->first, job);  // under way it is told to stop: who asks the same from now on has a run of its own
      if (!job.running) jobs_.erase(at);
    }
    return;
  }
}

void RunQueue::forget(JobId id, const Job& job) {
  if (const auto found = by_problem_.find(job.problem); found != by_problem_.end() && found->second == id)
    by_problem_.erase(found);
}

void RunQueue::leave(AskerId asker) {
  std::vector<int64_t> requests;
  for (const auto& [id, job] : jobs_)
    for (const Ask& ask : job.asks)
      if (ask.asker == asker) requests.push_back(ask.request);
  for (const int64_t request : requests) cancel(asker, request);
}

void RunQueue::worker_came(WorkerId worker) { workers_.emplace(worker, 0); }

std::vector<RunAnswer> RunQueue::worker_gone(WorkerId worker) {
  std::vector<RunAnswer> told;
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return told;
  const JobId had = found->second;
  workers_.erase(found);
  const auto drop = [&](JobId id, const std::string& why) {
    Job job = std::move(jobs_.at(id));
    forget(id, job);
    jobs_.erase(id);
    for (RunAnswer& each : answer(std::move(job), nullptr, why)) told.push_back(std::move(each));
  };
  if (had != 0) {
    Job& job = jobs_.at(had);
    job.running = false;
    job.worker = 0;
    if (job.asks.empty())
      drop(had, {});
    else if (++job.deaths > 1)
      drop(had, "The GPU's worker ended twice during this run: it is not tried again. Try a smaller problem.");
  }
  return told;
}

std::vector<RunAnswer> RunQueue::give_up(const std::string& why) {
  std::vector<RunAnswer> told;
  for (auto& [id, job] : jobs_)
    for (RunAnswer& each : answer(std::move(job), nullptr, why)) told.push_back(std::move(each));
  jobs_.clear();
  by_problem_.clear();
  for (auto& [worker, has] : workers_) has = 0;
  return told;
}

bool RunQueue::earlier(JobId a, JobId b) const {
  const Job &x = jobs_.at(a), &y = jobs_.at(b);
  // What was given back keeps its place; waits are equal within a second.
  const auto key = [](const Job& job, JobId id) {
    return std::tuple(job.deaths == 0, job.turn, std::floor(job.asked), job.seconds, id);
  };
  return key(x, a) < key(y, b);
}

std::vector<JobId> RunQueue::in_order() const {
  std::vector<JobId> all;
  for (const auto& [id, job] : jobs_)
    if (!job.running) all.push_back(id);
  std::ranges::sort(all, [&](JobId a, JobId b) { return earlier(a, b); });
  return all;
}

std::vector<RunStart> RunQueue::start(double now) {
  std::vector<RunStart> starts;
  const bool idle = std::ranges::any_of(workers_, [](const auto& each) { return each.second == 0; });
  if (!idle) return starts;
  const std::vector<JobId> order = in_order();
  auto next = order.begin();
  for (auto& [worker, has] : workers_) {
    if (has != 0 || next == order.end()) continue;
    Job& job = jobs_.at(*next);
    job.running = true;
    job.worker = worker;
    job.begun = now;
    has = *next++;
    starts.push_back({worker, has, job.problem});
  }
  return starts;
}

std::vector<RunAnswer> RunQueue::done(WorkerId worker, std::string text, bool keep_it) {
  const auto found = workers_.find(worker);
  if (found == workers_.end() || found->second == 0) return {};
  const JobId id = std::exchange(found->second, 0);
  Job job = std::move(jobs_.at(id));
  forget(id, job);
  jobs_.erase(id);
  const auto shared = std::make_shared<const std::string>(std::move(text));
  if (keep_it) keep(job.problem, shared);
  return answer(std::move(job), shared, {});
}

std::vector<RunAnswer> RunQueue::answer(Job&& job, std::shared_ptr<const std::string> text,
                                        const std::string& refused) const {
  std::vector<RunAnswer> told;
  for (const Ask& ask : job.asks) told.push_back({ask.asker, ask.request, text, refused});
  return told;
}

void RunQueue::keep(std::string problem, std::shared_ptr<const std::string> answer) {
  if (answer->size() > limits_.kept_bytes || limits_.kept == 0) return;
  kept_bytes_ += answer->size();
  kept_.push_front({std::move(problem), std::move(answer)});
  while (kept_.size() > limits_.kept || kept_bytes_ > limits_.kept_bytes) {
    kept_bytes_ -= kept_.back().answer->size();
    kept_.pop_back();
  }
}

std::vector<RunStart> RunQueue::unwanted() const {
  std::vector<RunStart> all;
  for (const auto& [id, job] : jobs_)
    if (job.running && job.asks.empty()) all.push_back({job.worker, id, job.problem});
  return all;
}

std::vector<RunQueue::Waiting> RunQueue::places(double now) const {
  std::vector<Waiting> all;
  const bool starting = workers_.empty();
  if (starting && !expected_) return all;
  double busy = 0;  // seconds of work that come first
  size_t ahead = 0;
  for (const auto& [id, job] : jobs_) {
    if (!job.running) continue;
    // One that takes longer than was thought is thought to take as long again as it is late.
    busy += std::max(kLeastLeft, std::abs(job.begun + job.seconds - now));
    ++ahead;
    for (const Ask& ask : job.asks) all.push_back({ask.asker, ask.request, {0, 0, true, false}});
  }
  const double hands = double(std::max<size_t>(1, workers_.size()));
  for (const JobId id : in_order()) {
    const Job& job = jobs_.at(id);
    for (const Ask& ask : job.asks) all.push_back({ask.asker, ask.request, {ahead, busy / hands, false, starting}});
    busy += job.seconds;
    ++ahead;
  }
  return all;
}

std::optional<RunPlace> RunQueue::place(AskerId asker, int64_t request, double now) const {
  for (const Waiting& each : places(now))
    if (each.asker == asker && each.request == request) return each.place;
  return std::nullopt;
}

size_t RunQueue::waiting() const {
  return size_t(std::ranges::count_if(jobs_, [](const auto& each) { return !each.second.running; }));
}

}  // namespace tilewalk
