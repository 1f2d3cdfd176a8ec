#include "app/window/stop_pictures.h"

#include "app/panels/audience.h"
#include "app/panels/room_overlay.h"
#include "app/panels/room_overview.h"
#include "app/session/kept_stops.h"
#include "app/session/overview.h"
#include "app/session/region_id.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilewalk {

namespace {

size_t points_pinned(const Presentation& p) {
  size_t count = 0;
  for (const PenStroke& stroke : p.strokes) count += stroke.pinned ? stroke.points.size() : 0;
  return count;
}

}  // namespace

bool StopPicturesMaker::make_one(ViewState& view, Vec2 size) {
  Presentation& p = view.present;
  const std::vector<StopCard> cards = stop_cards(view);
  const std::string wanted =
      fmt::format("{}/{}/{}/{}x{}", view.lesson.id, p.set.file.string(), int(p.theme), size.x, size.y);
  if (wanted != made_for_ || !p.pictures) {
    made_for_ = wanted;
    p.pictures = std::make_shared<StopPictures>();
    session_ = std::make_unique<Session>();
    there_ = std::make_unique<ViewState>();
  }
  // From the page that is open on.
  const int count = int(cards.size()), page = chosen_card(p, count) / kCardsOnPage * kCardsOnPage;
  const int last = std::min(count, page + kCardsOnPage);
  for (int k = page; k < last; ++k) {
    const StopCard& card = cards[size_t(k)];
    if (p.pictures->contains(card.id)) continue;
    auto pictures = std::make_shared<StopPictures>(*p.pictures);
    stand_on_stop(card.id, view, *session_, *there_);
    (*pictures)[card.id] = picture_of(size);
    p.pictures = std::move(pictures);
    return true;
  }
  return false;
}

bool StopPicturesMaker::make_next(ViewState& view, Vec2 size) {
  Presentation& p = view.present;
  const std::string card = next_card(view);
  const std::string link = card.starts_with("set:") ? p.set.items[size_t(number_or(rest_of(card), 0))].link : "";
  const std::string& lesson = view.lesson.id.empty() ? p.landed.lesson : view.lesson.id;
  const StopKey key{p.set.items.empty() ? lesson : "", number_or(rest_of(card), 0)};
  std::shared_ptr<const KeptStop> kept = card.empty() ? nullptr : kept_next(view, key);
  const std::string wanted =
      fmt::format("{} of {}/{}/{}/{}/{}/{}x{}/{}", card, p.set.items.size(), link, view.lesson.id, p.landed.lesson,
                  int(p.theme), size.x, size.y, points_pinned(p));
  if (wanted == made_for_ && kept == kept_ && p.next_id == card) return false;
  made_for_ = wanted;
  kept_ = std::move(kept);
  p.next_id = card;
  p.next_picture.reset();
  if (card.empty()) return true;
  session_ = std::make_unique<Session>();
  there_ = std::make_unique<ViewState>();
  stand_on_stop(card, view, *session_, *there_);
  there_->lesson.questions = view.lesson.questions;
  if (kept_ && put_stop(*session_, *there_, key, kept_)) there_->lesson.cache = std::make_shared<LessonCache>();
  std::ranges::copy_if(p.strokes, std::back_inserter(there_->present.strokes), &PenStroke::pinned);
  p.next_picture = std::make_shared<const Scene>(picture_of(size));
  return true;
}

Scene StopPicturesMaker::picture_of(Vec2 size) {
  Scene picture = layout_audience(*session_, *there_, size);
  draw_strokes(picture, there_->present);
  return small_picture(std::move(picture));
}

}  // namespace tilewalk
