#include "app/panels/room_overview.h"

#include "app/panels/place_scene.h"
#include "app/panels/widgets.h"
#include "app/session/overview.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kReadable = 6;  // pixels; smaller text in a picture is a line

constexpr int kChipColumns = 5;

std::vector<std::shared_ptr<const Lesson>> other_lessons(const ViewState& view) {
  std::vector<std::shared_ptr<const Lesson>> lessons;
  if (!view.lesson.course || !view.present.set.items.empty()) return lessons;
  for (const CourseEntry& entry : view.lesson.course->entries())
    if (entry.lesson && entry.lesson->number > 0) lessons.push_back(entry.lesson);
  return lessons;
}

constexpr float kFieldHeight = 62;

bool words_field(const ViewState& view) {
  return view.editing == "field:stop-title" || view.editing == "field:stop-note";
}

// Where everything lies.
struct CardPlan {
  Rect cards, chips;
  int first = 0, shown = 0, columns = 1;  // of the page that is open
  Vec2 pitch, picture;
  float gap = 0, title = 0, chip_h = 0;
};

CardPlan plan_of(const ViewState& view, Rect area, const Style& s) {
  CardPlan p;
  p.gap = s.px(12), p.title = s.px(24), p.chip_h = s.px(34);
  const int lessons = int(other_lessons(view).size()), chip_rows = (lessons + kChipColumns - 1) / kChipColumns;
  if (words_field(view)) area.h -= s.px(kFieldHeight);
  const float chips_h = lessons > 0 ? float(chip_rows) * (p.chip_h + s.px(8)) + s.px(6) : 0;
  p.cards = {area.x, area.y, area.w, area.h - chips_h};
  p.chips = {area.x + p.gap, p.cards.bottom(), area.w - 2 * p.gap, chips_h};
  const int count = int(stop_cards(view).size());
  p.first = chosen_card(view.present, count) / kCardsOnPage * kCardsOnPage;
  p.shown = std::min(kCardsOnPage, count - p.first);
  p.columns = overview_columns(std::min(count, kCardsOnPage));
  const int rows = std::max(1, (std::min(count, kCardsOnPage) + p.columns - 1) / p.columns);
  p.pitch = {(p.cards.w - p.gap) / float(p.columns), (p.cards.h - p.gap) / float(rows)};
  const float w = std::floor(std::min(p.pitch.x - p.gap, (p.pitch.y - p.gap - p.title) * 16 / 9));
  p.picture = {std::max(1.0f, w), std::max(1.0f, std::floor(w * 9 / 16))};
  return p;
}

void layout_chips(Scene& scene, const ViewState& view, const CardPlan& p, const Style& s) {
  const auto lessons = other_lessons(view);
  const float gap = s.px(8), w = (p.chips.w - gap * (kChipColumns - 1)) / kChipColumns;
  for (size_t k = 0; k < lessons.size(); ++k) {
    const Lesson& lesson = *lessons[k];
    const Rect r{p.chips.x + float(k % kChipColumns) * (w + gap),
                 p.chips.y + float(k / kChipColumns) * (p.chip_h + gap), w, p.chip_h};
    const std::string id = fmt::format("lesson:{}", lesson.number);
    const bool now = lesson.id == view.lesson.id, hot = view.hover == id;
    scene.box(r, r.h / 2, s[now ? Role::Inverse : hot ? Role::Line : Role::SurfaceStrong]);
    fitted(scene, r.inset(s.px(12), 0), fmt::format("{} {}", lesson.number, lesson.brief),
           now ? Face::SansBold : Face::Sans, s.small(), s[now ? Role::InverseText : Role::Text]);
    scene.region(r, id, lesson.title, true, r.h / 2);
  }
}

}  // namespace

Vec2 stop_picture_size(const ViewState& view, Rect area, const Style& style) {
  return plan_of(view, area, style).picture;
}

void layout_overview(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const std::vector<StopCard> cards = stop_cards(view);
  const CardPlan p = plan_of(view, area, s);
  const int at = chosen_card(view.present, int(cards.size()));
  scene.box(area, 0, s[Role::Background]);
  layout_chips(scene, view, p, s);
  if (words_field(view)) {
    const bool title = view.editing == "field:stop-title";
    const std::string words = fmt::format("{} of stop {}", title ? "Title" : "Note", at + 1);
    const float y = area.bottom() - s.px(kFieldHeight - 8),
                words_w = text_width(words, Face::SansBold, s.number()) + s.px(2);
    const Rect field{area.x + p.gap + words_w + s.px(14), y, area.w - 2 * p.gap - words_w - s.px(14), s.px(44)};
    scene.label({area.x + p.gap, y, words_w, s.px(44)}, words, Face::SansBold, s.number(), s[Role::Text]);
    scene.box(field, s.r_small(), s[Role::Background], s[Role::Focus], s.px(3));
    scene.region(field, view.editing,
                 title
                     ? "Enter keeps it, Esc leaves it as it was; behind a | stands a line of its slide, or its picture"
                     : "Enter keeps it, Esc leaves it as it was");
  }
  for (int k = 0; k < p.shown; ++k) {
    const StopCard& card = cards[size_t(p.first + k)];
    const float x = p.cards.x + p.gap + float(k % p.columns) * p.pitch.x,
                y = p.cards.y + p.gap + float(k / p.columns) * p.pitch.y;
    const Rect picture{std::floor(x + (p.pitch.x - p.gap - p.picture.x) / 2), std::floor(y), p.picture.x, p.picture.y};
    const bool chosen = p.first + k == at, hot = view.hover == card.id;
    const auto found = view.present.pictures ? view.present.pictures->find(card.id) : StopPictures::const_iterator{};
    if (view.present.pictures && found != view.present.pictures->end()) {
      scene.box(picture, 0, found->second.background);
      place_items(scene, found->second, {picture.x, picture.y});
    } else {
      scene.box(picture, 0, s[Role::Surface]);
    }
    scene.box(picture.inset(-s.px(1)), 0, {}, s[hot ? Role::Text : Role::Border], s.px(1));
    if (chosen) scene.box(picture.inset(-s.px(5)), s.px(4), {}, s[Role::Text], s.px(4));
    const Rect words{picture.x, picture.bottom() + s.px(4), picture.w, p.title - s.px(2)};
    const std::string number = fmt::format("{} ", p.first + k + 1);
    const float number_w = text_width(number, Face::MonoBold, s.small());
    const Rect behind = words.inset(-s.px(4), 0);
    if (card.now) scene.box(behind, s.px(4), s[Role::Inverse]);
    const Color ink = s[card.now ? Role::InverseText : Role::Text];
    scene.label(words, number, Face::MonoBold, s.small(), ink);
    const Rect title{words.x + number_w + s.px(2), words.y, words.w - number_w - s.px(2), words.h};
    if (title.w >= s.px(60))
      fitted(scene, title, card.title, chosen || card.now ? Face::SansBold : Face::Sans, s.small(), ink);
    scene.region({picture.x, picture.y, picture.w, words.bottom() - picture.y}, card.id, card.title, true);
  }
}

Scene small_picture(Scene picture) {
  for (Item& item : picture.items) {
    if (auto* image = std::get_if<Image>(&item); image && image->pixels)
      image->pixels = std::make_shared<const Pixels>(
          shrunk(*image->pixels, int(std::lround(image->rect.w)), int(std::lround(image->rect.h))));
    const auto* label = std::get_if<Label>(&item);
    if (!label || label->size >= kReadable) continue;
    const float w = std::min(text_width(label->text, label->face, label->size), label->slot.w), h = label->size * 0.4f;
    const float x = label->align == Align::Left    ? label->slot.x
                    : label->align == Align::Right ? label->slot.right() - w
                                                   : label->slot.center().x - w / 2;
    Box line;
    line.rect = {x, label->slot.center().y - h / 2, w, h};
    line.fill = with_alpha(label->color, 0.4f);
    item = line;
  }
  picture.regions.clear();
  return picture;
}

}  // namespace tilewalk
