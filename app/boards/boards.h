// The rows of the registry, one file each.
#pragma once

#include "app/boards/board.h"

namespace tilewalk {

extern const Board kGrowthBoard;
extern const Board kWordsBoard;
extern const Board kDeskBoard;
extern const Board kPathBoard;
extern const Board kClocksBoard;
extern const Board kHierarchyBoard;
extern const Board kMatrixBoard;
extern const Board kLaunchesBoard;
extern const Board kRoundingBoard;
extern const Board kTilesBoard;
extern const Board kPaperBoard;
extern const Board kRowBoard;
extern const Board kTapeBoard;
extern const Board kCausalBoard;
extern const Board kSplitBoard;
extern const Board kRingBoard;
extern const Board kDifferentialBoard;
extern const Board kSparseBoard;
extern const Board kLatentBoard;
extern const Board kLanesBoard;
extern const Board kOccupancyBoard;
extern const Board kFp8Board;
extern const Board kDispatchBoard;
extern const Board kFamilyBoard;
extern const Board kDetectiveBoard;
extern const Board kPublishedBoard;
extern const Board kDrawBoard;
extern const Board kEstimateBoard;
extern const Board kCurvesBoard;

}  // namespace tilewalk
