#include "tests/app/sample_scene.h"

#include "app/text/text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tilewalk {

namespace {

class Sample {
 public:
  Sample(Theme theme, float scale) : p_(palette(theme)), k_(scale) {
    s_.size = {960 * k_, 600 * k_};
    s_.background = p_[Role::Background];
  }

  Scene take() { return std::move(s_); }

  void rail() {
    box({0, 0, 200, 600}, 0, p_[Role::Surface]);
    line({200, 0}, {200, 600}, p_[Role::Line], 1);
    label({16, 14, 170, 28}, "Tilewalk", Face::SansBold, 20, Role::Text);
    label({16, 52, 170, 24}, "Tiles and online softmax", Face::SansBold, 14, Role::TextSecondary);
    const std::array<std::string, 5> rows = {"Cut until it fits", "The running max", "One Q tile, all K tiles",
                                             "Backward, no matrix", "Causal tiles"};
    for (size_t i = 0; i < rows.size(); ++i) {
      const float y = 84 + 40 * static_cast<float>(i);
      const bool now = i == 2;
      if (now) box({8, y, 184, 36}, 8, p_[Role::Inverse]);
      const Rect badge{18, y + 8, 20, 20};
      if (i < 2) {
        box(badge, 10, p_[Role::Right]);
        label(badge, "✓", Face::SansBold, 14, p_[Role::Background], Align::Center);
      } else {
        box(badge, 10, {}, p_[now ? Role::InverseText : Role::TextSecondary], 1.5f);
        label(badge, std::to_string(i + 4), Face::SansBold, 12, p_[now ? Role::InverseText : Role::TextSecondary],
              Align::Center);
      }
      label({46, y, 144, 36}, rows[i], now ? Face::SansBold : Face::Sans, 13, p_[now ? Role::InverseText : Role::Text]);
      s_.region(scaled({8, y, 184, 36}), "lesson:" + std::to_string(i + 5), rows[i], true);
    }
    box({16, 300, 168, 6}, 3, p_[Role::SurfaceStrong]);
    box({16, 300, 72, 6}, 3, p_[Role::Right]);
    const std::array<std::string, 6> glyphs = {"α β λ μ σ Σ Δ Ω ℓ", "← ↑ → ↓ ↔ √ Σ ∞", "≤ ≥ ≈ ≠ × · − … ±",
                                               "₀₁₂₃₄₅₆₇₈₉ᵢⱼ Kⱼᵀ",  "◆ ▲ ■ ✓ ✕ ○ ● ?", "AV To Wa 4x8 -> <= !"};
    for (size_t i = 0; i < glyphs.size(); ++i) {
      const float y = 320 + 44 * static_cast<float>(i);
      label({16, y, 180, 20}, glyphs[i], Face::Sans, 16, Role::Text);
      label({16, y + 20, 180, 20}, glyphs[i], i % 2 ? Face::Mono : Face::SansBold, 14, Role::TextSecondary);
    }
  }

  void tiles() {
    label({220, 14, 720, 28}, "K₃ holds a larger score for row 6. Its max rises to 0.81.", Face::Sans, 20, Role::Text);
    label({220, 44, 500, 24}, "α = e^(0.117 − 0.811) = 0.499", Face::MonoBold, 18, Role::AccentText);
    label({640, 44, 300, 24}, "tile 3 of 4 · part 3 of 5", Face::Sans, 16, p_[Role::TextSecondary], Align::Right);
    box({220, 78, 720, 244}, 12, {}, p_[Role::Text], 2);
    const std::array<std::string, 6> names = {"Q₂", "K₃", "V₃", "S", "P", "O₂"};
    for (size_t t = 0; t < names.size(); ++t) {
      const auto tensor = static_cast<Tensor>(t);
      const float left = 236 + 116 * static_cast<float>(t);
      label({left, 86, 100, 26}, names[t], Face::SansBold, 18, p_.ink(tensor));
      box({left, 114, 104, 104}, 6, p_[Role::Background], p_.fill(tensor), 3);
      for (int cell = 0; cell < 16; ++cell) {
        const float value = std::fmod(static_cast<float>(cell * 7 + static_cast<int>(t) * 3), 16.0f) / 15;
        const ValueColors c = fill_for(p_, tensor, value);
        const Rect r{left + 5 + 24 * static_cast<float>(cell % 4), 119 + 24 * static_cast<float>(cell / 4), 22, 22};
        box(r, 3, c.fill);
        char digits[8];
        std::snprintf(digits, sizeof digits, "%.1f", static_cast<double>(value));
        label(r, digits, Face::Mono, 10, c.text, Align::Center);
      }
      box({left, 228, 48, 28}, 6, p_.fill(tensor));
      label({left, 228, 48, 28}, names[t], Face::SansBold, 14, p_.label_on(tensor), Align::Center);
      box({left + 56, 228, 48, 28}, 6, {}, p_.fill(tensor), 1.5f, 4);
    }
    const std::array<std::string, 3> stats = {"0.81", "0.499", "4.76"};
    for (size_t i = 0; i < stats.size(); ++i) {
      const Rect cell{236 + 92 * static_cast<float>(i), 268, 84, 40};
      const bool alpha = i == 1;
      box(cell, 8, alpha ? p_.fill(Tensor::S) : p_[Role::Inverse]);
      label(cell, stats[i], Face::MonoBold, 18, alpha ? p_.label_on(Tensor::S) : p_[Role::InverseText], Align::Center);
    }
    box({520, 268, 404, 40}, 8, p_[Role::StatFill]);
    label({536, 268, 372, 40}, "ℓ ← 0.499 × 4.690 + 2.421 = 4.762", Face::Mono, 17, Role::StatText);
  }

  void strips() {
    box({220, 334, 720, 140}, 12, p_[Role::Surface], p_[Role::Line], 1);
    for (int i = 0; i < 11; ++i) {
      const float t = static_cast<float>(i) / 5 - 1;
      const ValueColors c = diverging_fill(p_, t);
      const Rect r{236 + 40 * static_cast<float>(i), 346, 36, 30};
      box(r, 4, c.fill, p_[Role::Line], 1);
      char digits[8];
      std::snprintf(digits, sizeof digits, "%+.1f", static_cast<double>(t));
      label(r, digits, Face::Mono, 12, c.text, Align::Center);
    }
    box({236, 388, 200, 14}, 0, {}, p_[Role::Text], 2);
    box({236, 406, 190, 14}, 0, p_[Role::Text]);
    label({450, 388, 300, 32}, "◆ 4.362 GB predicted · 4.363 measured", Face::Sans, 14, Role::Text);
    for (int i = 0; i < 4; ++i) {
      box({236 + 52 * static_cast<float>(i), 430, 44, 34}, 6 + 4 * static_cast<float>(i % 2), {}, p_[Role::Ghost], 1.5f,
          3 + static_cast<float>(i));
    }
    line({460, 447}, {560, 447}, p_[Role::Text], 2, 0, true);
    line({640, 464}, {580, 430}, p_[Role::Accent], 1.5f, 0, true);
    line({660, 430}, {920, 430}, p_[Role::TextSecondary], 1, 3);
    line({660, 440}, {920, 440}, p_[Role::TextSecondary], 2, 6);
    line({660, 464}, {920, 450}, p_[Role::Border], 1.5f);
    box({760, 346, 164, 76}, 10, with_alpha(p_[Role::Accent], 0.15f), with_alpha(p_[Role::Accent], 0.6f), 4);
    label({760, 346, 164, 76}, "◆ recorded", Face::SansBold, 16, p_[Role::Text], Align::Center);
  }

  void transport() {
    line({200, 486}, {960, 486}, p_[Role::Line], 1);
    for (int i = 0; i < 3; ++i) {
      const Rect r{220 + 56 * static_cast<float>(i), 502, 48, 48};
      const bool play = i == 1;
      box(r, play ? 24.0f : 10.0f, p_[play ? Role::Inverse : Role::SurfaceStrong]);
      const Vec2 c = r.center();
      const float d = i == 0 ? -1.0f : 1.0f;
      polygon({{c.x - 6 * d, c.y - 9}, {c.x + 9 * d, c.y}, {c.x - 6 * d, c.y + 9}},
              p_[play ? Role::InverseText : Role::Text]);
      s_.region(scaled(r), "button:" + std::to_string(i), play ? "Play (Space)" : "Step (→)", true);
    }
    box({400, 522, 400, 8}, 4, p_[Role::SurfaceStrong]);
    box({400, 522, 170, 8}, 4, p_[Role::Inverse]);
    box({561, 517, 18, 18}, 9, p_[Role::Background], p_[Role::Inverse], 6);
    for (int i = 0; i < 9; ++i) {
      const float x = 400 + 50 * static_cast<float>(i);
      line({x, 520}, {x, 532}, p_[Role::Text], i % 4 ? 1.0f : 2.0f);
      if (i % 3 == 1) polygon({{x, 506}, {x + 5, 514}, {x - 5, 514}}, p_[Role::Accent]);
      if (i % 4 == 2) box({x - 4, 538, 8, 8}, 1, p_.fill(Tensor::O));
    }
    label({820, 502, 120, 48}, "37 / 104", Face::Mono, 18, p_[Role::Text], Align::Right);
    box({217, 499, 54, 54}, 13, {}, p_[Role::Focus], 3);
    label({220, 562, 480, 28}, "seed 4 · inputs 9f2c1e · N 16 d 8 Br 4 Bc 4 · full · exact arithmetic", Face::Sans, 14,
          Role::TextSecondary);
    label({720, 562, 104, 28}, "✕ wrong", Face::SansBold, 14, p_[Role::WrongText], Align::Right);
    label({836, 562, 104, 28}, "✓ right", Face::SansBold, 14, p_[Role::RightText], Align::Right);
  }

 private:
  Rect scaled(Rect r) const { return {r.x * k_, r.y * k_, r.w * k_, r.h * k_}; }
  Vec2 scaled(Vec2 p) const { return {p.x * k_, p.y * k_}; }
  void box(Rect r, float radius, Color fill, Color stroke = {}, float width = 0, float dash = 0) {
    s_.box(scaled(r), radius * k_, fill, stroke, width * k_, dash * k_);
  }
  void label(Rect r, std::string_view text, Face face, float size, Color color, Align align = Align::Left) {
    s_.label(scaled(r), text, face, size * k_, color, align);
  }
  void label(Rect r, std::string_view text, Face face, float size, Role role) { label(r, text, face, size, p_[role]); }
  void line(Vec2 a, Vec2 b, Color c, float width, float dash = 0, bool arrow = false) {
    s_.line(scaled(a), scaled(b), c, width * k_, dash * k_, arrow);
  }
  void polygon(std::vector<Vec2> points, Color c) {
    for (Vec2& point : points) point = scaled(point);
    s_.polygon(std::move(points), c);
  }

  const Palette& p_;
  float k_;
  Scene s_;
};

}  // namespace

Scene sample_scene(Theme theme, float scale) {
  Sample sample(theme, scale);
  sample.rail();
  sample.tiles();
  sample.strips();
  sample.transport();
  return sample.take();
}

}  // namespace tilewalk
