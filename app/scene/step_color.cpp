#include "app/scene/step_color.h"

namespace tilewalk {
namespace {

// Statistics have no colour of their own: a row's max and sum go with the tile that they are taken from, the rest with
// O.
Tensor shown_tensor(StepKind kind) {
  if (kind == StepKind::RowMax) return Tensor::S;
  if (kind == StepKind::RowSum) return Tensor::P;
  const Touched touched = touched_by(Step{.kind = kind});
  const Tensor made = info_of(kind).engine == Engine::Store ? touched.reads[0] : touched.writes[0];
  return is_statistic(made) ? Tensor::O : made;
}

}  // namespace

Color fill_of_step(const Palette& palette, StepKind kind) {
  const Color full = palette.fill(shown_tensor(kind));
  switch (info_of(kind).engine) {
    case Engine::Vector: return mix(palette[Role::Background], full, 0.3f);
    case Engine::Exponential: return mix(palette[Role::Background], full, 0.6f);
    case Engine::Load:
    case Engine::Store:
    case Engine::TensorCore: break;
  }
  return full;
}

}  // namespace tilewalk
