// Kernel detective: four back ends of one PyTorch ran the same attention on an H200, and only what the hardware counted
// is known. Who is who? Bytes into the multiprocessors tell the rows of the tiles, DRAM bytes tell who stores the N×N
// matrix, time tells the rest. The numbers are the program's own recordings; the names come last.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/model/dispatch.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kShapes{"B = 16, N = 1,024", "B = 4, N = 4,096"};
constexpr std::array<std::string_view, 3> kClues{"L2 to SM", "and DRAM", "and time"};
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("clues", "Clues", kClues, 2, "What the counters and the clock have told so far"),
    choice_knob("shape", "Shape (H = 16, d = 128)", kShapes, 1, "The problem that all of them ran"),
    switch_knob("names", "Names", false, "Who they were; guess first"),
});

struct Suspect {
  std::string_view key, name;  // as recorded(...) knows it; as people do
  Backend backend;
};
constexpr std::array<Suspect, 4> kSuspects{{{"pytorch-eager", "eager", Backend::Math},
                                            {"pytorch-mem-efficient", "memory-efficient", Backend::Efficient},
                                            {"pytorch-fa2", "FA2", Backend::Fa2},
                                            {"pytorch-cudnn", "cuDNN", Backend::Cudnn}}};
// Which suspect stands in which row: another order for each shape.
constexpr std::array<std::array<size_t, 4>, 2> kRows{{{2, 0, 3, 1}, {1, 3, 0, 2}}};
constexpr std::array<std::string_view, 3> kColumns{"l2", "dram", "time"};
constexpr std::array<std::string_view, 3> kTitles{"L2 to SM", "DRAM", "time"};

constexpr std::string_view kUntold = "a kernel of the recordings; the names say which";  // where a clue comes from

size_t suspect_in(const Exhibit& view, size_t row) { return kRows[size_t(view.knob("shape"))][row]; }

std::optional<Quantity> clue(const Exhibit& view, size_t row, size_t column) {
  const bool large = view.on("shape");
  return evaluate(fmt::format("recorded({}, {}, N={}, d=128, B={}, H=16)", kSuspects[suspect_in(view, row)].key,
                              kColumns[column], large ? 4096 : 1024, large ? 4 : 16))
      .quantity;
}

// The guess for a row: a suspect's place, or -1.
int guess_of(const BoardState& state, size_t row) {
  const auto found = state.cells.find(fmt::format("guess{}", row));
  for (size_t k = 0; k < kSuspects.size(); ++k)
    if (found != state.cells.end() && found->second == kSuspects[k].key) return int(k);
  return -1;
}

// What a profiler calls it.
std::string kernel_of(Backend backend) {
  AttentionCall call;  // fp16, d = 128, an H200
  call.only = backend;
  return dispatch(call).kernel;
}

int right_guesses(const Exhibit& view) {
  int right = 0;
  for (size_t row = 0; row < kSuspects.size(); ++row) right += guess_of(view.state, row) == int(suspect_in(view, row));
  return right;
}

std::vector<Reading> readings(const Exhibit& view) {
  std::vector<Reading> all{
      {"right", "Right guesses", {double(right_guesses(view)), {}, Origin::Computed, "yours against the recording"}}};
  for (size_t row = 0; row < kSuspects.size(); ++row)
    for (size_t column = 0; column < kColumns.size(); ++column)
      if (auto value = clue(view, row, column)) {
        if (!view.on("names")) value->source = kUntold;
        all.push_back({fmt::format("{}{}", kColumns[column], row),
                       fmt::format("{} of {}", kTitles[column], char('A' + row)), *std::move(value)});
      }
  return all;
}

std::string caption(const Exhibit& view) {
  if (view.on("names")) {
    constexpr std::string_view kTold = "Counters know who ran, whatever the code is called.";
    for (size_t row = 0; row < kSuspects.size(); ++row)
      if (guess_of(view.state, row) >= 0)
        return fmt::format("{} of {} are right. {}", right_guesses(view), kSuspects.size(), kTold);
    return std::string(kTold);  // nothing was guessed
  }
  switch (int(view.knob("clues"))) {
    case 0: return "Tiles of fewer query rows read K and V more often. Two pairs look alike. Who could they be?";
    case 1: return "One of them writes an N×N matrix and reads it again: DRAM shows it. Who is it?";
    default: return "The same bytes in half the time: somebody uses all that Hopper adds. Who is it?";
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const size_t clues = size_t(view.knob("clues")) + 1;
  const float letter = st.px(40), who = std::min(st.px(168), area.w * 0.24f), head = st.px(26), gap = st.px(18);
  const float column = (area.w - letter - who - gap * 3) / 3;
  const float row_h = std::min(st.px(124), (area.h - head) / float(kSuspects.size()));
  for (size_t c = 0; c < kColumns.size(); ++c)
    view.text({area.x + letter + float(c) * (column + gap), area.y, column, head}, kTitles[c], Face::Sans, st.number(),
              Role::TextSecondary);
  view.text({area.right() - who, area.y, who, head},
            view.on("names") ? "it was"
            : view.hands     ? "your guess"
                             : "whose?",
            Face::Sans, st.number(), Role::TextSecondary);

  std::array<double, 3> most{};
  for (size_t row = 0; row < kSuspects.size(); ++row)
    for (size_t c = 0; c < clues; ++c)
      if (const auto value = clue(view, row, c)) most[c] = std::max(most[c], value->value);

  for (size_t row = 0; row < kSuspects.size(); ++row) {
    const Rect line{area.x, area.y + head + row_h * float(row), area.w, row_h};
    if (row > 0) view.line({line.x, line.y}, {line.right(), line.y}, Role::Line, st.px(1));
    const float kernel = view.on("names") ? st.px(22) : 0, room = row_h - kernel;
    view.label({line.x, line.y, letter, room}, std::string(1, char('A' + row)), Face::SansBold, st.title(), Role::Text);
    const float number = std::min(st.px(26), room * 0.45f), thick = std::min(st.px(20), room - number - st.px(10));
    for (size_t c = 0; c < kColumns.size(); ++c) {
      const Rect cell{line.x + letter + float(c) * (column + gap), line.y + (room - number - thick) / 2, column,
                      number + thick};
      const std::string id = fmt::format("{}{}", kColumns[c], row);
      if (c >= clues || view.covered(kColumns[c]) || view.covered(id)) {
        plate(view, cell.inset(0, st.px(2)));
        continue;
      }
      auto value = clue(view, row, c);
      if (!value) continue;
      if (!view.on("names")) value->source = kUntold;
      view.text({cell.x, cell.y, cell.w, number}, "◆ " + format_quantity(*value, "").value_or(""), Face::MonoBold,
                st.number(), Role::Text);
      bar(view, {cell.x, cell.y + number, cell.w, thick}, float(value->value / most[c]), Role::Text, BarLook::Recorded);
      view.region(cell, "reading:" + id, tip_of({id, fmt::format("{} of {}", kTitles[c], char('A' + row)), *value}));
    }
    const int guess = guess_of(view.state, row);
    const size_t truth = suspect_in(view, row);
    const std::string id = fmt::format("board:row/{}", row);
    const Rect chip{line.right() - who, line.y + room / 2 - st.px(20), who, st.px(40)};
    if (view.on("names")) {
      const bool right = guess == int(truth);
      // The mark stands at the guess, never at the name that it was.
      const bool wrong = guess >= 0 && !right;
      const Rect name{chip.x, chip.y, chip.w, wrong ? chip.h * 0.55f : chip.h};
      view.text(name, fmt::format("{}{}", right ? "✓ " : "", kSuspects[truth].name), Face::SansBold, st.body(),
                right ? Role::RightText : Role::Text);
      if (wrong)
        view.text({chip.x, name.bottom(), chip.w, chip.h - name.h},
                  fmt::format("✕ you: {}", kSuspects[size_t(guess)].name), Face::Sans, st.small(), Role::WrongText);
      view.text({line.x + letter, line.bottom() - kernel - st.px(4), line.w - letter, kernel},
                kernel_of(kSuspects[truth].backend), Face::Mono, st.small(), Role::Text);
    } else {
      view.box(chip, st.r_medium(), guess >= 0 ? Role::Inverse : Role::SurfaceStrong, Role::Border,
               st.px(view.view.hover == id ? 3 : 1));
      view.text(chip.inset(st.px(8), 0), guess >= 0 ? kSuspects[size_t(guess)].name : "who?", Face::SansBold,
                st.number(), guess >= 0 ? Role::InverseText : Role::Text, Align::Center);
      view.region(chip, id, fmt::format("Who is {}? Press for the next one (← →)", char('A' + row)), true,
                  st.r_medium());
    }
  }
}

void turn(std::string_view id, int by, BoardState& state) {
  const std::string_view prefix = "board:row/";
  if (!id.starts_with(prefix) || id.size() <= prefix.size()) return;
  const auto row = size_t(id[prefix.size()] - '0');
  if (row >= kSuspects.size()) return;
  const int count = int(kSuspects.size());
  const int next = (guess_of(state, row) + by + (by < 0 && guess_of(state, row) < 0 ? 1 : 0) + count) % count;
  state.cells[fmt::format("guess{}", row)] = kSuspects[size_t(next)].key;
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  if (!dragged) turn(id, 1, state);
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  turn(id, right + up > 0 ? 1 : -1, state);
  return {};
}

}  // namespace

const Board kDetectiveBoard{.id = "detective",
                            .title = "Kernel detective",
                            .knobs = kKnobs,
                            .layout = layout,
                            .caption = caption,
                            .readings = readings,
                            .act = act,
                            .nudge = nudge,
                            .fixed = "no mask · fp16 · H200"};

}  // namespace tilewalk
