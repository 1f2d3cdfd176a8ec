#include "core/roofline/score.h"

#include "core/quantity/closeness.h"

namespace tilewalk {

DrawnScore score_drawn(const Drawn& drawn) {
  return {score_of(drawn.value, drawn.answer), score_words(drawn.value, drawn.answer)};
}

RooflineScore score_roofline(const std::optional<Drawn>& bandwidth, const std::optional<Drawn>& compute,
                             const std::optional<Drawn>& intensity, const std::optional<Drawn>& time) {
  RooflineScore out;
  int sum = 0;
  size_t k = 0;
  for (const std::optional<Drawn>* part : {&bandwidth, &compute, &intensity, &time}) {
    if (*part) out.parts[k] = score_drawn(**part), sum += out.parts[k]->points;
    ++k;
  }
  out.points = (sum + 2) / 4;
  return out;
}

}  // namespace tilewalk
