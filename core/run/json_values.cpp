#include "core/run/json_values.h"

#include "core/io/json_reader.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

constexpr int64_t kMostWhole = int64_t{1} << 53;

constexpr std::array<std::string_view, 2> kKinds{"generated", "values"};
constexpr std::array<std::string_view, 5> kStages{"inputs", "checking", "timing", "counting", "tracing"};
constexpr std::array<std::string_view, 5> kTroubles{"none", "no-driver", "no-device", "driver-too-old", "other"};

// One of a fixed set of words.
template <class Enum, class Named>
void read_word(const Json& in, const std::string& place, Enum& value, std::string_view expected, Named&& named) {
  const auto found = in.is_string() ? named(in.get_ref<const std::string&>()) : std::nullopt;
  if (!found) wrong(place, expected, in);
  value = *found;
}

template <class Enum, size_t Count>
void read_word(const Json& in, const std::string& place, Enum& value,
               const std::array<std::string_view, Count>& words) {
  read_word(in, place, value, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")),
            [&](std::string_view name) -> std::optional<Enum> {
              for (size_t k = 0; k < Count; ++k)
                if (words[k] == name) return Enum(k);
              return std::nullopt;
            });
}

int64_t whole(const Json& in, const std::string& place, int64_t least, int64_t most) {
  const bool fits = in.is_number_unsigned() ? in.get<uint64_t>() <= uint64_t(most) : in.is_number_integer();
  if (!fits || in.get<int64_t>() < least || in.get<int64_t>() > most)
    wrong(place, fmt::format("a whole number from {} to {}", least, most), in);
  return in.get<int64_t>();
}

// Of a table of kernels or ceilings.
std::string keys(const auto& table) {
  std::string out;
  for (const auto& info : table) out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", info.key);
  return out;
}

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> digit_values() {
  std::array<int8_t, 256> out{};
  out.fill(-1);
  for (size_t k = 0; k < kDigits.size(); ++k) out[uint8_t(kDigits[k])] = int8_t(k);
  return out;
}
constexpr std::array<int8_t, 256> kDigitValues = digit_values();

}  // namespace

void wrong(const std::string& place, std::string_view expected, const Json& found) {
  std::string what = found.type_name();
  if (found.is_string()) what = in_quotes(found.get_ref<const std::string&>(), 40);
  if (found.is_number() || found.is_boolean()) what = found.dump();
  if (found.is_array()) what = fmt::format("a list of {}", found.size());
  if (found.is_object()) what = "an object";
  throw JsonFault(place, fmt::format("must be {}, and is {}", expected, what));
}

Json parse_limited(std::string_view text) {
  try {
    Json parsed = read_json(text, {kMostDepth, kMostValues});
    if (!parsed.is_object()) throw JsonFault("", "is not a JSON object");
    return parsed;
  } catch (const JsonError& error) {
    throw JsonFault("", error.what());
  }
}

Json json_value(bool value) { return value; }
Json json_value(int value) { return value; }
Json json_value(int64_t value) { return value; }
Json json_value(uint64_t value) { return value; }
Json json_value(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}
Json json_value(const std::string& value) { return value; }
Json json_value(Method value) { return info_of(value).key; }
Json json_value(Switch value) { return key_of(value); }
Json json_value(CeilingId value) { return info_of(value).key; }
Json json_value(Mask value) { return name_of(value); }
Json json_value(CausalAlign value) { return name_of(value); }
Json json_value(Format value) { return name_of(value); }
Json json_value(Arithmetic value) { return name_of(value); }
Json json_value(Distribution value) { return name_of(value); }
Json json_value(RingSplit value) { return name_of(value); }
Json json_value(RingTransfer value) { return name_of(value); }
Json json_value(RunInputs::Kind value) { return kKinds[size_t(value)]; }
Json json_value(RunStage value) { return kStages[size_t(value)]; }
Json json_value(GpuTrouble value) { return kTroubles[size_t(value)]; }
Json json_value(const Stamp& s) { return Json::array({s.lane, s.step, s.tile, s.begin, s.end}); }

Json hex_of(uint64_t value) { return fmt::format("{:016x}", value); }

std::string base64_of(const std::vector<float>& values) {
  std::string out;
  out.reserve((values.size() * 4 + 2) / 3 * 4);
  uint32_t bits = 0;
  int bytes = 0;
  const auto flush = [&] {
    bits <<= 8 * (3 - bytes);
    for (int k = 0; k < 4; ++k) out += k <= bytes ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    bits = 0;
    bytes = 0;
  };
  for (float value : values) {
    const uint32_t word = std::bit_cast<uint32_t>(value);
    for (int k = 0; k < 4; ++k) {
      bits = bits << 8 | (word >> 8 * k & 255);
      if (++bytes == 3) flush();
    }
  }
  if (bytes) flush();
  return out;
}

void read_value(const Json& in, const std::string& place, bool& value) {
  if (!in.is_boolean()) wrong(place, "true or false", in);
  value = in.get<bool>();
}

void read_value(const Json& in, const std::string& place, int& value) {
  value = int(whole(in, place, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

void read_value(const Json& in, const std::string& place, int64_t& value) {
  value = whole(in, place, -kMostWhole, kMostWhole);
}

void read_value(const Json& in, const std::string& place, uint64_t& value) {
  if (!in.is_number_unsigned()) wrong(place, "a whole number from 0 on", in);
  value = in.get<uint64_t>();
}

void read_value(const Json& in, const std::string& place, double& value) {
  if (in.is_number()) {
    value = in.get<double>();
    return;
  }
  constexpr double inf = std::numeric_limits<double>::infinity();
  read_word(in, place, value, "a number, \"nan\", \"inf\" or \"-inf\"",
            [](std::string_view text) -> std::optional<double> {
              if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
              if (text == "inf" || text == "-inf") return text == "inf" ? inf : -inf;
              return std::nullopt;
            });
}

void read_value(const Json& in, const std::string& place, std::string& value) {
  if (!in.is_string()) wrong(place, "a text", in);
  const auto& text = in.get_ref<const std::string&>();
  if (text.size() > kMostText) wrong(place, fmt::format("a text of at most {} bytes", kMostText), in);
  value = printable(text);
}

void read_value(const Json& in, const std::string& place, Method& value) {
  read_word(in, place, value, "one of " + keys(kernels()), kernel_named);
}
void read_value(const Json& in, const std::string& place, Switch& value) {
  read_word(in, place, value, "a kernel's switch, such as \"pingpong\"", switch_keyed);
}
void read_value(const Json& in, const std::string& place, CeilingId& value) {
  read_word(in, place, value, "one of " + keys(ceilings()), ceiling_named);
}
void read_value(const Json& in, const std::string& place, Mask& value) {
  read_word(in, place, value, "\"full\" or \"causal\"", mask_named);
}
void read_value(const Json& in, const std::string& place, CausalAlign& value) {
  read_word(in, place, value, "\"bottom-right\" or \"top-left\"", align_named);
}
void read_value(const Json& in, const std::string& place, Format& value) {
  read_word(in, place, value, "\"fp16\", \"bf16\" or another number format", format_named);
}
void read_value(const Json& in, const std::string& place, Arithmetic& value) {
  read_word(in, place, value, "\"exact\" or \"kernel\"", arithmetic_named);
}
void read_value(const Json& in, const std::string& place, Distribution& value) {
  read_word(in, place, value, "\"normal\", \"outliers\", \"integers\" or \"custom\"", distribution_named);
}
void read_value(const Json& in, const std::string& place, RingSplit& value) {
  read_word(in, place, value, "\"shards\", \"striped\" or \"zigzag\"", ring_split_named);
}
void read_value(const Json& in, const std::string& place, RingTransfer& value) {
  read_word(in, place, value, "\"copy-engines\" or \"nccl\"", ring_transfer_named);
}
void read_value(const Json& in, const std::string& place, RunInputs::Kind& value) {
  read_word(in, place, value, kKinds);
}
void read_value(const Json& in, const std::string& place, RunStage& value) { read_word(in, place, value, kStages); }
void read_value(const Json& in, const std::string& place, GpuTrouble& value) { read_word(in, place, value, kTroubles); }

void read_value(const Json& in, const std::string& place, Stamp& s) {
  if (!in.is_array() || in.size() != 5) wrong(place, "a list of lane, step, tile, begin and end", in);
  read_value(in[0], place + "[0]", s.lane);
  read_value(in[1], place + "[1]", s.step);
  read_value(in[2], place + "[2]", s.tile);
  read_value(in[3], place + "[3]", s.begin);
  read_value(in[4], place + "[4]", s.end);
}

uint64_t read_hex(const Json& in, const std::string& place) {
  uint64_t value = 0;
  read_word(in, place, value, "16 hex digits in quotes", [](std::string_view text) -> std::optional<uint64_t> {
    if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != text.npos) return std::nullopt;
    uint64_t out = 0;
    for (char c : text) out = out << 4 | uint64_t(c <= '9' ? c - '0' : c - 'a' + 10);
    return out;
  });
  return value;
}

std::vector<float> floats_of(const Json& in, const std::string& place) {
  const auto fail = [&] { wrong(place, "base64 of 32-bit floats", in); };
  if (!in.is_string()) fail();
  std::string_view text = in.get_ref<const std::string&>();
  if (text.size() % 4) fail();
  if (text.size() / 4 > (kMostFloats * 4 + 2) / 3)
    throw JsonFault(place, fmt::format("holds more than {} floats", kMostFloats));
  while (text.ends_with('=') && text.size() % 4 != 2) text.remove_suffix(1);
  const size_t bytes = text.size() * 6 / 8;
  if (bytes % 4) fail();
  std::vector<float> out;
  out.reserve(bytes / 4);
  uint32_t bits = 0, word = 0;
  int held = 0, taken = 0;
  for (char c : text) {
    const int8_t digit = kDigitValues[uint8_t(c)];
    if (digit < 0) fail();
    bits = bits << 6 | uint32_t(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    word |= (bits >> held & 255) << 8 * taken;
    if (++taken < 4) continue;
    out.push_back(std::bit_cast<float>(word));
    word = 0;
    taken = 0;
  }
  return out;
}

}  // namespace tilewalk
