// A dense row-major matrix of doubles: a tensor of one head, or a tile of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tilewalk {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();  // the score of a hidden key

struct Matrix {
  int64_t rows = 0, cols = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(int64_t rows, int64_t cols, double fill = 0) : rows(rows), cols(cols), values(size_t(rows * cols), fill) {}
  double& at(int64_t r, int64_t c) { return values[size_t(r * cols + c)]; }
  double at(int64_t r, int64_t c) const { return values[size_t(r * cols + c)]; }
  double* row(int64_t r) { return values.data() + r * cols; }
  const double* row(int64_t r) const { return values.data() + r * cols; }
  bool operator==(const Matrix&) const = default;
};

}  // namespace tilewalk
