#include "app/panels/room_slide.h"

#include "app/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {

namespace {

// As large as it fits, in the middle, on whole pixels.
Rect placed(const Pixels& pixels, Rect in) {
  const float by = std::min(in.w / float(pixels.width), in.h / float(pixels.height));
  const float w = std::max(1.0f, std::round(float(pixels.width) * by)),
              h = std::max(1.0f, std::round(float(pixels.height) * by));
  return {std::round(in.center().x - w / 2), std::round(in.center().y - h / 2), w, h};
}

void layout_picture(Scene& scene, const Slide& slide, const std::shared_ptr<const Pixels>& pixels, Rect wall, Rect area,
                    const Style& style) {
  if (!slide.title.empty()) {
    const float size = style.heading(), pitch = size * 1.3f;
    float y = area.y;
    const float width = balanced_width(slide.title, Face::SansBold, size, area.w);
    for (const std::string& part : wrap_text(slide.title, Face::SansBold, size, width)) {
      scene.label({area.x, y, area.w, pitch}, part, Face::SansBold, size, style[Role::Text]);
      y += pitch;
    }
    y += style.px(8);
    wall = {wall.x, y, wall.w, wall.bottom() - y};
  }
  scene.image(placed(*pixels, wall), pixels);
}

}  // namespace

void layout_room_slide(Scene& scene, const Slide& slide, const std::shared_ptr<const Pixels>& pixels, Rect wall,
                       Rect area, const Style& style) {
  if (pixels && !pixels->rgba.empty()) return layout_picture(scene, slide, pixels, wall, area, style);
  struct Row {
    std::string words;
    Face face;
    float size, pitch;
  };
  std::vector<Row> rows;
  float height = 0;
  constexpr std::array kTitles{96.0f, 80.0f, 64.0f, 56.0f, 48.0f, 42.0f, 36.0f, 32.0f, 28.0f, 24.0f, 20.0f, 16.0f};
  constexpr float kBesideLines = 48;  // design pixels of a title that has lines below it
  constexpr size_t kAloneLines = 2;   // of a title that is large for being alone
  const bool alone = slide.lines.empty();
  for (const float design : kTitles) {
    if (!alone && design > kBesideLines) continue;
    rows.clear();
    height = 0;
    const float title = style.px(design), line = std::max(style.small(), title * 0.6f);
    const auto add = [&](const std::string& words, Face face, float size, float above) {
      float space = above;
      for (const std::string& part : wrap_text(words, face, size, balanced_width(words, face, size, area.w))) {
        rows.push_back({part, face, size, size * 1.3f + space});
        height += rows.back().pitch;
        space = 0;
      }
    };
    if (!slide.title.empty()) add(slide.title, Face::SansBold, title, 0);
    for (size_t k = 0; k < slide.lines.size(); ++k)
      add(slide.lines[k], Face::Sans, line, k == 0 ? title * 0.6f : line * 0.5f);
    const bool too_long = design > kBesideLines && rows.size() > kAloneLines;
    if (height <= area.h && !too_long) break;
  }
  float y = area.y + std::max(0.0f, (area.h - height) * 0.4f);
  for (const Row& row : rows) {
    const float h = row.size * 1.3f;
    y += row.pitch;
    if (y > area.bottom() + 1) break;  // more words than any room can read
    scene.label({area.x, y - h, area.w, h}, row.words, row.face, row.size, style[Role::Text],
                alone ? Align::Center : Align::Left);
  }
}

}  // namespace tilewalk
