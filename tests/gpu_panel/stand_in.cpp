// A worker that is none: speaks the protocol as its one argument says, well or badly, and invents its times. Bytes are
// the prediction's, O, L, m and l the simulator's, so that a panel shown with it looks as it does with a GPU. "lies:7"
// answers each run with another lie of tests/core/run/lies.h, the eighth first.
#include "core/run/prediction.h"
#include "core/run/audit_rows.h"
#include "core/run/protocol.h"
#include "core/run/simulated.h"
#include "core/run/tolerance.h"
#include "tests/core/run/lies.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include <unistd.h>

using namespace tilewalk;

namespace {

std::string script;
bool is(std::string_view name) { return script == name; }

void say(const FromWorker& message) { std::cout << line_of(message) << std::endl; }
void rest(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
[[noreturn]] void sleep_for_ever() {
  while (true) rest(1000);
}

Hello hello() {
  Hello h;
  h.program = "stand-in";
  h.gpu = {"NVIDIA Test GPU", 9, 0, 132, 141'000'000'000, 60'000'000, 13000, 13000, "580.1", 0, 0, "", "stand-in", ""};
  h.memory_free = 139'000'000'000;
  h.busy = is("busy") ? 0.7 : 0;
  for (const MethodInfo& info : kernels()) {
    const bool missing = is("no-fa3") && info.id == Method::Fa3;
    h.kernels.push_back({info.id, missing ? "FA3 runs on compute capability 9.0 only; this GPU is 8.9." : ""});
  }
  if (is("no-fa3")) h.gpu.gpu = "NVIDIA Test GPU 4", h.gpu.major = 8, h.gpu.minor = 9;
  if (is("no-counters"))
    h.no_counters =
        "Hardware counters need a permission: the administrator sets NVreg_RestrictProfilingToAdminUsers=0.";
  if (is("no-driver"))
    h.trouble = GpuTrouble::NoDriver, h.reason = "NVIDIA's driver is not installed: libcuda.so.1 was not found.";
  if (is("no-device"))
    h.trouble = GpuTrouble::NoDevice, h.reason = "The driver finds no GPU; CUDA_VISIBLE_DEVICES is empty.";
  if (is("old-driver"))
    h.trouble = GpuTrouble::DriverTooOld, h.reason = "The driver is for CUDA 11.8; the kernels need 12.6 or newer.";
  if (is("other-trouble")) h.trouble = GpuTrouble::Other, h.reason = "The GPU answered with error 999.";
  if (is("other-version")) h.protocol = kProtocolVersion + 1;
  return h;
}

// Stamps of one block with two consumers that take turns, and a producer that is ahead of them.
void add_stamps(KernelTrace& trace, int64_t tiles) {
  trace.lanes = {"producer", "warpgroup 1", "warpgroup 2"};
  for (int64_t j = 0; j < tiles; ++j) {
    const int64_t t = j * 1000;
    trace.stamps.push_back({0, "LoadK", j, t, t + 260});
    trace.stamps.push_back({0, "LoadV", j, t + 260, t + 540});
    trace.stamps.push_back({0, "Wait", j, t + 540, t + 1000});
    for (int lane = 1; lane <= 2; ++lane) {
      const int64_t from = t + 300 + (lane - 1) * 480;
      trace.stamps.push_back({lane, "Wait", j, from - 90, from});
      trace.stamps.push_back({lane, "Score", j, from, from + 250});
      trace.stamps.push_back({lane, "RowMax", j, from + 250, from + 330});
      trace.stamps.push_back({lane, "Exponentiate", j, from + 330, from + 590});
      trace.stamps.push_back({lane, "Rescale", j, from + 590, from + 650});
      trace.stamps.push_back({lane, "Accumulate", j, from + 650, from + 905});
    }
  }
}

KernelResult result_of(const RunSpec& spec, const Answer& asked) {
  const Problem& p = spec.problem;
  const Method kernel = asked.kernel;
  KernelResult r;
  r.kernel = kernel;
  r.with = asked.with;
  r.launched = {fmt::format("stand_in_{}", info_of(kernel).key)};
  if (is("refused")) return r.refused = "Its library is missing here.", r;
  const bool wrong = is("wrong") && kernel == Method::Fa2;
  r.errors = Errors{compared_rows(p), wrong ? 0.31 : 4.1e-4, wrong ? 0.2 : 2.3e-4, 3.1e-6, !wrong};
  if (asked.with == Switch::NoRescale) {
    *r.errors = {compared_rows(p), 0.39, 0.2, 0.1, false};
    r.wrong = WrongRow{2, 4, 0.39, 9.1, 8.9, {0.5f, 0.25f}, {0.75f, 0.5f}};
    return r;
  }
  const RunPrediction predicted = predict_run(p, kernel, default_machine(), false);
  constexpr double kRate[] = {150e12, 40e12, 370e12, 680e12, 10e12, 20e12, 30e12, 300e12, 310e12};
  const auto forward = kernels();  // backward ones as fast as the last
  const auto at = std::ranges::find(forward, kernel, &MethodInfo::id) - forward.begin();
  const double rate = kRate[std::min<size_t>(size_t(at), std::size(kRate) - 1)];
  const double slower = asked.with == Switch::None ? 1 : 1.25;  // every switch
  const double ms = slower * (double(predicted.nominal_flop) / rate + 4e-6) * 1e3;
  r.timing = Timing{ms, ms * 0.985, ms * 1.03, ms * 0.98, 43, 10, ms * 0.97, 20, 0, false, 1900, 1980, 1755};
  if (spec.counters && !is("no-counters")) {
    Counters c;
    const double once = double(p.batch * p.heads * (2 * p.n_q + 2 * p.n_k) * padded_d(kernel, p.d) * 2);
    c.l2_to_sm = double(predicted.fill_bytes) * (kernel == Method::Standard ? 1.31 : 1.0002);
    c.sm_to_l2 = double(predicted.drain_bytes);
    c.dram_read = kernel == Method::Standard ? double(predicted.fill_bytes) : once * 0.77;
    c.dram_written = kernel == Method::Standard ? double(predicted.drain_bytes) : once * 0.26;
    r.counters = c;
  }
  if (spec.counters && is("no-counters")) r.no_counters = hello().no_counters;
  Inputs inputs;
  if (spec.inputs.kind == RunInputs::Kind::Generated) {
    inputs = generate_inputs(p);
  } else {
    inputs.q = Matrix(p.n_q, p.d);
    inputs.k = Matrix(p.n_k, p.d);
    inputs.v = Matrix(p.n_k, p.d);
    inputs.q.values.assign(spec.inputs.q.begin(), spec.inputs.q.end());
    inputs.k.values.assign(spec.inputs.k.begin(), spec.inputs.k.end());
    inputs.v.values.assign(spec.inputs.v.begin(), spec.inputs.v.end());
  }
  std::string fault;
  if (4.0 * double(p.n_q) * double(p.n_k) * double(p.d) > 1e9) return r;
  if (auto simulated = simulate_run(p, kernel, inputs, fault)) {
    // A last bit or two differ, as they do on a GPU.
    for (size_t k = 0; k < simulated->o.size(); ++k) simulated->o[k] *= 1 + 3e-4f * float(std::sin(double(k) * 0.7));
    if (spec.outputs) r.o = simulated->o, r.lse = simulated->lse;
    AuditBudget budget;
    if (const auto rows = spec.outputs && !wrong ? compared_rows_of(spec, budget) : nullptr) {
      r.errors->worst_row = gaps_of(r, *rows, false).worst_row;
      r.errors->whole = 0.6 * r.errors->worst_row;
    }
    if (spec.trace && kernel != Method::Standard) {
      KernelTrace trace;
      trace.statistics = simulated->statistics;
      for (float& l : trace.statistics.l) l *= 1 + 2e-6f;
      add_stamps(trace, trace.statistics.tiles);
      trace.traced_ms = ms * 1.4;
      trace.plain_ms = ms;
      r.trace = std::move(trace);
    }
  }
  return r;
}

// Whether a cancel has come.
bool cancelled() {
  if (std::cin.rdbuf()->in_avail() <= 0) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    timeval none{0, 0};
    if (select(1, &set, nullptr, nullptr, &none) <= 0) return false;
  }
  std::string line, fault;
  if (!std::getline(std::cin, line)) _exit(0);
  const auto message = to_worker(line, fault);
  return message && std::holds_alternative<CancelRequest>(*message);
}

void answer(const RunRequest& request) {
  if (is("memory"))
    return say(Failure{request.id, "memory",
                       "S of standard attention needs 412 GB and 139 GB are free; the largest N that fits is 8192.",
                       412'000'000'000, 139'000'000'000, 8192});
  if (is("busy") && !request.anyway)
    return say(Failure{request.id, "busy", "Other programs keep the GPU busy.", 0, 0, 0});
  if (is("launch"))
    return say(Failure{request.id, "launch", "FA2 was stopped by error 700, illegal memory access.", 0, 0, 0});
  Done done{request.id, {hello().gpu, request.spec, {}}, false};
  done.result.provenance.date = "2000-01-01T00:00:00Z";
  if (is("other-hash")) done.result.spec.inputs.hash ^= 1;
  for (const Answer& asked : answers_of(request.spec)) {
    const Method kernel = asked.kernel;
    const int steps = is("slow") ? 50 : 2;
    for (int k = 0; k <= steps; ++k) {
      if (cancelled()) {
        done.cancelled = true;
        return say(done);
      }
      say(Progress{request.id, kernel, RunStage::Timing, k, steps, asked.with});
      if (is("slow")) rest(20);
    }
    if (is("hang-run")) sleep_for_ever();
    if (is("die")) {
      std::cerr << "last words of the stand-in" << std::endl;
      raise(SIGKILL);
    }
    KernelResult result = result_of(request.spec, asked);
    if (result.timing && result.timing->median > 1)
      rest(int(50 * result.timing->median));  // as its launches would take
    if (!script.starts_with("lies:")) say(Partial{request.id, result});
    if (is("repeat")) {
      for (const Progress same{request.id, kernel, RunStage::Timing, 1, 2};; rest(2)) say(same);
    }
    if (is("die-late")) rest(200), raise(SIGKILL);
    if (is("count-fast") || is("count-slow"))
      for (int done = 0;; ++done) {
        say(Progress{request.id, kernel, RunStage::Timing, done, 2'000'000'000});
        if (is("count-slow")) rest(2);
      }
    if (is("half")) std::cout << "{\"type\":\"partial\",\"id\":1,\"res" << std::endl;
    done.result.kernels.push_back(std::move(result));
  }
  if (script.starts_with("lies:")) {
    static size_t next = std::stoul(script.substr(5));
    lies()[next++].tell(done.result);
    for (const KernelResult& kernel : done.result.kernels) say(Partial{request.id, kernel});
  }
  say(done);
}

// Rates that grow from roof to roof, a tenth faster in rested bursts.
void answer(const CeilingsRequest& request) {
  if (is("busy") && !request.anyway)
    return say(Failure{request.id, "busy", "Other programs keep the GPU busy.", 0, 0, 0});
  CeilingsDone all{request.id, {hello().gpu, {}}, false};
  all.result.provenance.date = "2000-01-01T00:00:00Z";
  for (const CeilingInfo& info : ceilings()) {
    if (cancelled()) {
      all.cancelled = true;
      return say(all);
    }
    if (is("hang-run")) sleep_for_ever();
    const bool slow = info.id == CeilingId::DramRead || info.id == CeilingId::Exponential;
    double rate = info.unit == CeilingUnit::Launches ? 4e5 : 4e12 * (slow ? 1.1 : 1 + int(info.id));
    if (is("no-fa3") && info.unit != CeilingUnit::Launches) rate *= 0.2;  // a smaller GPU
    if (is("high-roof") && info.id == CeilingId::Wgmma) rate *= 1000;
    Ceiling ceiling;
    ceiling.id = info.id;
    if (info.exact_capability && hello().gpu.minor != info.least_minor) {
      ceiling.unavailable = "Measured on compute capability 9.0 alone; this GPU has 8.9.";
    } else {
      ceiling.rested = CeilingRate{1.1 * rate, 1.08 * rate, 1.11 * rate, 150, 1980};
      ceiling.sustained = CeilingRate{rate, 0.98 * rate, 1.02 * rate, 250, 1700};
    }
    all.result.ceilings.push_back(ceiling);
    say(CeilingDone{request.id, int(all.result.ceilings.size()), kCeilingCount, ceiling});
    if (is("slow")) rest(100);
    if (is("die")) raise(SIGKILL);
  }
  say(all);
}

// A program's answer, which is right; with "wrong" row 3 of head 1 is not, "too-fast" takes no time.
void answer(const ProgramRequest& request) {
  if (is("busy") && !request.anyway)
    return say(Failure{request.id, "busy", "Other programs keep the GPU busy.", 0, 0, 0});
  if (is("hang-run")) sleep_for_ever();
  if (is("die")) raise(SIGKILL);
  ProgramDone done{request.id, {}, false};
  ProgramRun& run = done.run;
  run.provenance = hello().gpu;
  run.provenance.date = "2000-01-01T00:00:00Z";
  run.spec = request.spec;
  run.heads_checked = 8;
  if (is("slow")) rest(100);
  if (cancelled()) {
    done.cancelled = true;
    return say(done);
  }
  run.tensors = {{"O", 3e-4, 0, 0, 0}, {"L", 1e-6, 0, 0, 0}};
  if (is("wrong"))
    run.tensors[0] = {"O", 0, 512, 0, 2};
  else
    run.timing = Timing{.median = 0.5, .p10 = 0.4, .p90 = 0.6, .best = 0.4, .count = 10, .warmups = 3};
  if (is("too-fast")) run.timing->median = run.timing->p10 = run.timing->best = 1e-3;
  if (run.timing) run.counters = Counters{}, run.counters->l2_to_sm = 2e8, run.counters->sm_to_l2 = 4e6;
  say(done);
}

}  // namespace

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);  // what is read ahead is then counted by in_avail()
  script = count > 1 ? arguments[1] : "ready";
  if (is("deaf")) std::signal(SIGTERM, SIG_IGN);
  if (is("login")) std::cout << "Welcome to the lab.\n{ it is a nice day }\n" << std::flush;
  if (is("half-hello")) std::cout << "{\"type\": \"hello\", \"protocol\": \"five\"}\n" << std::flush;
  if (is("wrong-program")) std::cout << "usage: tilewalk [OPTIONS]\n" << std::flush;
  if (is("half-hello") || is("wrong-program")) sleep_for_ever();
  if (is("rubbish") || is("flood") || is("flood-line") || is("flood-json")) {
    const std::string piece = is("flood-line") ? std::string(1 << 20, '{')
                              : is("flood-json")
                                  ? line_of(FromWorker{Progress{0, Method::Fa2, RunStage::Timing, 1, 2}}) + "\n"
                              : is("flood") ? std::string(1 << 20, 'x')
                                            : "no message at all\n";
    if (is("flood-json")) say(hello());
    const size_t total = is("rubbish") ? size_t{1} << 20 : size_t{100} << 20;
    for (size_t sent = 0; sent < total; sent += piece.size())
      if (std::fwrite(piece.data(), 1, piece.size(), stdout) != piece.size()) return 1;
    std::fflush(stdout);
    sleep_for_ever();
  }
  if (is("hang") || is("deaf")) sleep_for_ever();
  if (is("password")) {
    std::cerr << "Welcome to lab.\nuser@lab's password: " << std::flush;
    sleep_for_ever();
  }
  if (is("lost")) {
    std::cerr << "ssh: connect to host lab port 22: Connection refused" << std::endl;
    return 255;
  }
  say(hello());
  std::string line, fault;
  while (std::getline(std::cin, line)) {
    const auto message = to_worker(line, fault);
    if (!message) return 2;
    if (std::holds_alternative<QuitRequest>(*message)) return 0;
    if (const auto* request = std::get_if<RunRequest>(&*message)) answer(*request);
    if (const auto* request = std::get_if<CeilingsRequest>(&*message)) answer(*request);
    if (const auto* request = std::get_if<ProgramRequest>(&*message)) answer(*request);
  }
  return 0;
}
