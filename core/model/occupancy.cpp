#include "core/model/occupancy.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace tilewalk {
namespace {

// A multiprocessor and the blocks that it holds, each going at an equal share of its pace.
class Sm {
 public:
  size_t held() const { return blocks_.size(); }
  double next_end() const {  // it holds a block
    return now_ + std::ranges::min(blocks_, {}, &Held::left).left * double(blocks_.size());
  }
  void take(size_t run, double length, double now) {
    advance(now);
    blocks_.push_back({run, length});
  }
  // Ends the block that is done soonest; returns its run.
  size_t finish() {
    advance(next_end());
    const auto done = std::ranges::min_element(blocks_, {}, &Held::left);
    const size_t run = done->run;
    blocks_.erase(done);
    return run;
  }

 private:
  struct Held {
    size_t run;
    double left;
  };
  void advance(double now) {
    for (Held& block : blocks_) block.left -= (now - now_) / double(blocks_.size());
    now_ = now;
  }
  double now_ = 0;
  std::vector<Held> blocks_;
};

}  // namespace

std::vector<int64_t> block_lengths(const Schedule& schedule, const Plan& plan) {
  std::vector<int64_t> head;
  for (int64_t i = 0; i < plan.tiling.tr; ++i) head.push_back(plan.tiling.visits(i));
  if (!schedule.section_is_block) head = {std::accumulate(head.begin(), head.end(), int64_t{0})};
  std::vector<int64_t> all;
  for (int64_t h = 0; h < plan.problem.batch * plan.problem.heads; ++h) all.insert(all.end(), head.begin(), head.end());
  return all;
}

Occupancy occupy(const std::vector<int64_t>& lengths, int multiprocessors, int resident, BlockOrder order) {
  Occupancy out{multiprocessors, resident, {}, 0, 0, 0, 0};
  std::vector<int32_t> queue(lengths.size());
  std::iota(queue.begin(), queue.end(), 0);
  if (order == BlockOrder::LongestFirst)
    std::ranges::stable_sort(queue, std::ranges::greater{}, [&](int32_t b) { return lengths[size_t(b)]; });
  out.work = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});

  std::vector<Sm> sms(static_cast<size_t>(multiprocessors));
  size_t next = 0;
  const auto hand_out = [&](size_t sm, double now) {
    out.runs.push_back({queue[next], int32_t(sm), now, now});
    sms[sm].take(out.runs.size() - 1, double(lengths[size_t(queue[next])]), now);
    ++next;
  };
  // One block to each multiprocessor, then a second one, as many as it holds.
  for (int round = 0; round < resident; ++round)
    for (size_t sm = 0; sm < sms.size() && next < queue.size(); ++sm) hand_out(sm, 0);
  out.used = int(std::min(queue.size(), sms.size()));

  // The next end on each multiprocessor that holds a block, the soonest and lowest first.
  using End = std::pair<double, size_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  for (size_t sm = 0; sm < sms.size(); ++sm)
    if (sms[sm].held() > 0) ends.emplace(sms[sm].next_end(), sm);
  double last_handed = 0;
  while (!ends.empty()) {
    const auto [now, sm] = ends.top();
    ends.pop();
    out.runs[sms[sm].finish()].end = now;
    out.span = std::max(out.span, now);
    if (next < queue.size()) hand_out(sm, last_handed = now);
    if (sms[sm].held() > 0) ends.emplace(sms[sm].next_end(), sm);
  }
  out.tail = out.span - last_handed;
  return out;
}

}  // namespace tilewalk
