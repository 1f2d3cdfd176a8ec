// Going where a link leads, and making the link of where one is. What a link says and this program does not know is
// left out; a value that is too large or too small becomes the nearest one that is allowed, and the words say so.
#pragma once

#include "app/session/link.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

struct Opened {
  bool there = false;  // otherwise nothing has changed
  std::string words;   // why not, or what was left out or clamped: sentences for the status line; may be empty
  std::string lost;    // what the link asks for and is not on show, keys too that nothing here knows; empty: all is
};
Opened open_link(std::string_view text, Session& session, ViewState& view);

// The go-to field: a link; "6.3", the third beat of lesson 6; "7/37" or "7/tile 2", a place in lesson 7's walk;
// whatever app/session/go_to.h knows of the walk on show; a word of the glossary, which opens it on the word sheet;
// letters of a lesson's title; or words of a beat's text. The sentence says why it went nowhere; empty otherwise.
std::string go_anywhere(std::string_view words, Session& session, ViewState& view);

struct LinkHere {
  std::string text;
  std::string place;   // the same without the tab beside the stage and what was typed or drawn on a board
  std::string remark;  // one sentence on what the link cannot carry, or empty
};
LinkHere link_here(const Session& session, const ViewState& view);

}  // namespace tilewalk
