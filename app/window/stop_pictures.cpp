#include "app/window/stop_pictures.h"

#include "app/panels/audience.h"
#include "app/panels/room_overview.h"
#include "app/session/overview.h"
#include "app/session/region_id.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

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
    (*pictures)[card.id] = picture_of(card.id, view, size);
    p.pictures = std::move(pictures);
    return true;
  }
  return false;
}

bool StopPicturesMaker::make_next(ViewState& view, Vec2 size) {
  Presentation& p = view.present;
  const std::string card = next_card(view);
  const std::string link = card.starts_with("set:") ? p.set.items[size_t(number_or(rest_of(card), 0))].link : "";
  const std::string wanted = fmt::format("{} of {}/{}/{}/{}/{}/{}x{}", card, p.set.items.size(), link, view.lesson.id,
                                         p.landed.lesson, int(p.theme), size.x, size.y);
  if (wanted == made_for_ && p.next_id == card) return false;
  made_for_ = wanted;
  p.next_id = card;
  p.next_picture.reset();
  if (card.empty()) return true;
  session_ = std::make_unique<Session>();
  there_ = std::make_unique<ViewState>();
  p.next_picture = std::make_shared<const Scene>(picture_of(card, view, size));
  return true;
}

Scene StopPicturesMaker::picture_of(const std::string& card, const ViewState& view, Vec2 size) {
  stand_on_stop(card, view, *session_, *there_);
  return small_picture(layout_audience(*session_, *there_, size));
}

}  // namespace tilewalk
