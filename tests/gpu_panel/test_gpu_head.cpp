// The head, its sentence and the badge belong to what the rows show, and what was measured comes back with its problem.
#include "app/panels/gpu_parts.h"
#include "core/io/embedded.h"
#include "tests/gpu_panel/lab.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

namespace tilewalk::test_gpu_head {
using namespace tilewalk::test;

namespace {

bool head_says(Lab& lab, std::string_view words) {
  const GpuWords said = gpu_words(lab.view.gpu);
  return (said.headline + "\n" + said.pill + "\n" + said.sentence).find(words) != std::string::npos;
}

void measure(Lab& lab) {
  lab.run();
  if (lab.view.gpu.status.state != GpuState::Running) lab.reach(GpuState::Running);
  lab.reach(GpuState::Result);
  lab.settle();
}

}  // namespace

TEST_CASE("on another shape the head says what its rows are, and one's own rows come back with the time of day") {
  setenv("TZ", "UTC", 1);
  tzset();
  Lab files("no-driver");
  std::filesystem::create_directories(files.folder);
  std::ofstream(files.folder / "h200.json") << embedded_file("assets/recordings/h200.json");
  Lab lab("ready", false, true);
  apply_field(lab.session, lab.view, "seed", "5");
  lab.reach(GpuState::Ready);
  measure(lab);
  REQUIRE(lab.view.gpu.board->live);
  const double first = lab.view.gpu.board->rows.front().result->timing->median;
  CHECK(head_says(lab, "Measured on Test GPU"));
  CHECK(head_says(lab, "median of"));
  const std::string badge = gpu_words(lab.view.gpu).pill;
  CHECK(has_text(window_of(lab), "Measured now on Test GPU"));

  // Rows of a recording.
  lab.view.gpu.shape = GpuShape::Benchmark;
  lab.settle();
  REQUIRE(lab.view.gpu.board->shows_recorded());
  CHECK(gpu_words(lab.view.gpu).glyph == "◆");
  CHECK(head_says(lab, "Recorded · H200"));
  CHECK(head_says(lab, "H200 · recorded"));
  CHECK_FALSE(head_says(lab, "median of"));
  CHECK_FALSE(has_text(window_of(lab), badge));
  check_layout(lab, "recorded after a run");

  // No rows at all: then nothing is claimed, in the tab or with another in its place.
  lab.view.gpu.shape = GpuShape::Stage;
  apply_field(lab.session, lab.view, "n_q", "48");
  lab.settle();
  CHECK(head_says(lab, "Test GPU is ready"));
  CHECK_FALSE(head_says(lab, "Measured"));

  // Another run, and back to the first.
  measure(lab);
  CHECK(head_says(lab, "Measured on Test GPU"));
  apply_field(lab.session, lab.view, "n_q", "64");
  lab.settle();
  REQUIRE(lab.view.gpu.board->live);
  CHECK(lab.view.gpu.board->live != lab.view.gpu.status.result);
  CHECK_FALSE(lab.view.gpu.board->shows_recorded());
  CHECK(lab.view.gpu.board->rows.front().result->timing->median == first);
  CHECK(gpu_words(lab.view.gpu).pill == badge);
  CHECK(head_says(lab, "Measured at 00:00 on 1 Jan 2000 on Test GPU"));
  CHECK(has_text(window_of(lab), "Measured at 00:00"));
  check_layout(lab, "measured before");
}

TEST_CASE("with another tab in its place the badge keeps to what is on the stage") {
  Lab lab("ready");
  lab.reach(GpuState::Ready);
  measure(lab);
  const std::string badge = gpu_words(lab.view.gpu).pill;
  const auto elsewhere = [&] {
    return lab.desk->update({lab.session.problem(), lab.session.inputs(), lab.session.input_hash()}, false,
                            lab.view.gpu, lab.notice);
  };
  elsewhere();
  CHECK(gpu_words(lab.view.gpu).pill == badge);
  apply_field(lab.session, lab.view, "seed", "77");
  CHECK(elsewhere());  // which is drawn
  CHECK(gpu_words(lab.view.gpu).pill != badge);
  CHECK_FALSE(head_says(lab, "Measured"));
}

TEST_CASE("no more runs are kept than are worth it") {
  Lab lab("ready");
  lab.reach(GpuState::Ready);
  for (size_t k = 0; k < kMeasured; ++k) lab.view.gpu.measured.push_back(std::make_shared<const RunResult>());
  measure(lab);
  CHECK(lab.view.gpu.measured.size() == kMeasured);
  CHECK(lab.view.gpu.measured.back() == lab.view.gpu.status.result);
}

TEST_CASE("what a class's GPU answers from what it kept was not measured now") {
  setenv("TZ", "UTC", 1);
  tzset();
  GpuView gpu;
  RunResult run;
  run.provenance.date = "2026-11-25T13:14:05Z";
  gpu.status.state = GpuState::Result;
  gpu.status.in_class = gpu.status.remote = true;
  gpu.status.result = std::make_shared<const RunResult>(run);
  gpu.asked_at = "2026-11-25T13:14:00Z";
  CHECK(measured_when(*gpu.status.result, gpu) == "now");
  gpu.asked_at = "2026-11-25T15:00:00Z";
  CHECK(measured_when(*gpu.status.result, gpu) == "at 13:14");
  CHECK(gpu_words(gpu).headline.starts_with("Measured at 13:14 on"));
  CHECK(gpu_words(gpu).sentence.starts_with("The class had this answer from before"));
  gpu.asked_at = "2026-11-26T09:00:00Z";
  CHECK(measured_when(*gpu.status.result, gpu) == "at 13:14 on 25 Nov 2026");
  gpu.status.in_class = false;  // one's own worker keeps nothing; its clock may be another
  CHECK(measured_when(*gpu.status.result, gpu) == "now");
  for (const char* broken : {"", "today", "2026-11-xxT13:14:05Z"}) CHECK(moment_words(broken, {}).empty());
}

}  // namespace tilewalk::test_gpu_head
