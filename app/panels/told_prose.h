// A lesson's prose as plain words, a paragraph each: for who does not see it set.
#pragma once

#include "app/panels/prose_text.h"

#include <span>
#include <string>
#include <vector>

namespace tilewalk {

// Appends one string for each paragraph, item or row of a table; code keeps its own lines.
void tell_prose(std::vector<std::string>& out, std::span<const Block> prose, const ProseWords& words);

}  // namespace tilewalk
