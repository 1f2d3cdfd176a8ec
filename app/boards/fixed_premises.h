// What a board's numbers depend on and no knob turns, in words.
#pragma once

#include "app/boards/board.h"

#include <string>

namespace tilewalk {

inline std::string fixed_premises(const Exhibit& view) {
  return view.board.fixed_now ? view.board.fixed_now(view) : std::string(view.board.fixed);
}

}  // namespace tilewalk
