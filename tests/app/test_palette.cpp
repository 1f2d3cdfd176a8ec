#include "app/scene/color_math.h"
#include "app/scene/palette.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tilewalk::test_palette {

namespace {

constexpr Theme themes[] = {Theme::Light, Theme::Dark, Theme::Projector};
constexpr Tensor five[] = {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::O};

using Matrix = std::array<std::array<double, 3>, 3>;
// Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
// severity 1.0, on linear RGB.
constexpr Matrix visions[] = {
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
};

struct Lab {
  double l, a, b;
};

// CIE Lab under D65, of a colour as seen with `vision`, then washed out by a room to `room_contrast` (0: a dark room).
Lab seen(Color color, const Matrix& vision, double room_contrast) {
  const auto linear = to_linear(color);
  std::array<double, 3> shown{};
  for (size_t i = 0; i < 3; ++i) {
    const double sum = vision[i][0] * linear[0] + vision[i][1] * linear[1] + vision[i][2] * linear[2];
    shown[i] = std::clamp(sum, 0.0, 1.0);
    if (room_contrast > 0) shown[i] = (1 + (room_contrast - 1) * shown[i]) / room_contrast;
  }
  const auto [r, g, b] = shown;
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula" (2005).
double ciede2000(Lab p, Lab q) {
  constexpr double pi = std::numbers::pi;
  const auto power7 = [](double v) { return std::pow(v, 7); };
  const double mean_c = (std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2;
  const double g = 0.5 * (1 - std::sqrt(power7(mean_c) / (power7(mean_c) + power7(25))));
  const double a1 = (1 + g) * p.a, a2 = (1 + g) * q.a;
  const double c1 = std::hypot(a1, p.b), c2 = std::hypot(a2, q.b);
  const auto hue = [&](double b, double a) {
    if (a == 0 && b == 0) return 0.0;
    const double h = std::atan2(b, a);
    return h < 0 ? h + 2 * pi : h;
  };
  const double h1 = hue(p.b, a1), h2 = hue(q.b, a2);
  double dh = c1 * c2 == 0 ? 0 : h2 - h1;
  if (dh > pi) dh -= 2 * pi;
  if (dh < -pi) dh += 2 * pi;
  const double delta_l = q.l - p.l, delta_c = c2 - c1, delta_h = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2);
  const double l = (p.l + q.l) / 2, c = (c1 + c2) / 2;
  double h = h1 + h2;
  if (c1 * c2 != 0) {
    if (std::abs(h1 - h2) > pi) h += h1 + h2 < 2 * pi ? 2 * pi : -2 * pi;
    h /= 2;
  }
  const auto rad = [](double degrees) { return degrees * pi / 180; };
  const double t = 1 - 0.17 * std::cos(h - rad(30)) + 0.24 * std::cos(2 * h) + 0.32 * std::cos(3 * h + rad(6)) -
                   0.20 * std::cos(4 * h - rad(63));
  const double spread = (h * 180 / pi - 275) / 25;
  const double turn = rad(30) * std::exp(-spread * spread);
  const double rc = 2 * std::sqrt(power7(c) / (power7(c) + power7(25)));
  const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
  const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t, rt = -std::sin(2 * turn) * rc;
  const double tl = delta_l / sl, tc = delta_c / sc, th = delta_h / sh;
  return std::sqrt(tl * tl + tc * tc + th * th + rt * tc * th);
}

double worst_pair(const std::vector<Color>& colors, double room_contrast) {
  double worst = 1000;
  for (const Matrix& vision : visions) {
    for (size_t i = 0; i < colors.size(); ++i) {
      for (size_t k = i + 1; k < colors.size(); ++k) {
        worst =
            std::min(worst, ciede2000(seen(colors[i], vision, room_contrast), seen(colors[k], vision, room_contrast)));
      }
    }
  }
  return worst;
}

std::vector<Color> tensor_colors(Theme theme) {
  std::vector<Color> colors;
  for (const Tensor t : five) colors.push_back(palette(theme).fill(t));
  return colors;
}

}  // namespace

TEST_CASE("CIEDE2000 gives the published differences") {
  // Three pairs of the table in Sharma, Wu, Dalal.
  CHECK(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}) == doctest::Approx(2.0425).epsilon(1e-4));
  CHECK(ciede2000({50, 2.5, 0}, {73, 25, -18}) == doctest::Approx(27.1492).epsilon(1e-5));
  CHECK(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}) == doctest::Approx(1.2644).epsilon(1e-4));
}

// To the one decimal that the palette's figures are given with.
doctest::Approx one_decimal(double value) { return doctest::Approx(value).scale(0).epsilon(0.05 / value); }

TEST_CASE("The five tensor colours stay apart in four visions, on a screen and on a washed-out wall") {
  CHECK(worst_pair(tensor_colors(Theme::Light), 0) == one_decimal(25.7));
  CHECK(worst_pair(tensor_colors(Theme::Light), 7) == one_decimal(17.8));
  CHECK(worst_pair(tensor_colors(Theme::Dark), 0) == one_decimal(20.1));
  CHECK(worst_pair(tensor_colors(Theme::Dark), 7) == one_decimal(14.5));
  CHECK(tensor_colors(Theme::Projector) == tensor_colors(Theme::Light));
  // The measure itself: Okabe and Ito's five come closer on the wall.
  const std::vector<Color> okabe_ito = {rgb(0xE69F00), rgb(0x56B4E9), rgb(0x009E73), rgb(0x0072B2), rgb(0xD55E00)};
  CHECK(worst_pair(okabe_ito, 0) < 13);
}

TEST_CASE("Tensor colours have the contrast with the background that the palette promises") {
  const Palette& light = palette(Theme::Light);
  const double expected_light[] = {10.8, 3.1, 3.0, 4.0, 10.0}, expected_dark[] = {4.5, 9.9, 8.5, 10.4, 3.9};
  const Palette& dark = palette(Theme::Dark);
  for (size_t i = 0; i < 5; ++i) {
    CHECK(contrast(light.fill(five[i]), light[Role::Background]) == one_decimal(expected_light[i]));
    CHECK(contrast(dark.fill(five[i]), dark[Role::Background]) == one_decimal(expected_dark[i]));
    CHECK(contrast(light.label_on(five[i]), light.fill(five[i])) >= 4.6f);
    CHECK(contrast(dark.label_on(five[i]), dark.fill(five[i])) >= 4.6f);
  }
  // What is wrong has no tensor's colour.
  for (const Theme theme : themes)
    for (const Tensor t : five) {
      const Palette& p = palette(theme);
      for (const Color own : {p.fill(t), p.ink(t)})
        CHECK(ciede2000(seen(own, visions[0], 0), seen(p[Role::Wrong], visions[0], 0)) > 14);
    }
  CHECK(light.fill(Tensor::P) == light.fill(Tensor::S));
  CHECK(light[Role::Accent] == light.fill(Tensor::S));
  CHECK(dark[Role::Accent] == dark.fill(Tensor::S));
}

TEST_CASE("Text can be read on every surface it may stand on") {
  for (const Theme theme : themes) {
    const Palette& p = palette(theme);
    for (const Role surface : {Role::Background, Role::Surface, Role::SurfaceStrong, Role::StatFill}) {
      for (const Role text : {Role::Text, Role::TextSecondary, Role::AccentText, Role::RightText, Role::WrongText}) {
        CAPTURE(static_cast<int>(text));
        CAPTURE(static_cast<int>(surface));
        CHECK(contrast(p[text], p[surface]) >= 4.5f);
      }
      for (const Tensor t : five) CHECK(contrast(p.ink(t), p[surface]) >= 4.5f);
    }
    CHECK(contrast(p[Role::InverseText], p[Role::Inverse]) >= 15);
    CHECK(contrast(p[Role::StatText], p[Role::StatFill]) >= 7);
    CHECK(contrast(p[Role::TextOnBlack], rgb(0)) >= 15);
    CHECK(contrast(p[Role::Focus], p[Role::Background]) >= 3);
    CHECK(contrast(p[Role::Ghost], p[Role::Background]) >= 3);
    for (const Role role : {Role::Right, Role::Wrong}) CHECK(contrast(p[role], p[Role::Background]) >= 4.5f);
  }
  CHECK(contrast(palette(Theme::Light)[Role::Text], rgb(0xFFFFFF)) == one_decimal(18.9));
  CHECK(contrast(palette(Theme::Light)[Role::TextSecondary], rgb(0xFFFFFF)) == one_decimal(7.9));
  CHECK(contrast(palette(Theme::Dark)[Role::Text], palette(Theme::Dark)[Role::Background]) == one_decimal(16.8));
  CHECK(contrast(palette(Theme::Dark)[Role::TextSecondary], palette(Theme::Dark)[Role::Background]) ==
        one_decimal(8.8));
}

TEST_CASE("The projector theme has no grey text, and its lines are stronger") {
  const Palette& p = palette(Theme::Projector);
  CHECK(p[Role::TextSecondary] == p[Role::Text]);
  for (const Role role : {Role::Line, Role::Border, Role::Ghost}) {
    CHECK(contrast(p[role], p[Role::Background]) > 1.5f * contrast(palette(Theme::Light)[role], rgb(0xFFFFFF)));
  }
}

TEST_CASE("A room that lights the black to a seventh of the white leaves the contrasts that were computed") {
  CHECK(contrast(washed(rgb(0x111111)), washed(rgb(0xFFFFFF))) == one_decimal(5.3));
  CHECK(contrast(washed(rgb(0xF2F4F8)), washed(rgb(0x101418))) == one_decimal(4.9));
  // What is wrong is said in a red that is still read there.
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector})
    CHECK(contrast(washed(palette(theme)[Role::WrongText]), washed(palette(theme)[Role::Background])) > 3);
}

TEST_CASE("Values in tiles run one way from pale to full, and their text can be read") {
  for (const Theme theme : themes) {
    const Palette& p = palette(theme);
    for (const Tensor t : five) {
      float last = contrast(fill_for(p, t, 0).fill, p[Role::Background]);
      CHECK(last < 1.4f);
      CHECK(last > 1.02f);
      for (int i = 0; i <= 100; ++i) {
        const ValueColors c = fill_for(p, t, static_cast<float>(i) / 100);
        CHECK(contrast(c.text, c.fill) >= 4.5f);
        const float now = contrast(c.fill, p[Role::Background]);
        CHECK(now >= last);
        last = now;
      }
      CHECK(fill_for(p, t, 1).fill == p.fill(t));
      CHECK(fill_for(p, t, 7).fill == p.fill(t));
      CHECK(fill_for(p, t, std::nanf("")).fill == fill_for(p, t, 0).fill);
    }
    for (int i = -100; i <= 100; ++i) {
      const ValueColors c = diverging_fill(p, static_cast<float>(i) / 100);
      CHECK(contrast(c.text, c.fill) >= 4.5f);
    }
    CHECK(diverging_fill(p, 0).fill == p[Role::Background]);
    for (const Matrix& vision : visions) {
      const Lab below = seen(diverging_fill(p, -1).fill, vision, 7), above = seen(diverging_fill(p, 1).fill, vision, 7);
      CHECK(ciede2000(below, above) > 14);
    }
  }
}

TEST_CASE("Every tensor has colours; the statistics have those of their cells") {
  for (const Theme theme : themes) {
    const Palette& p = palette(theme);
    for (int t = 0; t < kTensorCount; ++t) {
      const Tensor tensor = Tensor(t);
      CAPTURE(t);
      CHECK(contrast(p.label_on(tensor), p.fill(tensor)) >= 4.5f);
      CHECK(contrast(p.ink(tensor), p[Role::Background]) >= 4.5f);
      CHECK(fill_for(p, tensor, 1).fill == p.fill(tensor));
      CHECK(contrast(fill_for(p, tensor, 0.5f).text, fill_for(p, tensor, 0.5f).fill) >= 4.5f);
      CHECK(is_statistic(tensor) == (p.fill(tensor) == p[Role::StatFill]));
      if (is_statistic(tensor)) CHECK(p.label_on(tensor) == p[Role::StatText]);
      if (is_statistic(tensor)) CHECK(p.ink(tensor) == p[Role::StatText]);
    }
  }
}

TEST_CASE("On a wall nothing of the dark theme is dimmed or thin") {
  const Palette wall = for_wall(palette(Theme::Dark));
  CHECK(contrast(wall[Role::TextSecondary], wall[Role::Background]) >= 14);
  for (const Role role : {Role::Border, Role::Ghost}) CHECK(contrast(wall[role], wall[Role::Background]) >= 8);
  CHECK(contrast(wall[Role::Line], wall[Role::Background]) >= 4.5f);
  CHECK(for_wall(palette(Theme::Projector)).roles == palette(Theme::Projector).roles);
}

TEST_CASE("Text on any grey reaches 4.5 to 1") {
  for (uint32_t v = 0; v < 256; ++v) {
    const Color grey = rgb(v << 16 | v << 8 | v);
    CHECK(contrast(text_on(grey), grey) >= 4.5f);
  }
}

TEST_CASE("Colours blend as they are painted") {
  CHECK(over(rgb(0x000000, 255), rgb(0xFFFFFF)) == rgb(0x000000));
  CHECK(over(rgb(0x000000, 0), rgb(0x123456)) == rgb(0x123456));
  CHECK(over(with_alpha(rgb(0x000000), 0.5f), rgb(0xFFFFFF)) == rgb(0x7F7F7F));
  CHECK(mix(rgb(0x000000), rgb(0x0A1428), 0.5f) == rgb(0x050A14));
  CHECK(mix_oklab(rgb(0x9F55FF), rgb(0xFFFFFF), 0) == rgb(0x9F55FF));
  CHECK(mix_oklab(rgb(0x9F55FF), rgb(0xFFFFFF), 1) == rgb(0xFFFFFF));
}

}  // namespace tilewalk::test_palette
