// Whether what words ask of a board is what it then shows.
#pragma once

#include "app/boards/board.h"

#include <string>
#include <string_view>

namespace tilewalk {

// One sentence where the knob takes another value than the one asked for, which was written so: outside its ends, or
// between two places.
std::string knob_fault(const Knob& knob, double asked, std::string_view written);
// "N,gpu": what is to be shown of the board, where one of it is no knob.
std::string show_fault(const Board& board, std::string_view names);

}  // namespace tilewalk
