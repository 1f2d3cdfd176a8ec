// What is shown as measured has been checked here: everything that was recorded passes, every lie does not.
#include "core/io/file.h"
#include "core/run/audit.h"
#include "core/run/run_json.h"
#include "tests/core/run/lies.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace tilewalk::test_audit {

TEST_CASE("All that was recorded on a GPU is believed, kernel by kernel") {
  int kernels = 0;
  for (const char* file : {"h200.json", "h200-lessons.json", "h200-pytorch.json", "h200-groups.json",
                           "h100-groups.json", "h200-fp8.json"}) {
    INFO(file);
    std::vector<RunResult> said =
        load_recording(std::filesystem::path(TILEWALK_SOURCE_DIR "/assets/recordings") / file);
    AuditBudget budget;
    for (const RunResult& run : said) {
      const std::vector<RunFault> faults = run_faults(run, {}, budget);
      for (const RunFault& fault : faults) FAIL_CHECK(fault.what);
      for (const KernelResult& kernel : run.kernels) kernels += kernel.timing.has_value();
    }
    MESSAGE(budget.elements, " elements and ", budget.flop, " FLOP left");
  }
  CHECK(kernels >= 100);
}

namespace {

// A run of all kernels at N = 64 that an H200 made.
RunResult honest() {
  for (const RunResult& run : load_recording(TILEWALK_SOURCE_DIR "/assets/recordings/h200-lessons.json"))
    if (run.spec.problem.n_q == 64 && run.spec.inputs.kind == RunInputs::Kind::Generated) return run;
  return {};
}

bool shows_fa2(const RunResult& run) {
  return std::ranges::any_of(run.kernels, [](const KernelResult& k) {
    return k.kernel == Method::Fa2 && (k.timing || k.counters || k.trace || !k.o.empty() || !k.lse.empty());
  });
}
bool shows_anything(const RunResult& run) {
  return std::ranges::any_of(run.kernels, [](const KernelResult& k) { return k.errors || k.timing; });
}

}  // namespace

TEST_CASE("Over a hundred lies: none is left to be shown, and what is true beside them stays") {
  const RunResult answer = honest();
  const RunSpec asked = answer.spec;
  const Provenance hello = answer.provenance;
  REQUIRE(answer.kernels.size() == 7);
  int told = 0;
  for (const Lie& lie : lies()) {
    CAPTURE(lie.name);
    for (const bool worker : {true, false}) {
      CAPTURE(worker);
      RunResult said = answer;
      lie.tell(said);
      if (!worker && lie.needs_asking) continue;
      AuditBudget budget;
      const AskedRun by = worker ? AskedRun{&asked, &hello} : AskedRun{};
      std::vector<RunFault> faults = run_faults(said, by, budget);
      if (worker)
        for (RunFault& late : elapsed_faults(said, 1.5)) faults.push_back(late);
      CHECK_FALSE(faults.empty());
      for (const RunFault& fault : faults) {
        CHECK(fault.what.ends_with('.'));
        CHECK(fault.what.find("inf") == std::string::npos);
      }
      const RunResult left = believed(said, faults);
      if (lie.whole && lie.name != "run: L2 emptied")
        CHECK_FALSE(shows_anything(left));
      else if (lie.name == "kernel: twice")
        CHECK(std::ranges::count_if(left.kernels, [](const KernelResult& k) { return k.timing.has_value(); }) == 6);
      else
        CHECK_FALSE(shows_fa2(left));
      if (!lie.whole) {
        CHECK(shows_anything(left));
        for (const KernelResult& k : left.kernels)
          CHECK((k.timing.has_value() || k.kernel == Method::Fa2 || !k.disbelieved.empty()));
      }
      ++told;
    }
  }
  MESSAGE(lies().size(), " lies, told ", told, " times");
  CHECK(lies().size() >= 100);
}

TEST_CASE("An honest answer is believed to its request, whoever made the GPU") {
  const RunResult answer = honest();
  AuditBudget budget;
  CHECK(run_faults(answer, {&answer.spec, &answer.provenance}, budget).empty());
  CHECK(elapsed_faults(answer, 1.5).empty());
  // A GPU that is in no catalogue, ten times as fast; and one that says little of itself.
  RunResult odd = answer;
  odd.provenance.gpu = "Test GPU of 2031";
  odd.provenance.major = 14;
  std::erase_if(odd.kernels, [](const KernelResult& k) { return k.kernel == Method::Fa3; });
  for (KernelResult& kernel : odd.kernels)
    for (double Timing::*each : {&Timing::best, &Timing::p10, &Timing::median, &Timing::p90, &Timing::back_to_back})
      (*kernel.timing).*each *= 0.1;
  CHECK(run_faults(odd, {}, budget).empty());
  odd.provenance.multiprocessors = 0;
  odd.provenance.l2_bytes = 0;
  CHECK(run_faults(odd, {}, budget).empty());
}

TEST_CASE("A rate above the chip's roofs is none") {
  int fast = 0;
  for (RunResult run : load_recording(TILEWALK_SOURCE_DIR "/assets/recordings/h200.json")) {
    if (run.spec.problem.batch * run.spec.problem.n_q != 16384) continue;
    AuditBudget budget;
    for (KernelResult& kernel : run.kernels)
      for (double Timing::*each : {&Timing::best, &Timing::p10, &Timing::median, &Timing::p90, &Timing::back_to_back})
        (*kernel.timing).*each *= 0.02;
    for (const RunFault& fault : run_faults(run, {}, budget)) {
      CHECK(fault.of == RunFault::Of::Kernel);
      fast += run.kernels[size_t(fault.kernel)].kernel == Method::Fa3;
    }
  }
  CHECK(fast == 24);
}

TEST_CASE("A kernel that was not asked for, or cannot run there, is not believed") {
  const RunResult answer = honest();
  RunSpec fewer = answer.spec;
  std::erase(fewer.kernels, Method::Fa1);
  AuditBudget budget;
  std::vector<RunFault> faults = run_faults(answer, {&fewer, nullptr}, budget);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].what == "FA1, as released was not asked for.");
  RunResult elsewhere = answer;
  elsewhere.provenance.minor = 1;
  faults = run_faults(elsewhere, {}, budget);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].what.find("FA3 cannot have run") == 0);
}

TEST_CASE("Inputs that cannot be made again count as others, and a file's lies are said") {
  RunResult large = honest();
  for (KernelResult& kernel : large.kernels) kernel.o.clear(), kernel.lse.clear(), kernel.trace.reset();
  AuditBudget none;
  none.elements = 0;
  const std::vector<RunFault> faults = run_faults(large, {}, none);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].of == RunFault::Of::Inputs);
  CHECK(believed(large, faults).spec.inputs.hash == 0);
  CHECK(believed(large, faults).kernels[0].timing);

  RunResult lying = honest();
  const auto fa2 = size_t(std::ranges::find(lying.kernels, Method::Fa2, &KernelResult::kernel) - lying.kernels.begin());
  REQUIRE(fa2 < lying.kernels.size());
  lying.kernels[fa2].timing->median = 5e-324;
  std::vector<std::string> refused;
  const std::vector<RunResult> shown = believed_file({honest(), lying}, refused);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0] == "FA2's median of 4.941e-324 ms is no time that a launch can take.");
  CHECK(shown[0].kernels[fa2].timing);
  CHECK_FALSE(shown[1].kernels[fa2].timing);
  CHECK(shown[1].kernels[fa2].disbelieved == refused[0]);
}

TEST_CASE("Roofs that no chip has are not believed; those that were recorded are") {
  const Ceilings h200 = load_ceilings(TILEWALK_SOURCE_DIR "/assets/recordings/h200-ceilings.json");
  CHECK(ceiling_faults(h200, nullptr).empty());
  CHECK(ceiling_faults(h200, &h200.provenance).empty());
  for (size_t k = 0; k < h200.ceilings.size(); ++k)
    for (const double factor : {1e-300, 100.0, 1e200})
      for (const bool rested : {true, false}) {
        Ceilings said = h200;
        CeilingRate& rate = rested ? *said.ceilings[k].rested : *said.ceilings[k].sustained;
        rate.median *= factor, rate.p10 *= factor, rate.p90 *= factor;
        CHECK(ceiling_faults(said, nullptr).size() == 1);
      }
  Ceilings other = h200;
  other.provenance.gpu = "NVIDIA H100";
  CHECK(ceiling_faults(other, &h200.provenance).size() == 1);
}

}  // namespace tilewalk::test_audit
