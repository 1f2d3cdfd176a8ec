#include "core/run/protocol.h"

#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

namespace tilewalk::test_protocol {
using Json = nlohmann::ordered_json;

namespace {

void check_sentence(const std::string& fault, std::string_view from) {
  CAPTURE(fault);
  CHECK(fault.starts_with("A line from " + std::string(from) + " cannot be used: "));
  CHECK(fault.ends_with("."));
  CHECK(fault == printable(fault));
  CHECK(fault.size() < 700);
}

std::string worker_fault(std::string_view line) {
  std::string fault;
  CHECK_FALSE(from_worker(line, fault));
  check_sentence(fault, "the GPU worker");
  return fault;
}
std::string app_fault(std::string_view line) {
  std::string fault;
  CHECK_FALSE(to_worker(line, fault));
  check_sentence(fault, "the app");
  return fault;
}

}  // namespace

TEST_CASE("every message is one line and comes back") {
  for (const FromWorker& message : samples_from_worker()) {
    const std::string line = line_of(message);
    CHECK(line.find('\n') == line.npos);
    std::string fault;
    const auto read = from_worker(line, fault);
    CHECK(fault == "");
    REQUIRE(read);
    CHECK(read->index() == message.index());
    CHECK(line_of(*read) == line);
  }
  for (const ToWorker& message : samples_to_worker()) {
    const std::string line = line_of(message);
    CHECK(line.find('\n') == line.npos);
    std::string fault;
    const auto read = to_worker(line, fault);
    CHECK(fault == "");
    REQUIRE(read);
    CHECK(read->index() == message.index());
    CHECK(line_of(*read) == line);
  }
}

TEST_CASE("members of the messages") {
  std::string fault;
  const auto read = [&](size_t k) { return *from_worker(line_of(samples_from_worker()[k]), fault); };
  const Hello hello = std::get<Hello>(read(0));
  CHECK(hello.trouble == GpuTrouble::Other);
  CHECK(hello.memory_free == 123456789);
  CHECK(hello.busy == -1);
  REQUIRE(hello.kernels.size() == 2);
  CHECK(hello.kernels[1].unavailable == "needs compute capability 9.0");
  CHECK(hello.no_counters == "no permission");
  const Progress progress = std::get<Progress>(read(1));
  CHECK(progress.stage == RunStage::Counting);
  CHECK(progress.kernel == Method::Fa2Small);
  CHECK(progress.of == 9);
  CHECK(std::get<Partial>(read(2)).result.timing->count == 30);
  CHECK(std::get<Done>(read(3)).cancelled);
  CHECK(std::get<Done>(read(3)).result.spec.problem == sample_spec().problem);
  const Failure failure = std::get<Failure>(read(4));
  CHECK(failure.code == "memory");
  CHECK(failure.largest_n == 4096);
  const auto run = std::get<RunRequest>(*to_worker(line_of(samples_to_worker()[0]), fault));
  CHECK(run.id == 8);
  CHECK(run.anyway);
  CHECK(run.spec.inputs.k == std::vector<float>(400, 3.0f));
}

TEST_CASE("foreign bytes in a text stay one line") {
  std::string fault;
  const std::string line = line_of(FromWorker(Failure{1, "launch", "a\nb\xFF\x01"}));
  CHECK(line.find('\n') == line.npos);
  const auto read = from_worker(line, fault);
  REQUIRE(read);
  const std::string message = std::get<Failure>(*read).message;
  CHECK(message == printable(message));
}

TEST_CASE("a hello of another protocol says which") {
  std::string fault;
  const auto read = from_worker(R"({"type":"hello","protocol":9,"program":"2.0","gpus":[]})", fault);
  REQUIRE(read);
  CHECK(std::get<Hello>(*read).protocol == 9);
  CHECK(std::get<Hello>(*read).program == "2.0");
  check_words(worker_fault(R"({"type":"hello","program":"2.0"})"), {"protocol is missing"});
}

TEST_CASE("a member that is missing or of another kind is named") {
  const std::set<std::string> maybe{"reason",      "date",        "note",           "memory_free", "busy",
                                    "unavailable", "no_counters", "cancelled",      "needed",      "free",
                                    "largest_n",   "anyway",      "driver_version", "l2_shared",   "l2_dirty",
                                    "queued",      "unheld"};
  const auto check_line = [&](const std::string& line, auto&& fault_of) {
    const Json good = Json::parse(line);
    each_place(good, [&](const std::string& pointer) {
      CAPTURE(pointer);
      Json bad = good;
      bad.at(Json::json_pointer(pointer)) = nullptr;
      const std::string name = pointer.substr(pointer.rfind('/') + 1);
      const std::string fault = fault_of(bad.dump());
      if (!std::isdigit(name[0])) check_words(fault, {name});
    });
    for (const auto& [name, value] : good.items()) {
      if (maybe.contains(name)) continue;
      Json bad = good;
      bad.erase(name);
      check_words(fault_of(bad.dump()), {name + " is missing"});
    }
  };
  for (const FromWorker& message : samples_from_worker()) check_line(line_of(message), worker_fault);
  for (const ToWorker& message : samples_to_worker()) check_line(line_of(message), app_fault);
}

TEST_CASE("rubbish and cut-off lines are refused") {
  for (const char* line : {"", "{", "null", "[]", "3", "\"hello\"", "Segmentation fault", "{}", "{\"type\":3}",
                           "{\"type\":\"bye\"}", "{\"type\":\"run\"}"})
    worker_fault(line);
  for (const char* line : {"", "{}", "{\"type\":\"hello\"}", "{\"type\":\"run\",\"id\":1}"}) app_fault(line);
  CHECK(worker_fault("{\"type\":\"bye\"}").find("one of \"hello\"") != std::string::npos);
  const std::string whole = line_of(samples_from_worker()[3]);
  for (size_t length = 0; length < whole.size(); ++length) worker_fault(std::string_view(whole).substr(0, length));
  worker_fault(std::string(kMostLine + 1, ' '));
}

TEST_CASE("mutated lines never crash") {
  std::mt19937 random(11);
  int refused = 0;
  for (int k = 0; k < 1000; ++k) {
    std::string fault;
    for (const FromWorker& message : samples_from_worker())
      if (const auto read = from_worker(mutated(line_of(message), random), fault))
        line_of(*read);
      else
        ++refused;
    for (const ToWorker& message : samples_to_worker())
      if (const auto read = to_worker(mutated(line_of(message), random), fault))
        line_of(*read);
      else
        ++refused;
  }
  CHECK(refused > 4000);
}

}  // namespace tilewalk::test_protocol
