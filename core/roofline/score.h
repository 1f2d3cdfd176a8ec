// What a drawn roofline and a locked prediction are worth: the scale of every question (core/lesson/answer.h), taken of
// four numbers and averaged.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace tilewalk {

struct Drawn {
  double value = 0;   // the learner's
  double answer = 0;  // the model's, or what was measured
};
struct DrawnScore {
  int points = 0;     // 0 to 100; see score_of
  std::string words;  // "1.32× too high"
};
DrawnScore score_drawn(const Drawn& drawn);

// Bandwidth roof, compute roof, intensity, time; those that were not drawn count as 0.
struct RooflineScore {
  std::array<std::optional<DrawnScore>, 4> parts;
  int points = 0;  // their mean, rounded
};
RooflineScore score_roofline(const std::optional<Drawn>& bandwidth, const std::optional<Drawn>& compute,
                             const std::optional<Drawn>& intensity, const std::optional<Drawn>& time);

}  // namespace tilewalk
