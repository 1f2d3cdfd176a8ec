#include "core/io/safetensors.h"

#include "tests/core/io_helpers.h"

#include <limits>

namespace tilewalk::test_safetensors {
namespace fs = std::filesystem;

namespace {

// Two tensors of [2, 3] in fp32 and of [1, 2] in bf16, with metadata.
const std::string two_header =
    R"({"__metadata__":{"about":"a test"},"b":{"dtype":"BF16","shape":[1,2],"data_offsets":[24,28]},)"
    R"("a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
const std::string two_data =
    bytes_of_values<float>({1, 2, 3, 4, 5, -6.5f}) + bytes_of_values<uint16_t>({0x3F80, 0xC049});

std::string one(const std::string& entry, size_t bytes = 24) {
  return safetensors("{\"a\":" + entry + "}", std::string(bytes, '\0'));
}

}  // namespace

TEST_CASE("safetensors of each dtype") {
  const ScratchFolder folder;
  const TensorFile file(put(folder / "x.safetensors", safetensors(two_header, two_data)));
  CHECK(file.metadata() == std::map<std::string, std::string>{{"about", "a test"}});
  REQUIRE(file.tensors().size() == 2);
  CHECK(file.tensors()[0].name == "a");
  CHECK(file.tensors()[0].format == Format::Float32);
  CHECK(file.tensors()[1].dtype == "BF16");
  const Slice a = file.load("a");
  CHECK(a.values.values == std::vector<double>{1, 2, 3, 4, 5, -6.5});
  const Slice b = file.load("b");
  CHECK(b.format == Format::BFloat16);
  CHECK(b.values.values == std::vector<double>{1, -3.140625});
  const Slice half = TensorFile(put(folder / "h.safetensors",
                                    safetensors(R"({"a":{"dtype":"F16","shape":[1,1],"data_offsets":[0,2]}}   )",
                                                bytes_of_values<uint16_t>({0x3555}))))
                         .load("");
  CHECK(half.format == Format::Float16);
  CHECK(half.values.at(0, 0) == 0x1.554p-2);
}

TEST_CASE("tensors are listed in natural order") {
  const ScratchFolder folder;
  std::string header = "{";
  const char* names[] = {"layer10.q", "layer2.v", "layer2.q", "layer02.q", "b", "layer", "layer2"};
  for (size_t i = 0; i < std::size(names); ++i) {
    header += std::string(i ? "," : "") + "\"" + names[i] + R"(":{"dtype":"F16","shape":[1,1],"data_offsets":[)" +
              std::to_string(2 * i) + "," + std::to_string(2 * i + 2) + "]}";
  }
  const TensorFile file(put(folder / "x", safetensors(header + "}", std::string(2 * std::size(names), '\0'))));
  std::vector<std::string> found;
  for (const TensorInfo& info : file.tensors()) found.push_back(info.name);
  CHECK(found == std::vector<std::string>{"b", "layer", "layer2", "layer02.q", "layer2.q", "layer2.v", "layer10.q"});
}

TEST_CASE("the shipped sample: every head of two layers") {
  const TensorFile file(fs::path(TILEWALK_SOURCE_DIR) / "assets/inputs/induction-head.safetensors");
  REQUIRE(file.tensors().size() == 6);
  CHECK(file.tensors()[0].name == "layer0.k");
  for (const TensorInfo& info : file.tensors()) {
    CHECK(info.shape == std::vector<int64_t>{4, 64, 32});
    CHECK(info.format == Format::Float32);
    for (int64_t head = 0; head < 4; ++head) CHECK(file.load(info.name, 0, head).values.values.size() == 64 * 32);
  }
  CHECK(file.metadata().at("tokens").starts_with("[0, 16, 19, 33"));
  // The first and the last number of the file, read from its bytes by other means.
  CHECK(file.load("layer0.q", 0, 0).values.at(0, 0) == doctest::Approx(0.148265078663826).epsilon(1e-9));
  CHECK(file.load("layer1.v", 0, 3).values.at(63, 31) == doctest::Approx(-4.182435512542725).epsilon(1e-9));
  check_words(sentence_of(file.path(), [&] { file.load("layer2.q"); }),
              {"no tensor \"layer2.q\"", "choose from \"layer0.k\", \"layer0.q\"", "\"layer1.v\""});
  check_words(sentence_of(file.path(), [&] { file.load(""); }), {"holds 6 tensors", "choose from"});
  check_words(sentence_of(file.path(), [&] { file.load("layer0.q", 0, 4); }), {"no head 5", "heads 1 to 4"});
}

TEST_CASE("what is wrong with a safetensors file is said in words") {
  const std::string good = safetensors(two_header, two_data);
  auto header = [](const std::string& text) { return safetensors(text, ""); };
  std::string deep = "{\"a\":{\"dtype\":\"F32\",\"shape\":";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  struct Bad {
    std::string bytes;
    std::vector<std::string> words;
  };
  const Bad list[] = {
      {"", {"is empty"}},
      {good.substr(0, 5), {"cut short", "header"}},
      {good.substr(0, 100), {"declares a header of ", "longer than the file", "92 left"}},
      {good.substr(0, good.size() - 1), {"cut short", "\"b\"", "ends at byte 28", "27 are there"}},
      {good + "x", {"1 byte after the last tensor"}},
      {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{", 9), {"18446744073709551615 bytes", "longer than the file"}},
      {header(""), {"not JSON"}},
      {header("{\"a\""), {"not JSON from byte"}},
      {header("{\"a\":\"\xFF\"}"), {"not JSON"}},
      {header("{\"a\":1e999}"), {"damaged header", "number"}},
      {header("[1, 2]"), {"not a JSON object"}},
      {header("null"), {"not a JSON object"}},
      {header("{}"), {"holds no tensors"}},
      {header("{\"__metadata__\":{}}"), {"holds no tensors"}},
      {header("{\"__metadata__\":7}"), {"__metadata__ is not a JSON object"}},
      {header("{\"__metadata__\":{\"n\":7}}"), {"__metadata__ \"n\" is not a string"}},
      {header(deep), {"nested deeper than 3 levels"}},
      {one("7"), {"tensor \"a\" is not a JSON object"}},
      {one(R"({"shape":[2,3],"data_offsets":[0,24]})"), {"tensor \"a\" has no \"dtype\""}},
      {one(R"({"dtype":"F32","data_offsets":[0,24]})"), {"has no \"shape\""}},
      {one(R"({"dtype":"F32","shape":[2,3]})"), {"has no \"data_offsets\""}},
      {one(R"({"dtype":4,"shape":[2,3],"data_offsets":[0,24]})"), {"dtype that is not a string"}},
      {one(R"({"dtype":"I64","shape":[1,3],"data_offsets":[0,24]})"), {"\"a\" as I64", "F16, BF16 and F32"}},
      {one(R"({"dtype":"F64","shape":[1,3],"data_offsets":[0,24]})"), {"\"a\" as F64", "F16, BF16 and F32"}},
      {one(R"({"dtype":"F8_E4M3","shape":[4,6],"data_offsets":[0,24]})"), {"\"a\" as F8_E4M3"}},
      {one(R"({"dtype":"F4","shape":[4,12],"data_offsets":[0,24]})"), {"\"a\" as F4"}},
      {one(R"({"dtype":"Q\n7","shape":[4,6],"data_offsets":[0,24]})"), {"\"a\" as Q\\x0a7"}},
      {one(R"({"dtype":"F32","shape":6,"data_offsets":[0,24]})"), {"shape that is not a list"}},
      {one(R"({"dtype":"F32","shape":[-2,3],"data_offsets":[0,24]})"), {"negative axis"}},
      {one(R"({"dtype":"F32","shape":[2.0,3],"data_offsets":[0,24]})"), {"not a whole number"}},
      {one(R"({"dtype":"F32","shape":["2",3],"data_offsets":[0,24]})"), {"not a number"}},
      {one(R"({"dtype":"F32","shape":[[2],3],"data_offsets":[0,24]})"), {"nested deeper"}},
      {one(R"({"dtype":"F32","shape":[18446744073709551615,1],"data_offsets":[0,24]})"), {"too large"}},
      {one(R"({"dtype":"F32","shape":[99999999999999999999,1],"data_offsets":[0,24]})"), {"too large"}},
      {one(R"({"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,24]})"),
       {"[4294967296, 4294967296, 2]"}},
      {one(R"({"dtype":"F32","shape":[4611686018427387904,1],"data_offsets":[0,24]})"), {"does not match"}},
      {one(R"({"dtype":"F32","shape":[2,4],"data_offsets":[0,24]})"), {"[2, 4]", "F32", "does not match its 24 bytes"}},
      {one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,24,48]})"), {"not two whole numbers"}},
      {one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[-1,23]})"), {"not two whole numbers"}},
      {one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[24,0]})"), {"ends at byte 0, before it begins at 24"}},
      {one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[8,32]})"), {"ends at byte 32", "24 are there"}},
      {one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[4,28]})", 28), {"4 bytes before tensor \"a\""}},
      {one(R"({"dtype":"F32","shape":[0,3],"data_offsets":[0,0]})", 0), {"[0, 3]", "no elements"}},
      {one(R"({"dtype":"F32","shape":[6],"data_offsets":[0,24]})"), {"[6]", "1 axis"}},
      {one(R"({"dtype":"F32","shape":[1,1,1,2,3],"data_offsets":[0,24]})"), {"5 axes"}},
      {safetensors(R"({"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1,1],)"
                   R"("data_offsets":[2,6]}})",
                   "123456"),
       {"\"a\" and \"b\" overlap"}},
      {safetensors(R"({"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1,1],)"
                   R"("data_offsets":[0,4]}})",
                   "1234"),
       {"name \"a\" twice"}},
      {one(R"({"dtype":"F32","shape":[2,3],"shape":[3,2],"data_offsets":[0,24]})"), {"name \"shape\" twice"}},
      {safetensors(R"({"a":{"dtype":"F32","shape":[2,1,2],"data_offsets":[0,16]}})",
                   bytes_of_values<float>({1, 2, std::numeric_limits<float>::quiet_NaN(), 4})),
       {}},
      {safetensors(R"({"a":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}})",
                   bytes_of_values<uint16_t>({0, 0xFF80})),
       {"minus infinity", "\"a\"", "row 1, column 2"}},
  };
  const ScratchFolder folder;
  for (const Bad& bad : list) {
    CAPTURE(bad.bytes.substr(0, 200));
    const fs::path path = put(folder / "x.safetensors", bad.bytes);
    if (bad.words.empty()) {
      // Head 1 is sound, head 2 is not.
      CHECK(TensorFile(path).load("a").values.at(0, 1) == 2);
      check_words(sentence_of(path, [&] { TensorFile(path).load("a", 0, 1); }), {"NaN", "head 2, row 1, column 1"});
      continue;
    }
    check_words(sentence_of(path, [&] { TensorFile(path).load(""); }), bad.words);
  }
}

TEST_CASE("a tensor that cannot be loaded does not spoil the file") {
  const ScratchFolder folder;
  const TensorFile file(
      put(folder / "x.safetensors", safetensors(R"({"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                                                R"("none":{"dtype":"F32","shape":[0],"data_offsets":[8,8]},)"
                                                R"("new":{"dtype":"F3","shape":[7],"data_offsets":[8,10]},)"
                                                R"("q":{"dtype":"F16","shape":[1,1],"data_offsets":[10,12]}})",
                                                std::string(12, '\0'))));
  CHECK(file.tensors().size() == 4);
  CHECK(!file.find("ids").format);
  CHECK(file.load("q").values.at(0, 0) == 0);
  check_words(sentence_of(file.path(), [&] { file.load("new"); }), {"\"new\" as F3"});
}

TEST_CASE("mutated safetensors files give a value or a sentence") {
  const ScratchFolder folder;
  std::mt19937 random(20261121);
  const std::string seed = safetensors(two_header, two_data);
  read_broken_files(
      folder / "x.safetensors", [&](int) { return mutated(seed, random); },
      [](const fs::path& path) {
        const TensorFile file(path);
        for (const TensorInfo& info : file.tensors()) {
          const Slice slice = file.load(info.name);
          CHECK(slice.values.values.size() == size_t(slice.values.rows * slice.values.cols));
        }
      });
}

}  // namespace tilewalk::test_safetensors
