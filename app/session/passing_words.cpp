#include "app/session/passing_words.h"

namespace tilewalk {

bool notice_passes(const ViewState& view) {
  const std::string_view said = view.notice;
  return !view.present.presenters_window() || said.starts_with(kTwiceEnds) || said.starts_with(kAsPrepared) ||
         said.starts_with(kNothingTurned) || said == kTurnedBack || said == kStrokesLost;
}

}  // namespace tilewalk
