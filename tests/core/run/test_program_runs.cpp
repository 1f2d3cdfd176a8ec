// Programs on a GPU: what is recorded, what is predicted to move, files of runs, and the recordings that come with the
// program.
#include "core/puzzle/recorded_programs.h"
#include "core/run/prediction.h"
#include "core/run/program_run.h"
#include "core/run/shipped.h"
#include "core/schedules/schedule.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

#include <map>

namespace tilewalk::test_program_runs {
using Json = nlohmann::ordered_json;

namespace {

ProgramSpec program_called(std::string_view name) {
  const std::vector<ProgramSpec> all = recorded_programs();
  const auto found = std::ranges::find(all, name, &ProgramSpec::name);
  REQUIRE(found != all.end());
  return *found;
}

MadeProgram made_of(const ProgramSpec& spec) {
  std::string why;
  auto made = make_program(spec, why);
  REQUIRE_MESSAGE(made, why);
  return *std::move(made);
}

std::string fault_with(const char* pointer, const Json& value) {
  Json json = Json::parse(programs_text({sample_program()}));
  json[Json::json_pointer(std::string("/results/0") + pointer)] = value;
  std::string fault;
  CHECK_FALSE(read_programs(json.dump(), fault));
  return fault;
}

}  // namespace

TEST_CASE("Every program that is recorded can be read, and runs in a thread block's memory or is refused for it") {
  const std::vector<ProgramSpec> all = recorded_programs();
  CHECK(all.size() == all_schedules().size() * 2 + 10);
  int refused = 0;  // at these tiles none is
  for (const ProgramSpec& spec : all) {
    CAPTURE(spec.name);
    std::string why;
    if (make_program(spec, why)) continue;
    ++refused;
    CHECK_MESSAGE(why.find("on chip at once") != std::string::npos, why);
    MESSAGE(spec.name << ": " << why);
  }
  CHECK(refused == 0);
}

TEST_CASE("A program's number is that of its steps: comments and spaces are none, another order of tiles is another") {
  const ProgramSpec fa2 = program_called("fa2");
  ProgramSpec other = fa2;
  other.text.words = "# mine\n\n" + fa2.text.words;
  const auto number = [](const ProgramSpec& spec) { return steps_number(made_of(spec).packed); };
  CHECK(number(fa2) == number(other));
  // What is begun with is begun in any order.
  ProgramSpec begun = fa2;
  begun.text.words.replace(begun.text.words.find("O = 0;  l = 0;  m = -inf"), 24, "m = -inf;  l = 0;  O = 0");
  CHECK(number(fa2) == number(begun));
  other.text.words.replace(other.text.words.find(", in any order"), 14, ", last to first");
  CHECK(number(fa2) != number(other));
}

TEST_CASE("FA2's program moves Q and O once and K and V once for each Q tile") {
  const ProgramSpec fa2 = program_called("fa2");
  const MadeProgram made = made_of(fa2);
  const Problem& p = fa2.problem;
  const ProgramBytes bytes = program_bytes(made, default_machine());
  const int64_t heads = p.batch * p.heads, tensor = p.n_q * p.d * 2;
  CHECK(bytes.l2_to_sm == heads * (tensor + p.n_q / p.br * 2 * tensor));
  CHECK(bytes.sm_to_l2 == heads * (tensor + p.n_q * 4));
  CHECK(bytes.dram.modelled);
  CHECK(bytes.dram.read_bytes == heads * 3 * tensor);
}

TEST_CASE("What was recorded of programs is what is shipped now, right in every row, and moved what was predicted") {
  for (const RecordedGpu gpu : kRecordedGpus) {
    const std::vector<ProgramSpec> wanted = recorded_programs();
    const std::vector<ProgramRun>& runs = shipped_program_runs(gpu);
    REQUIRE(runs.size() == wanted.size());
    for (size_t k = 0; k < runs.size(); ++k) {
      const ProgramRun& run = runs[k];
      CAPTURE(id_of(gpu));
      CAPTURE(run.spec.name);
      CAPTURE(name_of(run.spec.problem.mask));
      CHECK(run.spec.text.words == wanted[k].text.words);
      CHECK(run.spec.problem == wanted[k].problem);
      REQUIRE(run.timing);
      REQUIRE(run.counters);
      const ProgramBytes said = program_bytes(made_of(run.spec), machine_of(run.provenance));
      CHECK(*run.counters->l2_to_sm >= double(said.l2_to_sm));
      CHECK(*run.counters->l2_to_sm <= 1.005 * double(said.l2_to_sm));
      CHECK(*run.counters->sm_to_l2 == doctest::Approx(double(said.sm_to_l2)).epsilon(0.001));
      const double dram = (*run.counters->dram_read + *run.counters->dram_written) /
                          double(said.dram.read_bytes + said.dram.written_bytes);
      CHECK_MESSAGE(dram > 0.9, dram);
      CHECK_MESSAGE(dram < 1.1, dram);
    }
  }
}

TEST_CASE("What a worker says of a program is shown where it can be true") {
  const ProgramRun said = sample_program();
  const Provenance& hello = said.provenance;
  const auto fault = [&](auto&& change) {
    ProgramRun other = said;
    change(other);
    return program_fault(other, said.spec, hello, 10);
  };
  CHECK(fault([](ProgramRun&) {}).empty());
  CHECK(fault([](ProgramRun& r) { r.provenance.gpu = "NVIDIA H300"; }).find("said hello from") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.spec.text.words += "#"; }).find("another program") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.tensors.clear(); }).find("said nothing") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.tensors[0].wrong_rows = 1; }).find("timed a wrong answer") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.timing->best = 3; }).find("not in order") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.timing->count = 100'000; }).find("are longer than") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.counters->l2_to_sm = 1e15; }).find("more bytes") != std::string::npos);
  CHECK(fault([](ProgramRun& r) { r.timing.reset(), r.tensors[0].wrong_rows = 1; }).empty());
}

TEST_CASE("Runs of programs come back from their file, and what cannot be is refused with its place") {
  std::string fault;
  const auto read = read_programs(programs_text({sample_program(), sample_program()}), fault);
  REQUIRE_MESSAGE(read, fault);
  REQUIRE(read->size() == 2);
  CHECK(programs_text(*read) == programs_text({sample_program(), sample_program()}));
  CHECK(read->front().right());
  CHECK(fault_with("/tensors/0/wrong_rows", 3).find("timing is there, and the answer was wrong") != std::string::npos);
  CHECK(fault_with("/tensors", Json::array()).find("timing is there") != std::string::npos);
  CHECK(fault_with("/refused", "It is too large.").find("tensors are there, and it was refused") != std::string::npos);
  CHECK(fault_with("/heads_checked", 65).find("heads_checked cannot be 65 of 64") != std::string::npos);
  CHECK(fault_with("/spec/text", std::string(70'000, ' ')).find("text is longer") != std::string::npos);
  CHECK_FALSE(read_programs("{}", fault));
}

}  // namespace tilewalk::test_program_runs
