#include "app/boards/roofline_picture.h"

#include "app/boards/draw.h"
#include "app/boards/kit.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

RooflinePicture roofline_picture(const GpuSpec& gpu, int64_t n, int64_t d, Mask mask, Theme theme, Vec2 size) {
  const Roofs roofs = roofs_of(gpu);
  DrawSheet sheet;
  sheet.n = n;
  sheet.gpu = gpu.id;
  sheet.roofs = roofs;
  sheet.drawing.d = d;
  sheet.locked = true;  // no handles
  for (const Roof roof : {Roof::Dram, Roof::L2, Roof::Tensor, Roof::Exponential})
    if (roofs[roof]) sheet.drawing.roofs.push_back({roof, roofs[roof]->value});
  RooflinePicture out;
  for (const Method method : {Method::Standard, best_fused(roofs)}) {
    DrawnPoint wanted;
    wanted.method = method;
    wanted.mask = mask;
    const DrawnPoint point = true_point(sheet, roofs, wanted).point;
    sheet.drawing.points.push_back(point);
    out.description +=
        fmt::format("{}{} does {} FLOP for each byte: {} a head at best.", out.description.empty() ? "" : " ",
                    method == Method::Standard ? "Standard attention" : info_of(method).name,
                    with_commas(std::llround(point.intensity)), amount(seconds_of(sheet.drawing, point), "s"));
  }
  out.title = fmt::format("Roofline of an {}: N = {}, d = {}{}", gpu.title, with_commas(n), d,
                          mask == Mask::Causal ? ", causal" : "");

  const Style style(theme, std::max(1.0f, std::min(size.x / 1280, size.y / 800)));
  out.scene.size = size;
  out.scene.background = style[Role::Background];
  const Session session;
  const ViewState view;
  const BoardState state;
  const BoardView board{{state, session, view, kDrawBoard}, {out.scene, style}, nullptr, true, false};
  const Rect in = Rect{0, 0, size.x, size.y}.inset(style.px(32), style.px(24));
  const float head = style.px(40), line = style.px(30), foot = style.px(24);
  board.text({in.x, in.y, in.w, head}, out.title, Face::SansBold, style.title(), Role::Text);
  board.text({in.x, in.y + head, in.w, line}, out.description, Face::Sans, style.body(), Role::Text);
  board.text({in.x, in.bottom() - foot, in.w, foot}, gpu.source, Face::Sans, style.small(), Role::TextSecondary);
  Truth nothing_known;  // the drawing is not held against anything
  nothing_known.points.resize(sheet.drawing.points.size());
  const float top = in.y + head + line + style.px(8);
  layout_plot(board, {in.x, top, in.w, in.bottom() - foot - style.px(8) - top}, sheet, nothing_known);
  return out;
}

}  // namespace tilewalk
