#include "app/gpu/worker_client.h"

#include "app/gpu/worker_parts.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace tilewalk {
namespace {

constexpr double kBusy = 0.2;  // share of the time that others may keep the GPU busy
constexpr std::string_view kNoPassword =
    "A password cannot be typed here: set up a key, or try the command in a terminal.";
constexpr int64_t kMostMessages = 100'000;  // of one request: an honest one takes some ten thousand
constexpr int64_t kMostUnasked = 1000;

}  // namespace

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

void WorkerClient::use(WorkerCommand command) {
  drop_pipe();
  waiting_.reset();
  command_ = std::move(command);
  status_.in_class = command_.of_class != nullptr;
  status_.remote = status_.in_class || !command_.host.empty();
  status_.host = status_.in_class ? "the class" : command_.host;
  start();
}

WorkerClient::~WorkerClient() {
  if (pipe_) pipe_->send(line_of(ToWorker{QuitRequest{}}));
  drop_pipe();
}

void WorkerClient::set(GpuState state, std::string what, std::string remedy) {
  status_.state = state;
  status_.what = std::move(what);
  status_.remedy = std::move(remedy);
  ++status_.changes;
}

// What no `done` has confirmed is not left standing as measured.
void WorkerClient::drop_unconfirmed(std::string_view why) {
  if (!running_ || !status_.result) return;
  refuse(*std::exchange(status_.result, {}), {std::string(why)});
}

void WorkerClient::refuse(RunResult said, std::vector<std::string> why) {
  if (running_) said.spec = running_->spec;  // what it says that it is of is no better than the rest
  status_.refused = std::make_shared<const RefusedRun>(RefusedRun{std::move(said), std::move(why)});
}

// What a class's GPU answers may have been measured for another before.
double WorkerClient::taken() const {
  return status_.in_class ? std::numeric_limits<double>::infinity() : heard_ - begun_;
}

// A request has gone out; of a run, `spec` is what its answers are held against.
void WorkerClient::begin(int64_t id, const RunSpec* spec) {
  {
    const std::lock_guard lock(listening_->mutex);
    listening_->id = id;
    listening_->asked = spec ? std::make_shared<const RunSpec>(*spec) : nullptr;
  }
  heard_ = begun_ = advanced_ = clock_();
  messages_ = 0;
  furthest_.reset();
}

void WorkerClient::drop_pipe() {
  drop_unconfirmed("The GPU worker ended before it confirmed what it had said so far.");
  if (!pipe_) return;
  status_.said = pipe_->last_errors();
  pipe_->end();
  leaving_.push_back(std::move(pipe_));
  running_.reset();
  if (measuring_ && whole_) status_.ceilings = whole_;
  measuring_.reset();
  status_.measuring = 0;
  program_.reset();
  status_.running_program = false;
  cancelled_ = -1;
}

void WorkerClient::start() {
  drop_pipe();
  status_.hello.reset();
  if (!command_.names_one()) return set(GpuState::NoWorker, command_.missing, command_.remedy);
  listening_ = std::make_shared<Listening>();
  listening_->one_gpu = !status_.in_class;
  const auto reader = [listening = listening_](std::string_view line) -> std::shared_ptr<const void> {
    auto heard = std::make_shared<Heard>();
    heard->message = from_worker(line, heard->fault);
    if (!heard->message && !listening->greeted && !means_to_be_message(line)) return nullptr;  // what a login prints
    if (heard->message) listening->check(*heard);
    return heard;
  };
  messages_ = 0;
  started_ = heard_ = clock_();
  if (command_.of_class)
    pipe_ = command_.of_class->open(reader, wake_);
  else
    pipe_ = std::make_unique<Child>(command_.argv, reader, wake_, limits_);
  status_.said.clear();
  set(GpuState::Probing, looking_words(), "The lessons are ready meanwhile.");
}

std::string WorkerClient::looking_words() const {
  return status_.remote ? fmt::format("Looking for a GPU in {}.", status_.host) : "Looking for a GPU.";
}

bool WorkerClient::poll() {
  const int64_t before = status_.changes;
  std::erase_if(leaving_, [](const std::unique_ptr<WorkerPipe>& pipe) { return pipe->reaped(); });
  if (!pipe_) return false;
  for (const auto& message : pipe_->take()) {
    hear(*static_cast<const Heard*>(message.get()));
    if (!pipe_) return true;
  }
  if (const std::optional<ChildEnd> end = pipe_->ended()) {
    ended(*end);
    return true;
  }
  if (!status_.hello && pipe_->last_errors() != status_.said) {
    status_.said = pipe_->last_errors();
    set(GpuState::Probing, fmt::format("{} It says: {}", looking_words(), sentence(status_.said.back())),
        status_.remote ? std::string(kNoPassword) : "");
  }
  if (const std::optional<RunPlace> place = pipe_->place(); place != status_.place) {
    status_.place = place;
    ++status_.changes;
  }
  if (status_.in_class) return status_.changes != before;  // its server keeps the deadlines
  const double now = clock_();
  const std::string printed = status_.hello ? "" : pipe_->last_rubbish();
  if (!status_.hello && now - started_ >= deadlines_.hello)
    lost(fmt::format("The GPU worker did not answer within {:g} s.{}", deadlines_.hello,
                     printed.empty() ? "" : fmt::format(" The last that it printed is no greeting: {}.", printed)),
         status_.remote ? fmt::format("{} R tries again.", kNoPassword) : "R tries again.");
  else if (cancelled_ >= 0 && now - cancelled_ >= deadlines_.cancel)
    lost("The GPU worker did not stop when asked to, so it was ended.", std::string(kRunAgain));
  else if (at_work() && now - heard_ >= deadlines_.silence)
    lost(fmt::format("The GPU worker said nothing for {:g} s and was ended.", deadlines_.silence),
         std::string(kRunAgain));
  else if (at_work() && now - advanced_ >= deadlines_.repeats)
    lost(fmt::format("The GPU worker repeated itself for {:g} s and was ended.", deadlines_.repeats),
         std::string(kRunAgain));
  else if (at_work() && now - begun_ >= deadlines_.run)
    lost(fmt::format("The GPU worker found no end in {:g} s and was ended.", deadlines_.run), std::string(kRunAgain));
  return status_.changes != before;
}

double WorkerClient::seconds_to_deadline() const {
  double at = std::numeric_limits<double>::infinity();
  if (!pipe_ || status_.in_class) return at;
  if (!status_.hello) at = started_ + deadlines_.hello;
  if (at_work())
    at = std::min({at, heard_ + deadlines_.silence, advanced_ + deadlines_.repeats, begun_ + deadlines_.run});
  if (cancelled_ >= 0) at = std::min(at, cancelled_ + deadlines_.cancel);
  return std::max(0.0, at - clock_());
}

bool WorkerClient::run(RunSpec spec, bool anyway) {
  if (busy()) return false;
  if (status_.hello && !status_.usable()) return false;
  if (!command_.names_one()) return start(), false;
  RunRequest request{next_id_++, std::move(spec), anyway};
  status_.shared = anyway;
  if (pipe_ && status_.hello) {
    send(std::move(request));
  } else {
    waiting_ = std::move(request);
    if (!pipe_) start();
  }
  return true;
}

void WorkerClient::send(RunRequest request) {
  // Kernels that do not run there are not asked for.
  std::erase_if(request.spec.kernels, [this](Method kernel) {
    return std::ranges::any_of(status_.hello->kernels, [&](const KernelOffer& offer) {
      return offer.kernel == kernel && !offer.unavailable.empty();
    });
  });
  if (request.spec.kernels.empty())
    return set(GpuState::Failed, "None of these kernels runs on this GPU.", "Each says why; recorded runs show them.");
  status_.result.reset();
  status_.refused.reset();
  status_.progress = {};
  status_.progress.id = request.id;
  pipe_->expect_large(true);
  begin(request.id, &request.spec);
  pipe_->send(line_of(ToWorker{request}));
  running_ = std::move(request);
  set(GpuState::Running);
}

bool WorkerClient::measure_ceilings(bool anyway) {
  if (busy() || !pipe_ || !status_.usable() || status_.in_class) return false;
  const CeilingsRequest request{next_id_++, anyway};
  begin(request.id, nullptr);
  pipe_->send(line_of(ToWorker{request}));
  measuring_ = request.id;
  status_.ceilings.reset();
  status_.measuring = kCeilingCount;
  ++status_.changes;
  return true;
}

bool WorkerClient::run_program(ProgramSpec spec, bool anyway) {
  if (busy() || !pipe_ || !status_.usable()) return false;
  program_ = ProgramRequest{next_id_++, std::move(spec), anyway};
  begin(program_->id, nullptr);
  pipe_->send(line_of(ToWorker{*program_}));
  status_.program.reset();
  status_.running_program = true;
  ++status_.changes;
  return true;
}

void WorkerClient::cancel() {
  if (waiting_) {
    waiting_.reset();
    ++status_.changes;
  }
  if (!at_work() || !pipe_ || cancelled_ >= 0) return;
  cancelled_ = clock_();
  pipe_->send(line_of(ToWorker{CancelRequest{running_ ? running_->id : program_ ? program_->id : *measuring_}}));
  if (running_) set(GpuState::Running, "Stopping after the launch that is on its way.");
}

void WorkerClient::hear(const Heard& heard) {
  heard_ = clock_();
  if (!heard.message) return lost(heard.fault, std::string(kRunAgain));
  if (too_many()) return;
  std::visit(
      [&](const auto& message) {
        if constexpr (requires { hear(message, heard.faults); })
          hear(message, heard.faults);
        else
          hear(message);
      },
      *heard.message);
}

// A worker that speaks for ever is ended.
bool WorkerClient::too_many() {
  const bool asked = at_work() || !status_.hello;
  const int64_t most = asked ? kMostMessages : kMostUnasked;
  if (++messages_ <= most) return false;
  lost(fmt::format("The GPU worker sent {} messages {} and was ended.", with_commas(most),
                   asked ? "without an end" : "that nobody asked for"),
       std::string(kRunAgain));
  return true;
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
  if (hello.busy > kBusy && !status_.in_class)
    return set(GpuState::Busy,
               fmt::format("Other programs keep the GPU busy for {:.0f} % of the time, so a time would mean little.",
                           hello.busy * 100),
               "Wait until they are done, or run anyway: the result is then marked as shared.");
  set(status_.remote ? GpuState::Remote : GpuState::Ready);
}

std::string WorkerClient::words_of(const ChildEnd& end) const {
  const std::string said =
      pipe_->last_error().empty() ? "" : fmt::format(" It said: {}", sentence(pipe_->last_error()));
  switch (end.why) {
    case ChildEnd::Why::NotStarted:
      return fmt::format("The GPU worker could not be started: {}", sentence(pipe_->last_error()));
    case ChildEnd::Why::Rubbish: return "The GPU worker printed what is no message, so it was ended.";
    case ChildEnd::Why::LongLine:
      return "The GPU worker sent a line that is too long to be an answer, so it was ended.";
    case ChildEnd::Why::Unread:
      return "What the GPU worker sent could not be taken in: this machine has too little memory for it.";
    case ChildEnd::Why::Signalled:
      return fmt::format("The GPU worker was ended by signal {} ({}).{}", end.code, strsignal(end.code), said);
    case ChildEnd::Why::Exited: break;
  }
  return fmt::format("The GPU worker ended{} with code {}.{}", at_work() ? " in the middle of the run" : "", end.code,
                     said);
}

void WorkerClient::ended(const ChildEnd& end) {
  std::string what = words_of(end);
  const bool never = end.why == ChildEnd::Why::NotStarted ||
                     (!status_.hello && end.why == ChildEnd::Why::Exited && (end.code == 127 || end.code == 126));
  if (never && !status_.remote) {
    drop_pipe();
    waiting_.reset();
    status_.hello.reset();
    return set(GpuState::NoWorker, std::move(what), "All lessons work with recorded runs.");
  }
  lost(std::move(what), std::string(kRunAgain));
}

void WorkerClient::lost(std::string what, std::string remedy) {
  if (status_.remote && pipe_ && what.find("It said") == std::string::npos && !pipe_->last_error().empty())
    what += fmt::format(" It said: {}", sentence(pipe_->last_error()));
  drop_pipe();
  waiting_.reset();
  status_.hello.reset();
  set(status_.remote ? GpuState::RemoteLost : GpuState::Failed, std::move(what), std::move(remedy));
}

}  // namespace tilewalk
