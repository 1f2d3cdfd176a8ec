#include "core/playback/replay.h"

#include "core/schedules/schedule.h"

#include <algorithm>

namespace tilewalk {
namespace {

int64_t bytes_in(const TilePtr& tile) {
  return tile ? int64_t(sizeof(Matrix) + 32 + tile->values.capacity() * sizeof(double)) : 0;
}

// Bytes of `table` that are not shared with the same place of `before`.
int64_t bytes_beyond(const TileTable& table, const TileTable& before) {
  int64_t bytes = int64_t(table.chunks().size() * sizeof(void*) * 2);
  for (size_t c = 0; c < table.chunks().size(); ++c) {
    const auto& chunk = table.chunks()[c];
    const auto& old = c < before.chunks().size() ? before.chunks()[c] : nullptr;
    if (!chunk || chunk == old) continue;
    bytes += int64_t(chunk->capacity() * sizeof(TilePtr) + 48);
    for (size_t t = 0; t < chunk->size(); ++t)
      if (!old || (*chunk)[t] != (*old)[t]) bytes += bytes_in((*chunk)[t]);
  }
  return bytes;
}

int64_t bytes_beyond(const MachineState& state, const MachineState& before) {
  int64_t bytes = int64_t(sizeof(MachineState) + state.chip.capacity() * sizeof(Resident));
  for (const Resident& r : state.chip)
    if (!is_input(r.tensor)) bytes += bytes_in(r.data);
  for (Tensor t : kStored) bytes += bytes_beyond(*state.memory(t), *before.memory(t));
  return bytes;
}

}  // namespace

Replay::Replay(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs,
               ReplayOptions options)
    : schedule_(schedule),
      machine_(schedule, plan, spec, inputs),
      options_(options),
      steps_(steps_of(schedule, plan)),
      interval_(std::max<int64_t>(1, options.first_interval)) {
  MachineState state = machine_.start();
  keep(state);
  for (const Step& step : steps_) {
    machine_.apply(state, step);
    mark(state, step);
    if (state.step % interval_ == 0) keep(state);
  }
  current_ = keyframes_.front();
}

void Replay::keep(const MachineState& state) {
  keyframe_bytes_ += bytes_beyond(state, keyframes_.empty() ? MachineState{} : keyframes_.back());
  keyframes_.push_back(state);
  while (keyframe_bytes_ > options_.keyframe_budget && keyframes_.size() > 1) thin_out();
}

// Every second keyframe goes; what is left is twice as far apart.
void Replay::thin_out() {
  std::vector<MachineState> fewer;
  for (size_t k = 0; k < keyframes_.size(); k += 2) fewer.push_back(std::move(keyframes_[k]));
  keyframes_ = std::move(fewer);
  interval_ *= 2;
  keyframe_bytes_ = 0;
  for (size_t k = 0; k < keyframes_.size(); ++k)
    keyframe_bytes_ += bytes_beyond(keyframes_[k], k ? keyframes_[k - 1] : MachineState{});
}

void Replay::mark(const MachineState& state, const Step& step) {
  if (step.kind == StepKind::RowMax && !step.has(Step::kFinalMax)) {
    // A first score is no rise: only rows that had summed something are rescaled.
    const Matrix& alpha = *state.find(Tensor::Alpha)->data;
    const Matrix& l = *state.find(Tensor::L)->data;
    Marker marker{Marker::MaxRose, state.step};
    for (int64_t r = 0; r < alpha.rows; ++r)
      if (alpha.at(r, 0) < 1 && l.at(r, 0) > 0) {
        marker.last_row = step.i * plan().tiling.br + r;
        if (marker.first_row < 0) marker.first_row = marker.last_row;
      }
    if (marker.first_row >= 0) markers_.push_back(marker);
  }
  const bool stores = step.kind == StepKind::StoreO || step.kind == StepKind::AddDQ || step.kind == StepKind::StoreDQ ||
                      step.kind == StepKind::StoreDV;
  if (stores) markers_.push_back({Marker::Stored, state.step});
  if (step.kind == StepKind::Mask) markers_.push_back({Marker::Masked, state.step});
}

const MachineState& Replay::at(int64_t step) {
  step = std::clamp<int64_t>(step, 0, length());
  const int64_t frame = std::min<int64_t>(step / interval_, int64_t(keyframes_.size()) - 1);
  const bool go_on = current_.step <= step && current_.step >= keyframes_[size_t(frame)].step;
  if (!go_on) current_ = keyframes_[size_t(frame)];
  while (current_.step < step) machine_.apply(current_, steps_[size_t(current_.step)]);
  return current_;
}

}  // namespace tilewalk
