// A roofline as somebody draws it: roofs and points on log-log axes, and what follows from them by pencil. Plain data;
// it knows nothing of what is true (core/roofline/estimate.h does). Amounts are of one head.
//
// Source: Williams, Waterman, Patterson, "Roofline", 2009: attainable FLOP/s = min(peak, intensity * bandwidth).
#pragma once

#include "core/roofline/work.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct DrawnRoof {
  Roof kind{};
  double rate = 0;  // a second, in the roof's own unit
  bool operator==(const DrawnRoof&) const = default;
};

struct DrawnPoint {
  Method method = Method::Standard;
  Direction direction = Direction::Forward;
  Mask mask = Mask::Full;
  double flop = 0, bytes = 0;  // 0: not filled in yet
  double intensity = 10;       // FLOP/byte: flop / bytes where both are filled in, else where it was put
  bool operator==(const DrawnPoint&) const = default;
};

constexpr size_t kMostDrawnPoints = 12;

struct Drawing {
  std::vector<DrawnRoof> roofs;    // at most one of each kind
  std::vector<DrawnPoint> points;  // at most kMostDrawnPoints
  int64_t d = 128;                 // head dimension: how many FLOP of products an exponential stands for
  double eta = 1;                  // share of the ceiling that fused kernels reach, 0..1

  const DrawnRoof* find(Roof kind) const;  // or null
};

// FLOP/s that a compute roof leaves the products: an exponential, and four fp32 operations, come with 4 d FLOP each.
double in_flop(Roof kind, double rate, int64_t d);
double rate_from_flop(Roof kind, double flop, int64_t d);  // and back

double ceiling_of(const Drawing& drawing);    // FLOP/s of the lowest compute roof; 0: none is drawn
double bandwidth_of(const Drawing& drawing);  // byte/s that points are held against: DRAM's, else the slowest; 0: none
double ridge_of(const Drawing& drawing);      // FLOP/byte where the two meet; 0: one of them is missing
// What the roofs leave a point; 0 without any roof. seconds_of: 0 while its FLOP are not filled in.
double attainable(const Drawing& drawing, const DrawnPoint& point);
double seconds_of(const Drawing& drawing, const DrawnPoint& point);
bool memory_bound(const Drawing& drawing, const DrawnPoint& point);

// Sets what a person filled in and keeps flop = bytes * intensity where two of the three are known.
void set_flop(DrawnPoint& point, double flop);
void set_bytes(DrawnPoint& point, double bytes);
void set_intensity(DrawnPoint& point, double intensity);

// "FA3 bwd causal"
std::string name_of(const DrawnPoint& point);

// The grid that things snap to: 24 marks a decade (1, 1.1, 1.2, 1.3, 1.5 ... 9.1), so that no number is more than 8 %
// from one. `step_on_grid` goes `by` marks on, or by hundredths.
double on_grid(double value);
double step_on_grid(double value, int by, bool fine);

// The drawing in a link: "dram:3.35e12,tensor:9.894e14" and "standard:1.1e12:6e9,fa3-bwd-causal:x63". What cannot be
// read is left out.
std::string words_of_roofs(const Drawing& drawing);
std::string words_of_points(const Drawing& drawing);
std::vector<DrawnRoof> read_drawn_roofs(std::string_view words);
std::vector<DrawnPoint> read_drawn_points(std::string_view words);

}  // namespace tilewalk
