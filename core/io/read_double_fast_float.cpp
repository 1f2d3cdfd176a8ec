// With the library fast_float, which says infinity or zero where the standard says that a number is out of range.
#include "core/io/read_double.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

std::from_chars_result read_double(const char* first, const char* last, double& value) {
  double read = 0;
  const auto [end, error] = fast_float::from_chars(first, last, read);
  if (error != std::errc()) return {end, error};
  const char* digits = first != end && *first == '-' ? first + 1 : first;
  const char* exponent = std::find_if(digits, end, [](char c) { return c == 'e' || c == 'E'; });
  const bool number = (*digits >= '0' && *digits <= '9') || *digits == '.';
  const bool zero = std::none_of(digits, exponent, [](char c) { return c >= '1' && c <= '9'; });
  if (number && (std::isinf(read) || (read == 0 && !zero))) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, error};
}

}  // namespace tilewalk
