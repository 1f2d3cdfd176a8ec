#include "core/timing/steady.h"

#include <algorithm>

namespace tilewalk {
namespace {

// Intervals of a lane that take time, by start.
std::vector<int32_t> on_unit(const Timeline& timeline, Lane lane) {
  std::vector<int32_t> found;
  for (size_t k = 0; k < timeline.intervals.size(); ++k)
    if (timeline.intervals[k].lane == lane && timeline.intervals[k].end > timeline.intervals[k].start)
      found.push_back(int32_t(k));
  std::ranges::sort(found, {}, [&](int32_t k) { return timeline.intervals[size_t(k)].start; });
  return found;
}

// The causes of a gap, the last one first.
void add_causes(const Timeline& timeline, int64_t begin, const Interval& next, std::vector<Gap>& out) {
  int64_t end = next.start;
  for (int32_t k = next.for_interval; k >= 0 && end > begin;) {
    const Interval& cause = timeline.intervals[size_t(k)];
    k = cause.for_interval;
    if (cause.end == cause.start) continue;
    const bool copy = cause.lane == Lane::Copy;
    const int64_t from = k < 0 ? begin : std::clamp(cause.start, begin, end);
    if (from == end) continue;
    if (!out.empty() && out.back().begin == end && out.back().for_copy == copy)
      out.back().begin = from;
    else
      out.push_back({from, end, copy});
    end = from;
  }
}

}  // namespace

std::optional<Steady> steady(const Timeline& timeline) {
  std::vector<int64_t> starts;  // of one warpgroup's products with V
  for (const Interval& in : timeline.intervals)
    if (timeline.step_of(in).kind == StepKind::Accumulate && in.warpgroup <= 0) starts.push_back(in.start);
  if (starts.size() < 8) return std::nullopt;
  const size_t first = starts.size() / 4;
  const size_t last = first + (starts.size() / 2 & ~size_t{1});  // an even number: buffers alternate
  Steady out{int64_t(last - first), starts[first], starts[last], {}};
  for (const Interval& in : timeline.intervals)
    out.busy[size_t(in.lane)] += std::max<int64_t>(0, std::min(in.end, out.end) - std::max(in.start, out.begin));
  return out;
}

std::vector<Gap> gaps(const Timeline& timeline, Lane lane) {
  std::vector<Gap> out;
  int64_t end = 0;
  for (int32_t k : on_unit(timeline, lane)) {
    const Interval& in = timeline.intervals[size_t(k)];
    if (in.start > end) add_causes(timeline, end, in, out);
    end = in.end;
  }
  std::ranges::sort(out, {}, &Gap::begin);
  return out;
}

}  // namespace tilewalk
