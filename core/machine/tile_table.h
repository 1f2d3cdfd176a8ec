// Tiles of one tensor in memory, by linear index. Copying a table copies pointers to chunks; chunks and tiles are
// shared until one of the copies changes them, so that many moments of one run can be kept cheaply.
#pragma once

#include "core/attention/matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewalk {

using TilePtr = std::shared_ptr<Matrix>;  // shared tiles are never changed: see writable()

// The tile itself when nobody else holds it, else a copy put in its place.
inline Matrix& writable(TilePtr& tile) {
  if (tile.use_count() > 1) tile = std::make_shared<Matrix>(*tile);
  return *tile;
}

inline bool same_values(const TilePtr& a, const TilePtr& b) { return a == b || (a && b && *a == *b); }

class TileTable {
 public:
  static constexpr int64_t kChunk = 32;
  using Chunk = std::vector<TilePtr>;

  TilePtr get(int64_t index) const {
    const size_t c = size_t(index / kChunk);
    return c < chunks_.size() && chunks_[c] ? (*chunks_[c])[size_t(index % kChunk)] : nullptr;
  }

  void set(int64_t index, TilePtr tile) {
    const size_t c = size_t(index / kChunk);
    if (c >= chunks_.size()) chunks_.resize(c + 1);
    if (!chunks_[c])
      chunks_[c] = std::make_shared<Chunk>(kChunk);
    else if (chunks_[c].use_count() > 1)
      chunks_[c] = std::make_shared<Chunk>(*chunks_[c]);
    (*chunks_[c])[size_t(index % kChunk)] = std::move(tile);
  }

  const std::vector<std::shared_ptr<Chunk>>& chunks() const { return chunks_; }

  bool operator==(const TileTable& other) const {
    if (chunks_.size() != other.chunks_.size()) return false;
    for (size_t c = 0; c < chunks_.size(); ++c) {
      if (chunks_[c] == other.chunks_[c]) continue;
      if (!chunks_[c] || !other.chunks_[c]) return false;
      for (size_t t = 0; t < size_t(kChunk); ++t)
        if (!same_values((*chunks_[c])[t], (*other.chunks_[c])[t])) return false;
    }
    return true;
  }

 private:
  std::vector<std::shared_ptr<Chunk>> chunks_;
};

}  // namespace tilewalk
