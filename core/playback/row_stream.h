// One query row that meets its keys tile by tile, run on the machine itself: given scores instead of q and K, in any
// order, with or without a mistake. Online softmax, Milakov and Gimelshein (arXiv:1805.02867), section 3.
#pragma once

#include "core/attention/format.h"
#include "core/attention/matrix.h"
#include "core/attention/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

struct RowStream {
  struct Visit {
    std::vector<int> keys;        // met in this tile, indices into the scores
    std::vector<double> weights;  // their e^(s - m)
    double m_before, m;           // -inf before the first
    double alpha;                 // what l was multiplied by; 0 at the first tile, where l is 0
    double alpha_o;               // what o was multiplied by: alpha, but for a mistake
    double sum;                   // of the weights
    double l;                     // after the tile
    std::vector<double> o;        // [d], unnormalised, after the tile
  };
  std::vector<Visit> visits;
  std::vector<double> o;  // [d] = o / l of the last visit
  double lse = 0;         // L = m + log l
};

// `scores` [n], `values` [n, d], `order` a permutation of 0 .. n - 1, `tile` keys to a tile. NoMax rounds the
// exponentials to `format`; all else is exact.
RowStream stream_row(std::span<const double> scores, const Matrix& values, std::span<const int> order, int64_t tile,
                     Mistake mistake = Mistake::None, Format format = Format::Float16);

// The same row by the definition: two passes over all scores, in float64.
struct DirectRow {
  std::vector<double> weights;  // [n], they add up to 1
  std::vector<double> o;        // [d]
  double lse = 0;
};
DirectRow direct_row(std::span<const double> scores, const Matrix& values);

}  // namespace tilewalk
