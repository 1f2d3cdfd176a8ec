// Clock stamps of FA3's warpgroups, recorded on a GPU: a lane for each, its products above its softmax, which run at
// the same time; hatched where it waits.
#include "app/boards/fill_label.h"
#include "app/boards/kit.h"
#include "app/boards/lanes.h"
#include "app/scene/hatch.h"
#include "app/scene/step_color.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <vector>

namespace tilewalk {
namespace {

constexpr int64_t kTilesShown = 4;
constexpr auto kLegend = std::to_array<std::pair<StepKind, std::string_view>>({
    {StepKind::LoadK, "copies"},
    {StepKind::Score, "Q Kᵀ"},
    {StepKind::RowMax, "max, sum"},
    {StepKind::Exponentiate, "exponentials"},
    {StepKind::Rescale, "rescale"},
    {StepKind::Accumulate, "P V"},
});

const KernelResult* fa3_of(const RunResult& recorded) {
  for (const KernelResult& result : recorded.kernels)
    if (result.kernel == Method::Fa3 && result.trace && !result.trace->stamps.empty()) return &result;
  return nullptr;
}

// Where a stamp is drawn: a wait, a product or copy, or the softmax and what goes with it.
enum class Half : uint8_t { Wait, Upper, Lower };
Half half_of(std::optional<StepKind> kind) {
  if (!kind) return Half::Wait;
  const Engine engine = info_of(*kind).engine;
  return engine == Engine::Exponential || engine == Engine::Vector ? Half::Lower : Half::Upper;
}

// Of each stamp the next begin within it among those of its lane and row, where its own bar is covered; its end where
// there is none. One pass over the stamps in the order of their begins, from behind.
std::vector<int64_t> seen_until(const std::vector<Stamp>& stamps, const std::vector<std::optional<StepKind>>& kinds) {
  std::vector<size_t> order(stamps.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, std::ranges::greater{}, [&](size_t k) { return stamps[k].begin; });
  struct Later {
    int64_t begin = INT64_MAX, after = INT64_MAX;  // the last one met, and the one behind it that begins later
  };
  std::map<std::pair<int, Half>, Later> later;
  std::vector<int64_t> out(stamps.size());
  for (const size_t k : order) {
    Later& next = later[{stamps[k].lane, half_of(kinds[k])}];
    if (stamps[k].begin < next.begin) next = {stamps[k].begin, next.begin};
    out[k] = std::min(stamps[k].end, next.after);
  }
  return out;
}

// What the colours mean; a load is in its tensor's.
void layout_legend(const BoardView& view, Rect line) {
  const Style& st = view.style;
  const float side = st.px(14);
  float x = line.x;
  const auto swatch = [&](Color color) {
    view.box({x, line.center().y - side / 2, side, side}, st.px(2), color);
    x += side + st.px(2);
  };
  for (const auto& [kind, words] : kLegend) {
    if (kind == StepKind::LoadK) swatch(fill_of_step(st.palette, StepKind::LoadQ));
    swatch(fill_of_step(st.palette, kind));
    if (kind == StepKind::LoadK) swatch(fill_of_step(st.palette, StepKind::LoadV));
    x += st.px(4);
    const float w = text_width(words, Face::Sans, st.small()) + st.px(4);
    view.label({x, line.y, w, line.h}, words, Face::Sans, st.small(), Role::TextSecondary);
    x += w + st.px(14);
  }
  const Rect wait{x, line.center().y - side / 2, side, side};
  view.box(wait, 0, Role::Surface);
  view.hatch(wait, Role::TextSecondary, st.px(5), st.px(1));
  view.label({wait.right() + st.px(6), line.y, text_width("waits", Face::Sans, st.small()) + st.px(4), line.h}, "waits",
             Face::Sans, st.small(), Role::TextSecondary);
}

}  // namespace

std::string_view words_of_step(StepKind kind) {
  using enum StepKind;
  switch (kind) {
    case LoadQ: return "copy of Q";
    case LoadK: return "copy of K";
    case LoadV: return "copy of V";
    case Score: return "Q Kᵀ";
    case Mask: return "mask";
    case RowMax: return "row max";
    case Exponentiate: return "exponentials";
    case RowSum: return "row sum";
    case Rescale: return "rescale";
    case Accumulate: return "P V";
    case Normalize: return "division by l";
    case LogSumExp: return "L";
    case Convert: return "rounding of O";
    case StoreO: return "O stored";
    case StoreLse: return "L stored";
    default: return info_of(kind).name;
  }
}

const KernelTrace* fa3_stamps(const RunResult& recorded) {
  const KernelResult* result = fa3_of(recorded);
  return result ? &*result->trace : nullptr;
}

const RunResult* shipped_fa3_stamps() {
  const RunResult* found = nullptr;
  size_t most = 0;
  for (const RunResult& run : shipped_lesson_runs())
    if (const KernelTrace* trace = fa3_stamps(run); trace && trace->stamps.size() > most) {
      most = trace->stamps.size();
      found = &run;
    }
  return found;
}

void layout_recorded_lanes(const BoardView& view, Rect area, const RunResult& recorded) {
  const KernelTrace* trace = fa3_stamps(recorded);
  if (!trace) return;
  const Style& st = view.style;
  const Problem& p = recorded.spec.problem;

  // A window of some tiles, in the order in which the block came to them.
  std::vector<int64_t> order;
  std::unordered_set<int64_t> met;
  for (const Stamp& stamp : trace->stamps)
    if (stamp.step == "Score" && met.insert(stamp.tile).second) order.push_back(stamp.tile);
  if (order.empty()) return;
  const size_t first = std::min(size_t(std::max(0, view.state.step)), order.size() - 1);
  const size_t last = std::min(first + size_t(kTilesShown), order.size()) - 1;
  int64_t begin = INT64_MAX, end = 0;
  for (const Stamp& stamp : trace->stamps) {
    if (stamp.step == "Score" && stamp.tile == order[first]) begin = std::min(begin, stamp.begin);
    if (stamp.step == "Score" && stamp.tile == order[last]) end = std::max(end, stamp.end);
    if (stamp.step == "Accumulate" && first == last && stamp.tile == order[last]) end = std::max(end, stamp.end);
  }
  if (end <= begin) return;

  const float head = st.px(24), axis = st.px(20), legend = st.px(20), name = std::min(st.px(128), area.w * 0.2f);
  view.text({area.x, area.y, area.w, head},
            fmt::format("◆ Recorded, does not follow the knobs: FA3 on {}, {}; N = {}, d = {}", recorded.provenance.gpu,
                        recorded.provenance.date.substr(0, 10), with_commas(p.n_k), p.d),
            Face::SansBold, st.number(), Role::Text);
  layout_legend(view, {area.x + name, area.y + head, area.w - name, legend});
  const float top = head + legend + st.px(4);
  const Rect plot{area.x + name, area.y + top, area.w - name, area.h - top - axis};
  const auto lanes = std::max<size_t>(1, trace->lanes.size());
  const float pitch = plot.h / float(lanes), gap = std::min(st.px(6), pitch * 0.12f);
  const auto x = [&](int64_t cycle) {
    return plot.x + float(double(plot.w) * double(std::clamp(cycle, begin, end) - begin) / double(end - begin));
  };
  for (size_t lane = 0; lane < trace->lanes.size(); ++lane) {
    const Rect r{plot.x, plot.y + float(lane) * pitch, plot.w, pitch - gap};
    view.text({area.x, r.y, name - st.px(10), r.h}, trace->lanes[lane], Face::Sans, st.number(), Role::Text);
    view.box(r, 0, Role::Surface);
  }
  std::vector<std::optional<StepKind>> kinds;
  for (const Stamp& stamp : trace->stamps) kinds.push_back(step_named(stamp.step));
  const std::vector<int64_t> until = seen_until(trace->stamps, kinds);
  // Waits first: work that runs meanwhile lies over them.
  for (bool waits : {true, false})
    for (size_t k = 0; k < trace->stamps.size(); ++k) {
      const Stamp& stamp = trace->stamps[k];
      const std::optional<StepKind> kind = kinds[k];
      if ((half_of(kind) == Half::Wait) != waits || stamp.end <= begin || stamp.begin >= end || stamp.lane < 0 ||
          size_t(stamp.lane) >= trace->lanes.size())
        continue;
      const Rect lane{plot.x, plot.y + float(stamp.lane) * pitch, plot.w, pitch - gap};
      const bool loads = kind && info_of(*kind).engine == Engine::Load;
      Rect bar{x(stamp.begin), lane.y, std::max(st.px(1), x(stamp.end) - x(stamp.begin)), lane.h};
      if (kind && !loads) {
        bar.h = lane.h / 2;
        if (half_of(kind) == Half::Lower) bar.y += lane.h / 2;
      }
      const std::string id = fmt::format("stamp:{}", k);
      if (kind)
        view.box(bar, st.px(2), fill_of_step(st.palette, *kind), view.view.hover == id ? Role::Text : Role::Background,
                 std::min(view.view.hover == id ? st.px(2) : st.px(1), bar.w / 4));
      else if (bar.w > st.px(3))
        view.hatch(bar, Role::Ghost, st.px(8), st.px(1.3f));
      // A product may be asked for before the one before it is done: its bar then lies over the end of that one's.
      Rect seen = bar;
      if (until[k] < stamp.end) seen.w = std::min(seen.w, x(until[k]) - bar.x);
      if (kind && bar.h >= st.small() * 1.2f &&
          text_width(words_of_step(*kind), Face::Sans, st.small()) + st.px(8) <= seen.w)
        label_on_fill(view, seen.inset(st.px(3), 0), words_of_step(*kind), Face::Sans, st.small(),
                      fill_of_step(st.palette, *kind), text_on(fill_of_step(st.palette, *kind)));
      if (bar.w >= st.px(3))
        view.region(bar, id,
                    fmt::format("{}: {}, tile {}, {} clock cycles from {} (recorded)", trace->lanes[size_t(stamp.lane)],
                                kind ? words_of_step(*kind) : "waits", stamp.tile + 1,
                                with_commas(stamp.end - stamp.begin), with_commas(stamp.begin)));
    }
  view.text({plot.x, plot.bottom(), plot.w / 2, axis}, fmt::format("clock cycle {}", with_commas(begin)), Face::Mono,
            st.small(), Role::TextSecondary);
  view.text({plot.x + plot.w / 2, plot.bottom(), plot.w / 2, axis},
            fmt::format("{} · reading the clock slows it", with_commas(end)), Face::Mono, st.small(),
            Role::TextSecondary, Align::Right);
}

}  // namespace tilewalk
