// What a timeline comes to: the rhythm it settles into away from its ends, and what the tensor cores wait for.
#pragma once

#include "core/timing/timeline.h"

#include <optional>
#include <vector>

namespace tilewalk {

// The middle of a block's visits, from the start of one O = O + P V to that of a later one.
struct Steady {
  int64_t visits = 0;
  int64_t begin = 0, end = 0;              // ticks
  std::array<int64_t, kLaneCount> busy{};  // within

  double ticks_per_visit() const { return double(end - begin) / double(visits); }
  double idle(Lane lane) const { return 1 - double(busy[size_t(lane)]) / double(end - begin); }
  // Time over the time of the matrix products alone: 1 where they never wait, 1.5 where exponentials that take half as
  // long follow them one after the other.
  double units() const { return double(end - begin) / double(busy[size_t(Lane::Tensor)]); }
};
// None with fewer than eight visits, which have no middle.
std::optional<Steady> steady(const Timeline& timeline);

// A time in which a lane does nothing between two of its intervals, as far as one thing is the cause. What the next
// interval waited for is followed back; where copies and other steps follow each other, each is a gap of its own.
struct Gap {
  int64_t begin = 0, end = 0;
  bool for_copy = false;  // a copy is on its way; else the softmax or another step of a warpgroup runs
};
std::vector<Gap> gaps(const Timeline& timeline, Lane lane);

}  // namespace tilewalk
