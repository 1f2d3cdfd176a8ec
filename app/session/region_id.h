// The parts of a region's id: what it is, and which.
#pragma once

#include <string_view>

namespace tilewalk {

// "tile:S/1/2": "tile".
constexpr std::string_view kind_of(std::string_view id) { return id.substr(0, id.find(':')); }
// "tile:S/1/2": "S/1/2".
constexpr std::string_view rest_of(std::string_view id) {
  const size_t colon = id.find(':');
  return colon == std::string_view::npos ? std::string_view{} : id.substr(colon + 1);
}

}  // namespace tilewalk
