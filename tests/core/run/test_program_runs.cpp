// Programs on a GPU: what is recorded, what is predicted to move, files of runs, and the recordings that come with the
// program.
#include "core/puzzle/recorded_programs.h"
#include "core/run/program_run.h"
#include "core/schedules/schedule.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

#include <map>

using namespace tilewalk;
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

ProgramRun sample() {
  ProgramRun run;
  run.provenance = sample_result().provenance;
  run.spec = recorded_programs().front();
  run.tensors = {{"O", 3e-4, 0, 0, 0}, {"L", 1e-6, 0, 0, 0}};
  run.heads_checked = 4;
  run.timing = Timing{.median = 2, .p10 = 1.5, .p90 = 2.5, .best = 1.25, .count = 10, .warmups = 3};
  run.counters = Counters{};
  run.counters->l2_to_sm = 4096;
  return run;
}

std::string fault_with(const char* pointer, const Json& value) {
  Json json = Json::parse(programs_text({sample()}));
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

TEST_CASE("A program's number is that of its steps: comments and spaces are none, another order is another") {
  const ProgramSpec fa2 = program_called("fa2");
  ProgramSpec other = fa2;
  other.text.words = "# mine\n\n" + fa2.text.words;
  const auto number = [](const ProgramSpec& spec) { return steps_number(made_of(spec).packed); };
  CHECK(number(fa2) == number(other));
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

TEST_CASE("Runs of programs come back from their file, and what cannot be is refused with its place") {
  std::string fault;
  const auto read = read_programs(programs_text({sample(), sample()}), fault);
  REQUIRE_MESSAGE(read, fault);
  REQUIRE(read->size() == 2);
  CHECK(programs_text(*read) == programs_text({sample(), sample()}));
  CHECK(read->front().right());
  CHECK(fault_with("/tensors/0/wrong_rows", 3).find("timing is there, and the answer was wrong") != std::string::npos);
  CHECK(fault_with("/tensors", Json::array()).find("tensors must be there") != std::string::npos);
  CHECK(fault_with("/heads_checked", 65).find("heads_checked cannot be 65 of 64") != std::string::npos);
  CHECK(fault_with("/spec/text", std::string(70'000, ' ')).find("text is longer") != std::string::npos);
  CHECK_FALSE(read_programs("{}", fault));
}
