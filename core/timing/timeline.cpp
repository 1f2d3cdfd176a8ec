#include "core/timing/timeline.h"

#include "core/machine/cost.h"
#include "core/timing/needs.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace tilewalk {
namespace {

bool is_store(StepKind kind) { return info_of(kind).engine == Engine::Store; }

// One warpgroup's way through its steps.
struct Agent {
  int warpgroup;
  std::vector<int32_t> program;  // indices of steps
  size_t next = 0;
  int64_t ready = 0;
  int32_t last = -1;  // the interval that brought it here
  bool done() const { return next == program.size(); }
  int32_t step() const { return program[next]; }
};

// An agent's next step, with the tick at which it can be asked for.
struct Asked {
  int64_t tick;
  Wait waited;
  int32_t for_interval;
};

// Lays the steps of one pass, all of which begin at `from` or later.
class Layer {
 public:
  Layer(const Plan& plan, const Rates& rates, const Overlap& overlap, Timeline& out, size_t first, size_t end,
        int64_t from)
      : plan_(plan),
        rates_(rates),
        overlap_(overlap),
        out_(out),
        first_(first),
        groups_(overlap.ping_pong ? overlap.warpgroups : 1),
        steps_(out.steps.begin() + int64_t(first), out.steps.begin() + int64_t(end)),
        needs_(needs_of(steps_, overlap.stages)),
        turn_(steps_.size(), -1) {
    free_.fill(from);
    placed_.assign(steps_.size() * size_t(groups_ + 1), -1);
    write_programs(from);
    number_turns();
  }

  int64_t run() {
    int64_t end = 0;
    while (std::ranges::any_of(agents_, [](const Agent& a) { return !a.done(); })) {
      Agent* first = nullptr;
      Asked soonest{};
      for (Agent& agent : agents_) {
        const std::optional<Asked> asked = agent.done() ? std::nullopt : ask(agent);
        if (asked && (!first || asked->tick < soonest.tick)) first = &agent, soonest = *asked;
      }
      if (!first) throw std::logic_error("every warpgroup waits for another");
      end = std::max(end, place(*first, soonest));
    }
    return end;
  }

 private:
  bool loads_ahead(StepKind kind) const { return overlap_.warp_specialized && fills_shared(kind); }

  void write_programs(int64_t from) {
    if (overlap_.warp_specialized) agents_.push_back({.warpgroup = kProducer, .program = {}, .ready = from});
    for (int g = 0; g < groups_; ++g)
      agents_.push_back({.warpgroup = overlap_.ping_pong ? g : kTogether, .program = {}, .ready = from});
    for (size_t k = 0; k < steps_.size(); ++k)
      for (Agent& agent : agents_)
        if ((agent.warpgroup == kProducer) == loads_ahead(steps_[k].kind)) agent.program.push_back(int32_t(k));
  }

  // A turn at the tensor cores: the products between two softmaxes, one of each kind at most, and of one turn of the
  // outer loop. Where all warpgroups meet at loads, these divide turns too.
  void number_turns() {
    int32_t turn = -1;
    bool between = true;
    StepKind first{};
    int32_t section = 0;
    for (size_t k = 0; k < steps_.size(); ++k) {
      const Engine engine = info_of(steps_[k].kind).engine;
      if (engine == Engine::TensorCore) {
        if (between || steps_[k].kind == first || steps_[k].section != section) {
          ++turn;
          last_of_turn_.push_back(0);
          first = steps_[k].kind;
          section = steps_[k].section;
        }
        between = false;
        turn_[k] = turn;
        last_of_turn_[size_t(turn)] = int32_t(k);
      } else if (engine == Engine::Exponential || (fills_shared(steps_[k].kind) && !loads_ahead(steps_[k].kind))) {
        between = true;
      }
    }
  }

  // Where the interval of a step of one warpgroup is kept; those that fill shared memory are the block's.
  int32_t& placed(int32_t step, int group) {
    return placed_[size_t(step) * size_t(groups_ + 1) +
                   size_t(fills_shared(steps_[size_t(step)].kind) ? groups_ : group)];
  }
  int group_of(const Agent& agent) const { return std::max(agent.warpgroup, 0); }

  static void later(Asked& asked, int64_t tick, Wait wait, int32_t interval) {
    if (tick > asked.tick) asked = {tick, wait, interval};
  }

  // When the agent's next step can be asked for; none while something it waits for has no place yet.
  std::optional<Asked> ask(const Agent& agent) {
    const int32_t step = agent.step();
    const bool shared = fills_shared(steps_[size_t(step)].kind);
    Asked asked{agent.ready, agent.last < 0 ? Wait::Nothing : Wait::Order, agent.last};
    // Without a producer the warpgroups meet at a load, and one of them makes it.
    if (shared && agent.warpgroup != kProducer)
      for (const Agent& other : agents_) {
        if (other.done() || other.step() != step) return std::nullopt;
        later(asked, other.ready, Wait::Order, other.last);
      }
    for (const Need& need : needs_[size_t(step)]) {
      const bool all = shared && !fills_shared(steps_[size_t(need.step)].kind);
      for (int g = all ? 0 : group_of(agent); g <= (all ? groups_ - 1 : group_of(agent)); ++g) {
        const int32_t interval = placed(need.step, g);
        if (interval < 0) return std::nullopt;
        later(asked, out_.intervals[size_t(interval)].end, need.buffer ? Wait::Buffer : Wait::Data, interval);
      }
    }
    if (groups_ > 1 && turn_[size_t(step)] >= 0) {
      // The turn before: the same one of the warpgroup before, or the last warpgroup's previous one.
      const int group = group_of(agent), before = group > 0 ? group - 1 : groups_ - 1;
      const int32_t turn = turn_[size_t(step)] - (group > 0 ? 0 : 1);
      if (turn >= 0) {
        const int32_t interval = placed(last_of_turn_[size_t(turn)], before);
        if (interval < 0) return std::nullopt;
        later(asked, asked_at_[size_t(interval)], Wait::Turn, interval);
      }
    }
    return asked;
  }

  int64_t place(Agent& agent, const Asked& asked) {
    const int32_t step = agent.step();
    const Step& s = steps_[size_t(step)];
    const bool shared = fills_shared(s.kind);
    const Lane lane = lane_of(s.kind);
    Interval in{.step = int32_t(first_) + step, .lane = lane, .warpgroup = agent.warpgroup, .ready = agent.ready};
    in.waited = asked.waited;
    in.for_interval = asked.for_interval;
    const int64_t ticks = ticks_of(s, plan_, rates_, shared ? 1 : groups_);
    in.start = asked.tick;
    if (ticks > 0) {
      if (free_[size_t(lane)] > in.start) {
        in.start = free_[size_t(lane)];
        in.waited = Wait::Busy;
        in.for_interval = last_on_[size_t(lane)];
      }
      free_[size_t(lane)] = in.start + ticks;
    }
    in.end = in.start + ticks;
    out_.busy[size_t(lane)] += ticks;
    const auto index = int32_t(out_.intervals.size());
    if (ticks > 0) last_on_[size_t(lane)] = index;
    placed(step, group_of(agent)) = index;
    asked_at_.resize(size_t(index) + 1);
    asked_at_[size_t(index)] = asked.tick;

    const bool meet = shared && agent.warpgroup != kProducer;
    if (meet) in.warpgroup = kTogether;
    const bool runs_on =
        is_store(s.kind) || agent.warpgroup == kProducer || (overlap_.products_run_on && lane == Lane::Tensor);
    for (Agent& a : agents_) {
      if (&a != &agent && !meet) continue;
      a.ready = runs_on ? asked.tick : in.end;
      a.last = runs_on ? asked.for_interval : index;
      ++a.next;
    }
    out_.intervals.push_back(in);
    return in.end;
  }

  const Plan& plan_;
  const Rates& rates_;
  const Overlap& overlap_;
  Timeline& out_;
  size_t first_;
  int groups_;
  std::vector<Step> steps_;
  std::vector<std::vector<Need>> needs_;
  std::vector<int32_t> turn_, last_of_turn_;
  std::vector<int32_t> placed_;    // [steps, groups + 1]: interval, or -1
  std::vector<int64_t> asked_at_;  // of each interval
  std::vector<Agent> agents_;
  std::array<int64_t, kLaneCount> free_{};
  std::array<int32_t, kLaneCount> last_on_{-1, -1, -1, -1};
};

}  // namespace

std::string_view name_of(Lane lane) {
  constexpr std::array<std::string_view, kLaneCount> kNames{"copies", "tensor cores", "exponentials", "vector"};
  return kNames[size_t(lane)];
}

std::string_view name_of(Wait wait) {
  constexpr std::array<std::string_view, 6> kNames{"nothing", "order", "data", "buffer", "turn", "busy"};
  return kNames[size_t(wait)];
}

Lane lane_of(StepKind kind) {
  switch (info_of(kind).engine) {
    case Engine::Load:
    case Engine::Store: return Lane::Copy;
    case Engine::TensorCore: return Lane::Tensor;
    case Engine::Exponential: return Lane::Exponential;
    case Engine::Vector: break;
  }
  return Lane::Vector;
}

int64_t ticks_of(const Step& step, const Plan& plan, const Rates& rates, int warpgroups) {
  const Meters cost = cost_of(step, plan);
  const auto ticks = [&](int64_t work, int64_t rate) {
    return rate ? (work + rate * warpgroups - 1) / (rate * warpgroups) : 0;
  };
  switch (lane_of(step.kind)) {
    case Lane::Copy: return ticks(cost.fill_bytes() + cost.drain_bytes(), rates.copy_bytes);
    case Lane::Tensor: return ticks(cost.matrix_flop, rates.tensor_flop);
    case Lane::Exponential: return ticks(cost.exponentials, rates.exponentials);
    case Lane::Vector: break;
  }
  return ticks(cost.vector_flop, rates.vector);
}

Timeline lay(const Schedule& schedule, const Plan& plan, int64_t block, const Rates& rates, const Overlap& overlap) {
  if (overlap.stages < 1 || overlap.warpgroups < 1)
    throw std::invalid_argument("a thread block needs at least one buffer and one warpgroup");
  Timeline out;
  out.steps = block_steps(schedule, plan, block);
  // Passes are kernels of their own: each begins when the one before has ended.
  for (size_t first = 0, end; first < out.steps.size(); first = end) {
    end = first;
    while (end < out.steps.size() && out.steps[end].pass == out.steps[first].pass) ++end;
    out.ticks = std::max(out.ticks, Layer(plan, rates, overlap, out, first, end, out.ticks).run());
  }
  return out;
}

}  // namespace tilewalk
