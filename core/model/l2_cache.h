// A GPU's L2 as reads and writes of plain data show it (`tilewalk-gpu l2` measures them): chunks of 4 KiB, in sets over
// which each 2 MiB of memory are spread evenly, the least recently used of a set first to go. On large GPUs it has two
// halves. A chunk belongs to one of them; a multiprocessor reads through the half that it hangs on, which keeps a copy
// of what belongs to the other, so what all of them read takes twice its room. Writes go where the chunk belongs and
// leave a copy in the other half as it is; of what was written no more than dirty_bytes wait for DRAM, the oldest
// leaving first while its chunk stays. What the other half's multiprocessors read or write comes in below the newest.
#pragma once

#include "core/machine/machine_spec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tilewalk {

class L2Cache {
 public:
  static constexpr int32_t kChunk = 4096;  // bytes

  // Chunks are 0 ... chunks - 1. std::length_error: of chunks and sets there are more than 2^31.
  L2Cache(int64_t l2_bytes, const L2Build& build, int64_t chunks);

  // Of up to kChunk bytes, always as many for one chunk.
  void load(int multiprocessor, int64_t chunk, int32_t bytes);
  // adds: needs the old value, as an atomic add does.
  void store(int multiprocessor, int64_t chunk, int32_t bytes, bool adds = false);

  int64_t read() const { return read_; }        // bytes from DRAM
  int64_t written() const { return written_; }  // bytes to DRAM
  int64_t dirty() const { return dirty_bytes_; }

 private:
  struct Link {
    int32_t newer, older;
  };
  // A chunk that is in a half; what is in none costs nothing, however much memory there is. Chunks stand in rings in
  // order of use, those that wait for DRAM in one more, by their lines' numbers. The first lines are the rings' own
  // heads, one of each set: a head's `older` is the chunk used last, its `newer` the one that goes first.
  struct Line {
    int32_t chunk = 0, set = 0;
    std::array<int16_t, 2> bytes{};  // in each half; 0: it is not there
    int16_t dirty = 0;               // bytes that wait for DRAM
    std::array<Link, 3> rings{};     // of the halves, and of what waits
  };
  static constexpr int kWaiting = 2;  // its ring, which the first head leads

  // Which half a multiprocessor hangs on is not told; as many on the one as on the other.
  int near(int multiprocessor) const;
  bool touch(int half, int32_t at, int32_t bytes, int below = 0);  // whether it was here
  int32_t below_newest(int half, int32_t head, int tenths) const;  // of the set's bytes
  void drop(int half, int32_t at);
  void forget_dirty(int32_t at);
  void unlink(int ring, int32_t at);
  void push(int ring, int32_t newer, int32_t at);  // next to that one; a head: as the newest
  int half_of(int64_t chunk) const;
  int32_t set_of(int64_t chunk) const;

  int32_t line_of(int64_t chunk);  // a new one, where it has none
  void give_up(int32_t at);
  size_t place_of(int64_t chunk) const { return size_t(uint64_t(chunk) * 0x9e3779b97f4a7c15 >> shift_); }
  void make_room();

  int64_t sets_;
  int64_t set_bytes_, dirty_most_, dirty_bytes_ = 0, read_ = 0, written_ = 0;
  int halves_;
  std::array<std::vector<int64_t>, 2> used_;  // of each half's sets
  std::vector<Line> lines_;
  std::vector<int32_t> free_;   // lines that hold nothing
  std::vector<int32_t> index_;  // lines by their chunks' places, or behind them; 0: none. At least half are.
  int shift_ = 64;              // index_ has 2^(64 - shift_) places
};

}  // namespace tilewalk
