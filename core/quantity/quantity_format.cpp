// A quantity as text, in the formats that lessons name.
#include "core/io/number.h"
#include "core/machine/words.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr auto kFormats = std::to_array<std::string_view>({"count", "bytes", "exact-bytes", "binary", "time", "rate",
                                                           "flops", "ratio", "percent", "number", "digits:6", "plain"});

// Three significant digits with the prefix of a power of 1000 (or 1024) that suits.
std::string prefixed(double value, double base, std::span<const std::string_view> units) {
  size_t unit = 0;
  while (unit + 1 < units.size() && std::fabs(value) >= base * 0.9995) {
    value /= base;
    ++unit;
  }
  const bool whole = value == std::round(value) && std::fabs(value) < 1e4;
  return fmt::format("{} {}", whole ? with_commas(std::llround(value)) : number_words(value), units[unit]);
}

// Bytes that are moved or kept, in one family of units: exact below 10,000, else in powers of 1000.
std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 6> kDecimal{"bytes", "kB", "MB", "GB", "TB", "PB"};
  if (std::fabs(bytes) >= 10000) return prefixed(bytes, 1000, kDecimal);
  const int64_t whole = std::llround(bytes);
  return fmt::format("{} {}", with_commas(whole), whole == 1 ? "byte" : "bytes");
}

std::string time_text(double seconds) {
  constexpr std::array<std::string_view, 4> units{"s", "ms", "µs", "ns"};
  size_t unit = 0;
  while (unit + 1 < units.size() && seconds != 0 && std::fabs(seconds) < 0.9995) {
    seconds *= 1000;
    ++unit;
  }
  return fmt::format("{} {}", number_words(seconds), units[unit]);
}

std::string_view format_of_unit(const Quantity& q) {
  if (q.unit == "byte") return "bytes";
  if (q.unit == "s") return "time";
  if (q.unit == "byte/s") return "rate";
  if (q.unit == "flop/s" || q.unit == "flop") return "flops";
  return q.value == std::round(q.value) ? "count" : "number";
}

std::string unit_behind(const Quantity& q) {
  return q.unit == "flop/byte" ? " FLOP/B" : q.unit.empty() ? "" : " " + q.unit;
}

}  // namespace

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::Computed: return "computed";
    case Origin::Model: return "model";
    case Origin::Published: return "published";
    case Origin::Recorded: return "recorded";
    case Origin::Measured: return "measured";
  }
  return "";
}

std::span<const std::string_view> quantity_formats() { return kFormats; }

std::optional<std::string> format_quantity(const Quantity& q, std::string_view format) {
  constexpr std::array<std::string_view, 6> kBinary{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr std::array<std::string_view, 6> kFlop{"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"};
  constexpr std::array<std::string_view, 6> kFlopRate{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"};
  constexpr std::array<std::string_view, 6> kRate{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
  const std::string_view asked = format;
  if (format.empty()) format = format_of_unit(q);
  // Beyond whole numbers of 64 bits nothing is exact any more.
  const bool countable = std::fabs(q.value) < 9e18;
  if (!countable && (format == "count" || format == "bytes" || format == "exact-bytes")) format = "number";
  if (format == "count") return with_commas(std::llround(q.value)) + (asked.empty() ? unit_behind(q) : "");
  if (format == "bytes") return bytes_text(q.value);
  if (format == "exact-bytes") return with_commas(std::llround(q.value)) + (q.value == 1 ? " byte" : " bytes");
  if (format == "binary") return prefixed(q.value, 1024, kBinary);
  if (format == "time") return time_text(q.value);
  if (format == "rate") return prefixed(q.value, 1000, kRate);
  if (format == "flops") return prefixed(q.value, 1000, q.unit == "flop/s" ? kFlopRate : kFlop);
  if (format == "ratio") return number_words(q.value, std::fabs(q.value) < 10 ? 2 : 3) + "×";
  if (format == "percent")
    return (std::fabs(q.value) >= 10 && countable ? with_commas(std::llround(q.value * 100))
                                                  : number_words(q.value * 100)) +
           " %";
  if (format == "number") return num(q.value) + (asked.empty() ? unit_behind(q) : "");
  if (format == "plain") {
    const bool grouped = countable && std::fabs(q.value) >= 1000 && q.value == std::round(q.value);
    return grouped ? with_commas(std::llround(q.value)) : fmt::format("{}", q.value);
  }
  if (format.starts_with("digits:")) {
    const auto digits = number_of<int>(format.substr(7));
    if (!digits || *digits < 0 || *digits > 15) return std::nullopt;
    if (!countable) return number_words(q.value);
    std::string text = fmt::format("{:.{}f}", q.value, *digits);
    return text[0] == '-' ? "−" + text.substr(1) : text;
  }
  return std::nullopt;
}

}  // namespace tilewalk
