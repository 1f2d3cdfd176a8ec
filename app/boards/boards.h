// The rows of the registry, one file each.
#pragma once

#include "app/boards/board.h"

namespace tilewalk {

extern const Board kClocksBoard;
extern const Board kRowBoard;
extern const Board kCausalBoard;

}  // namespace tilewalk
