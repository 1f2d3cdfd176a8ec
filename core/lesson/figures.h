// Figures that stand in a lesson's text as digits. A lesson names its numbers, so that they cannot go stale; digits are
// for names (FA2, fp16, arXiv:2205.14135), for years, sections and versions, and for counts up to twelve.
#pragma once

#include "core/lesson/prose.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// The figures of a text that should be quantities: "66.9 µs", "2048", "2×". Code is left alone.
std::vector<std::string> bare_figures(std::string_view text);

struct BareFigure {
  std::string text;
  int line = 0;
};
std::vector<BareFigure> bare_figures(const Prose& prose);

}  // namespace tilewalk
