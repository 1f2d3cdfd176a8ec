#include "core/attention/fp8_tiles.h"

#include <algorithm>

namespace tilewalk {

Fp8Traffic fp8_traffic(const Problem& p) {
  constexpr int64_t kBoxRows = 64, kScale = 4;
  const int64_t keys = fp8_keys(p.n_k), all = (p.n_k + keys - 1) / keys;
  Fp8Traffic out;
  for (int64_t first = 0; first < p.n_q; first += kFp8Rows) {
    const int64_t end = first + kFp8Rows, rows = std::min(p.n_q - first, int64_t{kFp8Rows});
    // As the kernel visits them: at least one tile, also where no row sees a key.
    const int64_t seen = p.mask == Mask::Causal ? std::min(p.n_k, end + p.n_k - p.n_q) : p.n_k;
    const int64_t visits = p.mask == Mask::Causal ? std::max<int64_t>(1, (seen + keys - 1) / keys) : all;
    out.loads += (rows + kBoxRows - 1) / kBoxRows * kBoxRows * kFp8D + kScale;
    out.loads += visits * (2 * keys * kFp8D + 2 * kScale);
  }
  out.stores = p.n_q * (kFp8D * 2 + 4);
  out.loads *= p.batch * p.heads;
  out.stores *= p.batch * p.heads;
  return out;
}

}  // namespace tilewalk
