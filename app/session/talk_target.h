// Where words lead that are typed behind G in front of a room: found as they are typed, gone to with Enter.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct TalkTarget {
  int place = -1;                        // of the set list, from 0; else
  std::shared_ptr<const Lesson> lesson;  // its beat; else
  int beat = 0;                          // from 0
  std::string word;                      // what the sheet of words is searched for; else
  bool step = false;                     // of the walk that is on the stage
  std::string fault = {};                // one sentence where there is nothing
};
TalkTarget talk_target(std::string_view words, const Session& session, const ViewState& view);

struct TalkHit {
  TalkTarget target;
  std::string words;  // "Lesson 7, beat 3: The second tile"
};
// The best first, then what else is called so, what speaks of it, and last what a word means, as many as are shown;
// where nothing is, its fault in a sentence.
std::vector<TalkHit> talk_hits(std::string_view words, const Session& session, const ViewState& view);

}  // namespace tilewalk
