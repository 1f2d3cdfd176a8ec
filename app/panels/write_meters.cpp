// What the program takes beside the shipped schedules, on the stage's problem; and the puzzle's card.
#include "app/panels/cards.h"
#include "app/panels/write_parts.h"
#include "app/state/written.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tilewalk {
namespace {

using namespace ui;

std::string amount(const Measure& measure, int64_t value) {
  if (measure.bytes) return value < 100'000 ? with_commas(value) + " B" : bytes_words(value);
  if (value < 1'000'000) return with_commas(value);
  constexpr std::string_view kUnits[] = {"M", "G", "T", "P"};
  double shown = double(value) / 1e6;
  size_t unit = 0;
  while (shown >= 1000 && unit + 1 < std::size(kUnits)) shown /= 1000, ++unit;
  return fmt::format("{:.3g} {}", shown, kUnits[unit]);
}

Node hint_button(const Puzzle& puzzle, int given) {
  return button(fmt::format("Hint {} of {}", given + 1, puzzle.hints.size()), runs("hint"), Fill::Solid,
                {16, Face::SansBold})
      .padding(14, 0);
}

// The first behind it that is not solved, else the first of all; null where all are.
const Puzzle* next_unsolved(const WriteView& write) {
  const auto all = shipped_puzzles();
  const auto here = std::ranges::find(all, write.puzzle->id, [](const auto& puzzle) { return puzzle->id; });
  const size_t at = here == all.end() ? 0 : size_t(here - all.begin());
  for (size_t k = 1; k <= all.size(); ++k)
    if (const Puzzle& each = *all[(at + k) % all.size()]; !write.solved.contains(each.id)) return &each;
  return nullptr;
}

}  // namespace

Node meter_cell(std::string words, bool own, bool head) {
  return text(std::move(words), {14, head || own ? (head ? Face::SansBold : Face::MonoBold) : Face::Mono,
                                 own ? Role::Text : Role::TextSecondary, Align::Right, 0, true})
      .width(grow());
}

Node written_meters(const ViewState& view) {
  std::vector<Node> rows;
  if (!view.write.now || view.write.now->meters.empty()) return column({});
  const std::span<const MeteredSchedule> all = view.write.now->meters;
  const std::span<const MeteredSchedule> meters = all.subspan(all.front().name.empty() ? 1 : 0);
  const auto is_own = [&](const MeteredSchedule& each) { return &each == &all.front(); };
  const bool stands = view.write.now->faults.empty() && view.write.now->unfit.empty();
  std::vector<Node> heads = of(text("One head", {14, Face::Sans, Role::TextSecondary}).width(px(kMeterNames)));
  for (const MeteredSchedule& each : meters)
    heads.push_back(meter_cell(is_own(each) && !stands ? "Last read" : each.name, is_own(each), true));
  rows.push_back(row(std::move(heads), 6).height(px(20)));
  for (const Measure& measure : measures()) {
    if (measure.key == "passes") continue;
    std::vector<Node> cells =
        of(text(std::string(measure.title), {14, Face::Sans, Role::TextSecondary}).width(px(kMeterNames)));
    std::string exact = std::string(measure.tip);
    for (const MeteredSchedule& each : meters) {
      const int64_t value = each.meters.*measure.value;
      cells.push_back(meter_cell(amount(measure, value), is_own(each), false));
      exact += fmt::format("\n{}: {}{}", each.name, with_commas(value), measure.bytes ? " B" : "");
    }
    rows.push_back(row(std::move(cells), 6)
                       .height(px(20))
                       .pressed({"meter:" + std::string(measure.key), std::move(exact), {}, false}));
  }
  return column(std::move(rows));
}

Node puzzle_card(const ViewState& view, bool short_form) {
  const WriteView& write = view.write;
  const Puzzle& puzzle = *write.puzzle;
  std::vector<Node> lines = of(wrapped(puzzle.task, {16}, 8));
  if (puzzle.own_tiles)
    lines.push_back(wrapped("Br and Bc are yours too: Esc, then 3, opens the form with them.",
                            {16, Face::Sans, Role::TextSecondary}, 2));
  const Attempt tried = write.now ? write.now->tried : Attempt();
  for (const GoalReached& goal : tried.goals) {
    const char* mark = !tried.read ? "–" : goal.reached ? "✓" : "✕";
    const Role role = !tried.read ? Role::TextSecondary : goal.reached ? Role::RightText : Role::WrongText;
    lines.push_back(row(of(text(mark, {14, Face::SansBold, role}).width(px(18)),
                           text(goal.words, {14, Face::SansBold, role}).width(grow())))
                        .pressed({fmt::format("goal:{}", lines.size()),
                                  goal.measure ? std::string(goal.measure->tip)
                                               : "What the judge finds, and the steps that the program takes",
                                  {},
                                  false}));
  }
  const Problem& p = puzzle.problem;
  lines.push_back(
      text(puzzle.own_tiles
               ? fmt::format("Counted for N {}, d {}, {} mask, your tiles", p.n_q, p.d, name_of(p.mask))
               : fmt::format("Counted for N {}, d {}, tiles {} × {}, {} mask", p.n_q, p.d, p.br, p.bc, name_of(p.mask)),
           {14, Face::Sans, Role::TextSecondary, Align::Left, 18}));
  for (int k = short_form ? std::max(0, write.hints - 1) : 0; k < write.hints; ++k)
    lines.push_back(
        wrapped(fmt::format("Hint {}: {}", k + 1, puzzle.hints[size_t(k)]), {16, Face::Sans, Role::AccentText}, 4));
  std::vector<Node> foot;
  const bool solved = !tried.goals.empty() && tried.solved();
  foot.push_back(text(solved ? "Solved." : "", {16, Face::SansBold, Role::RightText}).width(px(solved ? 64 : 0)));
  foot.push_back(spacer());
  if (write.program.text != puzzle.start.text)
    foot.push_back(button("Start over",
                          {"begin-puzzle:" + puzzle.id, "Its text as it was; Ctrl+Z brings yours back",
                           means(BeginPuzzle{puzzle.id})},
                          Fill::Plain, {16, Face::SansBold})
                       .padding(14, 0));
  if (write.hints < int(puzzle.hints.size()) && !solved) foot.push_back(hint_button(puzzle, write.hints));
  if (const Puzzle* next = solved ? next_unsolved(write) : nullptr)
    foot.push_back(button("Next puzzle",
                          {"begin-puzzle:" + next->id, next->title + "\n" + next->task, means(BeginPuzzle{next->id})},
                          Fill::Solid, {16, Face::SansBold})
                       .padding(14, 0));
  lines.push_back(row(std::move(foot), 8).height(px(30)));
  return column(std::move(lines), 4)
      .padding(12, 8)
      .on({.fill = Role::Background, .border = Role::Border, .radius = 8, .border_width = 1.5f});
}

}  // namespace tilewalk
