#include "app/gpu/worker_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <unistd.h>

namespace tilewalk {
namespace {

constexpr double kBusy = 0.2;  // share of the time that others may keep the GPU busy
constexpr std::string_view kNoPassword =
    "A password cannot be typed here: set up a key, or try the command in a terminal.";
constexpr std::string_view kRunAgain = "The lesson goes on; R starts a new worker.";

// Not too long, and with a stop at its end.
std::string sentence(std::string text) {
  if (text.size() > 160) text = text.substr(0, 157) + "...";
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

// A time stands only beside a correct answer; the first kernel whose answer was wrong.
const KernelResult* strike_wrong(RunResult& result) {
  const KernelResult* wrong = nullptr;
  for (KernelResult& kernel : result.kernels) {
    if (kernel.errors && kernel.errors->passed) continue;
    kernel.timing.reset();
    if (kernel.errors && !wrong) wrong = &kernel;
  }
  return wrong;
}

}  // namespace

struct WorkerClient::Heard {
  std::optional<FromWorker> message;
  std::string fault;  // the line cannot be used
};

WorkerCommand worker_command(std::string_view typed, const std::filesystem::path& program_folder) {
  if (typed.find_first_not_of(" \t") == std::string_view::npos) {
    const std::filesystem::path beside = program_folder / "tilewalk-gpu";
    std::error_code ignored;
    if (program_folder.empty() || !std::filesystem::exists(beside, ignored)) return {};
    return {{beside.string(), "serve"}, {}};
  }
  WorkerCommand command{{"/bin/sh", "-c", std::string(typed)}, {}};
  // "ssh -p 22 user@host ...": the first word that is no option nor an option's value.
  std::vector<std::string> words;
  for (size_t at = 0; at < typed.size();) {
    const size_t begin = typed.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(typed.find_first_of(" \t", begin), typed.size());
    words.emplace_back(typed.substr(begin, at - begin));
  }
  if (std::filesystem::path(words.front()).filename() == "ssh")
    for (size_t k = 1; k < words.size() && command.host.empty(); ++k) {
      if (words[k][0] != '-')
        command.host = words[k].substr(words[k].find('@') + 1);
      else if (words[k].size() == 2 && std::strchr("BbcDEeFIiJLlmOoPpRSWw", words[k][1]))
        ++k;
    }
  return command;
}

WorkerClient::WorkerClient(WorkerCommand command, std::function<double()> clock, std::function<void()> wake,
                           WorkerDeadlines deadlines, ChildLimits limits)
    : command_(std::move(command)),
      clock_(std::move(clock)),
      wake_(std::move(wake)),
      deadlines_(deadlines),
      limits_(limits) {
  status_.remote = !command_.host.empty();
  status_.host = command_.host;
}

WorkerClient::~WorkerClient() {
  if (child_) child_->send(line_of(ToWorker{QuitRequest{}}));
  drop_child();
}

void WorkerClient::set(GpuState state, std::string what, std::string remedy) {
  status_.state = state;
  status_.what = std::move(what);
  status_.remedy = std::move(remedy);
  ++status_.changes;
}

void WorkerClient::drop_child() {
  if (!child_) return;
  status_.said = child_->last_errors();
  child_->end();
  leaving_.push_back(std::move(child_));
  running_.reset();
  if (measuring_ && whole_) status_.ceilings = whole_;
  measuring_.reset();
  status_.measuring = 0;
  cancelled_ = -1;
}

void WorkerClient::start() {
  drop_child();
  status_.hello.reset();
  if (command_.argv.empty())
    return set(GpuState::NoWorker, "The GPU worker, tilewalk-gpu, is not beside this program.",
               "All lessons work with recorded runs; --gpu-worker names a worker elsewhere.");
  greeted_ = std::make_shared<std::atomic<bool>>(false);
  const auto reader = [greeted = greeted_](std::string_view line) -> std::shared_ptr<const void> {
    auto heard = std::make_shared<Heard>();
    heard->message = from_worker(line, heard->fault);
    if (heard->message && std::holds_alternative<Hello>(*heard->message)) *greeted = true;
    if (!heard->message && !*greeted) return nullptr;  // what a login prints
    return heard;
  };
  started_ = heard_ = clock_();
  child_ = std::make_unique<Child>(command_.argv, reader, wake_, limits_);
  status_.said.clear();
  set(GpuState::Probing, looking_words(), "The lessons are ready meanwhile.");
}

std::string WorkerClient::looking_words() const {
  return status_.remote ? fmt::format("Looking for a GPU in {}.", status_.host) : "Looking for a GPU.";
}

bool WorkerClient::poll() {
  const int64_t before = status_.changes;
  std::erase_if(leaving_, [](const std::unique_ptr<Child>& child) { return child->reaped(); });
  if (!child_) return false;
  for (const auto& message : child_->take()) {
    hear(*static_cast<const Heard*>(message.get()));
    if (!child_) return true;
  }
  if (const std::optional<ChildEnd> end = child_->ended()) {
    ended(*end);
    return true;
  }
  if (!status_.hello && child_->last_errors() != status_.said) {
    status_.said = child_->last_errors();
    set(GpuState::Probing, fmt::format("{} It says: {}", looking_words(), sentence(status_.said.back())),
        status_.remote ? std::string(kNoPassword) : "");
  }
  const double now = clock_();
  if (!status_.hello && now - started_ >= deadlines_.hello)
    lost(fmt::format("The GPU worker did not answer within {:g} s.", deadlines_.hello),
         status_.remote ? fmt::format("{} R tries again.", kNoPassword) : "R tries again.");
  else if (cancelled_ >= 0 && now - cancelled_ >= deadlines_.cancel)
    lost("The GPU worker did not stop when asked to, so it was ended.", std::string(kRunAgain));
  else if ((running_ || measuring_) && now - heard_ >= deadlines_.silence)
    lost(fmt::format("The GPU worker said nothing for {:g} s and was ended.", deadlines_.silence),
         std::string(kRunAgain));
  return status_.changes != before;
}

double WorkerClient::seconds_to_deadline() const {
  double at = std::numeric_limits<double>::infinity();
  if (!child_) return at;
  if (!status_.hello) at = started_ + deadlines_.hello;
  if (running_ || measuring_) at = std::min(at, heard_ + deadlines_.silence);
  if (cancelled_ >= 0) at = std::min(at, cancelled_ + deadlines_.cancel);
  return std::max(0.0, at - clock_());
}

bool WorkerClient::run(RunSpec spec, bool anyway) {
  if (busy()) return false;
  if (status_.hello && !status_.usable()) return false;
  if (command_.argv.empty()) return start(), false;
  RunRequest request{next_id_++, std::move(spec), anyway};
  status_.shared = anyway;
  if (child_ && status_.hello) {
    send(std::move(request));
  } else {
    waiting_ = std::move(request);
    if (!child_) start();
  }
  return true;
}

void WorkerClient::send(RunRequest request) {
  // Kernels that do not run there are not asked for.
  std::erase_if(request.spec.kernels, [this](KernelId kernel) {
    return std::ranges::any_of(status_.hello->kernels, [&](const KernelOffer& offer) {
      return offer.kernel == kernel && !offer.unavailable.empty();
    });
  });
  if (request.spec.kernels.empty())
    return set(GpuState::Failed, "None of these kernels runs on this GPU.", "Each says why; recorded runs show them.");
  status_.result.reset();
  status_.progress = {};
  status_.progress.id = request.id;
  child_->expect_large(true);
  child_->send(line_of(ToWorker{request}));
  running_ = std::move(request);
  heard_ = clock_();
  set(GpuState::Running);
}

bool WorkerClient::measure_ceilings(bool anyway) {
  if (busy() || !child_ || !status_.usable()) return false;
  const CeilingsRequest request{next_id_++, anyway};
  child_->send(line_of(ToWorker{request}));
  measuring_ = request.id;
  heard_ = clock_();
  status_.ceilings.reset();
  status_.measuring = kCeilingCount;
  ++status_.changes;
  return true;
}

void WorkerClient::cancel() {
  if (waiting_) {
    waiting_.reset();
    ++status_.changes;
  }
  if (!(running_ || measuring_) || !child_ || cancelled_ >= 0) return;
  cancelled_ = clock_();
  child_->send(line_of(ToWorker{CancelRequest{running_ ? running_->id : *measuring_}}));
  if (running_) set(GpuState::Running, "Stopping after the launch that is on its way.");
}

void WorkerClient::hear(const Heard& heard) {
  heard_ = clock_();
  if (!heard.message) return lost(heard.fault, std::string(kRunAgain));
  std::visit([this](const auto& message) { hear(message); }, *heard.message);
}

void WorkerClient::hear(const Hello& hello) {
  if (hello.protocol != kProtocolVersion)
    return lost(fmt::format("The GPU worker (version {}) speaks protocol {}, this program speaks {}.",
                            hello.program.empty() ? "unknown" : hello.program, hello.protocol, kProtocolVersion),
                "Install the same version of both.");
  if (status_.hello) return lost("The GPU worker said hello twice, so it was ended.", std::string(kRunAgain));
  status_.hello = std::make_shared<const Hello>(hello);
  if (whole_ && whole_->provenance.gpu != hello.gpu.gpu) {
    whole_.reset();
    status_.ceilings.reset();
  }
  status_.answer_seconds = clock_() - started_;
  const std::string recorded = "All lessons work with recorded runs.";
  switch (hello.trouble) {
    case GpuTrouble::None: break;
    case GpuTrouble::NoDriver: waiting_.reset(); return set(GpuState::NoDriver, hello.reason, recorded);
    case GpuTrouble::NoDevice:
    case GpuTrouble::Other: waiting_.reset(); return set(GpuState::NoDevice, hello.reason, recorded);
    case GpuTrouble::DriverTooOld: waiting_.reset(); return set(GpuState::DriverTooOld, hello.reason, recorded);
  }
  if (waiting_) return send(*std::exchange(waiting_, {}));
  if (hello.busy > kBusy)
    return set(GpuState::Busy,
               fmt::format("Other programs keep the GPU busy for {:.0f} % of the time, so a time would mean little.",
                           hello.busy * 100),
               "Wait until they are done, or run anyway: the result is then marked as shared.");
  set(status_.remote ? GpuState::Remote : GpuState::Ready);
}

void WorkerClient::hear(const Progress& progress) {
  if (!running_ || progress.id != running_->id) return;
  status_.progress = progress;
  ++status_.changes;
}

void WorkerClient::hear(const Partial& partial) {
  if (!running_ || partial.id != running_->id) return;
  auto so_far = std::make_shared<RunResult>(status_.result ? *status_.result : RunResult{});
  if (!status_.result) {
    so_far->provenance = status_.hello->gpu;
    so_far->spec = running_->spec;
  }
  if (so_far->kernels.size() >= size_t(kKernelCount)) return;
  so_far->kernels.push_back(partial.result);
  strike_wrong(*so_far);
  status_.result = std::move(so_far);
  ++status_.changes;
}

void WorkerClient::hear(const Done& done) {
  if (!running_ || done.id != running_->id) return;
  const RunSpec asked = std::exchange(running_, {})->spec;
  cancelled_ = -1;
  child_->expect_large(false);
  if (done.cancelled) {
    return set(status_.remote ? GpuState::Remote : GpuState::Ready, "The run was stopped.",
               status_.result ? "What was measured before is shown." : "R runs it again.");
  }
  if (done.result.spec.inputs.hash != asked.inputs.hash) {
    status_.result.reset();
    return set(GpuState::Failed, "The GPU worker measured other inputs than those on the stage.",
               "Nothing of it is shown; install the same version of both.");
  }
  auto result = std::make_shared<RunResult>(done.result);
  const KernelResult* wrong = strike_wrong(*result);
  std::string why;
  bool any_counters = false;
  for (const KernelResult& kernel : result->kernels) {
    any_counters = any_counters || kernel.counters;
    if (why.empty()) why = kernel.no_counters;
  }
  if (why.empty()) why = status_.hello->no_counters;
  if (wrong) {
    set(GpuState::Failed,
        fmt::format("{} gave a wrong answer: its worst row is off by {:.2g} of its length.",
                    wrong->label.empty() ? std::string(info_of(wrong->kernel).name) : wrong->label,
                    wrong->errors->worst_row),
        "Its time is not shown; the other kernels' stand.");
  } else if (std::ranges::none_of(result->kernels,
                                  [](const KernelResult& kernel) { return kernel.timing.has_value(); })) {
    const auto refused =
        std::ranges::find_if(result->kernels, [](const KernelResult& kernel) { return !kernel.refused.empty(); });
    set(GpuState::Failed, refused == result->kernels.end() ? "No kernel was measured." : sentence(refused->refused),
        "The lesson goes on; R runs it again.");
  } else if (asked.counters && !any_counters && !why.empty()) {
    set(GpuState::NoCounters, why, "The times are real; the bytes are predicted or recorded.");
  } else {
    set(GpuState::Result);
  }
  status_.result = std::move(result);
}

void WorkerClient::hear(const CeilingDone& done) {
  if (done.id != measuring_) return;
  auto so_far = std::make_shared<Ceilings>(status_.ceilings ? *status_.ceilings : Ceilings{status_.hello->gpu, {}});
  if (so_far->ceilings.size() >= size_t(kCeilingCount)) return;
  so_far->ceilings.push_back(done.ceiling);
  status_.ceilings = std::move(so_far);
  ++status_.changes;
}

void WorkerClient::hear(const CeilingsDone& done) {
  if (done.id != measuring_) return;
  measuring_.reset();
  cancelled_ = -1;
  status_.measuring = 0;
  auto all = std::make_shared<const Ceilings>(done.result);
  if (all->ceilings.size() == size_t(kCeilingCount)) whole_ = all;
  status_.ceilings = whole_ ? whole_ : std::move(all);
  ++status_.changes;
}

void WorkerClient::hear(const Failure& failure) {
  const bool of_run = running_ && failure.id == running_->id, of_ceilings = failure.id == measuring_;
  if (failure.id != 0 && !of_run && !of_ceilings) return;
  if (!running_ && !measuring_)  // of nothing that was asked
    return lost(sentence(failure.message), std::string(kRunAgain));
  running_.reset();
  measuring_.reset();
  if (of_ceilings && whole_) status_.ceilings = whole_;
  status_.measuring = 0;
  cancelled_ = -1;
  if (child_) child_->expect_large(false);
  if (failure.code == "memory") {
    status_.needed = failure.needed;
    status_.free = failure.free;
    status_.largest_n = failure.largest_n;
    return set(GpuState::NotEnoughMemory, failure.message, "Nothing was allocated.");
  }
  if (failure.code == "busy")
    return set(GpuState::Busy, failure.message,
               "Wait until they are done, or run anyway: the result is then marked as shared.");
  set(GpuState::Failed, sentence(failure.message), "The lesson goes on; R runs it again.");
}

std::string WorkerClient::words_of(const ChildEnd& end) const {
  const std::string said =
      child_->last_error().empty() ? "" : fmt::format(" It said: {}", sentence(child_->last_error()));
  switch (end.why) {
    case ChildEnd::Why::NotStarted:
      return fmt::format("The GPU worker could not be started: {}", sentence(child_->last_error()));
    case ChildEnd::Why::Rubbish: return "The GPU worker printed what is no message, so it was ended.";
    case ChildEnd::Why::LongLine:
      return "The GPU worker sent a line that is too long to be an answer, so it was ended.";
    case ChildEnd::Why::Unread:
      return "What the GPU worker sent could not be taken in: this machine has too little memory for it.";
    case ChildEnd::Why::Signalled:
      return fmt::format("The GPU worker was ended by signal {} ({}).{}", end.code, strsignal(end.code), said);
    case ChildEnd::Why::Exited: break;
  }
  return fmt::format("The GPU worker ended{} with code {}.{}",
                     running_ || measuring_ ? " in the middle of the run" : "", end.code, said);
}

void WorkerClient::ended(const ChildEnd& end) {
  std::string what = words_of(end);
  const bool never = end.why == ChildEnd::Why::NotStarted ||
                     (!status_.hello && end.why == ChildEnd::Why::Exited && (end.code == 127 || end.code == 126));
  if (never && !status_.remote) {
    drop_child();
    waiting_.reset();
    status_.hello.reset();
    return set(GpuState::NoWorker, std::move(what), "All lessons work with recorded runs.");
  }
  lost(std::move(what), std::string(kRunAgain));
}

void WorkerClient::lost(std::string what, std::string remedy) {
  if (status_.remote && child_ && what.find("It said") == std::string::npos && !child_->last_error().empty())
    what += fmt::format(" It said: {}", sentence(child_->last_error()));
  drop_child();
  waiting_.reset();
  status_.hello.reset();
  set(status_.remote ? GpuState::RemoteLost : GpuState::Failed, std::move(what), std::move(remedy));
}

}  // namespace tilewalk
