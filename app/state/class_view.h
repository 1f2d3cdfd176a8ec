// The class that this window has joined: what it was told of it, where the learner stands to it, and what the learner
// is about to answer. app/session/class_moves.h changes it.
#pragma once

#include "app/state/board_state.h"
#include "core/classroom/attendance.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tilewalk {

// A press meant for what lay there before is no answer.
inline constexpr float kCardSettles = 0.5f;  // seconds

// An answer that did not go yet: how sure is missing, or the connection.
struct PickedAnswer {
  int option = -1;  // in the lesson's order
  std::optional<double> number;
};

struct ClassView {
  std::optional<Attendance> with;  // nothing: no class
  std::string socket, page;        // its addresses, "ws://10.0.0.5:8660/class" and "http://10.0.0.5:8660/"
  std::string here;                // where a class can only be, in a browser: the page's own address; empty: anywhere

  // A learner.
  int64_t followed = 0;  // the step of the class that was gone to last
  std::string arrived;   // the link of what that led to; elsewhere one looks around
  bool around = false;
  std::string stood;                  // the last place that was open to this page
  bool touched = false;               // somebody has done something since
  std::array<int64_t, 2> question{};  // poll and round that was seen last: another one begins anew
  std::array<int64_t, 3> card{};      // and what is shown of it, whose card was put up last
  float card_for = 1000;              // seconds that it is up
  std::optional<int> sure;            // unsaid until it is chosen
  std::optional<PickedAnswer> picked;
  std::string voted;          // the number that was answered, as it was typed
  std::string number, fault;  // as it is typed, and why it cannot be read
  // What was typed and drawn at beats of the class, by beat: it is there again when one comes back.
  std::map<std::string, BoardState, std::less<>> boards;
  // Rooflines by what they are drawn for: the first that was locked for it, and where the truth was seen before.
  std::map<std::string, LockRoofline, std::less<>> first_locked;
  std::set<std::string, std::less<>> truth_seen;
  std::optional<LockRoofline> locked_now;

  // Who teaches.
  std::string asked;                 // the question that was put to the class, and its numbers: "max#1"; empty: none
  bool answered = false;             // and its answer was told
  std::array<int64_t, 2> warned{};   // poll and round of which it was said that few have answered,
  std::array<int64_t, 2> leaving{};  // and that going back ends it
};

}  // namespace tilewalk
