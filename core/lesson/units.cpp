#include "core/lesson/units.h"

#include <algorithm>
#include <map>

namespace tilewalk {
namespace {

constexpr std::string_view kTimes = "·";

// How often each word stands above the line, minus how often below.
using Powers = std::map<std::string, int, std::less<>>;

void multiply(Powers& powers, std::string_view unit, int by) {
  int sign = 1;
  while (!unit.empty()) {
    const size_t times = unit.find(kTimes), over = unit.find('/');
    const size_t end = std::min({times, over, unit.size()});
    if (end && unit.substr(0, end) != "1") powers[std::string(unit.substr(0, end))] += sign * by;
    sign = end == over && end < unit.size() ? -1 : sign;
    unit.remove_prefix(std::min(unit.size(), end + (end == times ? kTimes.size() : 1)));
  }
}

std::string text_of(const Powers& powers) {
  std::string above, below;
  for (const auto& [word, power] : powers) {
    for (int k = 0; k < power; ++k) above += (above.empty() ? "" : std::string(kTimes)) + word;
    for (int k = 0; k < -power; ++k) below += "/" + word;
  }
  return above.empty() && !below.empty() ? "1" + below : above + below;
}

}  // namespace

std::string unit_product(std::string_view a, std::string_view b) {
  Powers powers;
  multiply(powers, a, 1);
  multiply(powers, b, 1);
  return text_of(powers);
}

std::string unit_ratio(std::string_view a, std::string_view b) {
  Powers powers;
  multiply(powers, a, 1);
  multiply(powers, b, -1);
  return text_of(powers);
}

std::string unit_power(std::string_view unit, int power) {
  Powers powers;
  multiply(powers, unit, std::clamp(power, -8, 8));
  return text_of(powers);
}

}  // namespace tilewalk
