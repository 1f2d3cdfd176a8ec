// A number as people write it on squared paper: "3.35 TB/s", "989e12", "34.4 G", "8 N² + 8 N d", "163 µs", "4.7×".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewalk {

// What a field asks for: which word a fault uses, and what a number without a unit means there.
enum class AmountOf : uint8_t {
  Rate,   // below 10^6 in 10^12 a second, as fields show them; else as it stands
  Count,  // FLOP, bytes, FLOP/byte, a ratio: as it stands
  Time,   // microseconds
};

struct TypedAmount {
  double value = 0;   // > 0 and finite where there is no fault
  std::string fault;  // one sentence
};

// + - * / ^ and parentheses; a sign for times may be left out between a number and a letter. N and d are the sheet's
// own. Decimal prefixes k M G T P, of seconds also m, µ (or u) and n; units themselves are not checked.
TypedAmount read_amount(std::string_view text, AmountOf what, int64_t n, int64_t d);

}  // namespace tilewalk
