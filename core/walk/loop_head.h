// The head of a loop: "for each K/V tile j that i sees, in any order".
#pragma once

#include "core/walk/program.h"

#include <string>
#include <string_view>

namespace tilewalk {

struct LoopHeadRead {
  LoopHead head;
  std::string fault;  // empty: it was understood
  int column = 0;     // of the fault, from 0
};
LoopHeadRead read_loop_head(std::string_view words);  // without the ":"

}  // namespace tilewalk
