// What is on screen for who does not see it: parts, headings, text, and what can be pressed or turned, each with its
// name, its value and what it says of itself. Plain data in reading order, made of the scene that is on screen and of
// what it was laid out from. A shell mirrors it into whatever its machine's screen readers look at.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <vector>

namespace tilewalk {

struct Told {
  enum class Role : uint8_t {
    Part,     // what follows, up to the next part, belongs to it
    Dialog,   // likewise; it takes all input
    Heading,  // of `level`: 2 a part's, 3 within it
    Text,
    Status,  // is said when it changes, whatever one reads: what has just happened
    Button,
    Toggle,   // a button that stays down: `on`
    Switch,   // `on`
    Choices,  // what follows are choices, of which one is `on`
    Choice,
    Slider,  // at `now` of 0 .. `most`; the value says it in words
    Dial,    // arrow keys change it; what it is at, its name says
    Field,   // pressing it is beginning to type
  };
  Role role = Role::Text;
  std::string name = {};  // of a Text: all of it
  std::string id = {};    // of the region; empty: it cannot be pressed
  std::string value = {}, tip = {};
  int level = 0;
  bool on = false;
  double now = 0, most = 1;
};

// `scene`: the window as it is shown.
std::vector<Told> tell_window(Session& session, const ViewState& view, const Scene& scene);

// Of the lesson on show: its text, its question, the answer's reasons.
void tell_lesson_part(std::vector<Told>& out, const Session& session, const ViewState& view);

}  // namespace tilewalk
