// The ladder: rungs and switches from the shipped recording and from a run, and nothing of them where kernels are shown
// as they are.
#include "app/boards/board_runs.h"
#include "app/gpu/run_plan.h"
#include "core/run/shipped.h"
#include "tests/gpu_panel/lab.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk::test_ladder {
using namespace tilewalk::test;

namespace {

const SwitchRow& row_of(const GpuBoard& board, Switch id) {
  const auto found = std::ranges::find_if(board.switches, [&](const SwitchRow& row) { return row.info->id == id; });
  REQUIRE(found != board.switches.end());
  return *found;
}

struct LadderOf {
  Method kernel;
  int64_t d;
  Mask mask;
};
std::vector<LadderOf> ladders() {
  std::vector<LadderOf> all;
  for (const Method kernel : {Method::Fa2, Method::Fa3})
    for (const int64_t d : {64, 128})
      for (const Mask mask : {Mask::Full, Mask::Causal}) all.push_back({kernel, d, mask});
  return all;
}

}  // namespace

TEST_CASE("each GPU's recording has every switch beside the kernel of the same run, and every mistake's wrong row") {
  const Recordings recordings = load_recordings({TILEWALK_SOURCE_DIR "/assets/recordings"});
  CHECK(recordings.faults == std::vector<std::string>{});
  int found = 0;
  for (const RecordedGpu gpu : kRecordedGpus)
    for (const auto& [kernel, d, mask] : ladders()) {
      const RunPlan plan = ladder_run(d, mask);
      for (const SwitchRow& row : switch_rows(kernel, plan.spec, {}, &recordings, false, gpu)) {
        CAPTURE(words_of(*row.info));
        CAPTURE(d);
        // Causal, what differs there alone is recorded.
        if (mask == Mask::Causal && !row.info->causal) continue;
        REQUIRE(row.run);
        CHECK(row.recorded);
        CHECK(row.run->provenance.gpu.find(gpu == RecordedGpu::H200 ? "H200" : "H100") != std::string::npos);
        CHECK(row.plain->with == Switch::None);
        CHECK(row.with->with == row.info->id);
        if (row.with->wrong)
          CHECK(row.info->wrong);
        else
          CHECK((row.times() > 0.85 && row.times() < 5));
        ++found;
      }
    }
  CHECK(found == 2 * 51);
}

TEST_CASE("beside the benchmark's kernels no rung and no switch is shown, nor on boards") {
  const Recordings recordings = shipped_as_recordings();
  Problem stage;
  stage.d = 128;
  const RunPlan plan = benchmark_run(stage, 4096);
  const Pick pick = pick_recording(recordings, plan.spec);
  REQUIRE(pick.index >= 0);
  CHECK(recordings.all[size_t(pick.index)].file == "h200.json");
  const Pick rungs = pick_recording(recordings, ladder_run(128, Mask::Full).spec);
  REQUIRE(rungs.index >= 0);
  CHECK(recordings.all[size_t(rungs.index)].file == "h200-ladder.json");
  CHECK(recordings.all[size_t(rungs.index)].result->spec.switches.empty());

  GpuView gpu;
  gpu.recordings = std::make_shared<const Recordings>(recordings);
  for (const RunResult& run : shipped_ladder()) gpu.measured.push_back(std::make_shared<const RunResult>(run));
  size_t own = 0, measured = 0;
  for (const BoardRun& run : board_runs(gpu)) {
    CHECK(run.run->spec.switches.empty());
    own += run.kind == RunKind::Own, measured += run.kind == RunKind::Measured;
  }
  CHECK(own == 0);
  CHECK(measured == 4);  // the rungs alone
}

TEST_CASE("a switch is pressed and run: the kernel as it is and with it, the rungs stay, and a mistake is no failure") {
  Lab lab("ready");
  apply_choice(lab.session, lab.view, "gpu-shape", "ladder");
  CHECK(lab.view.gpu.kernel == Method::Fa2);
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  REQUIRE(lab.view.gpu.board);
  CHECK(lab.view.gpu.board->rows.size() == 5);
  for (const GpuRow& row : lab.view.gpu.board->rows) CHECK((row.result && !row.recorded));

  apply_choice(lab.session, lab.view, "gpu-kernel", "fa3");
  apply_choice(lab.session, lab.view, "gpu-switch", "pingpong");
  lab.run();
  lab.reach(GpuState::Running);
  lab.reach(GpuState::Result);
  lab.settle();
  const GpuBoard& board = *lab.view.gpu.board;
  CHECK(row_of(board, Switch::PingPong).times() == doctest::Approx(1.25));
  CHECK_FALSE(row_of(board, Switch::PingPong).recorded);
  CHECK(row_of(board, Switch::Producer).run == nullptr);  // no recording is here
  for (const GpuRow& row : board.rows) CHECK((row.result && !row.recorded));
  CHECK(has_text(window_of(lab), "FA3, idea by idea"));
  CHECK(has_text(window_of(lab), "1.25× as long"));

  apply_choice(lab.session, lab.view, "gpu-switch", "rescale");
  lab.run();
  lab.reach(GpuState::Running);
  lab.reach(GpuState::Result);
  lab.settle();
  const SwitchRow& mistake = row_of(*lab.view.gpu.board, Switch::NoRescale);
  REQUIRE(mistake.with);
  REQUIRE(mistake.with->wrong);
  CHECK(mistake.with->wrong->row == 4);
  CHECK_FALSE(mistake.with->timing);
  lab.view.gpu.enlarged = true;
  CHECK(has_text(window_of(lab), "Row 5 of head 3 is the first wrong one"));
  apply_choice(lab.session, lab.view, "gpu-switch", "rescale");
  CHECK(lab.view.gpu.with == Switch::None);
}

TEST_CASE("the ladder is laid out, whole and in the column, with and without switches") {
  Lab lab("");
  lab.view.gpu.recorded = true;
  lab.view.gpu.recordings = std::make_shared<const Recordings>(shipped_as_recordings());
  apply_choice(lab.session, lab.view, "gpu-shape", "ladder");
  for (const char* kernel : {"fa2", "fa3", "naive"})
    for (const bool enlarged : {false, true}) {
      CAPTURE(kernel);
      apply_choice(lab.session, lab.view, "gpu-kernel", kernel);
      apply_choice(lab.session, lab.view, "gpu-switch", "rescale");
      lab.view.gpu.enlarged = enlarged;
      lab.settle();
      check_layout(lab, std::string("ladder ") + kernel, std::string_view(kernel) == "fa3");
    }
}

}  // namespace tilewalk::test_ladder
