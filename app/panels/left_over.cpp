// What is offered at the start after a run that did not come to its end: going on where it was, and the diagnostics to
// copy. Nothing is sent anywhere.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/text/text.h"

#include <algorithm>

namespace tilewalk {

void layout_left_over(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(620), window.w - s.px(40)), h = s.px(222);
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect in = box.inset(s.px(28), s.px(22));
  fitted(scene, {in.x, in.y, in.w - s.px(50), s.px(36)}, "The last run did not end as it should", Face::SansBold,
         s.title(), s[Role::Text]);
  icon_button(scene, view, s, {in.right() - s.px(36), in.y, s.px(36), s.px(36)}, Icon::Close, "escape", Look::Plain);
  fitted(scene, {in.x, in.y + s.px(46), in.w, s.px(26)}, "What you answered and wrote is kept. It was at", Face::Sans,
         s.body(), s[Role::Text]);
  fitted(scene, {in.x, in.y + s.px(74), in.w, s.px(26)},
         view.left_over.link.empty() ? "the start" : view.left_over.link, Face::Mono, s.number(),
         s[Role::TextSecondary]);
  const float button = s.px(44), gap = s.px(12), half = (in.w - gap) / 2;
  const Rect left{in.x, in.bottom() - button, half, button}, right{left.right() + gap, left.y, half, button};
  if (!view.left_over.link.empty())
    text_button(scene, view, s, left, "Go on there", "left-over:go", "To where the last run was (Enter)", Look::Solid,
                Face::SansBold, s.body());
  text_button(scene, view, s, right, "Copy diagnostics", "command:diagnostics", tip_of("diagnostics"), Look::Plain,
              Face::SansBold, s.body());
}

}  // namespace tilewalk
