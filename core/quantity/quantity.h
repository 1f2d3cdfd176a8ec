// A number that a lesson shows, with its unit and where it comes from. Lessons never write figures: they name them, and
// the core looks them up when they are shown, so that a text cannot go stale.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewalk {

// Where a number comes from. What is made of several has the last one of this order.
enum class Origin : uint8_t {
  Computed,   // counted or calculated by the core
  Model,      // by a model of a machine: time, DRAM traffic behind L2
  Published,  // by others: a datasheet, a paper; `source` says which
  Recorded,   // measured by our worker and kept in a file; `source` names it with its date
  Measured,   // by the worker, now
};
std::string_view name_of(Origin origin);  // "computed", ...

struct Quantity {
  double value = 0;  // whole numbers are exact up to 2^53
  std::string unit;  // "byte", "s", "flop", "byte/s", "flop/s", "flop/byte"; empty for a pure number
  Origin origin = Origin::Computed;
  std::string source;  // "8 N² + 8 N d bytes, arXiv:2205.14135 Algorithm 0"; for the tip
};

// A quantity as text. Formats: "count" 1,056 · "bytes" 2.36 MB (exact below a million) · "exact-bytes" 2,363,392 bytes
// · "binary" 2 GiB · "time" 66.9 µs · "rate" 2.04 TB/s · "flops" 312 TFLOP/s · "ratio" 4.8× · "percent" 51.6 %
// · "number" three significant digits · "digits:6" six decimals · "plain" as short as it is exact.
// Empty: the one that suits the unit. Nothing where the format is not known.
std::optional<std::string> format_quantity(const Quantity& quantity, std::string_view format);
std::span<const std::string_view> quantity_formats();

// Names that mean something only at one place: "knob.N", "stage.time", what the front matter defines, what a question
// varies. Nothing where the name is not known.
using Lookup = std::function<std::optional<Quantity>(std::string_view name)>;

struct Evaluated {
  std::optional<Quantity> quantity;
  std::string fault;  // one sentence where there is none
};

// Evaluates an expression:
//   numbers, + - * / ^, < <= > >= == != (1 or 0), parentheses, names, and functions with words and named arguments:
//   traffic(standard, N=4096, d=64) / gpu(a100-80, dram_rate)
// Names with dots go to `lookup`, then to what is published (lessons/data/published.toml): published.fa2_a100_d64_8k.
Evaluated evaluate(std::string_view expression, const Lookup& lookup = {});

// One function of the table: what README lists, and what `evaluate` calls.
struct Argument {
  std::string name;                           // empty for the first, unnamed ones
  std::variant<Quantity, std::string> value;  // a word, where it is not a number: fa2, causal, a100-80
};
struct QuantityFunction {
  std::string_view name;       // "traffic"
  std::string_view arguments;  // "SCHEDULE, N=, d=, Br=, Bc=, mask=, variant="
  std::string_view meaning;    // one sentence, with the unit
  Evaluated (*call)(std::span<const Argument> arguments);
};
std::span<const QuantityFunction> quantity_functions();

}  // namespace tilewalk
