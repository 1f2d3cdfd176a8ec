// Pair kerning from a font's GPOS table: the 'kern' feature's pair adjustments, formats 1 and 2, also behind extension
// lookups. Nothing else of OpenType layout is read: no contextual rules, no marks. See the OpenType specification,
// GPOS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

class PairKerning {
 public:
  PairKerning() = default;
  // `gpos` is the table's bytes and must outlive this. A damaged table kerns nothing.
  explicit PairKerning(std::span<const std::byte> gpos);

  // Change of the advance of glyph `left` when `right` follows, in font units.
  int adjust(uint32_t left, uint32_t right) const;

  bool empty() const { return lookups_.empty(); }

 private:
  uint32_t u16(size_t at) const;
  uint32_t u32(size_t at) const { return u16(at) << 16 | u16(at + 2); }
  int coverage_index(size_t table, uint32_t glyph) const;
  uint32_t glyph_class(size_t table, uint32_t glyph) const;
  bool pair_in(size_t subtable, uint32_t left, uint32_t right, int& value) const;
  int value_at(size_t record, uint32_t format) const;

  std::span<const std::byte> bytes_;
  std::vector<std::vector<size_t>> lookups_;  // offsets of the pair subtables of each lookup
};

}  // namespace tilewalk
