// Arithmetic on colours: luminance and contrast as WCAG 2 defines them, OKLab for even steps of lightness, and what a
// lit room does to a projected picture. Alpha is ignored unless said otherwise.
#pragma once

#include "app/scene/scene.h"

#include <array>

namespace tilewalk {

// sRGB's transfer curve, channels 0..1.
std::array<float, 3> to_linear(Color c);
Color from_linear(std::array<float, 3> linear, uint8_t alpha = 255);  // clamps

float luminance(Color c);          // 0 black .. 1 white
float contrast(Color a, Color b);  // 1 .. 21

// `top` over an opaque `below`, blended in sRGB as the painters do.
Color over(Color top, Color below);

// A mix along a straight line in OKLab: equal steps of t look like equal steps of lightness.
Color mix_oklab(Color from, Color to, float t);

// The colour as a screen shows it whose black, lit by the room, is white / `room_contrast`.
Color washed(Color c, float room_contrast = 7);

}  // namespace tilewalk
