// Where G leads in front of a room.
#include "app/session/present_moves.h"

#include "app/session/go_to.h"
#include "app/session/jumps.h"
#include "app/session/kept_stops.h"
#include "app/session/talk_target.h"
#include "core/io/trimmed.h"

#include <algorithm>
#include <variant>

namespace tilewalk {

std::string present_go_to(std::string_view words, Session& session, ViewState& view) {
  const GoTo* open = std::get_if<GoTo>(&view.over);
  const std::vector<TalkHit> hits = talk_hits(words, session, view);
  const TalkTarget target = hits[size_t(std::clamp(open ? open->chosen : 0, 0, int(hits.size()) - 1))].target;
  if (!target.fault.empty()) return target.fault;
  if (target.step) return go_to(trimmed(words), session, view);
  if (!target.word.empty()) return view.over = WordSheet{target.word, 0}, std::string();
  if (target.place >= 0) {
    if (jump_to_item(session, view, target.place)) return {};
    return view.notice.empty() ? "This stop leads nowhere." : view.notice;
  }
  const StopKey left = stop_key(view.present);
  present_lesson(session, view, *target.lesson, target.beat);
  note_jump(view, left);
  return {};
}

}  // namespace tilewalk
