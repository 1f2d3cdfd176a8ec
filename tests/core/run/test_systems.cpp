// The table of systems in README: what it says of counted bytes is what the shipped recordings of an H200 (Ring: H100s)
// hold against the predictions.
#include "core/io/file.h"
#include "core/run/prediction.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tilewalk::test_systems {

namespace {

// The largest share by which something counted lay off what was predicted.
struct Widest {
  double off = 0;
  int cells = 0;
  void take(double counted, double predicted) { off = std::max(off, std::fabs(counted / predicted - 1)), ++cells; }
  std::string words() const {
    return off == 0 ? "to the byte" : fmt::format("within {:.2f} %", std::ceil(off * 1e4) / 100);
  }
};

template <class Which>
Widest l2_to_sm(Which&& which) {
  Widest widest;
  for (const auto& [run, file, gpu] : shipped_runs()) {
    if (gpu != RecordedGpu::H200) continue;
    for (const KernelResult& k : run->kernels) {
      const Problem& p = run->spec.problem;
      if (!k.counters || !k.label.empty() || k.with != Switch::None || !which(k, run->spec) || p.n_k < 1024) continue;
      const RunPrediction said = predict_run(run->spec, {k.kernel, k.with}, run->provenance, false);
      widest.take(*k.counters->l2_to_sm, double(said.fill_bytes));
    }
  }
  return widest;
}

Widest relatives(RelativeForm form) {
  Widest widest;
  for (const RelativeResult& r : shipped_relatives())
    if (r.spec.form == form) widest.take(*r.counters->l2_to_sm, relative_bytes(r.spec).l2_to_sm);
  return widest;
}

// "| Sparse | ..." without its marks, or "".
std::string row_of(std::string_view system) {
  std::istringstream readme(read_file(TILEWALK_SOURCE_DIR "/README.md"));
  for (std::string line; std::getline(readme, line);)
    if (line.starts_with(fmt::format("| {} |", system))) return line;
  return {};
}

void hold(std::string_view system, const Widest& widest) {
  CAPTURE(system);
  CHECK(widest.cells > 0);
  const std::string row = row_of(system);
  CHECK_MESSAGE(row.find(widest.words()) != std::string::npos, widest.words(), " of ", widest.cells, " runs: ", row);
}

}  // namespace

TEST_CASE("README's table of systems says what was counted") {
  const auto plain = [](Method id) {
    return [id](const KernelResult& k, const RunSpec& spec) { return k.kernel == id && spec.kv_heads == 0; };
  };
  const auto forward = [](const KernelResult& k, const RunSpec& spec) {
    return (k.kernel == Method::Fa2 || k.kernel == Method::Fa3) && spec.problem.mask == Mask::Causal;
  };
  const auto backward = [](const KernelResult& k, const RunSpec&) {
    return k.kernel == Method::Fa2Backward || k.kernel == Method::Fa3Backward;
  };
  // Of d = 96, whose rows are one and a half panels, cuBLAS brings 3 % more.
  hold("Standard attention", l2_to_sm([](const KernelResult& k, const RunSpec& spec) {
         return k.kernel == Method::Standard && spec.problem.d != 96;
       }));
  hold("FlashAttention-1", l2_to_sm(plain(Method::Fa1)));
  hold("FlashAttention-2", l2_to_sm(plain(Method::Fa2)));
  hold("FlashAttention-3", l2_to_sm(plain(Method::Fa3)));
  hold("FP8", l2_to_sm(plain(Method::Fa3Fp8)));
  hold("Causal masks", l2_to_sm(forward));
  hold("Backward", l2_to_sm(backward));
  hold("Decoding", l2_to_sm([](const KernelResult& k, const RunSpec&) { return k.kernel == Method::SplitKv; }));
  hold("Differential", relatives(RelativeForm::Differential));
  hold("Latent", relatives(RelativeForm::Latent));
  hold("Sparse", relatives(RelativeForm::SparseShared));

  Widest link;
  for (const RingResult& ring : shipped_rings())
    for (const auto* list : {&ring.link->sent, &ring.link->received})
      for (const double bytes : *list) link.take(bytes, double(ring_bytes(ring.spec)));
  hold("Ring", link);

  Widest dram;  // of standard attention, whose matrices do not stay in L2
  for (const auto& [run, file, gpu] : shipped_runs()) {
    if (gpu != RecordedGpu::H200 || file != "h200.json") continue;
    for (const KernelResult& k : run->kernels) {
      if (k.kernel != Method::Standard || !k.counters || run->spec.problem.n_k < 4096) continue;
      const DramEstimate said = predict_run(run->spec, {k.kernel, k.with}, run->provenance).dram;
      dram.take(*k.counters->dram_read + *k.counters->dram_written, double(said.read_bytes + said.written_bytes));
    }
  }
  hold("Standard attention", dram);
}

}  // namespace tilewalk::test_systems
