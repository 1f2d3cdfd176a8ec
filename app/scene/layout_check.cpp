#include "app/scene/layout_check.h"

#include "app/scene/color_math.h"
#include "app/scene/shape.h"
#include "app/text/text.h"

#include <algorithm>
#include <cstdio>

namespace tilewalk {

namespace {

constexpr float slack = 0.5f;  // pixels that anti-aliasing blurs anyway

bool overlap(const Rect& a, const Rect& b) {
  const Rect both = intersection(a, b);
  return both.w > slack && both.h > slack;
}

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(value));
  return text;
}

std::string place(const Rect& r) { return " at " + number(r.x) + ", " + number(r.y); }

bool inside(const Polygon& polygon, Vec2 p) {
  bool left = false, right = false;
  for (size_t i = 0; i < polygon.points.size(); ++i) {
    const Vec2 a = polygon.points[i], b = polygon.points[i + 1 == polygon.points.size() ? 0 : i + 1];
    const float side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    (side > 0 ? left : right) = true;
  }
  return left != right;
}

bool inside(const RoundedRect& shape, Vec2 p) {
  const Rect& b = shape.rect;
  if (!b.contains(p)) return false;
  const float dx = std::max({b.x + shape.radius - p.x, p.x - (b.right() - shape.radius), 0.0f});
  const float dy = std::max({b.y + shape.radius - p.y, p.y - (b.bottom() - shape.radius), 0.0f});
  return dx * dx + dy * dy <= shape.radius * shape.radius || dx == 0 || dy == 0;
}

// What the item paints at the point; transparent where it paints nothing. Lines and text are taken as thin.
Color painted(const Item& item, Vec2 p) {
  if (const auto* polygon = std::get_if<Polygon>(&item)) {
    return polygon->points.size() > 2 && inside(*polygon, p) ? polygon->fill : Color{};
  }
  const auto* box = std::get_if<Box>(&item);
  if (!box || !inside(rounded(box->rect, box->radius), p)) return {};
  const RoundedRect hole = rounded(box->rect.inset(box->stroke_width), std::max(0.0f, box->radius - box->stroke_width));
  const bool on_stroke = box->stroke.a > 0 && box->stroke_width > 0 && box->dash <= 0 && !inside(hole, p);
  if (!on_stroke) return box->fill;
  return box->stroke.a == 255 || box->fill.a == 0 ? box->stroke : over(box->stroke, box->fill);
}

struct Text {
  const Label* label;
  size_t index;  // among the scene's items
  Rect ink;
  bool hidden = false;

  std::string name() const { return "label \"" + label->text + "\"" + place(label->slot); }
};

class Checker {
 public:
  Checker(const Scene& scene, float minimum_text, float scale)
      : scene_(scene), minimum_text_(minimum_text), scale_(scale) {
    for (size_t i = 0; i < scene.items.size(); ++i) {
      const auto* label = std::get_if<Label>(&scene.items[i]);
      if (!label || label->text.empty() || label->color.a == 0) continue;
      texts_.push_back({label, i, label_ink(*label)});
    }
  }

  std::vector<std::string> run() {
    for (Text& text : texts_) {
      fits(text);
      hidden(text);
      if (!text.hidden) contrast_with_ground(text);
    }
    overlaps();
    regions();
    return std::move(faults_);
  }

 private:
  void fault(std::string words) { faults_.push_back(std::move(words)); }

  void fits(const Text& text) {
    const Label& label = *text.label;
    for (const char32_t code : missing_glyphs(label.text, label.face)) {
      char hex[16];
      std::snprintf(hex, sizeof hex, "U+%04X", static_cast<unsigned>(code));
      fault(text.name() + " has a character that no font draws: " + hex);
    }
    if (!(label.size >= minimum_text_ - 0.01f)) {
      fault(text.name() + " is set at " + number(label.size) + " px, under the smallest size of " +
            number(minimum_text_) + " px");
    }
    const float width = text_width(label.text, label.face, label.size);
    if (!(width <= label.slot.w + slack)) {
      fault(text.name() + " is " + number(width) + " px wide in a slot of " + number(label.slot.w) + " px");
    }
    if (text.ink.w <= 0) return;
    if (!(text.ink.y >= label.slot.y - slack && text.ink.bottom() <= label.slot.bottom() + slack)) {
      fault(text.name() + " is " + number(text.ink.h) + " px high and leaves its slot of " + number(label.slot.h) +
            " px");
    }
    const Rect& k = text.ink;
    if (!(k.x >= -slack && k.y >= -slack && k.right() <= scene_.size.x + slack &&
          k.bottom() <= scene_.size.y + slack)) {
      fault(text.name() + " lies outside the picture of " + number(scene_.size.x) + " x " + number(scene_.size.y));
    }
  }

  void hidden(Text& text) {
    for (size_t i = text.index + 1; i < scene_.items.size() && !text.hidden; ++i) {
      const auto* box = std::get_if<Box>(&scene_.items[i]);
      const auto* image = std::get_if<Image>(&scene_.items[i]);
      if (!image && (!box || box->fill.a < 255)) continue;
      const Rect& over = image ? image->rect : box->rect;
      if (!overlap(over, text.ink)) continue;
      text.hidden = true;
      fault(text.name() + " is hidden under a later " + (image ? "image" : "box") + place(over) + " of " +
            number(over.w) + " x " + number(over.h));
    }
  }

  // The worst contrast over a grid of points in the ink's rectangle, each with what was painted below it.
  void contrast_with_ground(const Text& text) {
    if (text.ink.w <= 0) return;
    std::vector<const Item*> below;
    for (size_t i = 0; i < text.index; ++i) {
      const Item& item = scene_.items[i];
      const auto* box = std::get_if<Box>(&item);
      if (box ? overlap(box->rect, text.ink) : std::holds_alternative<Polygon>(item)) below.push_back(&item);
    }
    float worst = 1000;
    constexpr int columns = 7, rows = 3;
    for (int n = 0; n < columns * rows; ++n) {
      const Vec2 p{text.ink.x + text.ink.w * (static_cast<float>(n % columns) + 0.5f) / columns,
                   text.ink.y + text.ink.h * (static_cast<float>(n / columns) + 0.5f) / rows};
      Color ground = scene_.background.a > 0 ? over(scene_.background, rgb(0xFFFFFF)) : rgb(0xFFFFFF);
      for (const Item* item : below) ground = over(painted(*item, p), ground);
      worst = std::min(worst, contrast(over(text.label->color, ground), ground));
    }
    const bool bold = text.label->face == Face::SansBold || text.label->face == Face::MonoBold;
    const bool large = text.label->size >= (bold ? 19 : 24) * scale_ - 0.01f;
    if (worst < (large ? 3.0f : 4.5f)) {
      char words[96];
      std::snprintf(words, sizeof words, " has a contrast of %.2f:1 with what is below it; it needs %s:1",
                    static_cast<double>(worst), large ? "3" : "4.5");
      fault(text.name() + words);
    }
  }

  void overlaps() {
    std::vector<const Text*> order;
    for (const Text& text : texts_) {
      if (!text.hidden && text.ink.w > 0) order.push_back(&text);
    }
    std::sort(order.begin(), order.end(), [](const Text* a, const Text* b) { return a->ink.y < b->ink.y; });
    for (size_t i = 0; i < order.size(); ++i) {
      for (size_t k = i + 1; k < order.size() && order[k]->ink.y < order[i]->ink.bottom(); ++k) {
        if (overlap(order[i]->ink, order[k]->ink)) fault(order[i]->name() + " and " + order[k]->name() + " overlap");
      }
    }
  }

  void regions() {
    const float smallest = 24 * scale_;
    for (const Region& region : scene_.regions) {
      const std::string name = "region \"" + region.id + "\"" + place(region.rect);
      if (region.id.empty()) fault(name + " has no id");
      if (region.tip.empty()) fault(name + " has no tip");
      if (region.focusable && !(region.rect.w >= smallest - 0.01f && region.rect.h >= smallest - 0.01f)) {
        fault(name + " can be focused and is only " + number(region.rect.w) + " x " + number(region.rect.h) +
              " px; it needs " + number(smallest) + " each way");
      }
    }
  }

  const Scene& scene_;
  float minimum_text_, scale_;
  std::vector<Text> texts_;
  std::vector<std::string> faults_;
};

}  // namespace

Rect label_ink(const Label& label) {
  const Rect ink = text_ink(label.text, label.face, label.size);
  if (ink.w <= 0) return {label.slot.x, label.slot.y, 0, 0};
  const float room = label.slot.w - text_width(label.text, label.face, label.size);
  const float before = label.align == Align::Left ? 0 : label.align == Align::Center ? room / 2 : room;
  return ink.shifted(label.slot.x + before, baseline_in(label.slot, label.face, label.size));
}

std::vector<std::string> layout_faults(const Scene& scene, float minimum_text, float scale) {
  return Checker(scene, minimum_text, scale).run();
}

}  // namespace tilewalk
