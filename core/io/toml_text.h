// Reading TOML of strangers. The library bounds how deep values may nest, but not the parts of a dotted name: [a.b.c
// ...] with tens of thousands of them takes more stack than there is.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace tilewalk {

constexpr int kMostNameParts = 100;

// As toml::parse does; throws toml::parse_error, for a name of more parts too.
toml::table parse_toml_text(std::string_view text, std::string_view file = {});

}  // namespace tilewalk
