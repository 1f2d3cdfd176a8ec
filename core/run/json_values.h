// Single values as JSON, for json_fields.h, and parsing with limits. Numbers that JSON lacks are "nan", "inf" and
// "-inf"; a hash is written as 16 hex digits; lists of floats are base64 of little-endian float32: every bit comes
// back, NaN too, at 5.3 bytes a value.
#pragma once

#include "core/run/protocol.h"
#include "core/run/ring_run.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace tilewalk {

using Json = nlohmann::ordered_json;

// what(): the place and what is wrong there, as a sentence without its stop. Without a place, "it".
class JsonFault : public std::runtime_error {
 public:
  JsonFault(const std::string& place, const std::string& what)
      : std::runtime_error((place.empty() ? "it" : place) + " " + what) {}
};
// Throws: `place` must be `expected`, for instance "a whole number", and is not.
[[noreturn]] void wrong(const std::string& place, std::string_view expected, const Json& found);

// Limits on what is read: a list of floats, a text, and the values of one file or line.
constexpr size_t kMostFloats = size_t{1} << 22;
constexpr size_t kMostText = size_t{1} << 12;
constexpr size_t kMostValues = size_t{1} << 20;
constexpr int kMostDepth = 16;

// Throws JsonFault: not JSON, not one object, nested too deeply, too many values.
Json parse_limited(std::string_view text);

Json json_value(bool value);
Json json_value(int value);
Json json_value(int64_t value);
Json json_value(uint64_t value);
Json json_value(double value);
Json json_value(const std::string& value);
Json json_value(Method value);
Json json_value(Switch value);
Json json_value(CeilingId value);
Json json_value(Mask value);
Json json_value(CausalAlign value);
Json json_value(Format value);
Json json_value(Arithmetic value);
Json json_value(Distribution value);
Json json_value(RingSplit value);
Json json_value(RingTransfer value);
Json json_value(RunInputs::Kind value);
Json json_value(RunStage value);
Json json_value(GpuTrouble value);
Json json_value(const Stamp& value);  // [lane, step, tile, begin, end]: there are thousands
Json hex_of(uint64_t value);
std::string base64_of(const std::vector<float>& values);

// Whole numbers must lie within +-2^53, those of an int and an uint64_t within its range.
void read_value(const Json& in, const std::string& place, bool& value);
void read_value(const Json& in, const std::string& place, int& value);
void read_value(const Json& in, const std::string& place, int64_t& value);
void read_value(const Json& in, const std::string& place, uint64_t& value);
void read_value(const Json& in, const std::string& place, double& value);
void read_value(const Json& in, const std::string& place, std::string& value);  // made printable: one line, UTF-8
void read_value(const Json& in, const std::string& place, Method& value);
void read_value(const Json& in, const std::string& place, Switch& value);
void read_value(const Json& in, const std::string& place, CeilingId& value);
void read_value(const Json& in, const std::string& place, Mask& value);
void read_value(const Json& in, const std::string& place, CausalAlign& value);
void read_value(const Json& in, const std::string& place, Format& value);
void read_value(const Json& in, const std::string& place, Arithmetic& value);
void read_value(const Json& in, const std::string& place, Distribution& value);
void read_value(const Json& in, const std::string& place, RingSplit& value);
void read_value(const Json& in, const std::string& place, RingTransfer& value);
void read_value(const Json& in, const std::string& place, RunInputs::Kind& value);
void read_value(const Json& in, const std::string& place, RunStage& value);
void read_value(const Json& in, const std::string& place, GpuTrouble& value);
void read_value(const Json& in, const std::string& place, Stamp& value);
uint64_t read_hex(const Json& in, const std::string& place);
std::vector<float> floats_of(const Json& in, const std::string& place);

}  // namespace tilewalk
