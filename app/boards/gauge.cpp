#include "app/boards/gauge.h"

#include "app/boards/kit.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kBeyond = 1.5;  // a track reaches to so many times the limit

}  // namespace

void layout_gauge(const BoardView& view, Rect slot, const Reading& reading, double limit, std::string_view unit,
                  const std::vector<GaugePart>& parts, std::string_view over) {
  const Style& st = view.style;
  const double value = reading.quantity.value;
  const bool covered = view.covered(reading.id), too_much = value > limit;
  const float name_h = st.px(22), number_h = std::min(st.px(42), slot.h * 0.32f);
  const float size = std::min(st.px(30), number_h * 0.85f);
  view.text({slot.x, slot.y, slot.w, name_h}, reading.label, Face::Sans, st.number(), Role::TextSecondary);
  const Rect line{slot.x, slot.y + name_h, slot.w, number_h};
  if (covered) {
    plate(view, {line.x, line.y, st.px(100), line.h});
  } else {
    // What a memory holds is told in powers of two, as it is built.
    const auto words = [&](double of) { return amount(of, unit, unit == "byte" ? "binary" : ""); };
    const std::string number = words(value);
    const float w = std::min(text_width(number, Face::MonoBold, size) + st.px(6), line.w * 0.55f);
    view.text({line.x, line.y, w, line.h}, number, Face::MonoBold, size, Role::Text);
    const std::string rest =
        too_much ? fmt::format("of {}: ✕ {}", words(limit), over) : fmt::format("of {}", words(limit));
    view.text({line.x + w + st.px(8), line.y, line.w - w - st.px(8), line.h}, rest,
              too_much ? Face::SansBold : Face::Sans, st.body(),
              view[too_much ? Role::WrongText : Role::TextSecondary]);
  }
  const float bar_h = std::clamp(slot.h - name_h - number_h - st.px(18), st.px(14), st.px(64));
  const Rect track{slot.x, line.bottom() + st.px(6), slot.w, bar_h};
  const auto at = [&](double v) { return track.x + track.w * float(std::min(v / (limit * kBeyond), 1.0)); };
  view.box(track, 0, Role::SurfaceStrong);
  if (covered) {
    plate(view, track);
  } else {
    double before = 0;
    for (const GaugePart& part : parts) {
      const Rect piece{at(before), track.y, at(before + part.value) - at(before), track.h};
      before += part.value;
      if (piece.w < 1) continue;
      view.box(piece, 0, part.tensor, Role::Background, st.px(1));
      Rect clear = piece;  // of the mark at the limit
      if (at(limit) > piece.x && at(limit) < piece.right()) clear.w = at(limit) - piece.x;
      if (clear.w > text_width(part.name, Face::SansBold, st.number()) + st.px(12) && piece.h >= st.px(18))
        view.label(clear, part.name, Face::SansBold, st.number(), st.palette.label_on(part.tensor), Align::Center);
    }
  }
  view.line({at(limit), track.y - st.px(5)}, {at(limit), track.bottom() + st.px(5)}, Role::Text, st.px(3));
  // Hatched as well: in the dark O is as red as what is wrong.
  if (too_much && !covered) {
    const Rect beyond{at(limit), track.y, at(value) - at(limit), track.h};
    view.hatch(beyond, {view[Role::Background], 0.6f}, st.px(10), st.px(2));
    view.box(beyond, 0, {}, Role::Wrong, st.px(3));
  }
  reading_region(view, slot, reading);
}

}  // namespace tilewalk
