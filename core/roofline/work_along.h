// A method's work at every N, from a few counts, so that a whole curve over N costs no more than some of its points.
//
// With N mod the tiles' period kept, every tile edge stays where it is, and each amount of PassWork and of Blocks is a
// polynomial in N of degree two or less: what each row, each tile and each pair of tiles adds. Three counts fix it,
// once FA1 has its most blocks a head (blocks_of_head in kernel_shapes.h). Its longest block is a share of a head,
// rounded up.
#pragma once

#include "core/roofline/work.h"

#include <array>
#include <memory>
#include <vector>

namespace tilewalk {

// Rows of every tile of a method divide `period`, and `edge` divides them; tests/core/roofline/test_turning.cpp holds
// kernel_shapes.h to it. What stands here is right for cuBLAS's tiles, FA4's pair of tiles and the backward passes.
// Tiles for fewer queries than a Q tile has rows are for N below 256.
struct WorkTiles {
  int64_t period = 768, edge = 64;
};
WorkTiles tile_grid(Method method, int64_t d, Direction direction);

// The same problem with N queries and N keys.
inline Problem with_n(Problem p, int64_t n) {
  p.n_q = p.n_k = n;
  return p;
}

class WorkAlong {
 public:
  // Of N queries and N keys, whatever N the problem has.
  WorkAlong(Method method, const Problem& problem, Direction direction = Direction::Forward);

  // The same as work_of(), but for the last bits of numbers past 2^53. Valid until the next call.
  const Work& at(int64_t n);

  static constexpr int64_t kFirst = 3;  // of the three periods that are counted
  // From here on nothing is counted for a further N.
  int64_t counted() const { return kFirst * grid_.period; }
  const WorkTiles& grid() const { return grid_; }

 private:
  Method method_;
  Problem problem_;
  Direction direction_;
  WorkTiles grid_;
  std::vector<std::unique_ptr<std::array<Work, 3>>> counted_;  // by N mod the period: three N each
  Work made_;
};

}  // namespace tilewalk
