// What a number of a lesson's text says of itself when it is pointed at: what it means, how it is made of other
// numbers, and last where it comes from.
#pragma once

#include "core/lesson/lesson.h"
#include "core/quantity/quantity.h"

#include <functional>
#include <string>
#include <string_view>

namespace tilewalk {

// What an operand of an expression is worth here: `value_of` of its text.
using Worth = std::function<Evaluated(std::string_view expression)>;

// "How long memory needs for all those bytes. 136 MB ÷ 2.04 TB/s = 66.9 µs. Model: A100 SXM 80 GB." `shown` is the
// number as it stands in the text. A name that the lesson gives no meaning has that of what it stands for; a number
// that is made of nothing else has no formula.
std::string number_tip(std::string_view expression, std::string_view shown, const Quantity& value, const Lesson& lesson,
                       const Worth& worth);

}  // namespace tilewalk
