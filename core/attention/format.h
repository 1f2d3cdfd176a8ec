// Number formats of tensors in memory, and rounding to them. Values travel as double through the simulator; a format
// says how many bytes an element takes and which doubles it can hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewalk {

enum class Format : uint8_t { Float64, Float32, Float16, BFloat16, E4M3 };

int bytes_of(Format format);
std::string_view name_of(Format format);  // "fp64", "fp32", "fp16", "bf16", "e4m3"
std::optional<Format> format_named(std::string_view name);

// Nearest value of the format, ties to even. Overflow becomes infinity (E4M3, which has none: its largest, 448).
double round_to(Format format, double value);

// The value of 16 stored bits.
double half_to_double(uint16_t bits);
double bfloat16_to_double(uint16_t bits);

}  // namespace tilewalk
