// A worker that lies, over a hundred times: none of it stands on screen as measured, each is refused in words, and no
// key and no redraw waits for it. And a worker that dies over its answer, or never comes to an end.
#include "app/gpu/diagnostics.h"
#include "app/panels/gpu_parts.h"
#include "core/run/run_json.h"
#include "tests/core/run/lies.h"
#include "tests/gpu_panel/lab.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <csignal>

namespace tilewalk::test_gpu_lies {
using namespace tilewalk::test;

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr double kLongest = 0.5;  // s: the sanitizers take several times as long
#else
constexpr double kLongest = 0.050;  // s
#endif

bool measured(const KernelResult& k) { return k.timing || k.counters || k.trace || !k.o.empty() || !k.lse.empty(); }

// Whether anything of the run that just ended is where the program keeps what was measured.
bool shown(const GpuView& gpu, bool fa2_alone) {
  const auto of = [&](const RunResult* run) {
    return run && std::ranges::any_of(run->kernels, [&](const KernelResult& k) {
             return measured(k) && (!fa2_alone || k.kernel == Method::Fa2);
           });
  };
  const bool in_board =
      gpu.board && (of(gpu.board->live.get()) || std::ranges::any_of(gpu.board->rows, [&](const GpuRow& row) {
                      return row.result && !row.recorded && measured(*row.result) &&
                             (!fa2_alone || row.kernel == Method::Fa2);
                    }));
  return in_board || of(gpu.status.result.get()) || (!gpu.measured.empty() && of(gpu.measured.back().get()));
}

Scene drawn(Lab& lab, Longest& longest) {
  Scene scene;
  longest.time([&] { lab.update(); });
  longest.time([&] { scene = window_of(lab); });
  longest.time([&] {
    run_command("part-forward", lab.session, lab.view);
    run_command("part-back", lab.session, lab.view);
  });
  return scene;
}

// Until the worker has said something more, or the run is over.
template <class Update>
void hear_more(Lab& lab, Update&& update) {
  const int64_t heard = lab.desk->client().status().changes;
  for (const double until = now() + 10; now() < until && lab.desk->client().status().changes == heard;) update();
}

}  // namespace

TEST_CASE("over a hundred lies of a worker: none is shown as measured, and no key waits") {
  std::optional<Lab> lab;
  size_t next = 0;
  Longest longest;
  for (size_t k = 0; k < lies().size(); ++k, ++next) {
    const Lie& lie = lies()[k];
    CAPTURE(lie.name);
    if (!lab || next != k || lab->desk->client().pid() <= 0) {
      lab.emplace(fmt::format("lies:{}", k));
      next = k;
      lab->reach(GpuState::Ready);
    }
    GpuView& gpu = lab->view.gpu;
    gpu.measured.clear();
    lab->run();
    Scene scene;
    for (const double until = now() + 20; now() < until;) {
      scene = drawn(*lab, longest);
      const GpuState state = gpu.status.state;
      if (state != GpuState::Running && state != GpuState::Ready && state != GpuState::Probing) break;
    }
    scene = drawn(*lab, longest);
    CHECK(gpu.status.state == GpuState::Failed);
    CHECK_MESSAGE((gpu.status.what.size() > 10 && gpu.status.what.ends_with('.')), gpu.status.what);
    CHECK(gpu.status.remedy.ends_with('.'));
    // Of "kernel: twice" the first of the two is as true as ever.
    if (lie.name != "kernel: twice") CHECK_FALSE(shown(gpu, !lie.whole));
    if (lie.whole) CHECK_FALSE(has_text(scene, "Measured now"));
    // The others' times stand where the lie was about one kernel, unless a line could not even be read.
    if (!lie.whole && gpu.status.refused && gpu.status.hello) CHECK(shown(gpu, false));
    for (const char* word : {"∞", "inf", "nan", "NaN", "e308", "5e-324"}) {
      CAPTURE(word);
      for (const Item& item : scene.items)
        if (const auto* label = std::get_if<Label>(&item); label && label->text.find(word) != std::string::npos)
          CHECK_MESSAGE(
              (label->text.find("L2") != std::string::npos || gpu.status.what.find(word) != std::string::npos ||
               label->text.find(" m ") != std::string::npos),
              label->text);
    }
    // Why is said where it can be copied.
    if (gpu.status.refused)
      CHECK(gpu_diagnostics(gpu.status).find(gpu.status.refused->why.front()) != std::string::npos);
  }
  MESSAGE(lies().size(), " lies, longest key or redraw ", longest.value() * 1e3, " ms");
  CHECK(lies().size() >= 100);
  CHECK(longest.value() < kLongest);
}

TEST_CASE("a kernel that is refused says why in the place of its time, and is refused again from its recording") {
  size_t at = 0;
  while (lies()[at].name != "O: no number") ++at;
  Lab lab(fmt::format("lies:{}", at));
  std::filesystem::create_directories(lab.folder);
  lab.run();
  lab.reach(GpuState::Failed);
  lab.settle();
  const GpuRow& row = *lab.view.gpu.board->row(Method::Fa2);
  CHECK_FALSE(row.result);
  CHECK(row.refused.find("no number") != std::string::npos);
  CHECK(no_time_words(row).starts_with("✕ not shown as measured: "));
  CHECK(has_text(window_of(lab), "✕ not shown as measured"));
  CHECK(gpu_words(lab.view.gpu).headline == "The answer is refused");
  for (const GpuShape other : {GpuShape::Ladder, GpuShape::Benchmark}) {  // rows that were never asked for
    const GpuShape own = std::exchange(lab.view.gpu.shape, other);
    lab.settle();
    CHECK(gpu_words(lab.view.gpu).headline.find("refused") == std::string::npos);
    lab.view.gpu.shape = own;
    lab.settle();
  }
  CHECK(gpu_words(lab.view.gpu).headline == "The answer is refused");
  REQUIRE(run_command("gpu-save", lab.session, lab.view));
  lab.update();
  for (const auto& entry : std::filesystem::directory_iterator(lab.folder))
    for (const RunResult& saved : load_recording(entry.path()))
      for (const KernelResult& kernel : saved.kernels) CHECK(kernel.refused.empty() == (kernel.kernel != Method::Fa2));
}

TEST_CASE("a recording that lies is kept and refused in words") {
  Lab source("ready");
  std::filesystem::create_directories(source.folder);
  source.run();
  source.reach(GpuState::Result);
  source.settle();
  RunResult said = *source.view.gpu.status.result;
  for (KernelResult& kernel : said.kernels)
    if (kernel.kernel == Method::Fa2) kernel.timing->median = 5e-324;
  save_recording(source.folder / "lie.json", {said});
  Lab lab("no-driver", false, true);
  lab.reach(GpuState::NoDriver);
  lab.settle();
  const GpuBoard& board = *lab.view.gpu.board;
  REQUIRE(board.recorded);
  CHECK_FALSE(board.row(Method::Fa2)->result);
  CHECK(board.row(Method::Fa2)->refused.find("no time that a launch can take") != std::string::npos);
  CHECK(board.row(Method::Fa3)->result);
  REQUIRE(lab.view.gpu.recordings->faults.size() == 1);
  CHECK(lab.view.gpu.recordings->faults[0].starts_with("lie.json: FA2's median of "));
  // Opened by hand it says so too.
  lab.view.gpu.wishes.open = source.folder / "lie.json";
  for (const double until = now() + 10; now() < until && lab.notice.find("refused") == std::string::npos &&
                                        lab.notice.find("not shown as recorded") == std::string::npos;)
    lab.update();
  CHECK(lab.notice.find("It is not shown as recorded.") != std::string::npos);
}

TEST_CASE("what a worker said before it died is not left standing as measured") {
  Lab lab("die-late");
  lab.run();
  for (const double until = now() + 20; now() < until && lab.view.gpu.status.state != GpuState::Failed;) lab.update();
  REQUIRE(lab.view.gpu.status.state == GpuState::Failed);
  lab.settle();
  CHECK_FALSE(shown(lab.view.gpu, false));
  CHECK(lab.view.gpu.measured.empty());
  CHECK_FALSE(has_text(window_of(lab), "Measured now"));
  REQUIRE(lab.view.gpu.status.refused);
  CHECK(lab.view.gpu.status.refused->said.kernels.size() == 1);
  CHECK(gpu_diagnostics(lab.view.gpu.status).find("ended before it confirmed") != std::string::npos);
}

TEST_CASE("a worker that repeats itself for ever is stopped after a bounded time, and the next run works") {
  Lab lab("repeat");
  lab.run();
  lab.reach(GpuState::Running);
  Longest longest;
  for (int turn = 0; turn < 20 && lab.view.gpu.status.state == GpuState::Running; ++turn) {
    lab.skipped += 19;  // a message comes well within the time of silence
    hear_more(lab, [&] { longest.time([&] { lab.update(); }); });
  }
  REQUIRE(lab.view.gpu.status.state == GpuState::Failed);
  CHECK(lab.view.gpu.status.what == "The GPU worker repeated itself for 120 s and was ended.");
  CHECK(longest.value() < kLongest);
  lab.run();
  CHECK(lab.view.gpu.status.state != GpuState::Failed);
}

TEST_CASE("however far it says to get, a run has an end, in time and in messages") {
  for (const bool fast : {true, false}) {
    CAPTURE(fast);
    Lab lab(fast ? "count-fast" : "count-slow");
    lab.run();
    lab.reach(GpuState::Running);
    for (const double until = now() + 30; now() < until && lab.view.gpu.status.state == GpuState::Running;) {
      if (!fast) lab.skipped += 15;
      hear_more(lab, [&] { lab.update(); });
    }
    REQUIRE(lab.view.gpu.status.state == GpuState::Failed);
    CHECK(lab.view.gpu.status.what == (fast ? "The GPU worker sent 100,000 messages without an end and was ended."
                                            : "The GPU worker found no end in 1800 s and was ended."));
  }
}

TEST_CASE("Ctrl+Shift+G gives a run up and looks for a worker anew, and says so") {
  Lab lab("slow");
  lab.run();
  lab.reach(GpuState::Running);
  const int before = lab.desk->client().pid();
  REQUIRE(run_command("gpu-reconnect", lab.session, lab.view));
  lab.update();
  CHECK(lab.notice == "The run was given up; a new GPU worker is looked for.");
  CHECK(lab.desk->client().pid() > 0);
  CHECK(lab.desk->client().pid() != before);
  CHECK_FALSE(shown(lab.view.gpu, false));
  lab.reach(GpuState::Ready);
  lab.run();
  lab.reach(GpuState::Running);
}

TEST_CASE("roofs that no chip has are not kept") {
  Lab lab("high-roof");
  lab.reach(GpuState::Ready);
  lab.view.gpu.wishes.ceilings = true;
  lab.update();
  for (const double until = now() + 20; now() < until && lab.desk->client().busy();) lab.update();
  CHECK(lab.view.gpu.status.state == GpuState::Failed);
  CHECK_FALSE(lab.view.gpu.status.ceilings);
  CHECK(lab.view.gpu.status.what.find("wgmma") != std::string::npos);
}

TEST_CASE("the chart of differences never says \"no numbers\" and \"all the same\" at once") {
  Lab lab("ready");
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  lab.view.gpu.enlarged = true;
  lab.view.gpu.chart = GpuChart::Difference;
  lab.view.gpu.kernel = Method::Fa2;
  const GpuBoard board = *lab.view.gpu.board;
  REQUIRE(board.row(Method::Fa2)->simulator);
  const SimulatedRun& simulated = *board.row(Method::Fa2)->simulator->simulated;
  for (const size_t broken : {size_t{0}, size_t{16}, simulated.lse.size()}) {
    KernelResult result = *board.row(Method::Fa2)->result;
    result.o = simulated.o;
    result.lse = simulated.lse;
    std::fill_n(result.lse.begin(), broken, NAN);
    auto with = std::make_shared<GpuBoard>(board);
    for (GpuRow& row : with->rows)
      if (row.kernel == Method::Fa2) row.result = &result;
    lab.view.gpu.board = with;
    const Scene scene = window_of(lab);
    CHECK(has_text(scene, "all the same") == (broken == 0));
    CHECK(has_text(scene, "of L no numbers") == (broken > 0));
    CHECK(has_text(scene, "rest the same") == (broken == 16));
  }
}

}  // namespace tilewalk::test_gpu_lies
