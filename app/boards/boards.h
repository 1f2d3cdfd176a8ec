// The rows of the registry, one file each.
#pragma once

#include "app/boards/board.h"

namespace tilewalk {

extern const Board kClocksBoard;
extern const Board kLanesBoard;
extern const Board kOccupancyBoard;
extern const Board kFp8Board;

}  // namespace tilewalk
