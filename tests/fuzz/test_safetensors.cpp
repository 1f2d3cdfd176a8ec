#include "core/io/qkv.h"
#include "tests/core/io_helpers.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_safetensors {

namespace {

constexpr std::string_view kThree =
    R"({"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
    R"("k":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]},)"
    R"("v":{"dtype":"F32","shape":[2,2],"data_offsets":[32,48]},"__metadata__":{"format":"pt"}})";
constexpr std::string_view kHeads =
    R"({"layer0.q":{"dtype":"F16","shape":[4,2,2],"data_offsets":[0,32]},"layer0.k":{"dtype":"BF16","shape":[2,2,2],)"
    R"("data_offsets":[32,48]},"layer0.v":{"dtype":"BF16","shape":[2,2,2],"data_offsets":[48,64]}})";

// Its header changed, as a tree or as text, with the length put right; or any of its bytes.
std::string changed_safetensors(const FuzzedReader& reader, Dice& dice) {
  const std::string& seed = dice.any(reader.seeds);
  if (dice.one_in(6)) return changed_text(seed, reader, dice);
  const size_t end = seed.rfind('}') + 1;
  const std::string header = seed.substr(8, end - 8);
  return safetensors(dice.one_in(3) ? changed_text(header, reader, dice) : changed_json(header, dice),
                     std::string_view(seed).substr(end));
}

// As many small tensors as a header of that size holds: each a name to look through.
std::string many_tensors(size_t count) {
  std::string header = "{";
  for (size_t k = 0; k < count; ++k)
    header += (k ? ",\"l" : "\"l") + std::to_string(k / 3) + "." + "qkv"[k % 3] +
              R"(":{"dtype":"F32","shape":[1,1],"data_offsets":[)" + std::to_string(4 * k) + "," +
              std::to_string(4 * k + 4) + "]}";
  return safetensors(header + "}", std::string(4 * count, '\0'));
}

bool read_all(const std::filesystem::path& path) {
  try {
    const auto choices = find_qkv({path});
    load_qkv(choices.front().source);
    load_qkv(choices.back().source);
    return true;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

TEST_CASE(".safetensors files") {
  ScratchFile scratch("a.safetensors");
  fuzz({"safetensors",
        {safetensors(kThree, std::string(48, '\0')), safetensors(kHeads, std::string(64, '\0')), many_tensors(3000)},
        {"{", "}", "[", "]", ",", ":", "\"dtype\":", "\"F32\"", "\"shape\":[", "\"data_offsets\":[0,",
         "18446744073709551615", "-1", "1e400", "\"__metadata__\":{\"a\":\"b\"}", "\"q\":{}", "\\u0000", "0.5"},
        [&](const std::string& input) { return read_all(scratch.with(input)); },
        changed_safetensors});
}

}  // namespace tilewalk::test_safetensors
