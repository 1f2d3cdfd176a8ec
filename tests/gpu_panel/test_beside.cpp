// FP8 and decoding in the GPU tab: from the recordings that are shipped, times, bytes and what eight bits cost are
// shown beside what is predicted, and a run asks for every row.
#include "app/gpu/run_plan.h"
#include "app/panels/gpu_parts.h"
#include "app/session/fields.h"
#include "core/io/embedded.h"
#include "core/run/shipped.h"
#include "tests/gpu_panel/lab.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace tilewalk::test_beside {
using namespace tilewalk::test;
namespace fs = std::filesystem;

namespace {

// A lab whose recordings are the shipped ones of FP8, decoding, groups and the forward pass.
struct Recorded {
  Lab first{"no-driver"};
  Recorded() {
    fs::create_directories(first.folder);
    for (const char* file : {"h200-fp8.json", "h200-decode.json", "h200-groups.json", "h200.json"})
      std::ofstream(first.folder / file) << embedded_file(fmt::format("assets/recordings/{}", file));
  }
};

void choose(Lab& lab, std::initializer_list<std::pair<const char*, const char*>> choices) {
  lab.reach(GpuState::NoDriver);
  for (const auto& [field, value] : choices) apply_choice(lab.session, lab.view, field, value);
  lab.view.gpu.enlarged = true;
  lab.settle();
}

}  // namespace

TEST_CASE("FP8 beside 16 bits: the four ways of rounding, and the pass that rounds as a line of its own") {
  const Recorded recorded;
  Lab lab("no-driver", false, true);
  apply_choice(lab.session, lab.view, "preset", "toy");
  choose(lab, {{"gpu-shape", "fp8"}, {"gpu-n", "4096"}});
  const GpuBoard& board = *lab.view.gpu.board;
  REQUIRE(board.rows.size() == 5);
  CHECK(lab.view.gpu.kernel == Method::Fa3Fp8);
  for (const GpuRow& row : board.rows) {
    CAPTURE(row.name);
    REQUIRE(row.result);
    REQUIRE(row.predicted);
    CHECK(*row.result->counters->l2_to_sm == doctest::Approx(double(row.predicted->fill_bytes)).epsilon(0.002));
    CHECK(row.result->rounding.has_value() == (row.kernel == Method::Fa3Fp8));
  }
  CHECK(!board.beside);  // FA3 was recorded in the same run
  CHECK(board.rows[0].name == "FA3, 16 bits");
  CHECK(board.rows[0].result->timing->median > board.rows[1].result->timing->median);
  CHECK(board.rows[1].result->rounding->seconds > 1e-4);
  const Scene scene = window_of(lab);
  CHECK(has_text(scene, "as fast as 16 bits"));
  CHECK(has_text(scene, "with its rounding"));
  CHECK(has_text(scene, "rounding takes"));
  CHECK(has_text(scene, "eight bits cost"));
  check_layout(lab, "fp8");
  // A row of another way is chosen with its switch, and its errors are shown.
  apply_choice(lab.session, lab.view, "gpu-kernel", "fa3-fp8+rotation");
  REQUIRE(chosen_row(lab.view.gpu));
  CHECK(chosen_row(lab.view.gpu)->with == Switch::Rotation);
  CHECK(gpu_words(lab.view.gpu).glyph == "○");
  // Elsewhere the choice is of that page.
  apply_choice(lab.session, lab.view, "gpu-shape", "benchmark");
  CHECK(lab.view.gpu.kernel == Method::Fa3);
  CHECK(fp8_run(lab.session.problem(), 4096).spec.switches.size() == 3);
}

TEST_CASE("decoding: split-KV beside one block a head, and groups that share K and V") {
  const Recorded recorded;
  Lab lab("no-driver", false, true);
  choose(lab, {{"gpu-shape", "decode"}, {"gpu-decode-n", "131072"}, {"gpu-group", "8"}});
  const GpuBoard& board = *lab.view.gpu.board;
  REQUIRE(board.rows.size() == 2);
  CHECK(board.spec.kv_heads == 4);
  CHECK(board.spec.problem.n_q == 1);
  REQUIRE(board.rows[0].result);
  REQUIRE(board.rows[1].result);
  CHECK(board.rows[0].result->splits > 1);
  CHECK(board.rows[1].result->splits == 1);
  CHECK(board.rows[0].result->timing->median < 0.1 * board.rows[1].result->timing->median);
  const Scene scene = window_of(lab);
  CHECK(has_text(scene, "splits are"));
  CHECK(has_text(scene, "TB/s of K, V"));
  check_layout(lab, "decode");
}

TEST_CASE("recorded bytes stand beside what the kernels of the version that was recorded move") {
  for (const char* program : {"0.1.0", "0.2.0"}) {
    CAPTURE(program);
    std::string text(embedded_file("assets/recordings/h200.json"));
    const std::string_view says = "\"program\":\"";
    for (size_t at = 0; (at = text.find(says, at)) != std::string::npos; ++at) {
      at += says.size();
      text.replace(at, text.find('"', at) - at, program);
    }
    const fs::path folder = fs::temp_directory_path() / ("tilewalk-gpu-panel-" + std::to_string(getpid()));
    fs::create_directories(folder);  // read as soon as the desk is there
    std::ofstream(folder / "h200.json") << text;
    Lab lab("no-driver", false, true);
    REQUIRE(lab.folder == folder);
    choose(lab, {{"gpu-shape", "benchmark"}, {"gpu-n", "1024"}});
    REQUIRE(apply_field(lab.session, lab.view, "d", "64").empty());
    apply_choice(lab.session, lab.view, "mask", "causal");
    lab.settle();
    const GpuRow* row = lab.view.gpu.board->row(Method::Fa3);
    REQUIRE(row);
    REQUIRE(row->run);
    CHECK(row->run->provenance.program == program);
    CHECK(row->bytes_run == row->run);
    REQUIRE(row->predicted);
    const RunPrediction own = predict_run(lab.view.gpu.board->spec.problem, Method::Fa3, row->run->provenance, false);
    CHECK(row->predicted->fill_bytes == own.fill_bytes);
    CHECK(row->matrix_flop == own.matrix_flop);
    const double counted = *row->bytes->counters->l2_to_sm / double(row->predicted->fill_bytes);
    CHECK(counted == doctest::Approx(row->run->provenance.program == "0.1.0" ? 520.09 / 603.98 : 1).epsilon(0.01));
  }
}

TEST_CASE("grouped queries at a benchmark size are of FA2 and FA3 alone, and no other page takes their recordings") {
  const Recorded recorded;
  Lab lab("no-driver", false, true);
  apply_choice(lab.session, lab.view, "preset", "toy");
  choose(lab, {{"gpu-shape", "benchmark"}, {"gpu-n", "4096"}});
  REQUIRE(apply_field(lab.session, lab.view, "d", "128").empty());
  lab.settle();
  CHECK(lab.view.gpu.board->rows.size() >= 5);
  CHECK(lab.view.gpu.board->recorded_file == "h200.json");
  apply_choice(lab.session, lab.view, "gpu-group", "4");
  lab.settle();
  REQUIRE(lab.view.gpu.board->rows.size() == 2);
  for (const GpuRow& row : lab.view.gpu.board->rows) CHECK((row.kernel == Method::Fa2 || row.kernel == Method::Fa3));
  CHECK(lab.view.gpu.board->spec.kv_heads == 4);
}

}  // namespace tilewalk::test_beside
