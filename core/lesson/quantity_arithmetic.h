// What two quantities come to, with the unit of the result and where it comes from: the later origin of the two.
#pragma once

#include "core/quantity/quantity.h"

#include <string>
#include <string_view>

namespace tilewalk {

struct QuantityFault {
  std::string sentence;
};

// A pure number takes on the other's unit: "moved - 100". `what` is done: "added". Throws QuantityFault.
void agree_on_unit(Quantity& a, const Quantity& b, std::string_view what);
void mix(Quantity& into, const Quantity& other);  // origins and sources

// All throw QuantityFault: units that do not go together, a division by 0, a result that is no number.
Quantity checked(Quantity quantity);
Quantity sum(Quantity a, const Quantity& b, double sign);
Quantity product(Quantity a, const Quantity& b);
Quantity ratio(Quantity a, const Quantity& b);
Quantity power(Quantity a, const Quantity& b);

}  // namespace tilewalk
