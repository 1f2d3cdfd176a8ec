// Words for how the window looks, as settings, links, lessons and the command line write them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewalk {

enum class Theme : uint8_t { Light, Dark, Projector };
inline constexpr std::array<std::string_view, 3> kThemeNames{"light", "dark", "projector"};

enum class Tab : uint8_t { Explain, Numbers, Problem, Gpu, Lesson };
inline constexpr std::array<std::string_view, 5> kTabNames{"explain", "numbers", "problem", "gpu", "lesson"};

constexpr std::string_view name_of(Theme theme) { return kThemeNames[size_t(theme)]; }
constexpr std::string_view name_of(Tab tab) { return kTabNames[size_t(tab)]; }

// The member of that name: named<Theme>(kThemeNames, "dark").
template <class Enum, size_t n>
constexpr std::optional<Enum> named(const std::array<std::string_view, n>& names, std::string_view word) {
  const auto at = std::ranges::find(names, word);
  return at == names.end() ? std::nullopt : std::optional(Enum(at - names.begin()));
}

}  // namespace tilewalk
