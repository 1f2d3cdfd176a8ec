#include "app/export/page_colors.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr size_t kColor = 7;  // "#rrggbb"

// A colour stands alone between quotes; a text with a # does not.
bool color_at(std::string_view svg, size_t at) {
  return at > 0 && svg[at] == '#' && svg[at - 1] == '"' && at + kColor < svg.size() && svg[at + kColor] == '"';
}

}  // namespace

std::string PageColors::name(std::string_view light, std::string_view dark) {
  const auto [at, added] = names_.try_emplace({std::string(light), std::string(dark)}, int(names_.size()));
  return fmt::format("var(--c{})", at->second);
}

std::string PageColors::merge(std::string_view light, std::string_view dark) {
  if (light.size() != dark.size()) return std::string(light);
  std::string out;
  for (size_t k = 0; k < light.size(); ++k) {
    if (color_at(light, k) && color_at(dark, k)) {
      out += name(light.substr(k, kColor), dark.substr(k, kColor));
      k += kColor - 1;
    } else if (light[k] == dark[k]) {
      out += light[k];
    } else {
      return std::string(light);
    }
  }
  return out;
}

std::string PageColors::style() const {
  std::string light, dark;
  for (const auto& [colors, number] : names_) {
    light += fmt::format("--c{}:{};", number, colors.first);
    dark += fmt::format("--c{}:{};", number, colors.second);
  }
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n", light, dark);
}

}  // namespace tilewalk
