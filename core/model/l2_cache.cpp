#include "core/model/l2_cache.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tilewalk {
namespace {

// Neighbours land in unlike places, as the hardware's hash of addresses has it.
uint64_t scattered(uint64_t x) {
  x = (x ^ x >> 31) * 0x7fb5d329728ea185;
  x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
  return x ^ x >> 33;
}

}  // namespace

void L2Cache::Ring::make(size_t chunks, size_t heads) {
  links.resize(chunks + heads);
  for (size_t head = chunks; head < links.size(); ++head) links[head] = {int32_t(head), int32_t(head)};
}

void L2Cache::Ring::unlink(size_t at) {
  links[size_t(links[at].newer)].older = links[at].older;
  links[size_t(links[at].older)].newer = links[at].newer;
}

void L2Cache::Ring::push(size_t head, size_t at) {
  links[at] = {int32_t(head), links[head].older};
  links[size_t(links[head].older)].newer = int32_t(at);
  links[head].older = int32_t(at);
}

L2Cache::L2Cache(int64_t l2_bytes, const L2Build& build, int64_t chunks)
    : chunks_(size_t(chunks)),
      dirty_most_(build.dirty_bytes ? build.dirty_bytes : std::numeric_limits<int64_t>::max()),
      halves_(build.halves) {
  const int64_t half_bytes = l2_bytes / halves_;
  const int64_t sets = build.ways ? std::max<int64_t>(1, half_bytes / (int64_t{build.ways} * kChunk)) : 1;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (chunks < 0 || chunks > kMost || sets > kMost - chunks)
    throw std::length_error("the L2 model numbers chunks and sets with 31 bits");
  sets_ = size_t(sets);
  set_bytes_ = half_bytes / sets;
  for (int h = 0; h < halves_; ++h) {
    half_[size_t(h)].order.make(chunks_, sets_);
    half_[size_t(h)].bytes.resize(chunks_);
    half_[size_t(h)].used.resize(sets_);
  }
  dirty_order_.make(chunks_, 1);
  dirty_.resize(chunks_);
}

int L2Cache::half_of(int64_t chunk) const { return halves_ == 1 ? 0 : int(scattered(uint64_t(chunk)) >> 40 & 1); }
size_t L2Cache::set_of(int64_t chunk) const { return sets_ == 1 ? 0 : scattered(uint64_t(chunk) + 1) % sets_; }

bool L2Cache::touch(int half, int64_t chunk, int32_t bytes) {
  Half& h = half_[size_t(half)];
  const size_t at = size_t(chunk), set = set_of(chunk), head = chunks_ + set;
  const bool here = h.bytes[at] > 0;
  if (here) {
    h.order.unlink(at);
  } else {
    h.bytes[at] = int16_t(bytes);
    h.used[set] += bytes;
  }
  h.order.push(head, at);
  while (h.used[set] > set_bytes_) {
    const int64_t oldest = h.order.links[head].newer;
    if (dirty_[size_t(oldest)] && half_of(oldest) == half) {
      written_ += dirty_[size_t(oldest)];
      forget_dirty(oldest);
    }
    drop(half, oldest);
  }
  return here;
}

void L2Cache::drop(int half, int64_t chunk) {
  Half& h = half_[size_t(half)];
  if (!h.bytes[size_t(chunk)]) return;
  h.order.unlink(size_t(chunk));
  h.used[set_of(chunk)] -= h.bytes[size_t(chunk)];
  h.bytes[size_t(chunk)] = 0;
}

void L2Cache::forget_dirty(int64_t chunk) {
  dirty_order_.unlink(size_t(chunk));
  dirty_bytes_ -= dirty_[size_t(chunk)];
  dirty_[size_t(chunk)] = 0;
}

void L2Cache::load(int multiprocessor, int64_t chunk, int32_t bytes) {
  if (bytes > set_bytes_) {
    read_ += bytes;
    return;
  }
  // Which multiprocessors hang on which half is not told; as many on the one as on the other.
  const int near = halves_ == 1 ? 0 : int(scattered(uint64_t(multiprocessor)) >> 20 & 1), home = half_of(chunk);
  if (touch(near, chunk, bytes) || (near != home && touch(home, chunk, bytes))) return;
  read_ += bytes;
}

void L2Cache::store(int64_t chunk, int32_t bytes, bool adds) {
  if (bytes > set_bytes_) {
    written_ += bytes;
    if (adds) read_ += bytes;
    return;
  }
  const int home = half_of(chunk);
  if (!touch(home, chunk, bytes) && adds) read_ += bytes;
  if (halves_ == 2) drop(1 - home, chunk);  // a copy of what it was
  if (dirty_[size_t(chunk)]) forget_dirty(chunk);
  dirty_[size_t(chunk)] = int16_t(bytes);
  dirty_bytes_ += bytes;
  dirty_order_.push(chunks_, size_t(chunk));
  while (dirty_bytes_ > dirty_most_) {
    const int64_t oldest = dirty_order_.links[chunks_].newer;
    written_ += dirty_[size_t(oldest)];
    forget_dirty(oldest);
  }
}

}  // namespace tilewalk
