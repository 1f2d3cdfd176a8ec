// What a person has set on a board: plain data, so that it can be copied, compared, linked to and undone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Where on its track a slider's handle was taken, 0..1, and at which value.
struct SliderGrip {
  float share = 0;
  double value = 0;
  bool operator==(const SliderGrip&) const = default;
};

struct BoardState {
  std::string board;                                      // id of the board; empty: the walk is on the stage
  std::map<std::string, double, std::less<>> knobs;       // by Knob::id; one that is missing has its initial value
  std::map<std::string, std::string, std::less<>> cells;  // typed into the board's own fields, by name
  std::vector<std::string> show;     // the knobs within reach, in this order; empty: the board's first three
  int knob_page = 0;                 // of a tool with more knobs: which three, where `show` is empty
  int step = 0;                      // of a board that is stepped, 0 .. steps()
  std::vector<std::string> covered;  // readings under a plate until the question is answered
  std::vector<std::string> locked;   // knobs that would show its answer: they stay as they are until then
  std::optional<SliderGrip> grip;    // of the slider that is held by its handle
  bool operator==(const BoardState&) const = default;
};

}  // namespace tilewalk
