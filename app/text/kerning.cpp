#include "app/text/kerning.h"

#include <algorithm>
#include <bit>

namespace tilewalk {

namespace {
constexpr uint32_t kern_tag = 0x6B65726E;  // "kern"
constexpr uint32_t x_placement = 1, y_placement = 2, x_advance = 4;
}  // namespace

// Reading past the end gives 0, which every table below takes as "nothing here".
uint32_t PairKerning::u16(size_t at) const {
  if (at + 2 > bytes_.size()) return 0;
  return std::to_integer<uint32_t>(bytes_[at]) << 8 | std::to_integer<uint32_t>(bytes_[at + 1]);
}

PairKerning::PairKerning(std::span<const std::byte> gpos) : bytes_(gpos) {
  if (gpos.size() < 10) return;
  const size_t features = u16(6), lookup_list = u16(8);

  // The lookups of every 'kern' feature, whatever the script: Latin and Greek share them.
  std::vector<uint32_t> wanted;
  for (uint32_t i = 0; i < u16(features); ++i) {
    const size_t record = features + 2 + 6 * i;
    if (u32(record) != kern_tag) continue;
    const size_t feature = features + u16(record + 4);
    for (uint32_t k = 0; k < u16(feature + 2); ++k) wanted.push_back(u16(feature + 4 + 2 * k));
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());

  for (const uint32_t index : wanted) {
    if (index >= u16(lookup_list)) continue;
    const size_t lookup = lookup_list + u16(lookup_list + 2 + 2 * index);
    std::vector<size_t> subtables;
    for (uint32_t k = 0; k < u16(lookup + 4); ++k) {
      size_t subtable = lookup + u16(lookup + 6 + 2 * k);
      uint32_t type = u16(lookup);
      if (type == 9) {
        type = u16(subtable + 2);
        subtable += u32(subtable + 4);
      }
      if (type == 2) subtables.push_back(subtable);
    }
    if (!subtables.empty()) lookups_.push_back(std::move(subtables));
  }
}

int PairKerning::coverage_index(size_t table, uint32_t glyph) const {
  const bool ranges = u16(table) == 2;
  const size_t stride = ranges ? 6 : 2;
  size_t low = 0, high = u16(table + 2);
  while (low < high) {
    const size_t middle = (low + high) / 2, at = table + 4 + stride * middle;
    const uint32_t first = u16(at), last = ranges ? u16(at + 2) : first;
    if (glyph < first) {
      high = middle;
    } else if (glyph > last) {
      low = middle + 1;
    } else {
      return ranges ? static_cast<int>(u16(at + 4) + glyph - first) : static_cast<int>(middle);
    }
  }
  return -1;
}

uint32_t PairKerning::glyph_class(size_t table, uint32_t glyph) const {
  if (u16(table) == 1) {
    const uint32_t first = u16(table + 2), count = u16(table + 4);
    return glyph >= first && glyph < first + count ? u16(table + 6 + 2 * (glyph - first)) : 0;
  }
  size_t low = 0, high = u16(table + 2);
  while (low < high) {
    const size_t middle = (low + high) / 2, at = table + 4 + 6 * middle;
    if (glyph < u16(at)) {
      high = middle;
    } else if (glyph > u16(at + 2)) {
      low = middle + 1;
    } else {
      return u16(at + 4);
    }
  }
  return 0;
}

int PairKerning::value_at(size_t record, uint32_t format) const {
  if (!(format & x_advance)) return 0;
  const size_t before = 2 * std::popcount(format & (x_placement | y_placement));
  return static_cast<int16_t>(u16(record + before));
}

// True when this subtable decides the pair; then later subtables of the lookup are not asked.
bool PairKerning::pair_in(size_t subtable, uint32_t left, uint32_t right, int& value) const {
  const int covered = coverage_index(subtable + u16(subtable + 2), left);
  if (covered < 0) return false;
  const uint32_t format1 = u16(subtable + 4), format2 = u16(subtable + 6);
  const size_t record_size = 2 * (std::popcount(format1) + std::popcount(format2));

  if (u16(subtable) == 1) {
    if (static_cast<uint32_t>(covered) >= u16(subtable + 8)) return false;
    const size_t set = subtable + u16(subtable + 10 + 2 * covered), stride = 2 + record_size;
    size_t low = 0, high = u16(set);
    while (low < high) {
      const size_t middle = (low + high) / 2, at = set + 2 + stride * middle;
      const uint32_t second = u16(at);
      if (second == right) {
        value = value_at(at + 2, format1);
        return true;
      }
      (right < second ? high : low) = right < second ? middle : middle + 1;
    }
    return false;
  }
  if (u16(subtable) != 2) return false;
  const uint32_t class1 = glyph_class(subtable + u16(subtable + 8), left);
  const uint32_t class2 = glyph_class(subtable + u16(subtable + 10), right);
  const uint32_t count1 = u16(subtable + 12), count2 = u16(subtable + 14);
  if (class1 >= count1 || class2 >= count2) return false;
  value = value_at(subtable + 16 + record_size * (size_t{class1} * count2 + class2), format1);
  return true;
}

int PairKerning::adjust(uint32_t left, uint32_t right) const {
  int total = 0;
  for (const auto& lookup : lookups_) {
    for (const size_t subtable : lookup) {
      int value = 0;
      if (pair_in(subtable, left, right, value)) {
        total += value;
        break;
      }
    }
  }
  return total;
}

}  // namespace tilewalk
