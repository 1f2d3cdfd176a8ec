#include "app/session/overview.h"

#include "app/session/jumps.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "app/session/present_moves.h"
#include "app/session/region_id.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

int number_in(std::string_view id) { return number_or(rest_of(id), 0); }

}  // namespace

std::vector<StopCard> stop_cards(const ViewState& view) {
  std::vector<StopCard> cards;
  const Presentation& p = view.present;
  for (size_t k = 0; k < p.set.items.size(); ++k) {
    const SetItem& item = p.set.items[k];
    cards.push_back({fmt::format("set:{}", k), stop_title(item, view), &item == stop_on_show(view)});
  }
  if (const auto lesson = lesson_on_show(view); lesson && cards.empty())
    for (size_t k = 0; k < lesson->beats.size(); ++k)
      cards.push_back({fmt::format("beat:{}", k), lesson->beats[k].title, int(k) == view.lesson.beat});
  return cards;
}

std::string next_card(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.set.items.empty()) {
    const int next = off_set_list(view) ? p.place : p.place + 1;
    return next < int(p.set.items.size()) ? fmt::format("set:{}", next) : std::string();
  }
  if (off_stop(view)) return p.landed.lesson.empty() ? std::string() : fmt::format("beat:{}", p.landed.beat);
  const auto lesson = lesson_on_show(view);
  const int next = view.lesson.beat + 1;
  return lesson && next < int(lesson->beats.size()) ? fmt::format("beat:{}", next) : std::string();
}

int overview_columns(int cards) { return cards <= 4 ? 2 : cards <= 9 ? 3 : cards <= 16 ? 4 : 6; }

int chosen_card(const Presentation& p, int cards) { return std::clamp(p.overview_at, 0, std::max(cards, 1) - 1); }

void toggle_overview(ViewState& view) {
  Presentation& p = view.present;
  p.overview = !p.overview;
  p.overview_typed = 0;
  if (p.overview && reread_set(view))
    view.notice = fmt::format("{} was changed by another program and is read again.{}{}",
                              p.set.file.filename().string(), p.set.faults.empty() ? "" : " ", fault_words(p.set));
  const std::vector<StopCard> cards = stop_cards(view);
  const auto now = std::ranges::find_if(cards, &StopCard::now);
  // Off the set list that is the stop that was left.
  p.overview_at = now != cards.end() ? int(now - cards.begin()) : p.set.items.empty() ? 0 : p.place;
}

bool go_to_stop(std::string_view id, Session& session, ViewState& view) {
  view.present.overview = false;
  const std::string_view kind = kind_of(id);
  if (kind == "set") return jump_to_item(session, view, number_in(id));
  if (kind == "beat") {
    const StopKey left = stop_key(view.present);
    present_beat(session, view, number_in(id));
    note_jump(view, left);
  }
  if (kind == "lesson") view.notice = present_go_to(rest_of(id), session, view);
  return true;
}

namespace {

template <SetEdit edit>
void change_set(ViewState& view) {
  view.notice = edit_set(view, edit);
}

constexpr auto kSetKeys = std::to_array<OverviewKey>({
    {"The chosen stop earlier", "Ctrl+← or Ctrl+↑", change_set<SetEdit::Earlier>},
    {"The chosen stop later", "Ctrl+→ or Ctrl+↓", change_set<SetEdit::Later>},
    {"The chosen stop twice", "Ctrl+D", change_set<SetEdit::Twice>},
    {"The chosen stop out of the list", "Delete", change_set<SetEdit::Away>},
    {"Its title, written anew", "R", [](ViewState& view) { begin_stop_words(view, true); }},
    {"Its note, written anew", "Ctrl+N", [](ViewState& view) { begin_stop_words(view, false); }},
    {"A slide with a title behind it", "A", [](ViewState& view) { view.notice = add_title_slide(view); }},
    {"As it was before the last change", "Ctrl+Z", [](ViewState& view) { view.notice = undo_set_edit(view); }},
});

// Where the stop is gone that the room saw, it sees what has come in its place.
void act_on_set(const OverviewKey& key, Session& session, ViewState& view) {
  const bool there = stop_on_show(view) != nullptr;
  key.act(view);
  if (!there || !off_set_list(view)) return;
  const std::string said = view.notice;
  if (open_set_item(session, view, view.present.place)) view.notice = said;
}

bool set_key(const KeyPress& press, Session& session, ViewState& view) {
  if (!view.present.overview || view.present.set.items.empty()) return false;
  for (const OverviewKey& each : kSetKeys)
    for (const KeyPress& key : parse_keys(each.keys))
      if (same_key(key, press)) return act_on_set(each, session, view), true;
  return false;
}

}  // namespace

std::span<const OverviewKey> set_keys() { return kSetKeys; }

bool overview_key(const KeyPress& press, Session& session, ViewState& view) {
  if (set_key(press, session, view)) return true;
  Presentation& p = view.present;
  const std::vector<StopCard> cards = stop_cards(view);
  const int count = int(cards.size());
  if (!p.overview || count == 0 || press.ctrl) return false;
  p.overview_at = chosen_card(p, count);
  const int columns = overview_columns(std::min(count, kCardsOnPage));
  const auto move = [&](int by) {
    p.overview_typed = 0;
    p.overview_at = std::clamp(p.overview_at + by, 0, count - 1);
    return true;
  };
  switch (press.key) {
    case Key::Left: return move(-1);
    case Key::Right: return move(1);
    // The clicker goes on with the talk, or back.
    case Key::PageUp:
    case Key::PageDown: return p.overview = false;
    case Key::Up: return p.overview_at < columns || move(-columns);
    case Key::Down: return p.overview_at + columns >= count || move(columns);
    case Key::Home: return move(-count);
    case Key::End: return move(count);
    case Key::Enter:
    case Key::Space: return go_to_stop(cards[size_t(p.overview_at)].id, session, view);
    case Key::Character: break;
    default: return false;
  }
  if (press.character < '0' || press.character > '9') return false;
  const int digit = int(press.character - '0');
  int number = p.overview_typed * 10 + digit;
  if (number < 1 || number > count) number = digit;  // no such card: another number begins
  if (number < 1 || number > count) return true;
  p.overview_typed = number;
  p.overview_at = number - 1;
  return true;
}

void stand_on_stop(std::string_view id, const ViewState& view, Session& session, ViewState& there) {
  there.lesson.course = view.lesson.course;
  there.gpu.recordings = view.gpu.recordings;
  if (!there.lesson.cache) there.lesson.cache = std::make_shared<LessonCache>();
  there.present.on = true;
  there.present.theme = view.present.theme;
  there.present.set = {};
  there.present.set.file = view.present.set.file;
  there.present.shelf.clear();  // each is looked at once
  const std::string& lesson = view.lesson.id.empty() ? view.present.landed.lesson : view.lesson.id;
  if (kind_of(id) == "set") {
    const size_t k = size_t(number_in(id));
    if (k < view.present.set.items.size()) {
      const std::string& stop = view.present.set.items[k].link;
      if (!is_slide(stop)) open_link(stop, session, there);
      there.present.elsewhere = false;
      show_slide(there, stop);
      // Its foot counts it among the stops.
      there.present.set = view.present.set;
      there.present.place = int(k);
      there.present.landed = place_now(there);
    }
  } else if (there.lesson.id != lesson) {
    open_lesson(session, there, lesson, number_in(id));
  } else {
    show_beat(session, there, number_in(id));
  }
  there.playing = false;
  there.phase = 1;
}

}  // namespace tilewalk
