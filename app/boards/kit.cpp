#include "app/boards/kit.h"

#include "app/scene/shape.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

std::string words_of(const Quantity& quantity, std::string_view format) {
  return format_quantity(quantity, format).value_or(num(quantity.value));
}

}  // namespace

std::string amount(double value, std::string_view unit, std::string_view format) {
  return words_of({value, std::string(unit), Origin::Computed, {}}, format);
}

const Reading& reading_of(const std::vector<Reading>& readings, std::string_view id) {
  return *std::ranges::find(readings, id, &Reading::id);
}

std::string tip_of(const Reading& reading) {
  const Quantity& q = reading.quantity;
  std::string exact = words_of(q, q.unit == "byte" ? "exact-bytes" : "");
  return fmt::format("{}: {}, {}{}", reading.label, exact, name_of(q.origin), q.source.empty() ? "" : ": " + q.source);
}

void reading_region(const BoardView& view, Rect slot, const Reading& reading) {
  view.region(slot, "reading:" + reading.id,
              view.covered(reading.id) ? "Covered until its question is answered" : tip_of(reading));
}

void plate(const BoardView& view, Rect rect) {
  if (view.plates) view.plates->push_back(rect);
  view.box(rect, view.style.r_small(), Role::SurfaceStrong, Role::Border, view.px(1.5f));
  const float size = std::clamp(rect.h * 0.6f, view.style.small(), view.style.display());
  if (rect.h >= size && rect.w >= size) view.label(rect, "?", Face::SansBold, size, Role::TextSecondary, Align::Center);
}

void forbid(const BoardView& view, Rect part) {
  view.box(part, 0, {Role::Wrong, 0.06f});
  view.hatch(part, {Role::Wrong, 0.45f}, view.px(14), view.px(1.2f));
}

void big_number(const BoardView& view, Rect slot, const Reading& reading, std::string_view format, float size) {
  if (size <= 0) size = view.style.display();
  const float label = std::min(view.px(24), slot.h * 0.4f);
  view.text({slot.x, slot.y, slot.w, label}, reading.label, Face::Sans, view.style.number(), Role::TextSecondary);
  const Rect number{slot.x, slot.y + label, slot.w, slot.h - label};
  // In front of a room as large as what carries a step, where there is the height for it.
  if (view.view.present.on) size = std::max(size, std::min(view.style.display(), number.h * 1.25f));
  if (view.covered(reading.id))
    plate(view, {number.x, number.y, std::min(number.w, size * 3), number.h});
  else
    view.text(number, (reading.quantity.origin == Origin::Recorded ? "◆ " : "") + words_of(reading.quantity, format),
              Face::MonoBold, size, Role::Text);
  reading_region(view, slot, reading);
}

void bar(const BoardView& view, Rect track, float share, Paint color, BarLook look) {
  const Rect rect{track.x, track.y, std::max(view.px(3), track.w * std::clamp(share, 0.0f, 1.0f)), track.h};
  if (look == BarLook::Model) {
    view.box(rect, view.px(3), with_alpha(view[color], 0.18f), color, view.px(3));
    return;
  }
  view.box(rect, view.px(3), color);
  if (look == BarLook::Recorded) view.hatch(rect, Role::Background, view.px(7), view.px(1.6f));
  if (look == BarLook::Published) view.hatch(rect, Role::Background, view.px(14), view.px(2.4f));
}

float Axis::at(double value) const {
  const auto place = [&](double v) {
    return scale == Scale::Linear ? v : scale == Scale::Log2 ? std::log2(v) : std::log10(v);
  };
  const double low = place(least), high = place(most);
  if (!(high > low)) return from;
  return from + float((place(value) - low) / (high - low)) * (to - from);
}

double Axis::value_at(float pixel) const {
  const double t = to == from ? 0 : double((pixel - from) / (to - from));
  if (scale == Scale::Linear) return least + t * (most - least);
  if (scale == Scale::Log2) return std::exp2(std::log2(least) + t * (std::log2(most) - std::log2(least)));
  return std::pow(10, std::log10(least) + t * (std::log10(most) - std::log10(least)));
}

std::vector<double> Axis::ticks(int most_ticks) const {
  std::vector<double> found;
  if (most_ticks < 1 || !(most > least)) return found;
  if (scale == Scale::Linear) {
    const double raw = (most - least) / most_ticks, magnitude = std::pow(10, std::floor(std::log10(raw)));
    double step = magnitude;
    for (double k : {1.0, 2.0, 5.0, 10.0})
      if (magnitude * k >= raw) {
        step = magnitude * k;
        break;
      }
    for (double v = std::ceil(least / step - 1e-9) * step; v <= most * (1 + 1e-9); v += step) found.push_back(v);
    return found;
  }
  const double base = scale == Scale::Log2 ? 2 : 10;
  const double low = std::ceil(std::log(least) / std::log(base) - 1e-9),
               high = std::floor(std::log(most) / std::log(base) + 1e-9);
  const double step = std::max(1.0, std::ceil((high - low + 1) / most_ticks));
  for (double p = low; p <= high + 1e-9; p += step) found.push_back(std::pow(base, p));
  return found;
}

void draw_axis(const BoardView& view, Rect plot, const Axis& axis, bool horizontal, std::string_view format,
               std::string_view title) {
  const Style& st = view.style;
  const float length = horizontal ? plot.w : plot.h;
  const int most_ticks = std::max(2, int(length / st.px(horizontal ? 96 : 44)));
  const float line = st.px(20);
  for (double tick : axis.ticks(most_ticks)) {
    const float at = axis.at(tick);
    const std::string words = words_of({tick, {}, Origin::Computed, {}}, format);
    if (horizontal) {
      view.line({at, plot.y}, {at, plot.bottom()}, Role::Line, st.px(1));
      view.label({at - st.px(48), plot.bottom() + st.px(4), st.px(96), line}, words, Face::Mono, st.small(),
                 Role::TextSecondary, Align::Center);
    } else {
      view.line({plot.x, at}, {plot.right(), at}, Role::Line, st.px(1));
      view.label({plot.x - st.px(88), at - line / 2, st.px(80), line}, words, Face::Mono, st.small(),
                 Role::TextSecondary, Align::Right);
    }
  }
  if (horizontal)
    view.text({plot.x, plot.bottom() + st.px(24), plot.w, line}, title, Face::Sans, st.small(), Role::TextSecondary,
              Align::Center);
  else
    view.text({plot.x - st.px(88), plot.y - st.px(32), plot.w, line}, title, Face::Sans, st.small(),
              Role::TextSecondary);
}

std::vector<float> place_apart(const std::vector<LabelPlace>& wanted, float least, float most, float gap) {
  std::vector<size_t> order(wanted.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](size_t k) { return wanted[k].at + wanted[k].size / 2; });
  // Labels that touch become a group, which lies where its members on average want it.
  struct Group {
    std::vector<size_t> members;
    float at, size;
  };
  std::vector<Group> groups;
  const auto settle = [&](Group& group) {
    float sum = 0, offset = 0;
    for (const size_t k : group.members) {
      sum += wanted[k].at - offset;
      offset += wanted[k].size + gap;
    }
    group.size = offset - gap;
    group.at = std::max(least, std::min(sum / float(group.members.size()), most - group.size));
  };
  for (const size_t k : order) {
    groups.push_back({{k}, 0, 0});
    settle(groups.back());
    while (groups.size() > 1 &&
           groups[groups.size() - 2].at + groups[groups.size() - 2].size + gap > groups.back().at) {
      Group& into = groups[groups.size() - 2];
      into.members.insert(into.members.end(), groups.back().members.begin(), groups.back().members.end());
      groups.pop_back();
      settle(groups.back());
    }
  }
  std::vector<float> placed(wanted.size());
  for (const Group& group : groups) {
    float at = group.at;
    for (const size_t k : group.members) {
      placed[k] = at;
      at += wanted[k].size + gap;
    }
  }
  return placed;
}

float text_block(const Pen& pen, Rect area, std::string_view text, Face face, float size, Paint paint, Align align) {
  const float pitch = size * kLinePitch;
  std::vector<std::string> lines = wrap_text(text, face, size, area.w);
  const size_t room = size_t(std::max(0.0f, std::floor(area.h / pitch + 0.01f)));
  if (lines.size() > room) {
    lines.resize(room);
    if (!lines.empty()) lines.back() = ellipsize(lines.back() + " …", face, size, area.w);
  }
  float y = area.y;
  for (const std::string& line : lines) {
    pen.label({area.x, y, area.w, pitch}, line, face, size, paint, align);
    y += pitch;
  }
  return y - area.y;
}

}  // namespace tilewalk
