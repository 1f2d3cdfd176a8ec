// Three passes: widths from the leaves up; heights from the leaves up, for the width that each gets from the root down;
// rectangles from the root down.
#include "app/ui/layout.h"

#include "app/text/text.h"

#include <algorithm>

namespace tilewalk::ui {
namespace {

constexpr float kHair = 0.01f;

Extent all(float v) { return {v, v, v}; }
Extent operator+(Extent a, Extent b) { return {a.want + b.want, a.snug + b.snug, a.least + b.least}; }
Extent wider(Extent a, Extent b) {
  return {std::max(a.want, b.want), std::max(a.snug, b.snug), std::max(a.least, b.least)};
}
float offset(Across place, float free) { return place == Across::Center ? free / 2 : place == Across::End ? free : 0; }

// What each gets of `room`: first all shrink to what loses nothing, then those that grow, then the others; what is left
// goes to those that grow.
std::vector<float> share(const std::vector<Extent>& of, const std::vector<float>& grow, float room) {
  std::vector<float> out(of.size());
  float need = -room, weights = 0, rest = room;
  for (size_t k = 0; k < of.size(); ++k) need += out[k] = of[k].want, weights += grow[k];
  const auto shrink = [&](auto to, auto who) {
    float slack = 0;
    for (size_t k = 0; k < of.size(); ++k)
      if (who(k)) slack += std::max(0.f, out[k] - of[k].*to);
    if (need <= 0 || slack <= 0) return;
    const float part = std::min(1.f, need / slack);
    for (size_t k = 0; k < of.size(); ++k)
      if (who(k)) out[k] -= part * std::max(0.f, out[k] - of[k].*to);
    need -= part * slack;
  };
  shrink(&Extent::snug, [](size_t) { return true; });
  shrink(&Extent::least, [&](size_t k) { return grow[k] > 0; });
  shrink(&Extent::least, [](size_t) { return true; });
  for (size_t k = 0; k < of.size(); ++k) rest -= grow[k] > 0 ? 0 : out[k];
  for (size_t k = 0; k < of.size(); ++k)
    if (grow[k] > 0) out[k] = std::max(0.f, rest) * grow[k] / weights;
  return out;
}

struct Pass {
  float scale;

  float px(float v) const { return v * scale; }
  Extent sized(Extent content, Size s) const {
    return s.want < 0 ? content : Extent{px(s.want), px(s.least), px(s.least)};
  }
  // Of children one after the other, the gaps between them.
  Extent gaps(const Children& c) const { return all(px(c.gap) * float(std::max<size_t>(1, c.nodes.size()) - 1)); }

  Placed widths(const Node& n) const {
    Placed p;
    p.node = &n;
    if (const Children* c = std::get_if<Children>(&n.what)) {
      p.kids.reserve(c->nodes.size());
      for (const Node& kid : c->nodes) p.kids.push_back(widths(kid));
      const bool beside = c->way == Way::Right || c->way == Way::Flow;
      for (const Placed& kid : p.kids) p.across = beside ? p.across + kid.across : wider(p.across, kid.across);
      if (beside) p.across = p.across + gaps(*c);
      if (c->way == Way::Flow) p.across.snug = p.across.least = 0;
    } else if (const Text* t = std::get_if<Text>(&n.what)) {
      const auto of = [&](const std::string& words) {
        return words.empty() ? 0 : text_width(words, t->font.face, px(t->font.size)) + kHair;
      };
      p.natural = of(t->forms.front());
      p.across = {p.natural, t->lines > 1 ? 0 : t->forms.size() > 1 ? of(t->forms.back()) : p.natural, 0};
    }
    p.across = sized(p.across + all(2 * px(n.pad.x)), n.w);
    return p;
  }

  void heights(Placed& p, float w) const {
    const Node& n = *p.node;
    p.rect.w = w;
    const float inner = w - 2 * px(n.pad.x);
    if (const Children* c = std::get_if<Children>(&n.what)) {
      if (c->way == Way::Right) {
        const std::vector<float> of = shares(p, *c, inner, &Placed::across, &Node::w);
        for (size_t k = 0; k < of.size(); ++k) heights(p.kids[k], of[k]), p.down = wider(p.down, p.kids[k].down);
      } else if (c->way == Way::Flow) {
        for (Placed& kid : p.kids) heights(kid, std::min(kid.across.want, inner));
        p.down = all(flow(p, *c, {0, 0, inner, 0}));
      } else {
        for (Placed& kid : p.kids) {
          heights(kid, across_of(*c, inner, kid.across.want, kid.node->w));
          p.down = c->way == Way::Down ? p.down + kid.down : wider(p.down, kid.down);
        }
        if (c->way == Way::Down) p.down = p.down + gaps(*c);
        if (c->keep >= 0 && size_t(c->keep) < p.kids.size())
          p.down.least = float(c->keep + (c->more ? 1 : 0)) * p.kids.front().down.snug;
      }
    } else if (const Text* t = std::get_if<Text>(&n.what)) {
      const Font& f = t->font;
      const float line = px(f.pitch > 0 ? f.pitch : f.size * 1.5f);
      if (t->lines > 1) {
        p.lines = wrap_text(t->forms.front(), f.face, px(f.size), inner);
        for (size_t k = size_t(t->lines); k < p.lines.size(); ++k) p.lines[size_t(t->lines) - 1] += " " + p.lines[k];
        if (p.lines.size() > size_t(t->lines)) p.lines.resize(size_t(t->lines));
      } else {
        auto good = t->forms.begin();
        if (p.natural > inner + kHair)
          good = std::ranges::find_if(
              t->forms, [&](const std::string& form) { return text_width(form, f.face, px(f.size)) <= inner; });
        p.lines = {good == t->forms.end() ? t->forms.back() : *good};
      }
      p.down = all(line * float(p.lines.size()));
      if (t->lines > 1) p.down.least = line;
    }
    p.down = sized(p.down + all(2 * px(n.pad.y)), n.h);
  }

  void places(Placed& p, Rect r) const {
    p.rect = r;
    const Node& n = *p.node;
    const Rect in = r.inset(px(n.pad.x), px(n.pad.y));
    if (const FirstThatFits* choice = std::get_if<FirstThatFits>(&n.what)) {
      for (const auto& form : choice->forms) {
        p.made = std::make_unique<Node>(form());
        p.kids.clear();
        p.kids.push_back(widths(*p.made));
        heights(p.kids[0], in.w);
        if (p.kids[0].across.least <= in.w + kHair && p.kids[0].down.least <= in.h + kHair) break;
      }
      return places(p.kids[0], in);
    }
    const Children* c = std::get_if<Children>(&n.what);
    if (!c) return;
    if (c->way == Way::Flow) return void(flow(p, *c, in));
    if (c->keep >= 0 && p.down.snug > r.h + kHair && !p.kids.empty()) leave_out(p, *c, in);
    const bool right = c->way == Way::Right;
    const std::vector<float> of = right ? std::vector<float>() : shares(p, *c, in.h, &Placed::down, &Node::h);
    float at = right ? in.x : in.y;
    for (size_t k = 0; k < p.kids.size(); ++k) {
      Placed& kid = p.kids[k];
      if (c->only >= 0 && k != size_t(c->only)) continue;
      Rect slot{right ? at : in.x, right ? in.y : at, kid.rect.w, right ? in.h : of[k]};
      if (c->way != Way::Down) {
        const float h = across_of(*c, in.h, kid.down.want, kid.node->h);
        slot.y = in.y + offset(c->place, in.h - h), slot.h = h;
      }
      if (!right) slot.x = in.x + offset(c->place, in.w - slot.w);
      places(kid, slot);
      if (c->way != Way::Over) at += (right ? slot.w : slot.h) + px(c->gap);
    }
  }

  // Sets children side by side in lines; returns how high that is.
  float flow(Placed& p, const Children& c, Rect in) const {
    float x = 0, y = 0, line = 0;
    for (Placed& kid : p.kids) {
      if (x > 0 && x + kid.rect.w > in.w + kHair) x = 0, y += line + px(c.gap), line = 0;
      places(kid, {in.x + x, in.y + y, kid.rect.w, kid.down.want});
      x += kid.rect.w + px(c.gap);
      line = std::max(line, kid.down.want);
    }
    return y + line;
  }

  // Across its parent's way a node is stretched, unless it has a size of its own or the parent places it.
  float across_of(const Children& c, float room, float want, Size s) const {
    return s.want < 0 && (c.place == Across::Stretch || s.grow > 0) ? room : std::min(room, want);
  }

  std::vector<float> shares(const Placed& p, const Children& c, float room, Extent Placed::*extent,
                            Size Node::*size) const {
    if (c.way == Way::Over) return std::vector<float>(p.kids.size(), room);
    std::vector<Extent> of;
    std::vector<float> grow;
    for (const Placed& kid : p.kids) of.push_back(kid.*extent), grow.push_back((kid.node->*size).grow);
    return share(of, grow, room - px(c.gap) * float(std::max<size_t>(1, p.kids.size()) - 1));
  }

  void leave_out(Placed& p, const Children& c, Rect in) const {
    const float last = c.more ? p.kids.front().down.snug : 0;  // room for the line that says so
    size_t shown = 0;
    for (float used = last; shown < p.kids.size() && (used += p.kids[shown].down.snug) <= in.h + kHair;) ++shown;
    shown = std::max(shown, size_t(c.keep));
    if (shown >= p.kids.size()) return;
    const int left = int(p.kids.size() - shown);
    p.kids.resize(shown);
    if (!c.more) return;
    p.made = std::make_unique<Node>(c.more(left));
    p.kids.push_back(widths(*p.made));
    heights(p.kids.back(), in.w);
  }
};

}  // namespace

float height_of(const Node& n, float width, float scale) {
  const Pass pass{scale};
  Placed p = pass.widths(n);
  pass.heights(p, width);
  return p.down.want;
}

Placed layout(const Node& n, Rect r, float scale) {
  const Pass pass{scale};
  Placed p = pass.widths(n);
  pass.heights(p, r.w);
  pass.places(p, r);
  return p;
}

}  // namespace tilewalk::ui
