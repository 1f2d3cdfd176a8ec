// The worker client against a worker that misbehaves in every way it can: each state is reached and says what to do, no
// poll takes long, no process is left behind, and the next run works.
#include "app/gpu/diagnostics.h"
#include "app/gpu/run_plan.h"
#include "app/gpu/worker_client.h"

#include "tests/gpu_panel/stopwatch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_worker_client {

namespace {

constexpr double kLongestPoll = 0.050;  // seconds
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kMostGrowth = size_t{700} << 20;  // it keeps what was freed
#else
constexpr size_t kMostGrowth = size_t{8} << 20;
#endif

using test::now;

// A client whose clock can be moved on, and the longest poll it took.
struct Bench {
  double skipped = 0;
  test::Longest longest;
  WorkerClient client;
  explicit Bench(std::string_view script, bool remote = false, ChildLimits limits = {})
      : client(
            {{TILEWALK_STAND_IN, std::string(script)}, remote ? "lab" : ""}, [this] { return now() + skipped; }, {}, {},
            limits) {
    client.start();
  }
  void poll() {
    longest.time([&] { client.poll(); });
  }
  GpuState state() const { return client.status().state; }
  // Polls until the state is one of those, at most 20 s.
  bool reach(std::initializer_list<GpuState> states) {
    for (const double until = now() + 20; now() < until;) {
      poll();
      for (GpuState wanted : states)
        if (state() == wanted) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  bool settle() {  // whatever it is, that a run or a start ends in
    for (const double until = now() + 20; now() < until;) {
      poll();
      if (state() != GpuState::Running && state() != GpuState::Probing) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
};

RunSpec small_spec() {
  Problem p;
  p.n_q = p.n_k = 64;
  p.d = 16;
  p.br = p.bc = 16;
  const Inputs inputs = generate_inputs(p);
  return stage_run(p, inputs, hash_of(inputs)).spec;
}

// Processes of ours that are not reaped or still run. A group is led by each worker, so that helpers count too.
bool no_child_left() {
  for (const double until = now() + 5; now() < until;) {
    if (waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

size_t resident_bytes() {
  size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * size_t(sysconf(_SC_PAGESIZE));
}

bool says(const GpuStatus& status, std::string_view part) {
  return status.what.find(part) != std::string::npos && status.what.ends_with('.') && status.remedy.ends_with('.');
}

}  // namespace

TEST_CASE("a hello becomes the state that it tells of") {
  const std::tuple<const char*, GpuState, const char*> cases[] = {
      {"no-driver", GpuState::NoDriver, "libcuda.so.1"},
      {"no-device", GpuState::NoDevice, "CUDA_VISIBLE_DEVICES"},
      {"old-driver", GpuState::DriverTooOld, "CUDA 11.8"},
      {"other-trouble", GpuState::NoDevice, "error 999"},
      {"busy", GpuState::Busy, "70 %"},
      {"other-version", GpuState::Failed, "protocol 9"},
  };
  for (const auto& [script, state, words] : cases) {
    CAPTURE(script);
    Bench bench(script);
    CHECK(bench.state() == GpuState::Probing);
    REQUIRE(bench.settle());
    CHECK(bench.state() == state);
    CHECK_MESSAGE(says(bench.client.status(), words), bench.client.status().what);
  }
  for (const char* script : {"ready", "no-fa3", "login"}) {
    Bench bench(script);
    REQUIRE(bench.settle());
    CHECK(bench.state() == GpuState::Ready);
  }
  Bench remote("ready", true);
  REQUIRE(remote.settle());
  CHECK(remote.state() == GpuState::Remote);
}

TEST_CASE("a first line that is no hello is told, at once where it means to be one") {
  Bench half("half-hello");
  REQUIRE(half.settle());
  CHECK(half.state() == GpuState::Failed);
  CHECK_MESSAGE(says(half.client.status(), "protocol must be a whole number"), half.client.status().what);

  Bench other("wrong-program");
  for (const double until = now() + 20; other.state() == GpuState::Probing && now() < until;) {
    other.poll();
    other.skipped += 0.001;  // towards the deadline, with time for the line to come
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK_MESSAGE(says(other.client.status(), "did not answer within 10 s"), other.client.status().what);
  CHECK_MESSAGE(says(other.client.status(), "usage: tilewalk"), other.client.status().what);
}

TEST_CASE("a run becomes a result, or the state that says why not") {
  const std::tuple<const char*, GpuState, const char*> cases[] = {
      {"memory", GpuState::NotEnoughMemory, "412 GB"},
      {"launch", GpuState::Failed, "error 700"},
      {"wrong", GpuState::Failed, "FA2 gave a wrong answer"},
      {"refused", GpuState::Failed, "library is missing"},
      {"other-hash", GpuState::Failed, "other inputs"},
      {"no-counters", GpuState::NoCounters, "permission"},
      {"die", GpuState::Failed, "signal 9"},
      {"half", GpuState::Failed, "cannot be used"},
  };
  for (const auto& [script, state, words] : cases) {
    CAPTURE(script);
    Bench bench(script);
    REQUIRE(bench.reach({GpuState::Ready}));
    REQUIRE(bench.client.run(small_spec()));
    CHECK(bench.state() == GpuState::Running);
    CHECK_FALSE(bench.client.run(small_spec()));  // one at a time
    REQUIRE(bench.settle());
    CHECK(bench.state() == state);
    CHECK_MESSAGE(says(bench.client.status(), words), bench.client.status().what);
    CHECK(bench.longest.value() < kLongestPoll);
  }
  Bench bench("ready");
  REQUIRE(bench.client.run(small_spec()));  // goes out with the hello
  REQUIRE(bench.settle());
  REQUIRE(bench.state() == GpuState::Result);
  const RunResult& result = *bench.client.status().result;
  CHECK(result.kernels.size() == 6);
  for (const KernelResult& kernel : result.kernels) CHECK(kernel.timing);
}

TEST_CASE("a kernel that does not run there is not asked for, however early the run is") {
  for (const bool early : {true, false}) {
    Bench bench("no-fa3");
    if (!early) REQUIRE(bench.reach({GpuState::Ready}));
    REQUIRE(bench.client.run(small_spec()));
    REQUIRE(bench.settle());
    REQUIRE(bench.state() == GpuState::Result);
    CHECK(bench.client.status().result->kernels.size() == 5);
    for (const KernelResult& kernel : bench.client.status().result->kernels) CHECK(kernel.kernel != Method::Fa3);
    RunSpec only = small_spec();
    only.kernels = {Method::Fa3};
    bench.client.run(only);
    CHECK(bench.state() == GpuState::Failed);
    CHECK(says(bench.client.status(), "None of these kernels"));
  }
}

TEST_CASE("a wrong answer has no time, the others keep theirs") {
  Bench bench("wrong");
  REQUIRE(bench.client.run(small_spec()));
  REQUIRE(bench.settle());
  REQUIRE(bench.client.status().result);
  for (const KernelResult& kernel : bench.client.status().result->kernels)
    CHECK(bool(kernel.timing) == (kernel.kernel != Method::Fa2));
}

TEST_CASE("a busy GPU is run on when asked twice, and the result says so") {
  Bench bench("busy");
  REQUIRE(bench.reach({GpuState::Busy}));
  REQUIRE(bench.client.run(small_spec()));
  REQUIRE(bench.settle());
  CHECK(bench.state() == GpuState::Busy);
  REQUIRE(bench.client.run(small_spec(), true));
  REQUIRE(bench.settle());
  CHECK(bench.state() == GpuState::Result);
  CHECK(bench.client.status().shared);
}

TEST_CASE("a run can be stopped, and the next one works") {
  Bench bench("slow");
  REQUIRE(bench.client.run(small_spec()));
  REQUIRE(bench.reach({GpuState::Running}));
  bench.client.cancel();
  bench.client.cancel();
  REQUIRE(bench.settle());
  CHECK(bench.state() == GpuState::Ready);
  CHECK_MESSAGE(says(bench.client.status(), "stopped"), bench.client.status().what);
  REQUIRE(bench.client.run(small_spec()));
  CHECK(bench.state() == GpuState::Running);
}

TEST_CASE("the GPU's own roofs come one by one, and all of them; a run waits until they are there") {
  Bench bench("ready");
  CHECK_FALSE(bench.client.measure_ceilings());
  REQUIRE(bench.reach({GpuState::Ready}));
  REQUIRE(bench.client.measure_ceilings());
  CHECK(bench.client.busy());
  CHECK_FALSE(bench.client.run(small_spec()));
  CHECK_FALSE(bench.client.measure_ceilings());
  CHECK(bench.client.status().measuring == kCeilingCount);
  for (const double until = now() + 20; bench.client.busy() && now() < until;) bench.poll();
  const GpuStatus& status = bench.client.status();
  REQUIRE(status.ceilings);
  CHECK(status.state == GpuState::Ready);
  CHECK(status.measuring == 0);
  CHECK(status.ceilings->ceilings.size() == size_t(kCeilingCount));
  CHECK(status.ceilings->provenance.date.size() == 20);
  CHECK(status.ceilings->find(CeilingId::L2Read)->sustained->median == 12e12);
  REQUIRE(bench.client.run(small_spec()));
  CHECK(bench.reach({GpuState::Result}));
  CHECK(status.ceilings);
}

TEST_CASE("roofs that were measured stay when they are measured again and that is stopped or dies") {
  Bench bench("slow");
  const auto some_more = [&] {
    REQUIRE(bench.client.measure_ceilings());
    while (!bench.client.status().ceilings) bench.poll();
    CHECK(bench.client.status().ceilings->ceilings.size() < size_t(kCeilingCount));
  };
  const auto all_there = [&] {
    return bench.client.status().measuring == 0 && bench.client.status().ceilings &&
           bench.client.status().ceilings->ceilings.size() == size_t(kCeilingCount);
  };
  REQUIRE(bench.reach({GpuState::Ready}));
  some_more();
  for (const double until = now() + 20; bench.client.busy() && now() < until;) bench.poll();
  REQUIRE(all_there());
  some_more();
  bench.client.cancel();
  for (const double until = now() + 20; bench.client.busy() && now() < until;) bench.poll();
  CHECK(all_there());
  some_more();
  kill(bench.client.pid(), SIGKILL);
  REQUIRE(bench.reach({GpuState::Failed}));
  CHECK(all_there());
}

TEST_CASE("roofs: stopped, refused, died over them, silent") {
  Bench slow("slow");
  REQUIRE(slow.reach({GpuState::Ready}));
  REQUIRE(slow.client.measure_ceilings());
  while (!slow.client.status().ceilings) slow.poll();
  slow.client.cancel();
  for (const double until = now() + 20; slow.client.busy() && now() < until;) slow.poll();
  CHECK_FALSE(slow.client.busy());
  CHECK(slow.client.status().ceilings->ceilings.size() < size_t(kCeilingCount));
  CHECK(slow.state() == GpuState::Ready);

  Bench busy("busy");
  REQUIRE(busy.reach({GpuState::Busy}));
  REQUIRE(busy.client.measure_ceilings());
  for (const double until = now() + 20; busy.client.busy() && now() < until;) busy.poll();
  CHECK(busy.state() == GpuState::Busy);
  CHECK_FALSE(busy.client.status().ceilings);

  Bench old("no-fa3");
  REQUIRE(old.reach({GpuState::Ready}));
  REQUIRE(old.client.measure_ceilings());
  for (const double until = now() + 20; old.client.busy() && now() < until;) old.poll();
  CHECK(old.client.status().ceilings->find(CeilingId::Wgmma)->unavailable.find("9.0") != std::string::npos);

  Bench dying("die");
  REQUIRE(dying.reach({GpuState::Ready}));
  REQUIRE(dying.client.measure_ceilings());
  REQUIRE(dying.reach({GpuState::Failed}));
  CHECK_FALSE(dying.client.busy());
  CHECK(dying.client.status().measuring == 0);
  CHECK(dying.client.status().what.find("signal 9") != std::string::npos);

  Bench silent("hang-run");
  REQUIRE(silent.reach({GpuState::Ready}));
  REQUIRE(silent.client.measure_ceilings());
  CHECK(silent.client.seconds_to_deadline() < 21);
  silent.skipped += 25;
  REQUIRE(silent.reach({GpuState::Failed}));
  CHECK(silent.client.status().what.find("said nothing") != std::string::npos);
}

TEST_CASE("deadlines: no hello, silence in a run, a cancel that is not heard") {
  const int before = [] {
    Bench warm("ready");
    return warm.client.pid();
  }();
  CHECK(before > 0);
  {
    Bench bench("hang");
    bench.poll();
    CHECK(bench.client.seconds_to_deadline() > 9);
    CHECK(bench.client.seconds_to_deadline() < 10.1);
    bench.skipped = 10.1;
    bench.poll();
    CHECK(bench.state() == GpuState::Failed);
    CHECK(says(bench.client.status(), "within 10 s"));
  }
  for (const bool cancel : {false, true}) {
    Bench bench("hang-run");
    REQUIRE(bench.client.run(small_spec()));
    REQUIRE(bench.reach({GpuState::Running}));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    bench.poll();
    if (cancel) bench.client.cancel();
    bench.skipped = cancel ? 5.2 : 20.2;
    bench.poll();
    CHECK(bench.state() == GpuState::Failed);
    CHECK(says(bench.client.status(), cancel ? "did not stop" : "nothing for 20 s"));
    CHECK(bench.client.pid() == -1);
    // The next run starts a new worker.
    CHECK(bench.client.run(small_spec()));
    CHECK(bench.client.pid() > 0);
  }
  CHECK(no_child_left());
}

TEST_CASE("a worker that ignores SIGTERM is killed after the grace time, without a poll that waits") {
  {
    ChildLimits limits;
    limits.grace = 0.2;
    Bench bench("deaf", false, limits);
    const int pid = bench.client.pid();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    bench.skipped = 11;
    bench.poll();
    CHECK(bench.state() == GpuState::Failed);
    for (const double until = now() + 3; now() < until && kill(pid, 0) == 0;) {
      bench.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(kill(pid, 0) != 0);
    CHECK(bench.longest.value() < kLongestPoll);
  }
  CHECK(no_child_left());
}

TEST_CASE("a question for a password is shown while it waits, and is among what can be copied") {
  Bench asks("password", true);
  const auto shown = [&] { return asks.client.status().what.find("password:") != std::string::npos; };
  for (const double until = now() + 10; now() < until && !shown();) {
    asks.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(shown());
  CHECK(asks.state() == GpuState::Probing);
  CHECK(says(asks.client.status(), "password:"));
  const std::string details = gpu_diagnostics(asks.client.status());
  for (const char* part : {"Tilewalk ", "looking for a worker", "Welcome to lab.", "password:"}) {
    CAPTURE(part);
    CHECK(details.find(part) != std::string::npos);
  }
}

TEST_CASE("what can be copied names the GPU, its driver, each kernel and the last run") {
  Bench bench("no-fa3");
  REQUIRE(bench.settle());
  REQUIRE(bench.client.run(small_spec()));
  REQUIRE(bench.reach({GpuState::Result}));
  const std::string details = gpu_diagnostics(bench.client.status());
  for (const char* part : {"NVIDIA Test GPU 4", "8.9", "Driver 580.1 for CUDA 13.0", "FA2: runs",
                           "FA3: FA3 runs on compute capability 9.0 only", "Last run, FA2: "}) {
    CAPTURE(part);
    CHECK(details.find(part) != std::string::npos);
  }
}

TEST_CASE("a remote worker that is lost says what ssh said, and a missing one that it is missing") {
  Bench lost("lost", true);
  REQUIRE(lost.settle());
  CHECK(lost.state() == GpuState::RemoteLost);
  CHECK(says(lost.client.status(), "Connection refused"));

  WorkerClient none({}, now, {});
  none.start();
  CHECK(none.status().state == GpuState::NoWorker);
  CHECK_FALSE(none.run(small_spec()));
  CHECK(none.status().state == GpuState::NoWorker);

  for (const std::vector<std::string>& argv :
       {std::vector<std::string>{"/no/such/worker"}, {"/bin/sh", "-c", "no-such-worker-at-all serve"}}) {
    WorkerClient missing({argv, ""}, now, {});
    missing.start();
    for (const double until = now() + 5; now() < until && missing.status().state == GpuState::Probing;) missing.poll();
    CHECK(missing.status().state == GpuState::NoWorker);
    CHECK_MESSAGE((says(missing.status(), "No such file") || says(missing.status(), "not found")),
                  missing.status().what);
  }
}

TEST_CASE("100 MB of rubbish neither fill memory nor stop a frame") {
  for (const char* script : {"rubbish", "flood", "flood-line", "flood-json"}) {
    CAPTURE(script);
    const size_t before = resident_bytes();
    Bench bench(script);
    const double until = now() + 3;
    size_t most = 0;
    while (now() < until && bench.client.pid() > 0) {
      bench.poll();
      most = std::max(most, resident_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(most < before + kMostGrowth);
    CHECK(bench.longest.value() < kLongestPoll);
    if (std::string_view(script) != "flood-json") {
      CHECK(bench.state() == GpuState::Failed);
      CHECK(bench.client.status().what.ends_with("ended."));
    }
    // Also with nobody who takes: the pipe is left full.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(resident_bytes() < before + kMostGrowth);
  }
  CHECK(no_child_left());
}

TEST_CASE("killed at 50 random moments, the client goes on and the next run works") {
  std::mt19937 random(7);
  {
    Bench bench("slow");
    const RunSpec spec = small_spec();
    for (int turn = 0; turn < 50; ++turn) {
      bench.client.run(spec);
      const double at = now() + std::uniform_real_distribution<double>(0, 0.03)(random);
      while (now() < at) {
        bench.poll();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      if (bench.client.pid() > 0) kill(bench.client.pid(), turn % 3 == 0 ? SIGABRT : SIGKILL);
      REQUIRE(bench.reach({GpuState::Failed}));
      CHECK(bench.client.status().what.find("signal") != std::string::npos);
    }
    CHECK(bench.longest.value() < kLongestPoll);
  }
  CHECK(no_child_left());
  Bench bench("ready");
  REQUIRE(bench.client.run(small_spec()));
  REQUIRE(bench.settle());
  CHECK(bench.state() == GpuState::Result);
}

TEST_CASE("what the worker started goes with it") {
  int grandchild = 0;
  {
    const std::string file = "/tmp/tilewalk-test-group-" + std::to_string(getpid());
    WorkerClient client({{"/bin/sh", "-c", "sleep 100 & echo $! > " + file + "; wait"}, ""}, now, {});
    client.start();
    for (const double until = now() + 5; now() < until && grandchild == 0;) std::ifstream(file) >> grandchild;
    unlink(file.c_str());
    REQUIRE(grandchild > 0);
  }
  bool gone = false;
  for (const double until = now() + 3; now() < until && !gone;) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    gone = !(stat >> pid >> name >> state) || state == "Z";  // to be reaped by init, not by us
  }
  CHECK(gone);
  CHECK(no_child_left());
}

TEST_CASE("a command as people type it") {
  CHECK(worker_command("", "/no/such/folder").argv.empty());
  const WorkerCommand here = worker_command("/opt/tilewalk-gpu serve", "");
  CHECK(here.argv == std::vector<std::string>{"/bin/sh", "-c", "/opt/tilewalk-gpu serve"});
  CHECK(here.host.empty());
  CHECK(worker_command("ssh gpubox tilewalk-gpu serve", "").host == "gpubox");
  CHECK(worker_command(" /usr/bin/ssh -p 2222 -C me@lab.example tilewalk-gpu serve", "").host == "lab.example");
}

}  // namespace tilewalk::test_worker_client
