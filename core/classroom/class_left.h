// What a class leaves when it is over: where it was, what its questions came to, its puzzles and rooflines. Nobody in
// it is told from another.
#pragma once

#include "core/classroom/poll.h"
#include "core/classroom/puzzle_board.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk {

struct PlaceLeft {
  std::string link;
  int64_t pages = 0;  // that were there when the class went on; 0: not counted
};
struct PollLeft {
  PollAsked asked;
  std::vector<Tally> rounds;  // before and after talking it over
};
struct RooflineCount {
  std::string of;  // what they are drawn for: "8192.128.h100"
  int64_t locked = 0;
};
struct ClassLeft {
  std::vector<PlaceLeft> places;
  std::vector<PollLeft> polls;
  std::vector<PuzzleCount> puzzles;
  std::vector<RooflineCount> rooflines;
  int64_t runs = 0;  // of its GPU that were answered
};

// The lesson and beat of a link, "6.3"; empty where it is no lesson's.
std::string beat_of_link(std::string_view link);

std::string summary_text(const ClassLeft& left);  // as Markdown

}  // namespace tilewalk
