// A call of a model of one's own in sentences (core/roofline/own_model.h), as the board "estimate" is set: its Explain
// and `describe` tell them.
#pragma once

#include "app/boards/board.h"

#include <string>
#include <vector>

namespace tilewalk {

struct SaidOfModel {
  std::vector<std::string> sentences;  // what it waits for, where that turns, the win, memory
  std::vector<std::string> unknown;    // what nobody here knows of it
};
// Nothing on other boards, without roofs, or while a question covers the numbers. The last answer is kept, by each
// thread.
const SaidOfModel* said_of_model(const Exhibit& view);

}  // namespace tilewalk
