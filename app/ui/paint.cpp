#include "app/text/text.h"
#include "app/ui/layout.h"

#include <algorithm>

namespace tilewalk::ui {
namespace {

void paint_text(Scene& scene, const Placed& p, const Text& t, const Style& s, bool hot) {
  const Font& f = t.font;
  float size = s.px(f.size);
  const Rect in = p.rect.inset(s.px(p.node->pad.x), s.px(p.node->pad.y));
  if (in.w <= 0) return;
  // One line stands in the middle of its room; several from its top.
  const float line = p.lines.size() < 2 && t.lines == 1 ? in.h : s.px(f.pitch > 0 ? f.pitch : f.size * 1.5f);
  for (size_t k = 0; k < p.lines.size(); ++k) {
    if (p.lines[k].empty() || float(k) * line + line > in.h + 1) continue;
    const bool whole = t.lines == 1 && p.natural <= in.w + 0.02f;
    if (f.shrinks && !whole)
      if (const float w = text_width(p.lines[k], f.face, size); w > in.w)
        size = std::max(s.small(), size * in.w / w * 0.995f);
    scene.label({in.x, in.y + float(k) * line, in.w, line},
                whole ? p.lines[k] : ellipsize(p.lines[k], f.face, size, in.w), f.face, size,
                s[hot && f.hot ? *f.hot : f.role], f.align);
  }
}

void paint(Scene& scene, const Placed& p, const Style& s, std::string_view hover, bool hot) {
  const Node& n = *p.node;
  const Surface& f = n.surface;
  const float radius = std::min(s.px(f.radius), p.rect.h / 2);
  if (f.shadow) scene.box(p.rect.inset(-s.px(1)).shifted(0, s.px(3)), radius, with_alpha(rgb(0x000000), 0.18f));
  if (!n.press.name.empty()) hot = hover == n.press.name;
  const std::optional<Role> fill = f.hot && hot ? f.hot : f.fill;
  if (fill || f.border)
    scene.box(p.rect.inset(s.px(f.inset.x), s.px(f.inset.y)), radius, fill ? s[*fill] : Color{},
              f.border ? s[*f.border] : Color{}, f.border ? s.px(f.border_width) : 0);
  if (!n.press.name.empty()) {
    scene.region(p.rect, n.press.name, n.press.tip, n.press.focusable);
    scene.regions.back().press = n.press.action;
    if (f.radius > 0) scene.regions.back().focus_radius = radius;
  }
  if (const Text* t = std::get_if<Text>(&n.what)) paint_text(scene, p, *t, s, hot);
  if (const Canvas* c = std::get_if<Canvas>(&n.what)) c->draw(scene, p.rect, s);
  const Children* c = std::get_if<Children>(&n.what);
  for (size_t k = 0; k < p.kids.size(); ++k)
    if (!c || c->only < 0 || k == size_t(c->only)) paint(scene, p.kids[k], s, hover, hot);
}

}  // namespace

void show(Scene& scene, const Node& node, Rect rect, const Style& s, std::string_view hover) {
  paint(scene, layout(node, rect, s.scale), s, hover, false);
}

}  // namespace tilewalk::ui
