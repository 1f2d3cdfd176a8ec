#include "tests/core/run/samples.h"

#include <limits>

namespace tilewalk {

RunSpec sample_spec() {
  RunSpec s;
  s.problem = {.batch = 2,
               .heads = 3,
               .n_q = 3,
               .n_k = 200,
               .d = 2,
               .br = 2,
               .bc = 1,
               .mask = Mask::Causal,
               .align = CausalAlign::TopLeft,
               .format = Format::BFloat16,
               .arithmetic = Arithmetic::Kernel,
               .distribution = Distribution::Custom,
               .seed = 0xFFFFFFFFFFFFFFFF,
               .scale = 0.1};
  s.inputs.kind = RunInputs::Kind::Values;
  s.inputs.q = {1, -0.0f, 0x1p-149f, 3.4e38f, 0.1f, 5};
  s.inputs.k.assign(400, 3);
  s.inputs.v.assign(400, 0.25f);
  s.inputs.v[0] = std::numeric_limits<float>::quiet_NaN();
  s.inputs.v[1] = std::numeric_limits<float>::infinity();
  s.inputs.source = "induction-head.safetensors, layer 1, head 3";
  s.inputs.hash = 0x0123456789abcdef;
  s.kernels = {Method::Fa3, Method::Standard, Method::Fa1Small};
  s.kv_heads = 1;
  s.splits = 3;
  s.warmups = 7;
  s.launches = 31;
  s.flush_l2 = s.counters = s.trace = s.outputs = true;
  s.trace_head = 5;
  s.trace_rows = {0, 2};
  return s;
}

RunResult sample_result() {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  RunResult r;
  r.provenance = {"NVIDIA H200",
                  9,
                  0,
                  132,
                  150'000'000'000,
                  62'914'560,
                  13000,
                  13010,
                  "580.159.04",
                  30'000'000,
                  29'000'000,
                  "2026-11-21T14:03:00Z",
                  "0.3",
                  "PyTorch 2.11"};
  r.spec = sample_spec();
  KernelResult full;
  full.kernel = Method::Fa3;
  full.label = "PyTorch cuDNN";
  full.launched = {"one", "two"};
  full.errors = Errors{3, 1e-3, 5e-4, std::numeric_limits<double>::quiet_NaN(), true};
  full.timing = Timing{0.1, 0.09, 0.2, 0.08, 30, 10, 0.095, 20, 3, true, 1890.5, 1980, 1755};
  full.counters = Counters{1e9, 2e9, 4362076160.0, 3, 4, 5, 6, 7, 8};
  full.trace = KernelTrace{{2, 3, {1, 2, 3, nan, nan, -inf}, {1, 1, 1, nan, 0.5f, 0}},
                           {"producer", "warpgroup 1"},
                           {{0, "LoadK", 1, -5, 100}, {1, "Wait", 0, 100, 100}},
                           4,
                           0.3,
                           0.1};
  full.rounding = RoundingCost{5e-2, 1e-3, 2e-2, 2e-4};
  full.splits = 7;
  full.o = {1, 2, 3, 4, 5, 6};
  full.lse = {-inf, 0.5f, nan};
  KernelResult refused;
  refused.kernel = Method::Standard;
  refused.refused = "cuBLAS is missing.";
  refused.no_counters = "no permission";
  KernelResult mistake;
  mistake.kernel = Method::Fa2;
  mistake.with = Switch::NoRescale;
  mistake.errors = Errors{3, 0.5, 0.25, 0.1, false};
  mistake.wrong = WrongRow{1, 2, std::numeric_limits<double>::infinity(), 9.25, 8.5, {0.5f, -0.0f}, {0.75f, 1}};
  r.kernels = {full, refused, mistake};
  return r;
}

Hello sample_hello() {
  return {kProtocolVersion,
          "0.3",
          GpuTrouble::Other,
          "A reason.",
          sample_result().provenance,
          123456789,
          -1,
          {{Method::Fa2, ""}, {Method::Fa3, "needs compute capability 9.0"}},
          "no permission"};
}

RingResult sample_ring() {
  RingResult r;
  r.provenance = sample_result().provenance;
  r.spec.problem = {.heads = 3, .n_q = 64, .n_k = 64, .d = 64, .mask = Mask::Causal};
  r.spec.gpus = 2;
  r.spec.split = RingSplit::Zigzag;
  r.spec.kernel = Method::Fa3;
  r.spec.transfer = RingTransfer::Nccl;
  r.spec.spare = 16;
  r.spec.rounds = 9;
  r.hash = 0x0123456789abcdef;
  r.transport = "NCCL 2.28.9";
  r.peer = true;
  r.errors = {64, 3.5e-4, 2.5e-4, 8e-6, true};
  r.alone = RingAlone{{2, 1.75, 2.25, 7}, {64, 3e-4, 2.5e-4, 7e-6, true}, 1e-4, 0.001};
  RingTimes t;
  t.together = {1.5, 1.25, 1.75, 9};
  t.attention = {1, 0.875, 1.125, 9};
  t.transfer = {0.5, 0.5, 0.625, 9};
  t.exposed = {0.25, -0.125, 0.5, 9};
  t.together_clock = 1402.5;
  t.attention_clock = 1410;
  t.steps = {{{0.5, 0.5}, {0.75, 0.75}, {0, 0}, {0.25, 0.25}, {0.5, 0.25}},
             {{0.5, 0.5}, {0.75, 0.75}, {0.25, 0.25}, {}, {}}};
  r.times = t;
  r.link = RingLink{18, 4.75e11, 3, {4096, 4096.5}, {4096.5, 4096}};
  r.no_link = "an unused reason";
  return r;
}

Ceilings sample_ceilings() {
  const CeilingRate rate{4.25e12, 4.2e12, 4.27e12, 280, 1979.5};
  Ceiling measured, other;
  measured.id = CeilingId::DramCopy;
  measured.rested = measured.sustained = rate;
  other.id = CeilingId::Wgmma;
  other.unavailable = "Measured on compute capability 9.0 alone; this GPU has 8.9.";
  return {sample_result().provenance, {measured, other}};
}

ProgramRun sample_program() {
  ProgramRun run;
  run.provenance = sample_result().provenance;
  run.spec.name = "fa2";
  run.spec.text.words = "# mine\nfor each Q tile i, in parallel:\n  load Q[i]\n";
  run.spec.problem = {.batch = 4, .heads = 16, .n_q = 64, .n_k = 64, .d = 64, .br = 32, .bc = 64};
  run.tensors = {{"O", 3e-4, 0, 0, 0}, {"L", 1e-6, 0, 0, 0}};
  run.heads_checked = 4;
  run.timing = Timing{.median = 2, .p10 = 1.5, .p90 = 2.5, .best = 1.25, .count = 10, .warmups = 3};
  run.counters = Counters{};
  run.counters->l2_to_sm = 4096;
  return run;
}

std::vector<FromWorker> samples_from_worker() {
  return {sample_hello(),
          Progress{4, Method::Fa2Small, RunStage::Counting, 3, 9},
          Partial{5, sample_result().kernels[0]},
          Done{6, sample_result(), true},
          Failure{7, "memory", "Too little.", 100, 50, 4096},
          CeilingDone{10, 1, kCeilingCount, sample_ceilings().ceilings[0]},
          CeilingsDone{11, sample_ceilings(), true},
          ProgramDone{12, sample_program(), true}};
}

std::vector<ToWorker> samples_to_worker() {
  return {RunRequest{8, sample_spec(), true}, CeilingsRequest{10, true},
          ProgramRequest{12, sample_program().spec, true}, CancelRequest{9}, QuitRequest{}};
}

void each_place(const nlohmann::ordered_json& value, const std::function<void(const std::string& pointer)>& body) {
  const std::function<void(const nlohmann::ordered_json&, std::string)> walk = [&](const auto& at,
                                                                                   std::string pointer) {
    if (!pointer.empty()) body(pointer);
    if (!at.is_structured()) return;
    for (const auto& [key, child] : at.items()) walk(child, pointer + "/" + key);
  };
  walk(value, "");
}

}  // namespace tilewalk
