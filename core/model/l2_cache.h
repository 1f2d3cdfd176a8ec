// A GPU's L2 as reads and writes of plain data show it (`tilewalk-gpu l2` measures them): chunks of 4 KiB, in sets, the
// least recently used of a set first to go. On large GPUs it has two halves. A chunk belongs to one of them; a
// multiprocessor reads through the half that it hangs on, which keeps a copy of what belongs to the other, so what all
// of them read takes twice its room. Writes go where the chunk belongs; of what was written no more than dirty_bytes
// wait for DRAM, the oldest leaving first while its chunk stays.
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
  void store(int64_t chunk, int32_t bytes, bool adds = false);  // adds: needs the old value, as an atomic add does

  int64_t read() const { return read_; }        // bytes from DRAM
  int64_t written() const { return written_; }  // bytes to DRAM
  int64_t dirty() const { return dirty_bytes_; }

 private:
  // Rings of chunks in order of use. Behind the chunks come the rings' own heads: a head's `older` is the chunk used
  // last, its `newer` the one that goes first.
  struct Link {
    int32_t newer, older;
  };
  struct Ring {
    std::vector<Link> links;
    void make(size_t chunks, size_t heads);
    void unlink(size_t at);
    void push(size_t head, size_t at);
  };
  struct Half {
    Ring order;
    std::vector<int16_t> bytes;  // of each chunk that is here, else 0
    std::vector<int64_t> used;   // of each set
  };

  bool touch(int half, int64_t chunk, int32_t bytes);  // whether it was here
  void drop(int half, int64_t chunk);
  void forget_dirty(int64_t chunk);
  int half_of(int64_t chunk) const;
  size_t head_of(int64_t chunk) const { return chunks_ + set_of(chunk); }
  size_t set_of(int64_t chunk) const;

  size_t chunks_, sets_;
  int64_t set_bytes_, dirty_most_, dirty_bytes_ = 0, read_ = 0, written_ = 0;
  int halves_;
  std::array<Half, 2> half_;
  Ring dirty_order_;
  std::vector<int16_t> dirty_;  // bytes of each chunk that wait for DRAM
};

}  // namespace tilewalk
