#include "core/attention/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

struct Layout {
  int mantissa_bits;
  int min_exponent;  // of the smallest normal number
  double largest;
  bool has_infinity;
};

Layout layout_of(Format format) {
  switch (format) {
    case Format::Float16: return {10, -14, 65504.0, true};
    case Format::BFloat16: return {7, -126, 0x1.FEp127, true};
    case Format::E4M3: return {3, -6, 448.0, false};
    default: return {52, -1022, std::numeric_limits<double>::max(), true};
  }
}

}  // namespace

int bytes_of(Format format) {
  switch (format) {
    case Format::Float64: return 8;
    case Format::Float32: return 4;
    case Format::E4M3: return 1;
    default: return 2;
  }
}

std::string_view name_of(Format format) {
  switch (format) {
    case Format::Float64: return "fp64";
    case Format::Float32: return "fp32";
    case Format::Float16: return "fp16";
    case Format::BFloat16: return "bf16";
    case Format::E4M3: return "e4m3";
  }
  return "";
}

std::optional<Format> format_named(std::string_view name) {
  for (Format f : {Format::Float64, Format::Float32, Format::Float16, Format::BFloat16, Format::E4M3})
    if (name == name_of(f)) return f;
  return std::nullopt;
}

double round_to(Format format, double value) {
  if (format == Format::Float64 || std::isnan(value) || value == 0) return value;
  if (format == Format::Float32) return static_cast<float>(value);
  const Layout layout = layout_of(format);
  const double beyond = layout.has_infinity ? std::numeric_limits<double>::infinity() : layout.largest;
  if (std::isinf(value)) return std::copysign(beyond, value);

  // Scale so that one unit in the last place becomes 1, and let the current rounding (ties to even) do the rest.
  const int exponent = std::max(std::ilogb(value), layout.min_exponent);
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, layout.mantissa_bits - exponent)), exponent - layout.mantissa_bits);
  return std::fabs(rounded) <= layout.largest ? rounded : std::copysign(beyond, value);
}

double half_to_double(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else
    magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double bfloat16_to_double(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

}  // namespace tilewalk
