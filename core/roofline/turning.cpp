#include "core/roofline/turning.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

Problem with_n(Problem p, int64_t n) {
  p.n_q = p.n_k = n;
  return p;
}

constexpr int64_t kShortest = 16;  // shorter sequences are not asked

// The smallest value in (low, high] that holds; `high` does, `low` does not.
template <class Holds>
int64_t first_that(int64_t low, int64_t high, Holds&& holds) {
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double compute_bound_about(double ridge, const Problem& p) {
  return bytes_of(p.format) * ridge * (p.mask == Mask::Causal ? 2 : 1);
}

int64_t compute_bound_exact(double ridge, const Problem& p) {
  const double n = (bytes_of(p.format) + 1 / double(p.d)) * ridge * (p.mask == Mask::Causal ? 2 : 1);
  return int64_t(std::ceil(n));
}

std::optional<int64_t> longest_that_fits(Method method, const Problem& problem, const Roofs& roofs,
                                         Direction direction) {
  if (!(roofs.memory_bytes > 0)) return std::nullopt;
  const auto overflows = [&](int64_t n) {
    return memory_of(method, with_n(problem, n), direction) > roofs.memory_bytes;
  };
  int64_t high = 1;
  while (!overflows(high)) high *= 2;
  return first_that(high / 2, high, overflows) - 1;
}

double time_of(const Estimate& e, Pace pace) {
  return pace == Pace::Serial ? e.serial : pace == Pace::Overlapped ? e.overlapped : e.time;
}

double win(const Estimate& slow, const Estimate& fast, Pace pace) {
  const double time = time_of(fast, pace);
  return time > 0 ? time_of(slow, pace) / time : 0;
}

Saturation saturation(Method slow, Method fast, const Problem& problem, const Roofs& roofs, Direction direction,
                      Pace pace) {
  const auto at = [&](int64_t n) {
    const auto of = [&](Method method) {
      return estimate(work_of(method, with_n(problem, n), direction), roofs, Levels::WithL2, true);
    };
    return win(of(slow), of(fast), pace);
  };
  Saturation out;
  out.limit = at(kLongest);
  const auto close = [&](int64_t n) { return at(n) >= 0.95 * out.limit; };
  // Down in steps of a quarter of an octave: tiles make the win rise and fall a little on its way.
  int64_t high = kLongest;
  for (int64_t low = high; high > kShortest; high = low) {
    low = int64_t(double(high) / 1.19);
    if (close(low)) continue;
    out.n = first_that(low, high, close);
    return out;
  }
  out.n = high;
  return out;
}

double law_win(double ridge, const Problem& p, double eta) {
  return bytes_of(p.format) * eta * ridge / double(p.d) * (p.mask == Mask::Causal ? 2 : 1);
}

double eta_of(const Estimate& e, const Roofs& roofs) {
  const auto& peak = roofs[Roof::Tensor];
  return peak ? e.rate / peak->value : 0;
}

double decode_intensity(const Problem& p) {
  return 4.0 * double(p.n_k) * double(p.d) / (2.0 * double(p.n_k) * double(p.d) * bytes_of(p.format));
}

}  // namespace tilewalk
