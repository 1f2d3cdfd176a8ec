// Which run goes out for a problem, and which recording serves it.
#include "app/gpu/recordings.h"
#include "app/gpu/run_plan.h"
#include "core/attention/presets.h"
#include "core/run/protocol.h"
#include "core/run/run_json.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace tilewalk::test_recordings {
namespace fs = std::filesystem;

namespace {

RunResult run_of(const RunSpec& spec, std::string date) {
  RunResult out;
  out.provenance.gpu = "Test GPU";
  out.provenance.date = std::move(date);
  out.spec = spec;
  KernelResult kernel;
  kernel.kernel = Method::Fa2;
  out.kernels = {kernel};
  return out;
}

Recordings shelf(std::vector<RunResult> results) {
  Recordings out;
  for (RunResult& result : results) out.all.push_back({std::make_shared<const RunResult>(std::move(result)), "x.json"});
  return out;
}

}  // namespace

TEST_CASE("generated inputs go as their seed, others as values") {
  Problem p;
  p.n_q = 20;
  p.n_k = 24;
  p.seed = 99;
  const Inputs inputs = generate_inputs(p);
  const RunPlan generated = stage_run(p, inputs, hash_of(inputs));
  CHECK(generated.fault.empty());
  CHECK(generated.spec.inputs.kind == RunInputs::Kind::Generated);
  CHECK(generated.spec.inputs.q.empty());
  CHECK(generated.spec.inputs.hash == hash_of(inputs));
  CHECK(input_hash(generated.spec) == hash_of(inputs));
  CHECK(generated.spec.problem.seed == 99);

  p.distribution = Distribution::Custom;
  const RunPlan values = stage_run(p, inputs, hash_of(inputs));
  CHECK(values.spec.inputs.kind == RunInputs::Kind::Values);
  REQUIRE(values.spec.inputs.q.size() == 20 * 8);
  REQUIRE(values.spec.inputs.v.size() == 24 * 8);
  CHECK(double(values.spec.inputs.k[9]) == inputs.k.values[9]);

  // What goes out can be read by the other side.
  for (const RunPlan& plan : {generated, values}) {
    std::string fault;
    CHECK_MESSAGE(to_worker(line_of(ToWorker{RunRequest{1, plan.spec, false}}), fault), fault);
  }
}

TEST_CASE("the benchmark shape keeps d and mask and has 16,384 rows of 2,048 numbers") {
  for (int64_t d : {8, 64, 96, 128})
    for (int64_t n : kBenchmarkN) {
      Problem stage;
      stage.d = d;
      stage.mask = Mask::Causal;
      stage.distribution = Distribution::Custom;
      const RunPlan plan = benchmark_run(stage, n);
      const Problem& p = plan.spec.problem;
      CHECK(plan.fault.empty());
      CHECK(p.batch * p.n_q == 16384);
      CHECK(p.heads * p.d == 2048);
      CHECK(p.d == (d <= 64 ? 64 : 128));
      CHECK(p.mask == Mask::Causal);
      CHECK(p.distribution == Distribution::Normal);
      CHECK(validate(p).empty());
      CHECK(plan.spec.inputs.kind == RunInputs::Kind::Generated);
    }
}

TEST_CASE("small instances run where the stage's tiles have 16 rows, and what cannot run says why") {
  Problem p;
  p.n_q = p.n_k = 64;
  p.br = p.bc = 16;
  CHECK(kernels_for(p).size() == 6);
  p.bc = 8;
  CHECK(kernels_for(p).size() == 4);
  p.d = 256;
  const Inputs inputs = generate_inputs(p);
  CHECK(stage_run(p, inputs, 1).fault.empty());  // FA2 and FA3 run it; of FA1 the worker says that it does not
  p.d = 16;
  p.format = Format::Float32;
  const Inputs wide = generate_inputs(p);
  Inputs rounded = wide;
  round_inputs(rounded, Format::Float16);
  const RunPlan plan = stage_run(p, wide, hash_of(wide));
  CHECK(plan.fault.empty());
  CHECK(plan.spec.problem.format == Format::Float16);
  CHECK(plan.spec.inputs.hash == hash_of(rounded));
}

TEST_CASE("a recording of the same inputs serves, one of the same shape is second") {
  Problem p;
  const Inputs inputs = generate_inputs(p);
  const RunSpec wanted = stage_run(p, inputs, hash_of(inputs)).spec;
  RunSpec other_seed = wanted, other_shape = wanted, other_scale = wanted;
  other_seed.problem.seed = 1234;
  other_seed.inputs.hash ^= 5;
  other_shape.problem.n_k = 32;
  other_scale.problem.scale = 2;

  CHECK(serves(run_of(wanted, ""), wanted) == Serves::SameInputs);
  CHECK(serves(run_of(other_seed, ""), wanted) == Serves::SameShape);
  CHECK(serves(run_of(other_scale, ""), wanted) == Serves::SameShape);
  CHECK(serves(run_of(other_shape, ""), wanted) == Serves::No);

  CHECK(pick_recording(shelf({}), wanted).index == -1);
  CHECK(pick_recording(shelf({run_of(other_shape, "2026")}), wanted).index == -1);
  CHECK(pick_recording(shelf({run_of(other_seed, "2027"), run_of(wanted, "2026")}), wanted).index == 1);
  CHECK(pick_recording(shelf({run_of(other_seed, "2027"), run_of(other_seed, "2028")}), wanted).index == 1);
  RunResult peer = run_of(wanted, "2030");
  peer.kernels[0].label = "another program";
  CHECK(pick_recording(shelf({peer, run_of(wanted, "2026")}), wanted).index == 1);

  // Typed values have no seed to go by: the hash alone decides.
  RunSpec typed = wanted;
  typed.problem.distribution = Distribution::Custom;
  RunSpec typed_else = typed;
  typed_else.inputs.hash ^= 1;
  CHECK(serves(run_of(typed_else, ""), typed) == Serves::SameShape);
}

TEST_CASE("recordings are found in the checkout and beside the user's data; a damaged one is named") {
  const fs::path root = fs::temp_directory_path() / ("tilewalk-recordings-" + std::to_string(getpid()));
  fs::create_directories(root / "assets/recordings");
  fs::create_directories(root / "build/bin");
  std::ofstream(root / "build/CMakeCache.txt") << "";
  fs::create_directories(root / "data/recordings");
  Problem p;
  const Inputs inputs = generate_inputs(p);
  const RunSpec spec = stage_run(p, inputs, hash_of(inputs)).spec;
  save_recording(root / "assets/recordings/b.json", {run_of(spec, "2026-01-01T00:00:00Z")});
  save_recording(root / "data/recordings/own.json", {run_of(spec, "2026-02-02T00:00:00Z")});
  std::ofstream(root / "assets/recordings/a.json") << "{ no recording";
  const auto folders = recording_folders(root / "build/bin", root / "data");
  CHECK(folders.size() == 2);
  const Recordings found = load_recordings(folders);
  CHECK(found.all.size() == 2);
  REQUIRE(found.faults.size() == 1);
  CHECK(found.faults[0].find("a.json") != std::string::npos);
  const Pick pick = pick_recording(found, spec);
  REQUIRE(pick.index >= 0);
  CHECK(found.all[size_t(pick.index)].file == "own.json");
  fs::remove_all(root);
}

TEST_CASE("clock stamps are of the GPU that is asked for, whichever was recorded last") {
  const Recordings recordings = load_recordings({TILEWALK_SOURCE_DIR "/assets/recordings"});
  for (const auto& [on, name] : {std::pair{RecordedGpu::H200, "H200"}, {RecordedGpu::H100, "H100"}}) {
    const std::shared_ptr<const RunResult> stamps = pick_stamps(recordings, on);
    REQUIRE(stamps);
    CHECK(stamps->provenance.gpu.find(name) != std::string::npos);
  }
}

TEST_CASE("other programs' runs stand beside ours at the same shape, the latest of them, and never in their place") {
  Problem p;
  p.n_q = p.n_k = 64;
  RunSpec spec;
  spec.problem = p;
  RunResult older = run_of(spec, "2026-01-01T00:00:00Z"), newer = run_of(spec, "2026-02-01T00:00:00Z");
  RunResult ours = run_of(spec, "2025-01-01T00:00:00Z"), other_shape = newer;
  older.kernels[0].label = newer.kernels[0].label = other_shape.kernels[0].label = "PyTorch FA2";
  other_shape.spec.problem.n_k = 128;
  other_shape.provenance.date = "2026-03-01T00:00:00Z";
  const Recordings recordings = shelf({older, ours, newer, other_shape});
  const auto peers = pick_peers(recordings, spec);
  REQUIRE(peers);
  CHECK(peers->provenance.date == newer.provenance.date);
  CHECK(pick_recording(recordings, spec).index == 1);
  CHECK_FALSE(pick_peers(shelf({ours}), spec));
}

TEST_CASE(
    "what is shown recorded is the H200's until the H100's is asked for, and nobody else's peers stand beside it") {
  const Recordings all = shipped_as_recordings();
  RunSpec wanted;
  wanted.problem = {.batch = 4, .heads = 16, .n_q = 4096, .n_k = 4096, .d = 128, .br = 128, .bc = 128};
  wanted.kernels = {Method::Standard, Method::Fa2, Method::Fa3};
  const auto shown = [&](RecordedGpu gpu) {
    const Pick pick = pick_recording(all, wanted, gpu);
    REQUIRE(pick.index >= 0);
    return all.all[size_t(pick.index)];
  };
  CHECK(shown(RecordedGpu::H200).file == "h200.json");
  CHECK(shown(RecordedGpu::H100).file == "h100.json");
  CHECK(shown(RecordedGpu::H100).result->provenance.gpu.find("H100") != std::string::npos);
  wanted.kernels = {Method::Fa3Backward};
  CHECK(shown(RecordedGpu::H200).file == "h200-backward.json");
  CHECK(shown(RecordedGpu::H100).file == "h100-backward.json");
}

}  // namespace tilewalk::test_recordings
