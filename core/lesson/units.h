// Units of quantities as products of words: "byte/s" is byte over s. Empty is a pure number.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

std::string unit_product(std::string_view a, std::string_view b);
std::string unit_ratio(std::string_view a, std::string_view b);
// A whole power, -8 .. 8.
std::string unit_power(std::string_view unit, int power);

}  // namespace tilewalk
