// What stays on one line as long as it fits there: no-break spaces within formulas, and between a number and its unit.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tilewalk {

// "L = m + log l", "N = 1,024", "128 × 64", "(P V)", "8 %" and "1.02 MiB".
std::string bind_formulas(std::string text);
// All of it: a piece of code.
std::string bind_all(std::string_view text);

// Gives back the spaces of what is too wide to be bound: first those before "=", then all of
// them but those between a number and its unit.
std::string loosen(std::string_view bound, const std::function<bool(std::string_view)>& fits);

// With plain spaces again, as it is drawn.
std::string unbound(std::string text);

}  // namespace tilewalk
