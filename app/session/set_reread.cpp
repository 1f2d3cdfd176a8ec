#include "app/session/set_reread.h"

#include "app/session/present_moves.h"
#include "app/session/set_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace tilewalk {
namespace {

using Items = std::span<const SetItem>;

bool same_link(const SetItem& a, const SetItem& b) { return a.link == b.link; }

// Where a stop of one list stands in another one.
struct Followed {
  int place = 0;
  bool same = false;  // it leads where it led; else `place` is what has come in its place
};

// What both lists begin and end with is the same; between that a stop is found by its link.
Followed follow(Items before, Items after, int place) {
  const int n = int(before.size()), m = int(after.size());
  if (n == 0 || m == 0) return {};
  place = std::clamp(place, 0, n - 1);
  const int first = int(std::ranges::mismatch(before, after, same_link).in1 - before.begin());
  if (place < first) return {place, true};
  int last = 0;
  while (last < std::min(n, m) - first && same_link(before[size_t(n - 1 - last)], after[size_t(m - 1 - last)])) ++last;
  if (place >= n - last) return {place - n + m, true};
  const Items from = before.subspan(size_t(first), size_t(n - last - first)),
              to = after.subspan(size_t(first), size_t(m - last - first));
  // Of several with one link the second stays the second.
  const auto found = [&](int k) {
    const SetItem& stop = from[size_t(k)];
    auto left =
        std::ranges::count_if(from.first(size_t(k)), [&](const SetItem& each) { return same_link(each, stop); });
    for (size_t at = 0; at < to.size(); ++at)
      if (same_link(to[at], stop) && left-- == 0) return int(at);
    return -1;
  };
  const int here = place - first;
  if (const int at = found(here); at >= 0) return {first + at, true};
  // Else as far behind the last one before it that is still there.
  int behind = here - 1, at = -1;
  while (behind >= 0 && (at = found(behind)) < 0) --behind;
  return {std::min({first + at + here - behind, m - last, m - 1}), false};
}

}  // namespace

void take_set(ViewState& view, SetList set) {
  Presentation& p = view.present;
  const SetList before = std::exchange(p.set, std::move(set));
  const Items was = before.items, now = p.set.items;
  const Followed here = follow(was, now, p.place);
  p.place = here.place;
  if (!here.same) p.landed = {};
  p.overview_at = follow(was, now, p.overview_at).place;
  const auto moved = [&](auto& all) {
    std::remove_reference_t<decltype(all)> there;
    for (auto& [key, of_stop] : all)
      if (const Followed at = follow(was, now, key.second); key.first.empty() && at.same)
        there[{{}, at.place}] = std::move(of_stop);
    all = std::move(there);
  };
  moved(p.ways);
  moved(p.stood_at);
  if (p.jump) {
    const Followed from = follow(was, now, p.jump->from.second), to = follow(was, now, p.jump->to.second);
    p.jump = from.same && to.same ? std::optional(Jump{{{}, from.place}, {{}, to.place}}) : std::nullopt;
  }
  p.pictures.reset();
}

bool reread_set(ViewState& view) {
  Presentation& p = view.present;
  if (p.set.file.empty()) return false;
  SetList now = open_set_list(p.set.file);
  if (now.items.empty() || now.text == p.set.text) return false;
  p.set_before.clear();
  take_set(view, std::move(now));
  return true;
}

std::string use_set_list(Session& session, ViewState& view, const std::filesystem::path& file) {
  SetList list = open_set_list(file);
  std::string words = fault_words(list);
  if (list.items.empty()) {
    if (words.empty()) words = fmt::format("{} has no links in it.", file.string());
    return words;  // what there was stays
  }
  view.present.set = std::move(list);
  view.present.set_before.clear();
  view.present.ways.clear();
  view.present.stood_at.clear();
  view.present.jump.reset();
  view.present.begun = view.present.on;
  view.present.place = 0;
  view.present.landed = {};
  if (view.present.on) open_set_item(session, view, 0);
  return words;
}

}  // namespace tilewalk
