#include "app/window/stop_pictures.h"

#include "app/panels/audience.h"
#include "app/panels/room_overview.h"
#include "app/session/overview.h"

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
    stand_on_stop(card.id, view, *session_, *there_);
    auto pictures = std::make_shared<StopPictures>(*p.pictures);
    (*pictures)[card.id] = small_picture(layout_audience(*session_, *there_, size));
    p.pictures = std::move(pictures);
    return true;
  }
  return false;
}

}  // namespace tilewalk
