// The rows of the registry, one file each.
#pragma once

#include "app/boards/board.h"

namespace tilewalk {

extern const Board kClocksBoard, kHierarchyBoard, kMatrixBoard, kTilesBoard;

}  // namespace tilewalk
