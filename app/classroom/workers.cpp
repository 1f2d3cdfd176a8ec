#include "app/classroom/workers.h"

#include "app/gpu/child.h"
#include "core/run/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

constexpr ChildLimits kLimits{.line = size_t{8} << 20, .small_line = size_t{8} << 20, .rubbish = 64 << 10, .grace = 1};
constexpr double kLongestPause = 30;  // seconds between one start and the next
constexpr double kAgain = 60;         // seconds until one that was given up is tried once more
constexpr double kLived = 10;         // seconds that a worker must have been at work for its end to be no failed start

}  // namespace

struct Workers::Worker {
  std::vector<std::string> argv;
  std::string name;
  WorkerId id = 0;  // of this start; 0: it is not at work
  std::unique_ptr<Child> child;
  double started = 0, begun = -1, start_at = 0;  // begun: of its run; below 0: it has none
  int failures = 0;                              // starts that came to nothing, one after the other
  double cancelled = -1;                         // when its run was told to stop; below 0: it was not
};

Workers::Workers(WorkersSettings settings, Room& room, std::function<void()> wake,
                 std::function<void(const std::string&)> say)
    : settings_(std::move(settings)), room_(room), wake_(std::move(wake)), say_(std::move(say)) {
  for (std::vector<std::string>& argv : settings_.commands) {
    auto worker = std::make_unique<Worker>();
    worker->name = argv.size() == 3 && argv[1] == "-c" ? argv[2] : argv.empty() ? std::string() : argv.front();
    worker->argv = std::move(argv);
    workers_.push_back(std::move(worker));
  }
}

Workers::~Workers() = default;

void Workers::start(Worker& worker, double now) {
  const auto as_it_is = [](std::string_view line) -> std::shared_ptr<const void> {
    return line.starts_with('{') ? std::make_shared<const std::string>(line) : nullptr;
  };
  worker.child = std::make_unique<Child>(worker.argv, as_it_is, wake_, kLimits);
  worker.started = now;
  worker.begun = -1;
  worker.cancelled = -1;
}

void Workers::lost(Worker& worker, double now, const std::string& why) {
  const std::string last = worker.child ? worker.child->last_error() : std::string();
  const bool worked = worker.id != 0 && (worker.begun >= 0 || now - worker.started > kLived);
  worker.child.reset();
  if (worker.id != 0) room_.worker_gone(std::exchange(worker.id, 0), now);
  worker.begun = -1;
  // A run that ends its worker says nothing of the next one.
  if (worked) worker.failures = 0;
  const bool again = ++worker.failures < settings_.attempts;
  const double pause = again ? std::min(kLongestPause, 0.25 * double(1 << std::min(10, worker.failures))) : kAgain;
  worker.start_at = now + pause;
  say_(fmt::format("The worker \"{}\" {}{}. It is started again in {:.1f} s.", worker.name, why,
                   last.empty() ? "" : ": " + last, pause));
}

void Workers::heard(Worker& worker, const std::string& line, double now) {
  std::string fault;
  const std::optional<FromWorker> read = from_worker(line, fault);
  if (!read) return lost(worker, now, "said what is no message of a worker");
  if (const Hello* hello = std::get_if<Hello>(&*read)) {
    if (hello->protocol != kProtocolVersion)
      return lost(worker, now, fmt::format("is of another Tilewalk ({})", hello->program));
    if (hello->trouble != GpuTrouble::None) return lost(worker, now, "has no GPU: " + hello->reason);
    if (worker.id != 0) return;
    worker.id = next_++;
    told_none_ = false;
    say_(fmt::format("The worker \"{}\" is there: {}.", worker.name, hello->gpu.gpu));
    return room_.worker_came(worker.id, now, line);
  }
  const Done* run = std::get_if<Done>(&*read);
  const ProgramDone* program = std::get_if<ProgramDone>(&*read);
  if ((!run && !program && !std::holds_alternative<Failure>(*read)) || worker.begun < 0) return;
  worker.begun = -1;
  room_.run_ended(worker.id, line, (run && !run->cancelled) || (program && !program->cancelled), now);
}

void Workers::poll(double now) {
  for (const std::unique_ptr<Worker>& each : workers_) {
    Worker& worker = *each;
    if (!worker.child) {
      if (now >= worker.start_at) start(worker, now);
      continue;
    }
    for (const std::shared_ptr<const void>& line : worker.child->take()) {
      heard(worker, *std::static_pointer_cast<const std::string>(line), now);
      if (!worker.child) break;
    }
    if (!worker.child) continue;
    if (worker.child->ended())
      lost(worker, now, "ended");
    else if (worker.id == 0 && now - worker.started > settings_.hello)
      lost(worker, now, "did not say what it is");
    else if (worker.begun >= 0 && worker.cancelled >= 0 && now - worker.cancelled > settings_.stop)
      lost(worker, now, "did not stop a run that nobody waits for, and was ended");
    else if (worker.begun >= 0 && now - worker.begun > settings_.run)
      lost(worker, now, fmt::format("was at one run for {:.0f} s and was ended", settings_.run));
  }
  const auto with_id = [&](WorkerId id) -> Worker* {
    const auto found = std::ranges::find_if(workers_, [&](const auto& worker) { return worker->id == id; });
    return id != 0 && found != workers_.end() ? found->get() : nullptr;
  };
  // What is given up is tried once more now and then; runs wait for it again once it is there.
  room_.expect_workers(
      std::ranges::any_of(workers_,
                          [&](const auto& worker) { return worker->id != 0 || worker->failures < settings_.attempts; }),
      now);
  for (const RunStart& run : room_.unwanted())
    if (Worker* worker = with_id(run.worker); worker && worker->cancelled < 0) {
      worker->child->send(line_of(ToWorker(CancelRequest{0})));
      worker->cancelled = now;
    }
  for (const Room::Begin& run : room_.begin_runs(now))
    if (Worker* worker = with_id(run.worker)) {
      worker->begun = now;
      worker->cancelled = -1;
      worker->child->send(run.line);
    }
  const bool none = !workers_.empty() && std::ranges::all_of(workers_, [&](const auto& worker) {
    return worker->id == 0 && worker->failures >= settings_.attempts;
  });
  if (none && !std::exchange(told_none_, true))
    room_.no_more_workers("The GPU of this class is gone: recordings are shown.", now);
}

}  // namespace tilewalk
