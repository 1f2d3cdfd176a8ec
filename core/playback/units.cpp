#include "core/playback/units.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilewalk {
namespace {

bool same_row(const Step& a, const Step& b) { return a.pass == b.pass && a.section == b.section; }
bool same_tile(const Step& a, const Step& b) { return same_row(a, b) && a.visit == b.visit; }
bool same_part(const Step& a, const Step& b) { return same_tile(a, b) && a.line == b.line; }

bool together(const Step& a, const Step& b, Unit unit) {
  switch (unit) {
    case Unit::Step: return false;
    case Unit::Part: return same_part(a, b);
    case Unit::Tile: return same_tile(a, b);
    case Unit::Row: return same_row(a, b);
  }
  return false;
}

}  // namespace

int64_t unit_forward(std::span<const Step> steps, int64_t playhead, Unit unit) {
  const int64_t end = int64_t(steps.size());
  if (playhead >= end) return end;
  int64_t k = playhead + 1;
  while (k < end && together(steps[size_t(k - 1)], steps[size_t(k)], unit)) ++k;
  return k;
}

int64_t unit_back(std::span<const Step> steps, int64_t playhead, Unit unit) {
  if (playhead <= 0) return 0;
  int64_t k = playhead - 1;
  while (k > 0 && together(steps[size_t(k - 1)], steps[size_t(k)], unit)) --k;
  return k;
}

Place place_of(std::span<const Step> steps, int64_t playhead) {
  Place place;
  if (playhead <= 0 || steps.empty()) return place;
  const int64_t at = playhead - 1;
  const Step& here = steps[size_t(at)];

  // Out to both ends of the row, and through its turns: parts count within the one that holds the step. A turn is told
  // by the tile that it begins with, so that a second loop over the same tiles counts them from 1 again.
  int64_t begin = at, end = at + 1;
  while (begin > 0 && same_row(steps[size_t(begin - 1)], here)) --begin;
  while (end < int64_t(steps.size()) && same_row(steps[size_t(end)], here)) ++end;
  std::map<std::pair<int32_t, int32_t>, int64_t> met;  // tiles, in the order in which they come
  int64_t turn = begin, here_turn = begin, here_tile = 1;
  for (int64_t k = begin; k < end; ++k) {
    if (k == begin || !same_tile(steps[size_t(k - 1)], steps[size_t(k)])) turn = k;
    if (turn != k && k != at) continue;
    const Step& first = steps[size_t(turn)];
    place.tile = met.try_emplace({first.i, first.j}, int64_t(met.size()) + 1).first->second;
    if (k != at) continue;
    here_tile = place.tile, here_turn = turn;
  }
  place.tile = here_tile;
  place.tiles = int64_t(met.size());
  place.part = place.parts = 1;
  for (int64_t k = here_turn + 1; k < end && same_tile(steps[size_t(k)], here); ++k) {
    if (same_part(steps[size_t(k - 1)], steps[size_t(k)])) continue;
    ++place.parts;
    if (k <= at) ++place.part;
  }

  // Rows of the pass: sections count up without gaps except where one has no steps.
  const auto first =
      std::partition_point(steps.begin(), steps.end(), [&](const Step& s) { return s.pass < here.pass; });
  const auto last = std::partition_point(first, steps.end(), [&](const Step& s) { return s.pass == here.pass; });
  place.row = here.section - first->section + 1;
  place.rows = (last - 1)->section - first->section + 1;
  return place;
}

}  // namespace tilewalk
