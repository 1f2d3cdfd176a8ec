#include "core/io/json_reader.h"

#include "core/io/qkv.h"
#include "core/run/protocol.h"
#include "core/run/run_json.h"
#include "tests/core/io_helpers.h"

#include <fmt/format.h>

#include <ctime>

namespace tilewalk::test_json_reader {

namespace {

std::string fault_of(std::string_view text, JsonLimits limits = {}) {
  try {
    read_json(text, limits);
    return "";
  } catch (const JsonError& error) {
    return error.what();
  }
}

double processor_seconds(const std::function<void()>& act) {
  const std::clock_t begin = std::clock();
  act();
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

// With looks at all members for each new one these take 30 s and more; read in one pass they take 0.1 to 0.4 s.
constexpr double kSoon = 5;
#ifdef __SANITIZE_ADDRESS__
constexpr int kNames = 90'000;  // the sanitizers take a hundred times as long for so many small pieces of memory
#else
constexpr int kNames = 900'000;
#endif

}  // namespace

TEST_CASE("JSON comes back as it is written, members in their order") {
  for (const char* text : {"null", "true", "-1", "18446744073709551615", "0.5", "\"\"", "[]", "{}", "[[],{}]",
                           R"({"z":1,"a":[1,2.5,"x",null,false],"m":{"b":{},"a":"\u0000"}})"})
    CHECK(read_json(text).dump() == nlohmann::ordered_json::parse(text).dump());
}

TEST_CASE("what is no JSON, too deep, too much or said twice is told in words") {
  CHECK(fault_of("") == "is not JSON from byte 1 on; it may be cut off");
  CHECK(fault_of("{\"a\":") == "is not JSON from byte 6 on; it may be cut off");
  CHECK(fault_of("{} x") == "is not JSON from byte 4 on; it may be cut off");
  CHECK(fault_of("[1e999]") == "holds a number that no double can hold");
  CHECK(fault_of("{\"a\":1,\"b\":2,\"a\":3}") == "has the name \"a\" twice in one object");
  CHECK(fault_of("[{\"a\":1},{\"a\":3}]").empty());
  CHECK(fault_of("[[[]]]", {3, 10}).empty());
  CHECK(fault_of("[[[]]]", {2, 10}) == "is nested deeper than 2 levels");
  CHECK(fault_of("[1,2,3]", {2, 4}).empty());
  CHECK(fault_of("[1,2,3]", {2, 3}) == "holds more than 3 values");
}

TEST_CASE("many members and many objects are read in time that grows with their number alone") {
  std::string names = "{", objects = "{";
  for (int k = 0; k < kNames; ++k) names += fmt::format("\"k{}\":1,", k);
  for (int k = 0; k < kNames / 4; ++k) objects += fmt::format("\"k{}\":{{\"a\":1}},", k);
  CHECK(processor_seconds([&] { CHECK(read_json(names + "\"z\":0}").size() == size_t(kNames) + 1); }) < kSoon);
  CHECK(processor_seconds([&] { CHECK(read_json(objects + "\"z\":0}").size() == size_t(kNames) / 4 + 1); }) < kSoon);
  // As a recording and as a worker's line, where they are no fault: a later version may have more members.
  const std::string recording = names + "\"tilewalk_recording\":{\"major\":1,\"minor\":0},\"results\":[]}";
  std::string fault;
  CHECK(processor_seconds([&] { CHECK(read_recording(recording, fault)); }) < kSoon);
  const std::string line = names + R"("type":"failure","id":1,"code":"x","message":"y"})";
  CHECK(processor_seconds([&] { CHECK(from_worker(line, fault)); }) < kSoon);
}

TEST_CASE("30,000 tensors are listed and opened as soon") {
  std::string header = "{";
  for (int k = 0; k < 30'000; ++k)
    header += fmt::format("{}\"l{}.{}\":{{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[{},{}]}}", k ? "," : "",
                          k / 3, "qkv"[k % 3], 4 * k, 4 * k + 4);
  const ScratchFolder folder;
  const auto path = put(folder / "a.safetensors", safetensors(header + "}", std::string(120'000, '\0')));
  CHECK(processor_seconds([&] {
          const auto choices = find_qkv({path});
          CHECK(choices.size() == 10'000);
          CHECK(load_qkv(choices.back().source).sizes.n_q == 1);
        }) < kSoon);
}

}  // namespace tilewalk::test_json_reader
