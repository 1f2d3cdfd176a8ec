// The class that this window has joined: what it was told of it, where the learner stands to it, and what the learner
// is about to answer. app/session/class_moves.h changes it.
#pragma once

#include "core/classroom/attendance.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tilewalk {

struct ClassView {
  std::optional<Attendance> with;  // nothing: no class
  std::string socket, page;        // its addresses, "ws://10.0.0.5:8660/class" and "http://10.0.0.5:8660/"
  std::string here;                // where a class can only be, in a browser: the page's own address; empty: anywhere

  // A learner.
  int64_t followed = 0;  // the step of the class that was gone to last
  std::string arrived;   // the link of what that led to; elsewhere one looks around
  bool around = false;
  std::string stood;              // the last place that was open to this page
  bool touched = false;           // somebody has done something since
  std::array<int64_t, 3> card{};  // poll, round and what is shown of it, whose card was put up last
  int sure = int(Sure::Rather);   // of the next vote
  std::string voted;              // the number that went, as it was typed
  std::string number, fault;      // as it is typed, and why it cannot be read

  // Who teaches.
  std::string asked;                // the question that was put to the class, and its numbers: "max#1"; empty: none
  bool answered = false;            // and its answer was told
  std::array<int64_t, 2> warned{};  // poll and round of which it was said that few have answered
};

}  // namespace tilewalk
