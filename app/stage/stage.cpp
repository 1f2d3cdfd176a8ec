// Proportions of the stage: how the rectangle is shared among caption, SRAM, L2, DRAM and the ledger, at any size.
#include "app/stage/stage.h"

#include "app/stage/pieces.h"
#include "app/stage/room.h"
#include "core/lesson/control_words.h"

#include <algorithm>

namespace tilewalk {

bool left_out(const ViewState& view, std::string_view part) {
  return !view.lesson.id.empty() && std::ranges::find(view.lesson.put.without, part) != view.lesson.put.without.end();
}

void layout_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                  const Style& style) {
  Canvas canvas(scene, session, moment, view, style);
  const float s = style.scale, w = area.w / s, h = area.h / s;
  const float pad_x = w < 800 ? 12 : 24, pad_y = h < 560 ? 8 : 14, gap = h < 560 ? 6 : 10;
  const Rect in{area.x + pad_x * s, area.y + pad_y * s, area.w - 2 * pad_x * s, area.h - 2 * pad_y * s};

  const float caption = caption_height(style, in.w, area.h) / s;
  const float ledger = left_out(view, "ledger") ? 0 : h >= 760 ? 84 : h >= 620 ? 52 : h >= 480 ? 26 : 0;
  const float l2 = left_out(view, "l2") ? 0 : h >= 760 ? 56 : 40;
  const float rest = in.h / s - caption - ledger - l2 - gap * float(2 + (ledger > 0) + (l2 > 0));
  const float dram = std::clamp(rest * (h < 620 ? 0.35f : 0.38f), 108.0f, 300.0f), sram = rest - dram;

  float y = in.y;
  const auto take = [&](float height) {
    const Rect rect{in.x, y, in.w, height * s};
    y += (height + gap) * s;
    return rect;
  };
  layout_caption(canvas, take(caption));
  layout_sram(canvas, take(sram));
  if (l2 > 0) layout_l2(canvas, take(l2));
  layout_dram(canvas, take(dram));
  if (ledger > 0) layout_ledger(canvas, take(ledger));
  layout_motion(canvas);
}

Scene layout_stage_scene(Session& session, const ViewState& view, Vec2 size) {
  // As large as the picture allows without losing what a smaller stage would drop.
  const float scale = std::max(1.0f, std::min(size.x / 1280, size.y / 800));
  const Style style(view.theme, scale);
  Scene scene;
  scene.size = size;
  scene.background = style[Role::Background];
  ViewState still = view;
  still.phase = 1;
  still.hover.clear();
  Moment moment = moment_of(session.walk(), still);
  moment.words.caption = without_controls(moment.words.caption);  // a picture has nothing to press
  // At its foot stands what its numbers depend on.
  const float foot = style.px(24), pad = style.px(24);
  const Rect area{0, 0, size.x, size.y - foot};
  fitted_label(scene, style, {pad, area.h - style.px(6), size.x - 2 * pad, foot}, walk_premises(moment, session),
               Face::Sans, style.small(), style[Role::TextSecondary]);
  if (Walk* other = session.other())
    layout_stage_pair(scene, session, moment, matching_moment(*other, moment, still), still, area, style);
  else
    layout_stage(scene, session, moment, still, area, style);
  return scene;
}

}  // namespace tilewalk
