// Thread blocks as a GPU takes them: in the order of their launch, as many at once as its multiprocessors hold, the
// next one where another has ended; all that are there go on by a turn each, one after the other. They can drift apart:
// then a block, whichever it is, now and then loses a turn.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tilewalk {

// launch(n) makes block n; advance(block, multiprocessor) takes a turn of it, and is false when there was none left.
// ahead: a multiprocessor takes the number of its next block as it begins one. turns_lost: a share of them.
template <class Launch, class Advance>
void in_turns(int64_t blocks, int multiprocessors, int resident, Launch&& launch, Advance&& advance, bool ahead = false,
              double turns_lost = 0) {
  struct Resident {
    int multiprocessor;
    decltype(launch(int64_t{})) block;
    int64_t next = 0;  // where it is known
    bool gone = false;
  };
  std::vector<Resident> all;
  std::minstd_rand random;  // the same in every standard library, so that a prediction is the same everywhere
  const auto loses_turn = [&] { return double(random()) < turns_lost * double(std::minstd_rand::max()); };
  int64_t taken = 0;
  const int64_t room = int64_t(multiprocessors) * resident;
  while (taken < blocks && int64_t(all.size()) < room)
    all.push_back({int(int64_t(all.size()) % multiprocessors), launch(taken++)});
  if (ahead)
    for (Resident& one : all) one.next = taken++;
  while (!all.empty()) {
    for (Resident& one : all) {
      if (loses_turn()) continue;
      while (!one.gone && !advance(one.block, one.multiprocessor)) {
        const int64_t next = ahead ? std::exchange(one.next, taken++) : taken++;
        if (next >= blocks)
          one.gone = true;
        else
          one.block = launch(next);
      }
    }
    std::erase_if(all, [](const Resident& one) { return one.gone; });
  }
}

}  // namespace tilewalk
