#include "core/roofline/drawing.h"

#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kFlopPerScore = 4;    // times d: two products, a multiply-add of each of d elements
constexpr double kVectorPerScore = 4;  // scale, max, subtract, sum (core/roofline/work.h)
constexpr std::array<double, 24> kMarks{1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0,
                                        3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1};

// The mark closest to the value, counted from 1.0.
int mark_of(double value) {
  const int decade = int(std::floor(std::log10(value)));
  int best = 0;
  double least = 1e9;
  for (int k = 0; k <= int(kMarks.size()); ++k) {
    const double mark = k < int(kMarks.size()) ? kMarks[size_t(k)] : 10;
    const double off = std::fabs(std::log10(value) - decade - std::log10(mark));
    if (off < least) least = off, best = k;
  }
  return decade * int(kMarks.size()) + best;
}
double value_of_mark(int mark) {
  const int n = int(kMarks.size()), decade = int(std::floor(double(mark) / n));
  // Through text, so that 3.3e12 is that number and no neighbour of it.
  return number_or(fmt::format("{}e{}", kMarks[size_t(mark - decade * n)], decade), 0.0);
}

std::optional<double> positive(std::string_view text) {
  const auto value = number_of<double>(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

template <class Take>
void for_each_part(std::string_view words, char mark, Take&& take) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(mark), words.size());
    take(words.substr(0, end));
    words.remove_prefix(std::min(words.size(), end + 1));
  }
}

}  // namespace

const DrawnRoof* Drawing::find(Roof kind) const {
  const auto found = std::ranges::find(roofs, kind, &DrawnRoof::kind);
  return found == roofs.end() ? nullptr : &*found;
}

double in_flop(Roof kind, double rate, int64_t d) {
  if (kind == Roof::Exponential) return rate * kFlopPerScore * double(d);
  if (kind == Roof::Vector) return rate * kFlopPerScore * double(d) / kVectorPerScore;
  return rate;
}
double rate_from_flop(Roof kind, double flop, int64_t d) { return flop / in_flop(kind, 1, d); }

double ceiling_of(const Drawing& drawing) {
  double least = 0;
  for (const DrawnRoof& roof : drawing.roofs) {
    if (is_bandwidth(roof.kind)) continue;
    const double flop = in_flop(roof.kind, roof.rate, drawing.d);
    if (least == 0 || flop < least) least = flop;
  }
  return least;
}

double bandwidth_of(const Drawing& drawing) {
  if (const DrawnRoof* dram = drawing.find(Roof::Dram)) return dram->rate;
  double least = 0;
  for (const DrawnRoof& roof : drawing.roofs)
    if (is_bandwidth(roof.kind) && (least == 0 || roof.rate < least)) least = roof.rate;
  return least;
}

double ridge_of(const Drawing& drawing) {
  const double bandwidth = bandwidth_of(drawing);
  return bandwidth > 0 ? ceiling_of(drawing) / bandwidth : 0;
}

double attainable(const Drawing& drawing, const DrawnPoint& point) {
  const double ceiling = ceiling_of(drawing) * (is_fused(point.method) ? drawing.eta : 1);
  const double slope = bandwidth_of(drawing) * point.intensity;
  return ceiling <= 0 ? slope : slope <= 0 ? ceiling : std::min(ceiling, slope);
}

double seconds_of(const Drawing& drawing, const DrawnPoint& point) {
  const double rate = attainable(drawing, point);
  return rate > 0 ? point.flop / rate : 0;
}

bool memory_bound(const Drawing& drawing, const DrawnPoint& point) {
  const double slope = bandwidth_of(drawing) * point.intensity;
  return slope > 0 && attainable(drawing, point) == slope;
}

void set_flop(DrawnPoint& point, double flop) {
  point.flop = flop;
  if (point.bytes > 0) point.intensity = flop / point.bytes;
}
void set_bytes(DrawnPoint& point, double bytes) {
  point.bytes = bytes;
  if (point.flop > 0) point.intensity = point.flop / bytes;
}
void set_intensity(DrawnPoint& point, double intensity) {
  point.intensity = intensity;
  point.bytes = point.flop > 0 ? point.flop / intensity : 0;
}

std::string name_of(const DrawnPoint& point) {
  return fmt::format("{}{}{}", info_of(point.method).name, point.direction == Direction::Backward ? " bwd" : "",
                     point.mask == Mask::Causal ? " causal" : "");
}

double on_grid(double value) { return value_of_mark(mark_of(value)); }

double step_on_grid(double value, int by, bool fine) {
  if (fine) return value * std::pow(1.01, by);
  const int mark = mark_of(value);
  const double here = value_of_mark(mark);
  // From between two marks the first step leads to the next one.
  if (by > 0 && here > value * (1 + 1e-9)) --by;
  if (by < 0 && here < value * (1 - 1e-9)) ++by;
  return value_of_mark(mark + by);
}

std::string words_of_roofs(const Drawing& drawing) {
  std::string out;
  for (const DrawnRoof& roof : drawing.roofs)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", key_of(roof.kind), roof.rate);
  return out;
}

std::string words_of_points(const Drawing& drawing) {
  std::string out;
  for (const DrawnPoint& p : drawing.points) {
    out += fmt::format("{}{}{}{}", out.empty() ? "" : ",", info_of(p.method).key,
                       p.direction == Direction::Backward ? "-bwd" : "", p.mask == Mask::Causal ? "-causal" : "");
    if (p.flop > 0) out += fmt::format(":{}", p.flop);
    if (p.bytes > 0) out += fmt::format(":b{}", p.bytes);
    if (p.flop <= 0 || p.bytes <= 0) out += fmt::format(":x{}", p.intensity);
  }
  return out;
}

std::vector<DrawnRoof> read_drawn_roofs(std::string_view words) {
  std::vector<DrawnRoof> roofs;
  for_each_part(words, ',', [&](std::string_view part) {
    const size_t colon = std::min(part.find(':'), part.size());
    const auto kind = roof_named(part.substr(0, colon));
    const auto rate = positive(part.substr(std::min(colon + 1, part.size())));
    if (kind && rate && fault_of_rate(*kind, *rate).empty() &&
        std::ranges::find(roofs, *kind, &DrawnRoof::kind) == roofs.end())
      roofs.push_back({*kind, *rate});
  });
  return roofs;
}

std::vector<DrawnPoint> read_drawn_points(std::string_view words) {
  std::vector<DrawnPoint> points;
  for_each_part(words, ',', [&](std::string_view part) {
    DrawnPoint point;
    bool good = points.size() < kMostDrawnPoints;
    const size_t colon = std::min(part.find(':'), part.size());
    bool first = true;
    for_each_part(part.substr(0, colon), '-', [&](std::string_view word) {
      if (first) {
        const auto method = method_named(word);
        good &= method.has_value();
        point.method = method.value_or(Method::Standard);
      } else if (word == "bwd") {
        point.direction = Direction::Backward;
      } else if (word == "causal") {
        point.mask = Mask::Causal;
      } else {
        good = false;
      }
      first = false;
    });
    for_each_part(part.substr(std::min(colon + 1, part.size())), ':', [&](std::string_view number) {
      const bool bytes = number.starts_with('b'), place = number.starts_with('x');
      const auto value = positive(number.substr(bytes || place ? 1 : 0));
      good &= value.has_value();
      if (!value) return;
      if (bytes)
        set_bytes(point, *value);
      else if (place)
        point.intensity = *value;
      else
        set_flop(point, *value);
    });
    if (good && !first) points.push_back(point);
  });
  return points;
}

}  // namespace tilewalk
