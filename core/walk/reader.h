// Reads a .walk text. Texts come from strangers: what is read is bounded, and what is wrong is said with its place.
#pragma once

#include "core/walk/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct WalkFault {
  int line = 1, column = 1;  // in the text, from 1; columns in characters
  std::string message;       // one sentence
};

struct WalkRead {
  std::optional<WalkProgram> program;  // where there is no fault
  std::vector<WalkFault> faults;       // up to kMostWalkFaults, in order
};

constexpr size_t kMostWalkBytes = size_t{64} << 10;
constexpr size_t kMostWalkLines = 200;  // with something on them
constexpr size_t kMostWalkLineBytes = 240;
constexpr size_t kMostWalkNests = 15, kMostWalkFaults = 10;
constexpr size_t kMostWalkDepth = 8;
constexpr int kMostWalkSplits = 64;

WalkRead read_walk(std::string_view text);

}  // namespace tilewalk
