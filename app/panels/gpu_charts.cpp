// The GPU's charts in place of the stage: a head with the choice of chart and of kernel, and the chart. The comparison
// of all kernels is here, the others are in files of their own.
#include "app/panels/gpu_parts.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kTitles[] = {"Same answer, four ways", "m and l, tile by tile", "O, element by element",
                                        "Who waits for whom"};

double ms_of(const GpuRow* row) { return row && row->result && row->result->timing ? row->result->timing->median : 0; }

std::string fp8_finding(const GpuBoard& board) {
  const GpuRow* eight = board.row(Method::Fa3Fp8);
  const double wide = ms_of(board.row(Method::Fa3)), narrow = ms_of(eight);
  if (wide <= 0 || narrow <= 0) return "Eight bits beside sixteen";
  std::string out = fmt::format("FP8 is {:.2f}× as fast as 16 bits", wide / narrow);
  if (eight->result->rounding)
    out += fmt::format(", {:.2f}× with its rounding", wide / (narrow + eight->result->rounding->seconds * 1e3));
  return out;
}

std::string decode_finding(const GpuBoard& board) {
  const GpuRow* split = board.row(Method::SplitKv);
  const double many = ms_of(split), one = ms_of(board.row(Method::SplitKv, Switch::Splitting));
  if (many <= 0 || one <= 0) return "One query against many keys";
  return fmt::format("{} splits are {:.1f}× as fast as one block a head", split->result->splits, one / many);
}

// What the chart is there to say, from the numbers themselves.
std::string finding(const GpuBoard& board, const GpuRow* row, GpuChart chart, GpuShape shape) {
  const auto times = [](double ratio) {
    return ratio < 10 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio);
  };
  if (chart == GpuChart::Compare && shape == GpuShape::Fp8) return fp8_finding(board);
  if (chart == GpuChart::Compare && shape == GpuShape::Decode) return decode_finding(board);
  if (chart == GpuChart::Compare) {
    const GpuRow* base = board.standard();
    const GpuRow *best = nullptr, *slowest = nullptr;
    for (const GpuRow& each : board.rows) {
      if (!board.timed_together(each)) continue;
      if (!best || each.result->timing->median < best->result->timing->median) best = &each;
      if (!slowest || each.result->timing->median > slowest->result->timing->median) slowest = &each;
    }
    const bool standard = base;
    if (!standard) base = slowest;  // where heads share K and V there is no standard attention
    if (!best || !base || best == base || !board.timed_together(*base)) return kTitles[0].data();
    if (base->result->timing->median < 1.1 * best->result->timing->median)
      return "At this size the kernels take about the same time";
    std::string out = fmt::format("{} is {}× as fast as {}{}", best->name,
                                  times(base->result->timing->median / best->result->timing->median),
                                  standard ? "standard attention" : base->name,
                                  !standard || base->kernel == Method::Standard ? "" : ", backward");
    if (base->bytes && best->bytes) {
      const double a = bytes_of_dram(*base->bytes->counters), b = bytes_of_dram(*best->bytes->counters);
      if (a > 0 && b > 0 && a / b >= 1.05) out += fmt::format(", with {}× fewer DRAM bytes", times(a / b));
    }
    return out;
  }
  if (chart == GpuChart::Statistics && row && row->simulator && row->simulator->m) {
    const std::string l = row->simulator->l ? error_words(*row->simulator->l) : "–";
    if (*row->simulator->m == 0) return fmt::format("{}: m is exact, l off by at most {}", row->name, l);
    return fmt::format("{}: m is off by at most {}, l by {}", row->name, error_words(*row->simulator->m), l);
  }
  if (chart == GpuChart::Difference && row && row->simulator && row->simulator->o && std::isinf(*row->simulator->o))
    return fmt::format("{}: O holds what is no number", row->name);
  if (chart == GpuChart::Difference && row && row->simulator && row->simulator->o && *row->simulator->o == 0)
    return fmt::format("{}: every element of O is the same", row->name);
  if (chart == GpuChart::Difference && row && row->simulator && row->simulator->o)
    return fmt::format("{}: O is off by at most {}", row->name, error_words(*row->simulator->o));
  return std::string(kTitles[size_t(chart)]);
}

std::string words_of_time(const GpuRow& row, double most_ms) {
  return (row.recorded ? "◆ " : "") + time_words(row.result->timing->median, most_ms);
}

// Whether every time has its rate beside it.
bool rates_fit(const GpuBoard& board, double most_ms, float width, float size, const Style& s) {
  return std::ranges::all_of(board.rows, [&](const GpuRow& row) {
    return !row.result || !row.result->timing ||
           text_width(words_of_time(row, most_ms), Face::MonoBold, size) + s.px(12) +
                   text_width(rate_words(row), Face::Sans, std::min(size, s.number())) <=
               width;
  });
}

float size_of_times(const GpuBoard& board, double most_ms, float width, float height, const Style& s) {
  for (const float size : {s.display(), s.title(), s.heading(), s.body()})
    if (size * 1.18f <= height * 0.56f && (size <= s.heading() || rates_fit(board, most_ms, width, size, s)))
      return size;
  return s.small();
}

}  // namespace

std::string gpu_finding(const GpuBoard& board, const GpuRow* row, const GpuView& gpu) {
  if (gpu.shape == GpuShape::Ladder) return ladder_finding(board);
  return finding(board, row, compares_alone(gpu.shape) ? GpuChart::Compare : gpu.chart, gpu.shape);
}

std::string by_a_run(const Column& c, std::string_view small_enough) {
  return c.view.gpu.status.usable()
             ? fmt::format("Run the inputs on the stage (R): {}.", small_enough)
             : "There is no GPU here to run it. The small walks of lessons were recorded with it.";
}

void layout_nothing(const Column& c, Rect area, std::string_view headline, std::string_view sentence) {
  const float y = area.center().y - c.px(34);
  fitted_label(c.scene, c.style, {area.x, y, area.w, c.px(34)}, headline, Face::SansBold, c.style.heading(),
               c.color(Role::Text), Align::Center);
  // What one who learns can do about it is not for a room.
  if (!c.view.present.on || sentence.find('(') == std::string_view::npos)
    fitted_label(c.scene, c.style, {area.x, y + c.px(36), area.w, c.px(28)}, sentence, Face::Sans, c.style.number(),
                 c.color(Role::TextSecondary), Align::Center);
}

void layout_comparison(const Column& c, Rect area, const GpuBoard& board) {
  const Style& s = c.style;
  // Other programs' kernels come last, under a line that says whose they are.
  std::vector<const GpuRow*> all;
  for (const GpuRow& row : board.rows) all.push_back(&row);
  for (const GpuRow& row : board.peers) all.push_back(&row);
  const size_t count = std::max<size_t>(1, all.size());
  double most_ms = 0, least_ms = INFINITY, most_fill = 1, most_dram = 1;
  for (const GpuRow* each : all) {
    const GpuRow& row = *each;
    if (row.result && row.result->timing) {
      most_ms = std::max(most_ms, row.result->timing->median);
      if (board.timed_together(row)) least_ms = std::min(least_ms, row.result->timing->median);
    }
    if (row.predicted) most_fill = std::max(most_fill, double(row.predicted->fill_bytes));
    if (row.dram_known)
      most_dram = std::max(most_dram, double(row.predicted->dram.read_bytes + row.predicted->dram.written_bytes));
    if (row.bytes) {
      most_fill = std::max(most_fill, row.bytes->counters->l2_to_sm.value_or(0));
      most_dram = std::max(most_dram, bytes_of_dram(*row.bytes->counters));
    }
  }
  const float name = s.px(board.peers.empty() ? 128 : 186), gap = s.px(26), head = s.px(34);
  float names = count > 4 ? s.body() : s.title();  // one size for all
  for (const GpuRow& row : board.rows)
    names = std::min(names, names * name / std::max(1.0f, text_width(row.name, Face::SansBold, names)) * 0.995f);
  const float width = (area.w - name - 3 * gap) / 3;
  const auto column = [&](int k) { return area.x + name + gap + float(k) * (width + gap); };
  const std::string launch = "Time of one launch" + l2_words(board);
  const bool room = text_width(launch, Face::SansBold, s.small()) <= width;
  for (const auto& [k, title] : {std::pair(0, room ? launch : "Time" + l2_words(board)),
                                 {1, std::string("L2→SM bytes")},
                                 {2, std::string("DRAM bytes")}})
    fitted_label(c.scene, s, {column(k), area.y, width, head}, title, Face::SansBold, s.body(), c.color(Role::Text));
  const float apart = board.peers.empty() ? 0 : s.px(28);
  const float pitch = std::min((area.h - head - apart) / float(count), s.px(178));
  const float size = size_of_times(board, most_ms, width, pitch - s.px(12), s);
  const bool rates = rates_fit(board, most_ms, width, size, s);
  for (size_t k = 0; k < all.size(); ++k) {
    const GpuRow& row = *all[k];
    const bool peer = k >= board.rows.size();
    const float y = area.y + head + float(k) * pitch + (peer ? apart : 0);
    if (k == board.rows.size()) {
      const Rect line{area.x, y - apart, area.w, apart};
      std::string whose = peers_words(board);  // its last parts stand in the tip where they have no room
      for (size_t end; text_width(whose, Face::Sans, s.small()) > line.w && (end = whose.rfind("; ")) < whose.size();)
        whose.resize(end);
      fitted_label(c.scene, s, line, whose, Face::Sans, s.number(), c.color(Role::TextSecondary));
      c.scene.region(line, "gpu:peers", peers_words(board), false);
    }
    c.scene.line({area.x, y}, {area.right(), y}, c.color(Role::Line), s.px(1));
    const Rect line{area.x, y + s.px(6), area.w, pitch - s.px(12)};
    // The number's bar stands close below it, the name beside it.
    const float text = std::min(line.h * 0.56f, size * 1.5f);
    fitted_label(c.scene, s, {line.x, line.y, name, std::max(text, std::min(line.h, s.px(36)))}, row.name,
                 Face::SansBold, names, c.color(Role::Text));
    if (row.result && row.result->timing) {
      const double ms = row.result->timing->median;
      const bool best = !peer && ms <= least_ms;
      const float h = std::min(line.h * 0.42f, s.px(38));
      // A recording in place of a kernel that this GPU refuses says so.
      const std::string instead = stand_in_words(row), rate = instead.empty() ? rate_words(row) : instead;
      const std::string words = words_of_time(row, most_ms);
      const float taken = std::min(text_width(words, Face::MonoBold, size), width);
      fitted_label(c.scene, s, {column(0), line.y, width, text}, words, Face::MonoBold, size, c.color(Role::Text));
      if (rates || (!instead.empty() && width - taken > s.px(96)))
        fitted_label(c.scene, s, {column(0) + taken + s.px(12), line.y, width - taken - s.px(12), text}, rate,
                     Face::Sans, std::min(size, s.number()), c.color(Role::TextSecondary));
      const Rect bar{column(0), std::min(line.y + text + s.px(6), line.bottom() - h),
                     std::max(s.px(3), float(double(width) * ms / most_ms)), h};
      c.scene.box(bar, s.px(3), c.color(best ? Role::Accent : Role::Text));
      if (row.recorded) hatch(c.scene, bar, c.color(Role::Background), s.px(8), s.px(1.8f));
      const Rect below{column(0), bar.bottom() + s.px(2), width, line.bottom() - bar.bottom() - s.px(2)};
      const std::string slower = row.kernel == Method::Fa3Fp8 ? pass_words(row) : slower_words(row, board);
      if (!slower.empty() && below.h >= s.px(20))
        wrapped_label(c.scene, below, slower, Face::Sans, s.small(), s.px(20), c.color(Role::TextSecondary));
    } else {
      const std::string why = no_time_words(row);
      wrapped_label(c.scene, {column(0), line.y, width, line.h}, why, Face::Sans, s.number(), s.px(22),
                    c.color(why.starts_with("✕") ? Role::WrongText : Role::TextSecondary));
    }
    BarPair fill{row.predicted ? double(row.predicted->fill_bytes) : -1, -1, most_fill, row.bytes_recorded,
                 peer ? "" : "counting…"};
    BarPair dram{-1, -1, most_dram, row.bytes_recorded,
                 peer            ? ""
                 : row.dram_done ? "too large for the model"
                                 : "the model is counting…"};
    if (row.dram_known) dram.predicted = double(row.predicted->dram.read_bytes + row.predicted->dram.written_bytes);
    if (row.bytes) {
      fill.measured = row.bytes->counters->l2_to_sm.value_or(-1);
      dram.measured = bytes_of_dram(*row.bytes->counters);
    }
    const auto pair = [&](int at, const BarPair& bars) {
      const bool ratio = bars.predicted > 0 && bars.measured >= 0 && line.h >= s.px(74);
      const float words = ratio ? s.px(22) : 0;
      layout_bar_pair(c, {column(at), line.y, width, std::min(line.h - words, s.px(80))}, bars);
      if (ratio)
        fitted_label(c.scene, s, {column(at), line.y + std::min(line.h - words, s.px(80)), width, words},
                     against_words(bars.measured, bars.predicted), Face::SansBold, s.number(), c.color(Role::Text));
    };
    pair(1, fill);
    pair(2, dram);
  }
}

void layout_gpu_charts(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                       const Style& s) {
  const Column c{scene, session, moment, view, s};
  const GpuView& gpu = view.gpu;
  scene.box(area, 0, s[Role::Background]);
  Rect r = area.inset(s.px(24), s.px(14));
  const GpuBoard* board = gpu.board.get();
  const GpuRow* row = chosen_row(gpu);
  const bool ladder = gpu.shape == GpuShape::Ladder;

  // Head: the finding, where the numbers are from, chart and kernel.
  const float close = s.px(112);
  fitted_label(scene, s, {r.x, r.y, r.w - close - s.px(12), s.px(40)},
               board ? gpu_finding(*board, row, gpu) : std::string("The GPU’s charts"), Face::SansBold, s.display(),
               s[Role::Text]);
  layout_chips(c, {r.right() - close, r.y + s.px(3), close, s.px(34)},
               {{"command:gpu-large", "Stage (L)", "Back to the stage (L)"}}, s.px(34));
  r = {r.x, r.y + s.px(44), r.w, r.h - s.px(44)};
  if (board) {
    const bool recorded = board->shows_recorded();
    std::string words = source_words(*board, gpu, recorded);
    const Problem& p = board->spec.problem;
    const std::string shape =
        fmt::format("B {} · H {} · N {} · d {} · {}", p.batch, p.heads, with_commas(p.n_k), p.d, name_of(p.mask));
    if (words.empty()) words = "Nothing measured or recorded at this shape yet";
    words += " · " + shape;
    float x = r.x;
    if (recorded) {
      const Rect plate{r.x, r.y + s.px(3), s.px(44), s.px(20)};
      scene.box(plate, 0, {}, s[Role::TextSecondary], s.px(1.5f));
      hatch(scene, plate, s[Role::TextSecondary], s.px(7), s.px(1.5f));
      x += plate.w + s.px(10);
    }
    fitted_label(scene, s, {x, r.y, r.right() - x, s.px(26)}, words, Face::Sans, s.body(), s[Role::TextSecondary]);
  }
  r = {r.x, r.y + s.px(34), r.w, r.h - s.px(34)};
  const float control = s.px(34);
  if (ladder) {
    layout_ladder_choice(c, {r.x, r.y, std::min(r.w, s.px(520)), control});
    if (board) layout_ladder(c, {r.x, r.y + control + s.px(10), r.w, r.h - control - s.px(10)}, *board);
    return;
  }
  const std::vector<Option> charts{{"compare", "Compare", "Time and bytes of every kernel"},
                                   {"statistics", "m and l", "The kernel's m and l over the simulator's, tile by tile"},
                                   {"difference", "O and L", "The kernel's O and L less the simulator's"},
                                   {"waiting", "Waiting", "Clock stamps: who waits for whom"}};
  const bool alone = compares_alone(gpu.shape);
  const bool all = gpu.chart == GpuChart::Compare || alone;
  // Six kernels want more of the line than four charts do.
  const float left = all ? std::min(r.w, s.px(520)) : r.w * 0.44f - s.px(8);
  const std::string chosen = all                                 ? "compare"
                             : gpu.chart == GpuChart::Statistics ? "statistics"
                             : gpu.chart == GpuChart::Difference ? "difference"
                                                                 : "waiting";
  if (!alone) layout_segments(c, {r.x, r.y, left, control}, "gpu-chart", charts, chosen, control);
  float controls = alone ? 0 : segments_height(c, charts, left, control);
  if (!all && board) {
    std::vector<Option> kernels;
    for (const GpuRow& each : board->rows) {
      const MethodInfo& info = info_of(each.kernel);
      const std::string name(info.kernel.tab.empty() ? each.name : info.kernel.tab);
      if (each.kernel != Method::Standard) kernels.push_back({std::string(info.key), name, "Shows " + each.name});
    }
    if (!kernels.empty()) {
      const Rect right{r.x + left + s.px(16), r.y, r.w - left - s.px(16), control};
      layout_segments(c, right, "gpu-kernel", kernels, info_of(gpu.kernel).key, control);
      controls = std::max(controls, segments_height(c, kernels, right.w, control));
    }
  }
  r = {r.x, r.y + controls + s.px(16), r.w, r.h - controls - s.px(16)};
  if (!board) return layout_nothing(c, r, "Nothing to show yet", "R runs the kernels, or shows what was recorded.");
  if (!board->fault.empty()) return layout_nothing(c, r, "No kernel runs this", board->fault);
  if (all) return layout_comparison(c, r, *board);
  if (!row) return;
  layout_gpu_chart(c, r, *row, *board);
}

void layout_gpu_chart(const Column& c, Rect r, const GpuRow& row, const GpuBoard& board) {
  switch (c.view.gpu.chart) {
    case GpuChart::Statistics: return layout_gpu_statistics(c, r, row, board);
    case GpuChart::Difference: return layout_gpu_difference(c, r, row, board);
    case GpuChart::Waiting: return layout_gpu_stamps(c, r, row);
    case GpuChart::Compare: break;
  }
}

}  // namespace tilewalk
