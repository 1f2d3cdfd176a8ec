// Thread blocks as a GPU takes them: in the order of their launch, as many at once as its multiprocessors hold, the
// next one where another has ended; all that are there go on by a turn each, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilewalk {

// How a kernel's thread blocks come to the multiprocessors.
struct LaunchOrder {
  int resident = 1;   // blocks that a multiprocessor holds at once, as registers and shared memory allow
  int64_t group = 0;  // 0: head by head, first tile first; else groups of so many heads, within a group the last tile
                      // of all its heads first: under a causal mask that is from the longest block to the shortest
};

// Which block of which head is launched as number `n`.
struct Launched {
  int64_t head, place;
};
inline Launched launched_as(int64_t n, int64_t heads, int64_t per_head, int64_t group) {
  if (group == 0) return {n / per_head, n % per_head};
  const int64_t first = n / (group * per_head) * group, within = n % (group * per_head);
  const int64_t size = std::min(group, heads - first);
  return {first + within % size, per_head - 1 - within / size};
}

// launch(n) makes block n; advance(block, multiprocessor) takes a turn of it, and is false when there was none left.
template <class Launch, class Advance>
void in_turns(int64_t blocks, int multiprocessors, int resident, Launch&& launch, Advance&& advance) {
  struct Resident {
    int multiprocessor;
    decltype(launch(int64_t{})) block;
    bool gone = false;
  };
  std::vector<Resident> all;
  int64_t launched = 0;
  const int64_t room = int64_t(multiprocessors) * resident;
  while (launched < blocks && int64_t(all.size()) < room)
    all.push_back({int(int64_t(all.size()) % multiprocessors), launch(launched++)});
  while (!all.empty()) {
    for (Resident& one : all)
      while (!one.gone && !advance(one.block, one.multiprocessor)) {
        if (launched == blocks)
          one.gone = true;
        else
          one.block = launch(launched++);
      }
    std::erase_if(all, [](const Resident& one) { return one.gone; });
  }
}

}  // namespace tilewalk
