// The ladder: every rung with its rate and what limits it, and the chosen rung's ideas as switches, each with what it
// cost when it was measured, what the model says before, and what else changed.
#include "app/panels/gpu_parts.h"
#include "core/machine/words.h"
#include "core/roofline/busy.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

using ui::Across;
using ui::Font;
using ui::Node;

constexpr Font kSmall{15, Face::Sans, Role::TextSecondary}, kHead{15, Face::SansBold, Role::TextSecondary};

// A bar of `share` of the room, hatched where it is recorded.
Node bar(double share, bool recorded, Role role) {
  return ui::canvas([=](Scene& scene, Rect r, const Style& s) {
    const float h = std::min(r.h * 0.8f, s.px(20));
    const Rect solid{r.x, r.center().y - h / 2, std::max(s.px(3), float(double(r.w) * std::clamp(share, 0.0, 1.0))), h};
    scene.box(solid, s.px(3), s[role]);
    if (recorded) hatch(scene, solid, s[Role::Background], s.px(7), s.px(1.6f));
  });
}

ui::Surface of_choice(bool chosen) {
  return {.fill = chosen ? std::optional(Role::Surface) : std::nullopt,
          .hot = Role::Surface,
          .border = chosen ? std::optional(Role::Text) : std::nullopt,
          .radius = 6,
          .border_width = 2};
}

std::vector<Busy> units_of(const KernelResult* k, const RunResult* run) {
  return k && run ? busy_units(*k, run->spec.problem, run->provenance) : std::vector<Busy>();
}

// "tensor cores 81 %": the busiest unit of the launch; empty where nothing was counted.
std::string busiest(const KernelResult* k, const RunResult* run) {
  const std::vector<Busy> units = units_of(k, run);
  return units.empty() ? "" : fmt::format("{} {:.0f} %", units.front().what, 100 * units.front().share);
}

// ---- rungs

const RunResult* run_of(const GpuRow& row, const GpuBoard& board) {
  return row.recorded ? board.recorded.get() : board.live.get();
}

double rate_of(const GpuRow& row) {
  const bool known = row.result && row.result->timing && row.predicted;
  return known ? double(row.predicted->nominal_flop) / (row.result->timing->median * 1e-3) : 0;
}

// "it waits for tensor cores, 81 % of what there is", or why nothing is known.
std::string limit_of(const GpuRow& row, const GpuBoard& board) {
  const std::vector<Busy> units = units_of(row.result, run_of(row, board));
  return units.empty() ? no_time_words(row) : limit_words(units);
}

Node rung(const GpuRow& row, const GpuBoard& board, double most, bool chosen, bool low) {
  const double rate = rate_of(row);
  const std::string unit = busiest(row.result, run_of(row, board));
  const bool best = rate > 0 && rate >= most;
  std::vector<Node> middle;
  if (rate > 0)
    middle.push_back(bar(rate / most, row.recorded, best ? Role::Accent : Role::Text).height(ui::between(10, 24)));
  Font idea = kSmall;
  idea.shrinks = true;
  if (!low) middle.push_back(ui::text(std::string(info_of(row.kernel).rung.idea), idea).height(ui::between(14, 22)));
  Font number{20, Face::MonoBold, Role::Text, Align::Right};
  number.shrinks = true;
  std::vector<Node> cells;
  Font name{20, Face::SansBold};
  name.shrinks = true;
  cells.push_back(ui::text(row.name, name).width(ui::px(low ? 104 : 132)));
  cells.push_back(ui::column(std::move(middle), 2).width(ui::grow()));
  cells.push_back(ui::text((row.recorded ? "◆ " : "") + rate_words(row), number).width(ui::px(low ? 140 : 172)));
  if (!low) cells.push_back(ui::text(unit, kSmall).width(ui::between(120, 170)));
  return ui::row(std::move(cells), low ? 8 : 14, Across::Center)
      .padding(10, 3)
      .height(ui::between(low ? 26 : 36, low ? 44 : 62))
      .on(of_choice(chosen))
      .pressed({fmt::format("choice:gpu-kernel/{}", info_of(row.kernel).key),
                fmt::format("{}: {}. {}.", row.name, info_of(row.kernel).rung.idea, limit_of(row, board))});
}

// ---- switches

// "1.17× as long", or what came of it instead of a time.
std::string measured_words(const SwitchRow& row) {
  if (row.with && row.with->wrong) return fmt::format("✕ wrong at row {}", row.with->wrong->row + 1);
  if (row.times() > 0) return (row.recorded ? "◆ " : "") + times_as_long(row.times());
  return "not measured";
}

std::string model_words(const SwitchRow& row) { return row.price ? words_of(*row.price) : "counting…"; }

// What the hardware counted otherwise than of the kernel as it is.
std::string changed_words(const SwitchRow& row) {
  if (row.with && row.with->wrong) return fmt::format("O is off by {}", error_words(row.with->wrong->error));
  if (!row.with || !row.plain->counters || !row.with->counters) return "";
  const Counters &plain = *row.plain->counters, &with = *row.with->counters;
  std::string out;
  const auto add = [&](std::string words) { out += (out.empty() ? "" : ", ") + std::move(words); };
  if (plain.l2_to_sm && with.l2_to_sm && std::fabs(*with.l2_to_sm / *plain.l2_to_sm - 1) > 0.01)
    add(fmt::format("{} the L2→SM bytes", ratio_words(*with.l2_to_sm, *plain.l2_to_sm)));
  constexpr double kMany = 1e7;
  if (plain.bank_conflicts && with.bank_conflicts && *with.bank_conflicts > kMany + *plain.bank_conflicts)
    add(fmt::format("{} million bank conflicts", with_commas(std::llround(*with.bank_conflicts * 1e-6))));
  if (const std::string busy = busiest(row.with, row.run.get()); out.empty() && !busy.empty()) add(busy);
  return out;
}

// One sentence or two on the chosen switch; empty without one.
std::string chosen_words(const GpuBoard& board, const GpuView& gpu, bool room) {
  const auto row = std::ranges::find_if(board.switches, [&](const SwitchRow& r) { return r.info->id == gpu.with; });
  if (row == board.switches.end() && room) return {};
  if (row == board.switches.end())
    return gpu.status.usable() ? "Press a switch to choose it; R runs the rungs, or the kernel with it."
                               : "Press a switch to read what it does and what it cost.";
  std::string out =
      fmt::format("{} {}: {}. ", info_of(row->info->kernel).kernel_name(), words_of(*row->info), row->info->words);
  if (row->with && row->with->wrong) {
    const WrongRow& w = *row->with->wrong;
    std::string got, wanted;
    for (size_t k = 0; k < std::min(w.o.size(), size_t{3}); ++k)
      got += fmt::format("{:.3f}, ", w.o[k]), wanted += fmt::format("{:.3f}, ", w.o_wanted[k]);
    out += fmt::format(
        "Row {} of head {} is the first wrong one of those compared: O begins {}… and should begin {}…; "
        "L is {:.3f}",
        w.row + 1, w.head + 1, got, wanted, w.lse);
    out += std::fabs(w.lse - w.lse_wanted) < 1e-3 ? ", as it should be."
                                                  : fmt::format(" and should be {:.3f}.", w.lse_wanted);
  } else if (row->times() > 0) {
    const Timing &with = *row->with->timing, &plain = *row->plain->timing;
    out += fmt::format("{} {} beside {}, the clock at {:.0f} and {:.0f} MHz.",
                       row->recorded ? "Recorded:" : "Measured:", time_words(with.median),
                       time_words(plain.median, with.median), clock_of(with), clock_of(plain));
  }
  return out;
}

std::string switch_tip(const SwitchRow& row) {
  return fmt::format("{}: {}. Measured: {}. The model before: {}.", words_of(*row.info), row.info->words,
                     measured_words(row), model_words(row));
}

// How much of a switch has room: its name and what was measured; also the model and what was counted; also what it
// does.
enum class Room : uint8_t { Narrow, Middle, Wide };
ui::Size name_width(Room room) { return room == Room::Narrow ? ui::grow() : ui::px(162); }

Node switch_line(const SwitchRow& row, bool chosen, Room room) {
  const bool wrong = row.with && row.with->wrong;
  Font number{16, Face::MonoBold, wrong ? Role::WrongText : Role::Text, Align::Right};
  Font words = kSmall;
  words.shrinks = number.shrinks = true;
  std::vector<Node> cells;
  cells.push_back(ui::text(words_of(*row.info), {17, Face::SansBold}).width(name_width(room)));
  if (room == Room::Wide) cells.push_back(ui::text(std::string(row.info->words), words).width(ui::grow(2.05f)));
  cells.push_back(ui::text(measured_words(row), number).width(ui::px(150)));
  if (room != Room::Narrow) {
    cells.push_back(ui::text(model_words(row), words).width(ui::grow(1.2f)));
    cells.push_back(ui::text(changed_words(row), words).width(ui::grow(1.2f)));
  }
  return ui::row(std::move(cells), 12)
      .padding(10, 0)
      .height(ui::between(24, 34))
      .on(of_choice(chosen))
      .pressed({fmt::format("choice:gpu-switch/{}", row.info->key), switch_tip(row)});
}

Node switch_heads(Method kernel, Room room) {
  Font right = kHead;
  right.align = Align::Right;
  std::vector<Node> cells;
  cells.push_back(ui::text(fmt::format("{}, idea by idea", info_of(kernel).kernel_name()), {17, Face::SansBold})
                      .width(name_width(room)));
  if (room == Room::Wide) cells.push_back(ui::spacer(ui::grow(2.05f)));
  cells.push_back(ui::text("measured", right).width(ui::px(150)));
  if (room != Room::Narrow) {
    cells.push_back(
        ui::text(std::vector<std::string>{"the model, before it ran", "model"}, kHead).width(ui::grow(1.2f)));
    cells.push_back(
        ui::text(std::vector<std::string>{"what else was counted", "counted"}, kHead).width(ui::grow(1.2f)));
  }
  return ui::row(std::move(cells), 12).padding(10, 0).height(ui::between(22, 28));
}

Node no_switches() {
  return ui::wrapped("FA2 and FA3 are built with switches: choose one of these rungs.",
                     {17, Face::Sans, Role::TextSecondary});
}

// Loses the last ones where there is no room for all.
Node switch_list(const GpuBoard& board, const GpuView& gpu, Room room) {
  std::vector<Node> lines;
  for (const SwitchRow& row : board.switches) lines.push_back(switch_line(row, row.info->id == gpu.with, room));
  return ui::list(std::move(lines), 1, [](int left) {
    return ui::text(fmt::format("and {} more in a larger window", left), kSmall).height(ui::px(22));
  });
}

}  // namespace

std::string ladder_finding(const GpuBoard& board) {
  const GpuRow *first = nullptr, *last = nullptr;
  for (const GpuRow& row : board.rows)
    if (board.timed_together(row)) (first ? last : first) = &row;
  if (!last) return "The ladder: one idea a rung";
  return fmt::format("From {} to {}: {}× as fast, one idea a rung", first->name, last->name,
                     number_words(first->result->timing->median / last->result->timing->median, 2));
}

void layout_ladder_choice(const Column& c, Rect r) {
  const GpuView& gpu = c.view.gpu;
  const Rect left{r.x, r.y, (r.w - c.px(12)) / 2, r.h}, right = left.shifted(left.w + c.px(12), 0);
  layout_segments(c, left, "gpu-ladder-d",
                  {{"64", "d = 64", "Head dimension 64"}, {"128", "d = 128", "Head dimension 128"}},
                  std::to_string(gpu.ladder_d), r.h);
  layout_segments(
      c, right, "gpu-ladder-mask",
      {{"full", "full", "Every query sees every key"}, {"causal", "causal", "A query sees the keys up to its own"}},
      name_of(gpu.ladder_mask), r.h);
}

void layout_ladder(const Column& c, Rect area, const GpuBoard& board) {
  const GpuView& gpu = c.view.gpu;
  const bool low = area.h < c.px(620);  // then side by side
  const Room room = low ? Room::Narrow : area.w >= c.px(1000) ? Room::Wide : Room::Middle;
  double most = 0;
  for (const GpuRow& row : board.rows) most = std::max(most, rate_of(row));
  std::vector<Node> rungs;
  for (const GpuRow& row : board.rows) rungs.push_back(rung(row, board, most, row.kernel == gpu.kernel, low));
  std::vector<Node> ideas;
  if (board.switches.empty()) {
    ideas.push_back(no_switches());
  } else {
    ideas.push_back(switch_heads(gpu.kernel, room));
    ideas.push_back(ui::rule());
    ideas.push_back(switch_list(board, gpu, room));
  }
  Node chosen = ui::wrapped(board.switches.empty() ? "" : chosen_words(board, gpu, c.view.present.on), {16});
  if (low) {
    rungs.push_back(ui::spacer(ui::px(8)));
    if (const GpuRow* row = board.row(gpu.kernel))
      rungs.push_back(ui::wrapped(
          fmt::format("{}: {}; {}.", row->name, info_of(row->kernel).rung.idea, limit_of(*row, board)), {16}));
    rungs.push_back(ui::spacer(ui::px(8)));
    rungs.push_back(std::move(chosen));
    rungs.push_back(ui::spacer());
    return c.show(ui::row(ui::of(ui::column(std::move(rungs)).width(ui::grow(1.1f)),
                                 ui::column(std::move(ideas)).width(ui::grow())),
                          18),
                  area);
  }
  rungs.push_back(ui::spacer(ui::between(4, 14)));
  for (Node& idea : ideas) rungs.push_back(std::move(idea));
  rungs.push_back(ui::spacer(ui::px(8)));
  rungs.push_back(std::move(chosen));
  rungs.push_back(ui::spacer());
  c.show(ui::column(std::move(rungs)), area);
}

void layout_ladder_switches(const Column& c, Rect area, const GpuBoard& board) {
  if (board.switches.empty()) return c.show(ui::column(ui::of(no_switches(), ui::spacer())), area);
  c.show(switch_list(board, c.view.gpu, Room::Narrow), area);
}

}  // namespace tilewalk
