// What pages say of themselves and a class keeps, shows and writes into its file: only as a page of Tilewalk writes it.
#pragma once

#include <string_view>

namespace tilewalk {

// The id of a puzzle: 1 to 64 small letters, digits and hyphens.
bool is_puzzle_id(std::string_view id);
// What a roofline is drawn for, "8192.128.h100": N, d, and a GPU by its key.
bool is_roofline_key(std::string_view of);
// Roofs and points that core/roofline/drawing.h reads whole. Empty: none.
bool are_roofs(std::string_view words);
bool are_points(std::string_view words);

}  // namespace tilewalk
