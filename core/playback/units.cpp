#include "core/playback/units.h"

#include <algorithm>

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

  // Walk out to both ends of the row, counting borders on the way; parts count until the tile is left.
  place.tile = place.tiles = place.part = place.parts = 1;
  const auto border = [&](int64_t k) { return !same_tile(steps[size_t(k - 1)], steps[size_t(k)]); };
  const auto seam = [&](int64_t k) { return !same_part(steps[size_t(k - 1)], steps[size_t(k)]); };
  bool inside = true;
  for (int64_t k = at; k > 0 && same_row(steps[size_t(k - 1)], here); --k) {
    inside &= !border(k);
    if (border(k)) ++place.tile, ++place.tiles;
    if (inside && seam(k)) ++place.part, ++place.parts;
  }
  inside = true;
  for (int64_t k = at + 1; k < int64_t(steps.size()) && same_row(steps[size_t(k)], here); ++k) {
    inside &= !border(k);
    if (border(k)) ++place.tiles;
    if (inside && seam(k)) ++place.parts;
  }

  // Rows of the pass: sections count up without gaps except where one has no steps.
  const auto first =
      std::partition_point(steps.begin(), steps.end(), [&](const Step& s) { return s.pass < here.pass; });
  const auto end = std::partition_point(first, steps.end(), [&](const Step& s) { return s.pass == here.pass; });
  place.row = here.section - first->section + 1;
  place.rows = (end - 1)->section - first->section + 1;
  return place;
}

}  // namespace tilewalk
