#include "app/session/why_no_step.h"

#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/questions.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

// In a talk of a set list the same key is looked for to come to the end of the list.
std::string of_list(const ViewState& view, std::string_view key, std::string_view stop) {
  if (!view.present.on || view.present.set.items.empty()) return {};
  return fmt::format(" In the overview ({}) {} chooses the {} stop.", key_of("present-overview"), key, stop);
}

}  // namespace

std::string why_not_further(const Session& session, const ViewState& view) {
  const Moves moves = what_moves(session, view);
  if (moves == Moves::Nothing) return "Nothing is stepped here.";
  if (moves == Moves::Beats) return "That was the last beat.";
  if (moves == Moves::Stops) return "That was the last of the set list.";
  if (const std::string list = of_list(view, "End", "last"); !list.empty()) return "That was the last step." + list;
  if (!beat_on_show(view)) return "That was the last step. Home begins anew.";
  const AskedQuestion asked = asked_now(view);
  const bool open = asked.question && !settled(view, asked);
  return open ? "That was the last step. The lesson goes on with its question." : std::string(kLastStep);
}

std::string why_not_to_start(const Session& session, const ViewState& view) {
  switch (what_moves(session, view)) {
    case Moves::Nothing: return "Nothing is stepped here.";
    case Moves::Beats: return "This is the first beat.";
    case Moves::Stops: return "This is the first of the set list.";
    case Moves::Walk:
    case Moves::Board: break;
  }
  return "No step has been taken." + of_list(view, "Home", "first");
}

}  // namespace tilewalk
