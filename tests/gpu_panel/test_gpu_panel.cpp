// The GPU tab, the pill and the charts: every state reached through a stand-in worker and laid out at many sizes, and
// what stands on screen is what was measured, recorded or computed, and says which.
#include "app/panels/gpu_parts.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/fields.h"
#include "core/io/embedded.h"
#include "core/machine/words.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/held.h"
#include "core/run/ceilings.h"
#include "core/run/run_json.h"
#include "tests/gpu_panel/lab.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tilewalk::test_gpu_panel {
using namespace tilewalk::test;
namespace fs = std::filesystem;

TEST_CASE("every state is reached and laid out") {
  struct Case {
    const char* script;
    GpuState state;
    const char *glyph, *words;
    bool run = false, remote = false;
  };
  const Case cases[] = {
      {"hang", GpuState::Probing, "◌", "Looking for a GPU"},
      {"", GpuState::NoWorker, "○", "No GPU worker"},
      {"no-driver", GpuState::NoDriver, "○", "driver not installed"},
      {"no-device", GpuState::NoDevice, "○", "No GPU that can be used"},
      {"old-driver", GpuState::DriverTooOld, "!", "Driver too old"},
      {"no-fa3", GpuState::Ready, "●", "Test GPU 4 is ready"},
      {"memory", GpuState::NotEnoughMemory, "!", "Not enough memory", true},
      {"busy", GpuState::Busy, "◐", "is busy"},
      {"ready", GpuState::Ready, "●", "Test GPU is ready"},
      {"slow", GpuState::Running, "▶", "Measuring on", true},
      {"ready", GpuState::Result, "✓", "Measured on", true},
      {"no-counters", GpuState::NoCounters, "✓", "time only", true},
      {"launch", GpuState::Failed, "✕", "The run failed", true},
      {"wrong", GpuState::Failed, "✕", "gave a wrong answer", true},
      {"ready", GpuState::Remote, "⇄", "in lab-h200 is ready", false, true},
      {"lost", GpuState::RemoteLost, "!", "lab-h200 is lost", false, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.script);
    Lab lab(c.script, c.remote);
    if (c.run) lab.run();
    lab.reach(c.state);
    if (c.state != GpuState::Probing && c.state != GpuState::Running) lab.settle();
    REQUIRE(lab.view.gpu.status.state == c.state);
    CHECK(gpu_words(lab.view.gpu).glyph == c.glyph);
    const Scene scene = window_of(lab);
    CHECK(has_text(scene, c.words));
    CHECK(scene.find("command:tab-gpu"));
    // Each action of the state can be done.
    for (const Chip& chip : gpu_words(lab.view.gpu).actions)
      if (chip.id.starts_with("command:")) {
        const Command* command = command_named(std::string_view(chip.id).substr(8));
        REQUIRE(command);
        CHECK_MESSAGE(command->enabled(lab.session, lab.view), chip.id);
      }
    check_layout(lab, c.script, c.run);
    lab.view.gpu.shape = GpuShape::Benchmark;
    lab.view.gpu.enlarged = true;
    lab.update();
    check_layout(lab, c.script);
  }
}

TEST_CASE("the charts of a result are laid out, for every kernel") {
  Lab lab("ready");
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  lab.view.gpu.enlarged = true;
  for (std::string_view chart : {"compare", "statistics", "difference", "waiting"})
    for (const GpuRow& row : lab.view.gpu.board->rows) {
      apply_choice(lab.session, lab.view, "gpu-chart", chart);
      lab.view.gpu.kernel = row.kernel;
      for (int64_t tile : {-1, 0}) {
        lab.view.gpu.tile = tile;
        check_layout(lab, chart, tile < 0 && row.kernel == Method::Fa2Small);
      }
    }
}

TEST_CASE("kernels' names and the head over their times stand in full, also with both forms of FA1") {
  Lab shipped("no-driver");
  fs::create_directories(shipped.folder);
  for (const char* file : {"h200.json", "h200-lessons.json"})
    std::ofstream(shipped.folder / file) << embedded_file(fmt::format("assets/recordings/{}", file));
  Lab lab("no-driver", false, true);
  apply_choice(lab.session, lab.view, "preset", "toy");
  lab.reach(GpuState::NoDriver);
  lab.settle();
  REQUIRE(lab.view.gpu.board->rows.size() == 4);
  lab.view.gpu.enlarged = true;
  for (GpuShape shape : {GpuShape::Stage, GpuShape::Benchmark}) {
    lab.view.gpu.shape = shape;
    lab.settle();
    const GpuBoard& board = *lab.view.gpu.board;
    CHECK(board.shows_recorded());
    if (shape == GpuShape::Benchmark) REQUIRE(board.row(Method::Fa1Paper));
    for (Vec2 size : {Vec2{1280, 720}, {1920, 1080}}) {
      CAPTURE(size.x);
      apply_choice(lab.session, lab.view, "gpu-chart", "compare");
      const Scene scene = layout_window(lab.session, lab.view, size);
      for (const GpuRow& row : board.rows) {
        CAPTURE(row.name);
        CHECK(std::ranges::count_if(scene.items, [&](const Item& item) {
                const Label* label = std::get_if<Label>(&item);
                return label && label->text == row.name;
              }) >= 2);  // in the chart and in the column
      }
      CHECK(has_text(scene, ", L2 warm"));
      apply_choice(lab.session, lab.view, "gpu-chart", "difference");
      const Scene chart = layout_window(lab.session, lab.view, size);
      for (std::string_view name : {"FA1", "FA2", "FA3"}) CHECK(has_text(chart, name));
      CHECK(has_text(chart, "FA1·A1") == (shape == GpuShape::Benchmark));
    }
    for (std::string_view chart : {"compare", "statistics", "difference", "waiting"}) {
      apply_choice(lab.session, lab.view, "gpu-chart", chart);
      check_layout(lab, chart);
    }
  }
}

TEST_CASE("the backward pass's kernels are shown at a benchmark size, and a run asks for them") {
  Lab shipped("no-driver");
  fs::create_directories(shipped.folder);
  for (const char* file : {"h200-backward.json", "h200-pytorch-backward.json"})
    std::ofstream(shipped.folder / file) << embedded_file(fmt::format("assets/recordings/{}", file));
  Lab lab("no-driver", false, true);
  apply_choice(lab.session, lab.view, "preset", "toy");
  lab.reach(GpuState::NoDriver);
  apply_choice(lab.session, lab.view, "gpu-shape", "backward");
  apply_choice(lab.session, lab.view, "gpu-n", "4096");
  lab.view.gpu.enlarged = true;
  lab.settle();
  const GpuBoard& board = *lab.view.gpu.board;
  REQUIRE(board.rows.size() == 3);
  CHECK(lab.view.gpu.kernel == Method::Fa3Backward);
  const GpuRow &standard = board.rows[0], &fa3 = board.rows[2];
  CHECK(fa3.name == "FA3");
  REQUIRE(fa3.result);
  CHECK(fa3.result->kernel == Method::Fa3Backward);
  CHECK(fa3.result->timing->median < standard.result->timing->median);
  REQUIRE(fa3.predicted);
  CHECK(*fa3.result->counters->l2_to_sm == doctest::Approx(double(fa3.predicted->fill_bytes)).epsilon(0.002));
  const Scene scene = window_of(lab);
  CHECK(has_text(scene, "as fast as standard attention, backward, with"));
  CHECK(has_text(scene, "PyTorch cuDNN"));
  check_layout(lab, "backward");
  // What is chosen stays of the pass that is shown.
  apply_choice(lab.session, lab.view, "gpu-shape", "benchmark");
  CHECK(lab.view.gpu.kernel == Method::Fa3);
}

TEST_CASE("what is shown is what was measured, beside what is predicted and simulated") {
  Lab lab("ready");
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  const GpuBoard& board = *lab.view.gpu.board;
  REQUIRE(board.rows.size() == 6);
  CHECK_FALSE(board.shows_recorded());
  const Scene scene = window_of(lab);
  for (const GpuRow& row : board.rows) {
    REQUIRE(row.result);
    CHECK(has_text(scene, time_words(row.result->timing->median)));
    REQUIRE(row.predicted);
    const RunPrediction expected = predict_run(board.spec.problem, row.kernel, default_machine(), false);
    CHECK(row.predicted->fill_bytes == expected.fill_bytes);
    REQUIRE(row.simulator);
    REQUIRE(row.simulator->o);
    CHECK(*row.simulator->o > 0);  // the stand-in's last bits differ
    CHECK(*row.simulator->o < 1e-2);
    if (row.kernel == Method::Standard) continue;
    REQUIRE(row.simulator->m);
    CHECK(*row.simulator->m == 0);
  }
  const GpuRow& fa2 = *board.row(Method::Fa2);
  CHECK(has_text(scene, count_words(double(fa2.predicted->fill_bytes))));
  CHECK(has_text(scene, "1.000× predicted"));
  CHECK(has_text(scene, "Measured now on Test GPU"));
  CHECK(has_text(scene, "✓ worst row " + error_words(board.row(lab.view.gpu.kernel)->result->errors->worst_row)));
  // The traced m and l of the followed row stand in the chart.
  lab.view.gpu.enlarged = true;
  lab.view.gpu.kernel = Method::Fa2Small;
  lab.view.gpu.chart = GpuChart::Statistics;
  lab.view.row = 40;
  const Scene chart = window_of(lab);
  CHECK(has_text(chart, "m of row 41"));
  CHECK(has_text(chart, "Δ 0"));
  lab.view.gpu.chart = GpuChart::Waiting;
  CHECK(has_text(window_of(lab), "1.40×. All other times"));
}

TEST_CASE("beside a backward walk the panel says that the kernels run the forward pass") {
  Lab lab("ready");
  lab.reach(GpuState::Ready);
  CHECK_FALSE(has_text(window_of(lab), "fp16 · forward"));
  REQUIRE(apply_choice(lab.session, lab.view, "schedule", "fa2-backward").empty());
  lab.view.tab = Tab::Gpu;
  lab.settle();
  CHECK(has_text(window_of(lab), "fp16 · forward"));
  check_layout(lab, "backward");
}

TEST_CASE("a kernel is the fastest only where no other's median lies within its launches") {
  Lab lab("ready");
  GpuView gpu = lab.view.gpu;
  gpu.status.state = GpuState::Result;
  const auto timed = [](Method kernel, double median) {
    KernelResult out;
    out.kernel = kernel;
    out.timing = Timing{.median = median, .p10 = 0.98 * median, .p90 = 1.02 * median, .count = 50, .warmups = 5};
    return out;
  };
  RunResult run;
  run.kernels = {timed(Method::Fa2, 2), timed(Method::Fa3, 1)};
  gpu.status.result = std::make_shared<const RunResult>(run);
  CHECK(gpu_words(gpu).sentence == "FA3 is the fastest: median of 50 launches after 5 to warm up.");
  run.kernels.front() = timed(Method::Fa2, 1.01);
  gpu.status.result = std::make_shared<const RunResult>(run);
  CHECK(gpu_words(gpu).sentence.find("FA3, FA2 are alike") == 0);
}

TEST_CASE("another problem on the stage takes the result away, and the old one brings it back") {
  Lab lab("ready");
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  REQUIRE(lab.view.gpu.board->live);
  apply_field(lab.session, lab.view, "seed", "77");
  lab.update();
  CHECK_FALSE(lab.view.gpu.board->live);
  CHECK(has_text(window_of(lab), "not measured yet"));
}

TEST_CASE("beside the model's time stands what to expect, and from which calls") {
  RunResult run;
  run.provenance = shipped_ceilings()->provenance;
  GpuBoard board;
  board.recorded = std::make_shared<const RunResult>(run);
  board.spec.problem = {.batch = 4, .heads = 16, .n_q = 4096, .n_k = 4096, .d = 128};
  GpuRow row;
  row.kernel = Method::Fa3;
  row.recorded = true;
  const Roofs roofs = roofs_of(*shipped_ceilings());
  const auto band = band_of(Method::Fa3, board.spec.problem, Direction::Forward, roofs);
  REQUIRE(band);
  const double seconds = estimate(Method::Fa3, board.spec.problem, roofs).time;
  CHECK(model_words(row, board) ==
        time_words(seconds * 1e3) + " by H200’s roofs, expect " + times_words(*band) + " times this");
  CHECK(model_tip(row, board).find(words_of(*band)) != std::string::npos);
  row.kernel = Method::Fa3;
  board.spec.problem.n_q = board.spec.problem.n_k = 16;  // shorter than anything that was measured
  CHECK(model_words(row, board).find("expect") == std::string::npos);
  CHECK(model_tip(row, board).find(kNothingHeld) != std::string::npos);
}

TEST_CASE("a saved result is a recording, and says so wherever it is shown") {
  Lab lab("ready");
  fs::create_directories(lab.folder);
  lab.run();
  lab.reach(GpuState::Result);
  lab.settle();
  RunResult saved = *lab.view.gpu.status.result;
  REQUIRE(run_command("gpu-save", lab.session, lab.view));
  lab.update();
  CHECK(lab.notice.starts_with("Saved "));
  {
    Lab other("no-driver", false, true);
    other.reach(GpuState::NoDriver);
    other.settle();
    const GpuBoard& board = *other.view.gpu.board;
    REQUIRE(board.recorded);
    CHECK(board.recorded_serves == Serves::SameInputs);
    CHECK(board.shows_recorded());
    const Scene scene = window_of(other);
    CHECK(has_text(scene, "◆ Recorded 1 Jan 2000 on Test GPU, same inputs"));
    for (const GpuRow& row : board.rows) CHECK(has_text(scene, "◆ " + time_words(row.result->timing->median)));
    // R, where there is no GPU, shows the recording.
    REQUIRE(run_command("gpu-run", other.session, other.view));
    other.settle();
    CHECK(has_text(window_of(other), "Recorded · Test GPU · 1 Jan 2000"));
    check_layout(other, "recorded", true);
    // Other inputs of the same shape are told apart.
    apply_field(other.session, other.view, "seed", "77");
    other.settle();
    CHECK(other.view.gpu.board->recorded_serves == Serves::SameShape);
    CHECK(has_text(window_of(other), "other inputs"));
    other.view.gpu.enlarged = true;
    check_layout(other, "recorded, large", true);
    CHECK_FALSE(other.view.gpu.board->rows[1].simulator);
    fs::create_directories(other.folder);
  }
  saved.kernels[2].timing.reset();
}

TEST_CASE("while counters are refused, recorded bytes stand in and are marked") {
  Lab source("ready");
  fs::create_directories(source.folder);
  source.run();
  source.reach(GpuState::Result);
  REQUIRE(run_command("gpu-save", source.session, source.view));
  source.update();
  Lab lab("no-counters", false, true);
  lab.run();
  lab.reach(GpuState::NoCounters);
  lab.settle();
  const GpuRow& row = *lab.view.gpu.board->row(lab.view.gpu.kernel);
  CHECK_FALSE(row.recorded);
  CHECK(row.bytes_recorded);
  lab.view.page = 1;
  CHECK(has_text(window_of(lab), "◆ " + count_words(*row.bytes->counters->l2_to_sm)));
}

TEST_CASE("progress is drawn four times a second at most, and Esc stops the run") {
  Lab lab("slow");
  lab.run();
  lab.reach(GpuState::Running);
  int drawn = 0;
  const double start = now();
  while (now() - start < 1) {
    drawn += lab.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CHECK(drawn >= 2);
  CHECK(drawn <= 6);
  REQUIRE(run_command("escape", lab.session, lab.view));
  lab.reach(GpuState::Ready);
}

}  // namespace tilewalk::test_gpu_panel
