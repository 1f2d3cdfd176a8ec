#include "core/timing/needs.h"

#include "core/machine/cost.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace tilewalk {
namespace {

using enum StepKind;

bool is_shared(Tensor t) { return t == Tensor::Q || t == Tensor::K || t == Tensor::V; }

// A place that holds a tile: on chip by its slot or ring buffer, in memory by its tile.
struct Place {
  bool memory;
  Tensor tensor;
  int64_t i, j;
  auto key() const { return std::tuple(memory, tensor, i, j); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

class Books {
 public:
  explicit Books(int stages) : stages_(stages) {}

  std::vector<Need> take(const Step& step, int32_t index) {
    needs_.clear();
    const Engine engine = info_of(step.kind).engine;
    if (engine == Engine::Load || engine == Engine::Store) {
      for (Tensor t : moved_tensors(step.kind)) {
        if (t == kNoTensor) continue;
        if (engine == Engine::Load) {
          if (!is_shared(t)) read(in_memory(t, step), index);
          write(is_shared(t) ? next_buffer(t, step) : on_chip(t, step), index);
        } else {
          read(on_chip(t, step), index);
          write(in_memory(t, step), index);
        }
      }
    } else {
      const Touched touched = touched_by(step);
      for (Tensor t : touched.reads)
        if (t != kNoTensor) read(is_shared(t) ? buffer_with(t, step) : on_chip(t, step), index);
      for (Tensor t : touched.writes)
        if (t != kNoTensor) write(on_chip(t, step), index);
    }
    return needs_;
  }

 private:
  struct Entry {
    int32_t writer = -1;
    std::vector<int32_t> readers;  // since it was written
  };

  void read(const Place& place, int32_t index) {
    Entry& entry = entries_[place];
    if (entry.writer >= 0) need(entry.writer, false);
    entry.readers.push_back(index);
  }
  void write(const Place& place, int32_t index) {
    Entry& entry = entries_[place];
    for (int32_t reader : entry.readers)
      if (reader != index) need(reader, true);  // it may read the place that it changes
    if (entry.readers.empty() && entry.writer >= 0) need(entry.writer, true);
    entry.writer = index;
    entry.readers.clear();
  }
  void need(int32_t step, bool buffer) {
    if (std::ranges::find(needs_, step, &Need::step) == needs_.end()) needs_.push_back({step, buffer});
  }

  static Place on_chip(Tensor t, const Step& step) {
    return {false, is_scores(t) ? is_gradient(t) ? Tensor::DP : Tensor::S : t, is_scores(t) ? step.slot : 0, 0};
  }
  static Place in_memory(Tensor t, const Step& step) { return {true, t, step.i, is_scores(t) ? step.j : 0}; }
  static int32_t tile_of(Tensor t, const Step& step) { return t == Tensor::Q ? step.i : step.j; }

  Place next_buffer(Tensor t, const Step& step) {
    Ring& ring = rings_[size_t(t)];
    ring.tiles.push_back(tile_of(t, step));
    return {false, t, int64_t(ring.tiles.size() - 1) % stages_, 0};
  }
  Place buffer_with(Tensor t, const Step& step) {
    const std::vector<int32_t>& tiles = rings_[size_t(t)].tiles;
    for (size_t n = tiles.size(), back = 0; n > 0 && back < size_t(stages_); --n, ++back)
      if (tiles[n - 1] == tile_of(t, step)) return {false, t, int64_t(n - 1) % stages_, 0};
    throw std::logic_error("a step works on a tile whose buffer was filled again");
  }

  struct Ring {
    std::vector<int32_t> tiles;  // of each load so far
  };
  int stages_;
  std::map<Place, Entry> entries_;
  std::array<Ring, kTensorCount> rings_;
  std::vector<Need> needs_;
};

}  // namespace

std::vector<Step> block_steps(const Schedule& schedule, const Plan& plan, int64_t block) {
  class Collector : public StepSink {
   public:
    void take(const Step& step) override { steps.push_back(step); }
    std::vector<Step> steps;
  } collector;
  const int64_t sections = schedule.sections(plan), tr = plan.tiling.tr;
  for (int64_t s = 0; s < sections; ++s)
    if (!schedule.section_is_block || s % tr == block) schedule.emit(plan, s, collector);
  return std::move(collector.steps);
}

bool fills_shared(StepKind kind) { return kind == LoadQ || kind == LoadK || kind == LoadV; }

std::vector<std::vector<Need>> needs_of(const std::vector<Step>& steps, int stages) {
  Books books(stages);
  std::vector<std::vector<Need>> needs;
  needs.reserve(steps.size());
  for (size_t k = 0; k < steps.size(); ++k) needs.push_back(books.take(steps[k], int32_t(k)));
  return needs;
}

}  // namespace tilewalk
