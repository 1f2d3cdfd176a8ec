#include "app/shell/desktop/monitors.h"

#include "core/io/number.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <vector>

namespace tilewalk {
namespace {

bool same_place(const Monitor& a, const Monitor& b) { return a.x == b.x && a.y == b.y; }

// Of those that show the same part of the desktop only the first.
std::vector<int> apart(std::span<const Monitor> monitors) {
  std::vector<int> found;
  for (int k = 0; k < int(monitors.size()); ++k) {
    bool seen = false;
    for (const int other : found) seen = seen || same_place(monitors[size_t(other)], monitors[size_t(k)]);
    if (!seen) found.push_back(k);
  }
  return found;
}

int wished(std::span<const Monitor> monitors, std::string_view wish) {
  for (int k = 0; k < int(monitors.size()); ++k)
    if (monitors[size_t(k)].name == wish || fmt::format("{}", k + 1) == wish) return k;
  return -1;
}

}  // namespace

std::optional<Monitor> read_rectangle(std::string_view text) {
  Monitor m;
  int* const parts[] = {&m.w, &m.h, &m.x, &m.y};
  const char marks[] = {'x', '+', '+'};
  for (int k = 0; k < 4; ++k) {
    const auto part = take_number<int>(text);
    if (!part) return std::nullopt;
    *parts[k] = *part;
    if (k == 3) break;
    if (!text.starts_with(marks[k])) return std::nullopt;
    text.remove_prefix(1);
  }
  return text.empty() && m.w >= 320 && m.h >= 180 ? std::optional(m) : std::nullopt;
}

std::string wish_fault(std::span<const Monitor> monitors, std::string_view wish) {
  if (wish.empty() || read_rectangle(wish) || wished(monitors, wish) >= 0) return {};
  std::vector<std::string> names;
  for (const Monitor& each : monitors) names.push_back(each.name);
  return fmt::format("There is no monitor {} now; there {} {}.", in_quotes(wish, 40), names.size() == 1 ? "is" : "are",
                     names.empty() ? "none" : some_of(names));
}

RoomPlace room_place(std::span<const Monitor> monitors, int home, std::string_view wish, bool swapped) {
  RoomPlace place;
  if (const auto rectangle = read_rectangle(wish)) {
    place.own_window = true;
    place.x = rectangle->x, place.y = rectangle->y, place.w = rectangle->w, place.h = rectangle->h;
    return place;
  }
  const std::vector<int> all = apart(monitors);
  int best = -1;
  const auto area = [&](int k) { return int64_t(monitors[size_t(k)].w) * monitors[size_t(k)].h; };
  for (const int k : all)
    if (home < 0 || home >= int(monitors.size()) || !same_place(monitors[size_t(k)], monitors[size_t(home)]))
      if (best < 0 || area(k) > area(best)) best = k;
  if (!wish.empty()) {
    const int named = wished(monitors, wish);
    if (named < 0)
      place.trouble = fmt::format("There is no monitor \"{}\" now; the largest other one is taken.", wish);
    else if (home >= 0 && home < int(monitors.size()) && !same_place(monitors[size_t(named)], monitors[size_t(home)]))
      best = named;
  }
  if (best < 0) return place;
  place.own_window = true;
  place.monitor = swapped && home >= 0 ? home : best;
  const Monitor& m = monitors[size_t(place.monitor)];
  place.x = m.x, place.y = m.y, place.w = m.w, place.h = m.h;
  return place;
}

}  // namespace tilewalk
