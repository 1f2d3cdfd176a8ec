// Thread blocks as a GPU takes them: in the order of their launch, as many at once as its multiprocessors hold, the
// next one where another has ended; all that are there go on by a turn each, one after the other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilewalk {

// launch(n) makes block n; advance(block, multiprocessor) takes a turn of it, and is false when there was none left.
// ahead: a multiprocessor takes the number of its next block as it begins one.
template <class Launch, class Advance>
void in_turns(int64_t blocks, int multiprocessors, int resident, Launch&& launch, Advance&& advance,
              bool ahead = false) {
  struct Resident {
    int multiprocessor;
    decltype(launch(int64_t{})) block;
    int64_t next = 0;  // where it is known
    bool gone = false;
  };
  std::vector<Resident> all;
  int64_t taken = 0;
  const int64_t room = int64_t(multiprocessors) * resident;
  while (taken < blocks && int64_t(all.size()) < room)
    all.push_back({int(int64_t(all.size()) % multiprocessors), launch(taken++)});
  if (ahead)
    for (Resident& one : all) one.next = taken++;
  while (!all.empty()) {
    for (Resident& one : all)
      while (!one.gone && !advance(one.block, one.multiprocessor)) {
        const int64_t next = ahead ? std::exchange(one.next, taken++) : taken++;
        if (next >= blocks)
          one.gone = true;
        else
          one.block = launch(next);
      }
    std::erase_if(all, [](const Resident& one) { return one.gone; });
  }
}

}  // namespace tilewalk
