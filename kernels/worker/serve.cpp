#include "kernels/worker/serve.h"

#include "kernels/worker/device.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/inbox.h"
#include "kernels/worker/runner.h"

#include <unistd.h>

#include <csignal>
#include <memory>

namespace tilewalk::gpu {
namespace {

// Standard output, for protocol lines alone: whatever else writes to it (a library's message) lands on standard error.
class Outbox {
 public:
  Outbox() : file_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  ~Outbox() { close(file_); }
  Outbox(const Outbox&) = delete;

  // Where the other end is gone, the end of standard input says so too.
  void send(const FromWorker& message) {
    const std::string line = line_of(message) + '\n';
    for (size_t sent = 0; sent < line.size();) {
      const ssize_t count = write(file_, line.data() + sent, line.size() - sent);
      if (count <= 0) return;
      sent += size_t(count);
    }
  }

 private:
  int file_;
};

Failure failure(int64_t id, std::string code, std::string message) {
  return {id, std::move(code), std::move(message), 0, 0, 0};
}

Hello hello_of(const Found& found, Runner* runner) {
  Hello hello;
  hello.program = TILEWALK_VERSION;
  hello.trouble = found.trouble;
  hello.reason = found.reason;
  hello.busy = -1;
  hello.gpu.driver = found.driver;
  hello.gpu.cuda = CUDART_VERSION;
  hello.gpu.program = TILEWALK_VERSION;
  if (!runner) {
    hello.no_counters = "There is no GPU to count on.";
    for (const MethodInfo& info : all_kernels()) hello.kernels.push_back({info.id, "There is no GPU to run it."});
    return hello;
  }
  hello.gpu = runner->gpu().what;
  hello.busy = runner->busy();
  hello.kernels = offers(hello.gpu);
  hello.no_counters = runner->traffic().unavailable();
  hello.memory_free = Runner::memory_free();
  return hello;
}

void carry_out(const RunRequest& request, const Inbox& inbox, Runner& runner, Outbox& out) {
  const int64_t id = request.id;
  const RunHooks hooks{
      .progress =
          [&](const Answer& asked, RunStage stage, int done, int of) {
            out.send(Progress{id, asked.kernel, stage, done, of, asked.with});
          },
      .partial =
          [&](const KernelResult& result) {
            out.send(Partial{id, result});
          },
      .cancelled = [&] { return inbox.cancelled(); },
  };
  Ran ran = runner.run(request.spec, request.anyway, hooks);
  out.send(Done{id, std::move(ran.result), ran.cancelled});
}

void carry_out(const CeilingsRequest& request, const Inbox& inbox, Runner& runner, Outbox& out) {
  const auto ready = [&](const Ceiling& ceiling, int done, int of) {
    out.send(CeilingDone{request.id, done, of, ceiling});
  };
  Ceilings measured = runner.ceilings(request.anyway, ready, [&] { return inbox.cancelled(); });
  const bool all = int(measured.ceilings.size()) == kCeilingCount;
  out.send(CeilingsDone{request.id, std::move(measured), !all});
}

void carry_out(const ProgramRequest& request, const Inbox& inbox, Runner& runner, Outbox& out) {
  bool cancelled = false;
  ProgramRun run = runner.run_program(request.spec, request.anyway, [&](RunStage, int, int) {
    cancelled = cancelled || inbox.cancelled();
    return !cancelled;
  });
  out.send(ProgramDone{request.id, std::move(run), cancelled});
}

// What a request that was given up before its turn gets.
FromWorker nothing_done(const RunRequest& request, const Provenance& gpu) {
  return Done{request.id, {gpu, request.spec, {}}, true};
}
FromWorker nothing_done(const CeilingsRequest& request, const Provenance& gpu) {
  return CeilingsDone{request.id, {gpu, {}}, true};
}
FromWorker nothing_done(const ProgramRequest& request, const Provenance& gpu) {
  ProgramDone done{request.id, {}, true};
  done.run.provenance = gpu;
  done.run.spec = request.spec;
  return done;
}

// True unless the GPU's context is lost.
bool answer(const Inbox& inbox, const auto& request, Runner& runner, Outbox& out) {
  const int64_t id = request.id;
  if (inbox.cancelled()) return out.send(nothing_done(request, runner.gpu().what)), true;
  try {
    carry_out(request, inbox, runner, out);
  } catch (Refused& refused) {
    refused.failure.id = id;
    out.send(refused.failure);
  } catch (const CudaError& fault) {
    const bool memory = fault.error == cudaErrorMemoryAllocation;
    out.send(failure(id, memory ? "memory" : "launch", std::string(fault.what()) + "."));
    return !fault.dead;
  }
  return true;
}

}  // namespace

int serve() {
  std::signal(SIGPIPE, SIG_IGN);
  Outbox out;
  Found found = find_gpus();
  std::unique_ptr<Runner> runner;
  try {
    if (found.trouble == GpuTrouble::None) runner = std::make_unique<Runner>(found.gpus.front());
    out.send(hello_of(found, runner.get()));
  } catch (const CudaError& fault) {
    found.trouble = GpuTrouble::Other;
    found.reason = std::string(fault.what()) + ". nvidia-smi says more.";
    runner.reset();
    out.send(hello_of(found, nullptr));
  }
  Inbox inbox(STDIN_FILENO);
  while (const auto item = inbox.next()) {
    if (const auto* fault = std::get_if<std::string>(&*item)) {
      out.send(failure(0, "request", *fault));
      continue;
    }
    const Inbox::Waiting& waiting = std::get<Inbox::Waiting>(*item);
    if (!runner)
      out.send(failure(waiting.id(), "launch", found.reason));
    else if (!std::visit([&](const auto& request) { return answer(inbox, request, *runner, out); }, waiting.request))
      return kContextLost;
  }
  return kOk;
}

}  // namespace tilewalk::gpu
