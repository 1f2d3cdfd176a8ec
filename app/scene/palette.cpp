#include "app/scene/palette.h"

#include "app/scene/color_math.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

namespace {

struct RoleRow {
  Role role;
  uint32_t light, dark, projector;
};

constexpr RoleRow role_table[] = {
    {Role::Background, 0xFFFFFF, 0x101418, 0xFFFFFF},    {Role::Surface, 0xF6F7F9, 0x171C22, 0xF6F7F9},
    {Role::SurfaceStrong, 0xEEF0F4, 0x1E252D, 0xEEF0F4}, {Role::Line, 0xE2E5EA, 0x2B343F, 0xA6ADB8},
    {Role::Border, 0xC9CED6, 0x45515F, 0x555D68},        {Role::Text, 0x111111, 0xF2F4F8, 0x111111},
    {Role::TextSecondary, 0x4A525C, 0xA9B4C0, 0x111111}, {Role::TextOnBlack, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF},
    {Role::Accent, 0x9F55FF, 0xD7B3FF, 0x9F55FF},        {Role::AccentText, 0x7C38D8, 0xD7B3FF, 0x7C38D8},
    {Role::Inverse, 0x111111, 0xF2F4F8, 0x111111},       {Role::InverseText, 0xFFFFFF, 0x101418, 0xFFFFFF},
    {Role::StatFill, 0xEEF0F4, 0x1E252D, 0xEEF0F4},      {Role::StatText, 0x111111, 0xF2F4F8, 0x111111},
    {Role::Right, 0x0B6B3A, 0x4AC3A6, 0x0B6B3A},         {Role::Wrong, 0x8A1C10, 0xE3434A, 0x8A1C10},
    {Role::RightText, 0x0B6B3A, 0x4AC3A6, 0x0B6B3A},     {Role::WrongText, 0x8A1C10, 0xFFA6A3, 0x8A1C10},
    {Role::Focus, 0x9F55FF, 0xD7B3FF, 0x9F55FF},         {Role::Ghost, 0x8A939E, 0x6B7785, 0x555D68},
};
static_assert(std::size(role_table) == static_cast<size_t>(Role::Count_));

struct TensorRow {
  Tensor tensor;
  uint32_t light, light_label, light_ink, dark, dark_label, dark_ink;
};

constexpr TensorRow tensor_table[] = {
    {Tensor::Q, 0x1B3D6F, 0xFFFFFF, 0x1B3D6F, 0x636FF5, 0x111111, 0x8A94FA},
    {Tensor::K, 0xCD8119, 0x111111, 0x8F5B0C, 0xFFAD07, 0x111111, 0xFFAD07},
    {Tensor::V, 0x779C97, 0x111111, 0x4F706B, 0x4AC3A6, 0x111111, 0x4AC3A6},
    {Tensor::S, 0x9F55FF, 0x111111, 0x7C38D8, 0xD7B3FF, 0x111111, 0xD7B3FF},
    {Tensor::P, 0x9F55FF, 0x111111, 0x7C38D8, 0xD7B3FF, 0x111111, 0xD7B3FF},
    {Tensor::O, 0x64370F, 0xFFFFFF, 0x64370F, 0x9B6919, 0xFFFFFF, 0xCDA06C},
};

constexpr Color below_zero = rgb(0x2C6FD1), above_zero = rgb(0xE07B1F);
constexpr float faintest = 0.10f;  // where the scale of a tensor starts, so that a 0 is still a cell of that tensor
constexpr int steps = 256;

Palette make_palette(Theme theme) {
  Palette p;
  p.theme = theme;
  for (const RoleRow& row : role_table) {
    const uint32_t hex = theme == Theme::Light ? row.light : theme == Theme::Dark ? row.dark : row.projector;
    p.roles[static_cast<size_t>(row.role)] = rgb(hex);
  }
  const bool dark = theme == Theme::Dark;
  for (const TensorRow& row : tensor_table) {
    const auto i = static_cast<size_t>(row.tensor);
    p.tensors[i] = rgb(dark ? row.dark : row.light);
    p.labels[i] = rgb(dark ? row.dark_label : row.light_label);
    p.inks[i] = rgb(dark ? row.dark_ink : row.light_ink);
  }
  for (size_t i = 0; i < kTensorCount; ++i) {
    const auto primal = static_cast<size_t>(primal_of(Tensor(i)));  // earlier in the table
    p.tensors[i] = p.tensors[primal];
    p.labels[i] = p.labels[primal];
    p.inks[i] = p.inks[primal];
    if (!is_statistic(Tensor(i))) continue;
    p.tensors[i] = p[Role::StatFill];
    p.labels[i] = p.inks[i] = p[Role::StatText];
  }
  return p;
}

using Scale = std::array<ValueColors, steps>;

// One scale for each tensor and two for the diverging one, for the theme.
struct Scales {
  std::array<Scale, kTensorCount> tensors;
  Scale below, above;
};

Scale make_scale(Color from, Color to) {
  Scale scale;
  for (int i = 0; i < steps; ++i) {
    const Color fill = mix_oklab(from, to, static_cast<float>(i) / (steps - 1));
    scale[static_cast<size_t>(i)] = {fill, text_on(fill)};
  }
  return scale;
}

Scales make_scales(const Palette& p) {
  Scales s;
  const Color ground = p[Role::Background];
  for (size_t i = 0; i < s.tensors.size(); ++i) {
    s.tensors[i] = make_scale(mix_oklab(ground, p.tensors[i], faintest), p.tensors[i]);
  }
  s.below = make_scale(ground, below_zero);
  s.above = make_scale(ground, above_zero);
  return s;
}

const Scales& scales(Theme theme) {
  static const Scales light = make_scales(palette(Theme::Light)), dark = make_scales(palette(Theme::Dark));
  return theme == Theme::Dark ? dark : light;
}

const ValueColors& pick(const Scale& scale, float t) {
  // A value that is not a number is shown like 0; the number in the cell says what it is.
  const float inside = t > 0 ? std::min(t, 1.0f) : 0.0f;
  return scale[static_cast<size_t>(std::lround(inside * (steps - 1)))];
}

}  // namespace

const Palette& palette(Theme theme) {
  static const Palette all[] = {make_palette(Theme::Light), make_palette(Theme::Dark), make_palette(Theme::Projector)};
  return all[static_cast<size_t>(theme)];
}

Palette for_wall(Palette p) {
  if (p.theme != Theme::Dark) return p;
  const auto set = [&](Role role, uint32_t hex) { p.roles[static_cast<size_t>(role)] = rgb(hex); };
  set(Role::TextSecondary, 0xE3E8EE);
  set(Role::Line, 0x7C8997);
  set(Role::Border, 0xA9B4C0);
  set(Role::Ghost, 0xA9B4C0);
  return p;
}

Color text_on(Color fill) {
  const Color dark = rgb(0x111111), light = rgb(0xFFFFFF);
  const float on_dark = contrast(dark, fill), on_light = contrast(light, fill);
  if (std::max(on_dark, on_light) >= 4.5f) return on_dark >= on_light ? dark : light;
  const Color black = rgb(0x000000);
  return contrast(black, fill) >= on_light ? black : light;
}

ValueColors fill_for(const Palette& palette, Tensor tensor, float t) {
  return pick(scales(palette.theme).tensors[static_cast<size_t>(tensor)], t);
}

ValueColors diverging_fill(const Palette& palette, float t) {
  const Scales& s = scales(palette.theme);
  return t < 0 ? pick(s.below, -t) : pick(s.above, t);
}

}  // namespace tilewalk
