#include "app/scene/color_math.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

namespace {

std::array<float, 256> linear_table() {
  std::array<float, 256> table{};
  for (int i = 0; i < 256; ++i) {
    const double v = i / 255.0;
    table[static_cast<size_t>(i)] = static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
  }
  return table;
}

uint8_t encode(float linear) {
  const float v = std::clamp(linear, 0.0f, 1.0f);
  const float s = v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
  return static_cast<uint8_t>(std::lround(s * 255));
}

// Björn Ottosson, "A perceptual color space for image processing" (2020).
std::array<float, 3> to_oklab(Color c) {
  const auto [r, g, b] = to_linear(c);
  const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

std::array<float, 3> oklab_to_linear(std::array<float, 3> lab) {
  const float l = lab[0] + 0.3963377774f * lab[1] + 0.2158037573f * lab[2];
  const float m = lab[0] - 0.1055613458f * lab[1] - 0.0638541728f * lab[2];
  const float s = lab[0] - 0.0894841775f * lab[1] - 1.2914855480f * lab[2];
  const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
          -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
          -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

}  // namespace

std::array<float, 3> to_linear(Color c) {
  static const std::array<float, 256> table = linear_table();
  return {table[c.r], table[c.g], table[c.b]};
}

Color from_linear(std::array<float, 3> linear, uint8_t alpha) {
  return {encode(linear[0]), encode(linear[1]), encode(linear[2]), alpha};
}

float luminance(Color c) {
  const auto [r, g, b] = to_linear(c);
  return 0.2126f * r + 0.7152f * g + 0.0722f * b;
}

float contrast(Color a, Color b) {
  const float la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05f) / (std::min(la, lb) + 0.05f);
}

Color over(Color top, Color below) {
  Color shown = mix(below, {top.r, top.g, top.b, 255}, static_cast<float>(top.a) / 255);
  shown.a = 255;
  return shown;
}

Color mix_oklab(Color from, Color to, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  auto a = to_oklab(from);
  const auto b = to_oklab(to);
  for (size_t i = 0; i < 3; ++i) a[i] += (b[i] - a[i]) * t;
  return from_linear(oklab_to_linear(a), mix(from, to, t).a);
}

Color washed(Color c, float room_contrast) {
  auto linear = to_linear(c);
  for (float& channel : linear) channel = (1 + (room_contrast - 1) * channel) / room_contrast;
  return from_linear(linear, c.a);
}

}  // namespace tilewalk
