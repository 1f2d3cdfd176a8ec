#include "core/model/l2_cache.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tilewalk {
namespace {

// Where what the other half's multiprocessors read and write comes in: tenths of a set below the newest. Fitted
// (docs/measurements.md).
constexpr int kFarReadBelow = 1, kFarWriteBelow = 3;

// A page's chunks are spread over halves and sets as evenly as can be, each page's in its own way.
constexpr uint64_t kPage = 512;  // chunks: 2 MiB

struct Place {
  uint64_t page, place;
};

Place place_in_page(int64_t chunk) { return {uint64_t(chunk) / kPage, uint64_t(chunk) % kPage}; }

// A hash.
uint64_t scattered(uint64_t x) {
  x = (x ^ x >> 31) * 0x7fb5d329728ea185;
  x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
  return x ^ x >> 33;
}

}  // namespace

void L2Cache::unlink(int ring, int32_t at) {
  const auto which = size_t(ring);
  const Link link = lines_[size_t(at)].rings[which];
  lines_[size_t(link.newer)].rings[which].older = link.older;
  lines_[size_t(link.older)].rings[which].newer = link.newer;
}

void L2Cache::push(int ring, int32_t newer, int32_t at) {
  const auto which = size_t(ring);
  Link& leads = lines_[size_t(newer)].rings[which];
  lines_[size_t(at)].rings[which] = {newer, leads.older};
  lines_[size_t(leads.older)].rings[which].newer = at;
  leads.older = at;
}

int32_t L2Cache::below_newest(int half, int32_t head, int tenths) const {
  const auto which = size_t(half);
  int32_t at = head;
  for (int64_t bytes = 0; 10 * bytes < tenths * set_bytes_ && lines_[size_t(at)].rings[which].older != head;
       bytes += lines_[size_t(at)].bytes[which])
    at = lines_[size_t(at)].rings[which].older;
  return at;
}

L2Cache::L2Cache(int64_t l2_bytes, const L2Build& build, int64_t chunks)
    : dirty_most_(build.dirty_bytes ? build.dirty_bytes : std::numeric_limits<int64_t>::max()), halves_(build.halves) {
  const int64_t half_bytes = l2_bytes / halves_;
  sets_ = build.ways ? std::max<int64_t>(1, half_bytes / (int64_t{build.ways} * kChunk)) : 1;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (chunks < 0 || chunks > kMost || sets_ > kMost - chunks)
    throw std::length_error("the L2 model numbers chunks and sets with 31 bits");
  set_bytes_ = half_bytes / sets_;
  for (int h = 0; h < halves_; ++h) used_[size_t(h)].resize(size_t(sets_));
  lines_.resize(size_t(sets_));
  for (int32_t head = 0; head < int32_t(sets_); ++head) lines_[size_t(head)].rings.fill({head, head});
  make_room();
}

int L2Cache::near(int multiprocessor) const {
  return halves_ == 1 ? 0 : int(scattered(uint64_t(multiprocessor)) >> 20 & 1);
}

int L2Cache::half_of(int64_t chunk) const {
  if (halves_ == 1) return 0;
  const auto [page, place] = place_in_page(chunk);
  return int((uint64_t(std::popcount(place)) + (scattered(page) >> 40)) & 1);
}

int32_t L2Cache::set_of(int64_t chunk) const {
  const auto [page, place] = place_in_page(chunk);
  const uint64_t turned = (place * 167 + scattered(2 * page + 7)) % kPage;  // 167: odd, so each place is met once
  return int32_t((turned + (scattered(3 * page + 11) >> 7)) % uint64_t(sets_));
}

int32_t L2Cache::line_of(int64_t chunk) {
  const size_t last = index_.size() - 1;
  size_t place = place_of(chunk);
  for (; index_[place]; place = (place + 1) & last)
    if (lines_[size_t(index_[place])].chunk == chunk) return index_[place];
  int32_t at = int32_t(lines_.size());
  if (free_.empty()) {
    lines_.emplace_back();
  } else {
    at = free_.back();
    free_.pop_back();
  }
  Line& line = lines_[size_t(at)];
  line.chunk = int32_t(chunk);
  line.set = set_of(chunk);
  index_[place] = at;
  if (2 * (lines_.size() - size_t(sets_) - free_.size()) > index_.size()) make_room();
  return at;
}

void L2Cache::make_room() {
  const std::vector<int32_t> before =
      std::exchange(index_, std::vector<int32_t>(std::max<size_t>(1024, 2 * index_.size())));
  const size_t last = index_.size() - 1;
  shift_ = 64 - std::countr_zero(index_.size());
  for (const int32_t at : before) {
    if (!at) continue;
    size_t place = place_of(lines_[size_t(at)].chunk);
    while (index_[place]) place = (place + 1) & last;
    index_[place] = at;
  }
}

void L2Cache::give_up(int32_t at) {
  const size_t last = index_.size() - 1;
  size_t gap = place_of(lines_[size_t(at)].chunk);
  while (index_[gap] != at) gap = (gap + 1) & last;
  // What stands behind it moves up, unless it would stand before its own place.
  for (size_t from = (gap + 1) & last; index_[from]; from = (from + 1) & last) {
    const size_t own = place_of(lines_[size_t(index_[from])].chunk);
    if (((from - own) & last) < ((from - gap) & last)) continue;
    index_[gap] = index_[from];
    gap = from;
  }
  index_[gap] = 0;
  free_.push_back(at);
}

bool L2Cache::touch(int half, int32_t at, int32_t bytes, int below) {
  Line& line = lines_[size_t(at)];
  const int32_t head = line.set;
  int64_t& used = used_[size_t(half)][size_t(head)];
  const bool here = line.bytes[size_t(half)] > 0;
  if (here) {
    unlink(half, at);
  } else {
    line.bytes[size_t(half)] = int16_t(bytes);
    used += bytes;
  }
  while (used > set_bytes_) {
    const int32_t oldest = lines_[size_t(head)].rings[size_t(half)].newer;
    const Line& goes = lines_[size_t(oldest)];
    if (goes.dirty && half_of(goes.chunk) == half) {
      written_ += goes.dirty;
      forget_dirty(oldest);
    }
    drop(half, oldest);
  }
  push(half, below_newest(half, head, below), at);
  return here;
}

void L2Cache::drop(int half, int32_t at) {
  Line& line = lines_[size_t(at)];
  if (!line.bytes[size_t(half)]) return;
  unlink(half, at);
  used_[size_t(half)][size_t(line.set)] -= line.bytes[size_t(half)];
  line.bytes[size_t(half)] = 0;
  if (!line.bytes[size_t(1 - half)]) give_up(at);  // what waits for DRAM is where it belongs
}

void L2Cache::forget_dirty(int32_t at) {
  Line& line = lines_[size_t(at)];
  unlink(kWaiting, at);
  dirty_bytes_ -= line.dirty;
  line.dirty = 0;
}

void L2Cache::load(int multiprocessor, int64_t chunk, int32_t bytes) {
  if (bytes > set_bytes_) {
    read_ += bytes;
    return;
  }
  const int from = near(multiprocessor), home = half_of(chunk);
  const int32_t at = line_of(chunk);
  if (touch(from, at, bytes) || (from != home && touch(home, at, bytes, kFarReadBelow))) return;
  read_ += bytes;
}

void L2Cache::store(int multiprocessor, int64_t chunk, int32_t bytes, bool adds) {
  if (bytes > set_bytes_) {
    written_ += bytes;
    if (adds) read_ += bytes;
    return;
  }
  const int home = half_of(chunk);
  const int32_t at = line_of(chunk);
  if (!touch(home, at, bytes, near(multiprocessor) == home ? 0 : kFarWriteBelow) && adds) read_ += bytes;
  Line& line = lines_[size_t(at)];
  if (line.dirty) forget_dirty(at);
  line.dirty = int16_t(bytes);
  dirty_bytes_ += bytes;
  push(kWaiting, 0, at);
  while (dirty_bytes_ > dirty_most_) {
    const int32_t oldest = lines_[0].rings[kWaiting].newer;
    written_ += lines_[size_t(oldest)].dirty;
    forget_dirty(oldest);
  }
}

}  // namespace tilewalk
