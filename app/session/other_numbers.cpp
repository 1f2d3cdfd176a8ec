#include "app/session/other_numbers.h"

#include "app/session/stop_way.h"
#include "app/session/turn_walk.h"

#include <string>
#include <utility>

namespace tilewalk {

void other_numbers(Session& session, ViewState& view) {
  if (std::string words = behind_question_words(view); !words.empty())
    view.notice = std::move(words);
  else if (view.gpu.enlarged)
    view.notice = "The stage shows the GPU's charts, which this key does not turn.";
  else if (view.board.board.empty())
    turn_walk(session, view, WalkKnob::Seed, 1);
  else
    view.notice = "The stage shows a board: only a walk can take the same step with other numbers.";
}

}  // namespace tilewalk
