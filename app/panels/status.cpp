// The status line: what is walked, in one line of small print, the last message, and what the scrubber's marks mean.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/breaking.h"
#include "app/stage/pieces.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

std::string sizes_of(const Problem& p) {
  return p.n_q == p.n_k ? fmt::format("N {}", p.n_q) : fmt::format("Nq {} Nk {}", p.n_q, p.n_k);
}

std::string facts_of(const Session& session, const ViewState& view) {
  const Problem& p = session.problem();
  const std::string broken =
      p.mistake == Mistake::None ? std::string() : fmt::format("BROKEN ON PURPOSE: {} · ", words_of(p.mistake));
  if (!view.lesson.id.empty())  // what a lesson's text speaks of, in its words
    return broken + fmt::format("{} · d {} · Q tiles of {} rows, K/V tiles of {} · {}, {} bytes a number{}",
                                sizes_of(p), p.d, p.br, p.bc, name_of(p.format), bytes_of(p.format),
                                p.mask == Mask::Full ? "" : fmt::format(" · {}", name_of(p.mask)));
  std::string facts = broken + fmt::format("{} · inputs {:06x} · {} d {} Br {} Bc {} · {} · {} arithmetic",
                                           session.inputs().source, session.input_hash() >> 40, sizes_of(p), p.d, p.br,
                                           p.bc, name_of(p.mask), name_of(p.arithmetic));
  return facts;
}

// One mark and its word, right-aligned at `right`; returns the left edge.
float legend(Scene& scene, const Style& s, Rect area, float right, Marker::Kind kind, std::string_view word) {
  const float w = text_width(word, Face::Sans, s.small()), u = s.px(5), y = area.center().y;
  scene.label({right - w, area.y, w, area.h}, word, Face::Sans, s.small(), s[Role::TextSecondary]);
  const float x = right - w - s.px(10);
  if (kind == Marker::MaxRose)
    scene.polygon({{x, y - u}, {x + u, y + u * 0.8f}, {x - u, y + u * 0.8f}}, s[Role::Accent]);
  if (kind == Marker::Stored) scene.box({x - u, y - u, 2 * u, 2 * u}, 0, s.palette.fill(Tensor::O));
  if (kind == Marker::Masked) {
    scene.line({x - u, y - u}, {x + u, y + u}, s[Role::TextSecondary], s.px(2));
    scene.line({x - u, y + u}, {x + u, y - u}, s[Role::TextSecondary], s.px(2));
  }
  return x - s.px(22);
}

}  // namespace

void layout_status(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  scene.box(area, 0, s[Role::Surface]);
  const Rect line = area.inset(s.px(24), 0);
  const bool walk = view.board.board.empty() && !view.lesson.review;
  float right = line.right();
  if (walk) {
    const bool backward = session.walk().schedule.backward();
    right = legend(scene, s, line, right, Marker::Stored, backward ? "gradient stored" : "O stored");
    if (session.problem().mask == Mask::Causal) right = legend(scene, s, line, right, Marker::Masked, "masked tile");
    // Without the statistics no mark of theirs is explained.
    if (!backward && !left_out(view, "statistics")) right = legend(scene, s, line, right, Marker::MaxRose, "max rose");
  }

  // The message has the first call on what is left; the facts take the rest.
  const float gap = s.px(28);
  const float room = right - line.x;
  const std::string facts =
      walk ? facts_of(session, view)
           : "Numbers are computed here; ◆ recorded, ◇ published. Point at one: it says from what.";
  const float facts_w = text_width(facts, Face::Sans, s.small());
  const bool outdated = says_broken(view) && broken_words(view).empty();
  const float notice_w = view.notice.empty() || outdated ? 0 : text_width(view.notice, Face::SansBold, s.small());
  const float facts_room = notice_w > 0 ? std::clamp(room - notice_w - gap, room * 0.3f, facts_w) : room;
  const float taken =
      fitted(scene, {line.x, area.y, facts_room, area.h}, facts, Face::Sans, s.small(), s[Role::TextSecondary]);
  scene.region({line.x, area.y, taken, area.h}, "facts", facts, false);
  if (notice_w > 0) {
    const Rect slot{line.x + taken + gap, area.y, right - line.x - taken - gap, area.h};
    fitted(scene, slot, view.notice, Face::SansBold, s.small(), s[Role::Text]);
    scene.region(slot, "notice", view.notice, false);
  }
}

}  // namespace tilewalk
