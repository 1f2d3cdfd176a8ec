#include "app/panels/flow.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

void Flow::add(float height, Draw draw) {
  pieces_.push_back({height_, height, std::move(draw)});
  height_ += height;
}

void Flow::ground(float top, Draw draw) { grounds_.push_back({top, height_ - top, std::move(draw)}); }

void Flow::append(const Flow& other, float x, float width) {
  const auto moved = [&](const std::vector<Piece>& from, std::vector<Piece>& to) {
    for (const Piece& piece : from)
      to.push_back({height_ + piece.top, piece.height, [draw = piece.draw, x, width](Rect r) {
                      draw({r.x + x, r.y, width, r.h});
                    }});
  };
  moved(other.grounds_, grounds_);
  moved(other.pieces_, pieces_);
  height_ += other.height_;
}

void Flow::draw(Rect area, float width, float above) const {
  const auto place = [&](const Piece& piece) { return Rect{area.x, area.y + piece.top - above, width, piece.height}; };
  for (const Piece& ground : grounds_) {
    Rect r = place(ground);
    const float top = std::max(r.y, area.y), bottom = std::min(r.bottom(), area.bottom());
    if (bottom - top > 1) ground.draw({r.x, top, r.w, bottom - top});
  }
  for (const Piece& piece : pieces_) {
    const Rect r = place(piece);
    if (r.y >= area.y - 0.5f && r.bottom() <= area.bottom() + 0.5f) piece.draw(r);
  }
}

void layout_scrolled(Scene& scene, const Style& style, const ViewState& view, Rect area, const Flow& flow, float share,
                     float margin, std::string_view name, std::string_view tip) {
  scene.region({area.x, area.y, area.w + margin, area.h}, fmt::format("panel:{}", name), std::string(tip), false);
  const float more = flow.height() - area.h;
  const float above = more > 0 ? more * std::clamp(share, 0.0f, 1.0f) : 0;
  flow.draw(area, area.w, above);
  if (more <= 0) return;
  const std::string bar = fmt::format("scroll:{}", name);
  const Rect track{area.right() + margin / 2 - style.px(4), area.y, style.px(8), area.h};
  const Rect thumb{track.x, track.y + area.h * above / flow.height(), track.w, area.h * area.h / flow.height()};
  const bool hot = view.hover == bar || view.held == bar;
  scene.box(track, track.w / 2, style[Role::SurfaceStrong]);
  scene.box(thumb, track.w / 2, style[hot ? Role::Text : Role::Border]);
  scene.region(thumb, fmt::format("thumb:{}", name), "Where the text stands", false);
  scene.region({area.right(), area.y, margin, area.h}, bar, "Drag, or turn the wheel over the text (Shift+↓ Shift+↑)",
               false);
}

}  // namespace tilewalk
