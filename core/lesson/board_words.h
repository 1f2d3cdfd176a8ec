// What the Explain tab says where a board has the stage: a few slow sentences with the derivation, from
// lessons/data/boards.md, which is embedded in the program.
#pragma once

#include "core/lesson/prose.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {

// By the board's id; null where the file has none for it.
const Prose* explanation_of_board(std::string_view id);

// A file of sections, each under a line "## id"; what stands before the first is left out.
std::vector<std::pair<std::string, Prose>> read_board_words(std::string_view markdown);

}  // namespace tilewalk
