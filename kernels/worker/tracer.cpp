#include "kernels/worker/tracer.h"

#include "core/machine/step.h"
#include "kernels/worker/timing.h"

#include <algorithm>
#include <limits>

namespace tilewalk::gpu {
namespace {

constexpr int kCapacity = 1024;  // records of a lane: what a chart of one thread block can show
constexpr int kTimedLaunches = 9;

std::string name_of_step(uint16_t step) { return step == kWait ? "Wait" : std::string(info_of(StepKind(step)).name); }

// Pairs each beginning with the next end of the same step and tile. What the lane's memory cut off is left out.
void add_stamps(const std::vector<TraceRecord>& records, int lane, int64_t zero, std::vector<Stamp>& out) {
  std::vector<const TraceRecord*> open;
  for (const TraceRecord& record : records) {
    if (record.step != kWait && record.step >= kStepKindCount) continue;
    if (record.tile < 0) continue;  // the loop's last prefetch, which has nothing left to load
    if (!record.end) {
      open.push_back(&record);
      continue;
    }
    const auto begun = std::find_if(open.rbegin(), open.rend(), [&](const TraceRecord* r) {
      return r->step == record.step && r->tile == record.tile;
    });
    if (begun == open.rend()) continue;
    out.push_back({lane, name_of_step(record.step), record.tile, (*begun)->clock - zero, record.clock - zero});
    open.erase(std::next(begun).base());
  }
}

// Which thread block is to stamp, and the Q tile that it begins with. It works on `head` where the kernel's launch
// order is plain; where it is not, block 0 stamps, which has the longest Q tile of head 0 or one of its group.
struct Stamping {
  int block;
  int64_t row_tile;
};
Stamping stamping_block(Method kernel, const Forward& f, int64_t head, const KernelShape& shape, int multiprocessors) {
  const int tiles = (f.n_q + shape.br - 1) / shape.br;
  switch (kernel) {
    case Method::Fa1:
    case Method::Fa1Paper:
    case Method::Fa1Small: {
      // A head's first block has its Q tiles 0, blocks, 2 * blocks, ... The last K/V tile comes first, and meets the
      // first of them that sees any of it.
      const int blocks = int(blocks_of_head(kernel, f.heads, f.n_q, f.d, multiprocessors));
      const int first = int(head) * blocks;
      const int hidden = f.causal ? f.n_k - f.n_q : f.n_k;
      for (int j = (f.n_k - 1) / shape.bc; j >= 0; --j) {
        const int seeing = std::max(0, j * shape.bc - hidden) / shape.br,
                  tile = (seeing + blocks - 1) / blocks * blocks;
        if (tile < tiles) return {first, tile};
      }
      return {first, 0};
    }
    case Method::Fa3: {
      // One block for each multiprocessor. Full: block t begins with tile t of all heads; causal: with one of the
      // longest. A head's first may be short, with consumers that have no rows: then its second.
      if (f.causal) return {0, tiles - 1};
      const int begins = tiles > 1 && fewer_rows(Method::Fa3, f.n_q, shape.br) > 0;
      const int64_t tile = head * tiles + begins;
      return {tile < multiprocessors ? int(tile) : begins, begins};
    }
    case Method::Tiled: return {int(head) * tiles, 0};
    default:  // FA2: a block for each Q tile, the last of a head first; under a causal mask, of several heads in turn
      return {f.causal ? 0 : int(head) * tiles, tiles - 1};
  }
}

}  // namespace

bool can_trace(Method kernel) { return lanes_of(kernel, 64) > 0; }

void keep_rows(RowStatistics& s, const std::vector<int64_t>& rows) {
  if (rows.empty()) return;
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  for (int64_t row = 0; row < s.rows; ++row)
    if (!std::binary_search(rows.begin(), rows.end(), row))
      for (int64_t j = 0; j < s.tiles; ++j) s.m[size_t(j * s.rows + row)] = s.l[size_t(j * s.rows + row)] = kNone;
}

KernelTrace traced_run(Method kernel, const Forward& forward, int64_t head, int multiprocessors, cudaStream_t stream) {
  const KernelShape shape = kernel_shape(kernel, forward.d);
  const int64_t tiles = (forward.n_k + shape.bc - 1) / shape.bc;
  const size_t statistics = size_t(tiles * forward.n_q);
  const int lanes = lanes_of(kernel, forward.d);
  const Stamping stamping = stamping_block(kernel, forward, head, shape, multiprocessors);
  Buffer m, l, records, counts;
  Trace trace{.head = int(head),
              .m = static_cast<float*>(m.hold(statistics * sizeof(float))),
              .l = static_cast<float*>(l.hold(statistics * sizeof(float))),
              .block = stamping.block,
              .records = static_cast<TraceRecord*>(records.hold(size_t(lanes) * kCapacity * sizeof(TraceRecord))),
              .counts = static_cast<int*>(counts.hold(size_t(lanes) * sizeof(int))),
              .capacity = kCapacity};
  const auto clear = [&] {
    check(cudaMemsetAsync(trace.m, 0xFF, statistics * sizeof(float), stream), "Preparing the trace");
    check(cudaMemsetAsync(trace.l, 0xFF, statistics * sizeof(float), stream), "Preparing the trace");
    check(cudaMemsetAsync(trace.counts, 0, size_t(lanes) * sizeof(int), stream), "Preparing the trace");
  };
  const auto plain = [&] { check(launch(kernel, forward, stream), "The launch"); };
  // Cleared before each launch: a full lane records nothing more, and would be quicker for it.
  const auto traced = [&] { check(launch_traced(kernel, forward, trace, stream), "The traced launch"); };
  // Both alike, launch by launch, after the same clearing, so that the slow-down is the trace's alone.
  const auto single_ms = [&](const std::function<void()>& one) {
    std::vector<double> times;
    for (int k = 0; k < kTimedLaunches + 1; ++k) {
      clear();
      const double ms = mean_ms(1, one, stream);
      if (k > 0) times.push_back(ms);
    }
    std::nth_element(times.begin(), times.begin() + kTimedLaunches / 2, times.end());
    return times[kTimedLaunches / 2];
  };
  KernelTrace out;
  out.plain_ms = single_ms(plain);
  out.traced_ms = single_ms(traced);

  out.statistics = {tiles, forward.n_q, m.download<float>(statistics), l.download<float>(statistics)};
  const std::vector<int> counted = counts.download<int>(size_t(lanes));
  std::vector<std::vector<TraceRecord>> of_lane;
  int64_t zero = std::numeric_limits<int64_t>::max();
  for (int lane = 0; lane < lanes; ++lane) {
    const size_t count = size_t(std::clamp(counted[size_t(lane)], 0, kCapacity));
    of_lane.push_back(records.download<TraceRecord>(count, size_t(lane) * kCapacity));
    for (const TraceRecord& record : of_lane.back()) zero = std::min(zero, record.clock);
    out.lanes.push_back(lane_name(kernel, lane));
  }
  for (int lane = 0; lane < lanes; ++lane) add_stamps(of_lane[size_t(lane)], lane, zero, out.stamps);
  std::stable_sort(out.stamps.begin(), out.stamps.end(), [](const Stamp& a, const Stamp& b) {
    return a.lane != b.lane ? a.lane < b.lane : a.begin < b.begin;
  });
  out.block_row_tile = stamping.row_tile;
  return out;
}

}  // namespace tilewalk::gpu
