#include "core/roofline/turning.h"

#include "core/roofline/work_along.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// The smallest value in (low, high] that holds; `high` does, `low` does not.
template <class Holds>
int64_t first_that(int64_t low, int64_t high, Holds&& holds) {
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

// A method's estimate at any N.
class Along {
 public:
  Along(Method method, const Problem& problem, const Roofs& roofs, Direction direction, Levels levels)
      : work_(method, problem, direction), roofs_(roofs), levels_(levels) {}
  Estimate at(int64_t n, bool even = false) { return estimate(work_.at(n), roofs_, levels_, even); }
  // Whether more goes through DRAM than each tensor once, as L2 does not keep what is read again.
  bool comes_again(int64_t n) {
    const Work& work = work_.at(n);
    return levels_ == Levels::WithL2 && std::ranges::any_of(work.passes, [&](const PassWork& pass) {
             return pass.dram_behind(roofs_.l2_bytes, roofs_.sms, work.heads()) > pass.dram_bytes;
           });
  }
  const WorkAlong& work() const { return work_; }

 private:
  WorkAlong work_;
  const Roofs& roofs_;
  Levels levels_;
};

// Calls look(N) from kLongest down until it says no, at every N where a curve over N can have an extreme. Between two
// tile edges, amounts of work are smooth and the blocks are the same, so a ratio of two times rises or falls from one
// edge to the next; but where L2 begins to lose what is read again, it jumps. Short sequences are looked at one by one.
template <class Look>
void look_down(Along& fused, Look&& look) {
  const auto again = [&](int64_t n) { return fused.comes_again(n); };
  int64_t last = kLongest;
  const int64_t edge = fused.work().grid().edge;
  for (; last >= fused.work().counted() + edge; last -= edge) {
    const int64_t first = last - edge + 1;
    if (!look(last)) return;
    if (again(first) != again(last)) {
      const bool at_last = again(last);
      const int64_t jump = first_that(first, last, [&](int64_t n) { return again(n) == at_last; });
      if (!look(jump) || !look(jump - 1)) return;
    }
    if (!look(first)) return;
  }
  for (; last >= 1; --last)
    if (!look(last)) return;
}

// The smallest N from which on `holds` at every N up to kLongest; nothing where it does not hold there.
template <class Holds>
std::optional<int64_t> from_where(Along& fused, Holds&& holds) {
  int64_t from = kLongest + 1, not_at = 0;
  look_down(fused, [&](int64_t n) {
    if (holds(n))
      from = n;
    else
      not_at = n;
    return not_at == 0;
  });
  if (from > kLongest) return std::nullopt;
  return not_at ? first_that(not_at, from, holds) : from;
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

WinRange win_range(double slow, double slow_most, double fast, double fast_most) {
  return fast > 0 ? WinRange{slow / fast_most, slow_most / fast} : WinRange{};
}

Bound bound_along(Method method, const Problem& problem, const Roofs& roofs, Direction direction, Levels levels) {
  if (!roofs[Roof::Dram] || !roofs.tensor(info_of(method).estimate.multiply)) return {};
  Along fused(method, problem, roofs, direction, levels);
  Bound out;
  out.computes = from_where(fused, [&](int64_t n) { return is_arithmetic(fused.at(n).binds); });
  out.past_dram = from_where(fused, [&](int64_t n) { return fused.at(n).binds != Roof::Dram; });
  return out;
}

Saturation saturation(Method slow, Method fast, const Problem& problem, const Roofs& roofs, Direction direction,
                      Levels levels) {
  Along of_slow(slow, problem, roofs, direction, levels), of_fast(fast, problem, roofs, direction, levels);
  const auto at = [&](int64_t n) { return win(of_slow.at(n), of_fast.at(n)); };
  Saturation out;
  out.limit = win(of_slow.at(kLongest, true), of_fast.at(kLongest, true));
  out.least = out.most = at(kLongest);
  look_down(of_fast, [&](int64_t n) {
    const double here = at(n);
    out.least = std::min(out.least, here);
    out.most = std::max(out.most, here);
    return n > kLongest / 2;
  });
  out.n = from_where(of_fast, [&](int64_t n) { return std::abs(at(n) - out.limit) <= kSettled * out.limit; });
  if (out.n && *out.n > kLongest / 2) out.n.reset();
  return out;
}

double law_win(double ridge, const Problem& p, double eta) {
  return bytes_of(p.format) * eta * ridge / double(p.d) * (p.mask == Mask::Causal ? 2 : 1);
}

double eta_of(const Estimate& e, const Roofs& roofs) {
  const auto& peak = roofs[Roof::Tensor];
  return peak ? e.rate / peak->value : 0;
}

double eta_of_law(Method fused, Problem p, const Roofs& roofs) {
  constexpr int64_t kLongN = 8192, kManyHeads = 128;
  p.n_q = p.n_k = std::max(p.n_k, kLongN);
  if (p.batch * p.heads < kManyHeads) p.batch = (kManyHeads + p.heads - 1) / p.heads;
  return eta_of(estimate(fused, p, roofs), roofs);
}

double decode_intensity(const Problem& p) {
  return 4.0 * double(p.n_k) * double(p.d) / (2.0 * double(p.n_k) * double(p.d) * bytes_of(p.format));
}

}  // namespace tilewalk
