// The arithmetic of single steps on tiles, in the two kinds a problem can ask for: exact (float64 throughout), or as a
// tensor-core kernel does it (products of elements in the input format, sums in fp32, exponentials rounded to fp32).
#pragma once

#include "core/attention/matrix.h"
#include "core/attention/problem.h"
#include "core/attention/tiling.h"

namespace tilewalk::arithmetic {

// scale * Q K^T: [rows, d] x [cols, d] -> [rows, cols]
Matrix score(const Matrix& q, const Matrix& k, double scale, Arithmetic kind);
// s[r, c] = -inf where key c of tile j lies after query r of tile i
void hide_future(Matrix& s, int64_t i, int64_t j, const Tiling& tiling);
// m = max(m, rowmax s); returns alpha = e^(m_old - m), 1 where nothing has been seen yet. NoRescale and NoMax take
// alpha for 1, NoMax m for 0.
Matrix row_max(Matrix& m, const Matrix& s, Arithmetic kind, Mistake mistake = Mistake::None);
// s becomes e^(s - m); a row with m = -inf becomes 0
void exponentiate(Matrix& s, const Matrix& m, Arithmetic kind);
// l = alpha * l + rowsum p; alpha may be null for 1
void row_sum(Matrix& l, const Matrix* alpha, const Matrix& p, Arithmetic kind);
// o[r, :] *= factor[r]
void scale_rows(Matrix& o, const Matrix& factor, Arithmetic kind);
// o[r, :] /= l[r]; rows with l = 0 become 0
void divide_rows(Matrix& o, const Matrix& l, Arithmetic kind);
// o += P V, with P rounded to `format` first in kernel arithmetic
void accumulate(Matrix& o, const Matrix& p, const Matrix& v, Format format, Arithmetic kind);
// o += factor * P X, and o += factor * P^T X: [rows, cols] x [cols, d], and [cols, rows] x [rows, d]. P is rounded to
// `format` first in kernel arithmetic, the factor comes after the sums.
void accumulate_scaled(Matrix& o, const Matrix& p, const Matrix& x, double factor, Format format, Arithmetic kind);
void accumulate_transposed(Matrix& o, const Matrix& p, const Matrix& x, double factor, Format format, Arithmetic kind);
// rowsum(a * b), element by element: [rows, 1]
Matrix dot_rows(const Matrix& a, const Matrix& b, Arithmetic kind);
// x += y
void add(Matrix& x, const Matrix& y, Arithmetic kind);
// dP becomes dS = P * (dP - D), element by element; D is [rows, 1]
void through_softmax(Matrix& dp, const Matrix& p, const Matrix& d, Arithmetic kind);
// L = m + log l; -inf where l = 0
Matrix log_sum_exp(const Matrix& m, const Matrix& l, Arithmetic kind);
void round_all(Matrix& x, Format format);

}  // namespace tilewalk::arithmetic
