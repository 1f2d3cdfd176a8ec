#include "app/export/telling_step.h"

#include "app/session/set_stops.h"
#include "app/session/transport.h"
#include "core/playback/query.h"

#include <fmt/format.h>

namespace tilewalk {

std::string tell_of_walk(Session& session, ViewState& view) {
  const bool walk = !slide_on_show(view) && view.board.board.empty() && !view.gpu.enlarged;
  if (!walk || view.playhead != 0) return {};
  const Walk& shown = session.walk();
  const ParsedQuery rescale = parse_query("first rescale");
  const auto found = rescale.query ? find(shown.replay.steps(), *rescale.query) : std::nullopt;
  seek(shown, view, found ? *found + 1 : int64_t(shown.replay.length()) / 2);
  return fmt::format("The walk at its step {} of {}.", view.playhead, shown.replay.length());
}

}  // namespace tilewalk
