// Paper mode: a table of one query row that the learner fills, cell by cell, each checked while it is typed. The cells,
// what belongs in them and what slips look like are app/boards/paper_sheet.h's.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/boards/paper_state.h"
#include "app/scene/digit_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 4> kGiven{"nothing", "tile 1", "all but three", "everything"};
constexpr std::array<std::string_view, 2> kTiles{"2", "3"};
constexpr auto kKnobs = std::to_array<Knob>({
    linear_knob("numbers", "Sheet", 0, 99, 0, 1, "0 is the example; others are made from this seed"),
    switch_knob("backward", "Last tile first", false, "The tiles are met in reverse"),
    choice_knob("given", "Filled in already", kGiven, 0, "What you need not compute"),
    choice_knob("tiles", "Tiles of two keys", kTiles, 0, "Of sheets made from a seed"),
});

constexpr std::string_view kHint = "board:hint", kDigit = "board:digit/";
constexpr std::string_view kChosen = "chosen";  // a cell of the state

// The cell whose field is typed into or has the focus, or null.
const PaperCell* cell_in_hand(const Exhibit& view, const std::vector<PaperCell>& cells) {
  const std::string& field = view.view.editing.empty() ? view.view.focus : view.view.editing;
  const auto found = std::ranges::find_if(
      cells, [&](const PaperCell& cell) { return field == "field:board/" + cell_name(view.state, cell.id); });
  return found == cells.end() || is_given(view.state, found->id) ? nullptr : &*found;
}

// The cell that the digits below the table type into: the one in hand, else the one that they typed into last, else the
// first that is not right yet.
const PaperCell* chosen_cell(const Exhibit& view, const std::vector<PaperCell>& cells) {
  if (const PaperCell* cell = cell_in_hand(view, cells)) return cell;
  if (const auto kept = view.state.cells.find(kChosen); kept != view.state.cells.end())
    for (const PaperCell& cell : cells)
      if (kept->second == cell_name(view.state, cell.id) && !is_given(view.state, cell.id)) return &cell;
  return progress_of(view.state, cells).next;
}

// The formula as far as the learner's own numbers go: a hint for l must not tell α.
std::string hint_of(const PaperSheet& sheet, const PaperCell& asked, const BoardState& state) {
  const std::vector<PaperCell> all = cells_of(sheet);
  const auto knows = [&](std::string_view id) {
    const auto cell = std::ranges::find(all, id, &PaperCell::id);
    return cell == all.end() || is_given(state, id) || judge(*cell, typed_in(state, id)).verdict == CellVerdict::Right;
  };
  const std::vector<PaperCell> cells = cells_of(sheet, knows);
  return std::ranges::find(cells, asked.id, &PaperCell::id)->formula;
}

// The cell that was typed last: the one in hand, or, where Tab has led on to an empty one, the one before it.
const PaperCell* typed_last(const Exhibit& view, const std::vector<PaperCell>& cells) {
  const PaperCell* cell = chosen_cell(view, cells);
  if (!cell || !typed_in(view.state, cell->id).empty() || cell == cells.data()) return cell;
  return typed_in(view.state, (cell - 1)->id).empty() ? cell : cell - 1;
}

std::string feedback(const PaperCell& cell, const JudgedCell& judged) {
  if (judged.verdict == CellVerdict::Close) return sentence_name(cell) + " is close (≈); give three digits.";
  return fmt::format("{}: {}", sentence_name(cell), judged.words);
}

std::vector<Reading> readings(const Exhibit& view) {
  const PaperSheet sheet = paper_sheet_of(view.state);
  const std::vector<PaperCell> cells = cells_of(sheet);
  std::vector<Reading> all;
  for (const PaperCell& cell : cells)
    all.push_back({cell.id, cell.name, {cell.value, {}, Origin::Computed, cell.formula}});
  const PaperProgress progress = progress_of(view.state, cells);
  all.push_back({"right", "Cells right", {double(progress.right), {}, Origin::Computed, "as typed, to three digits"}});
  all.push_back({"asked", "Cells to fill", {double(progress.asked), {}, Origin::Computed, ""}});
  return all;
}

bool in_room(const Exhibit& view) { return view.view.present.on; }

std::string caption(const Exhibit& view) {
  const PaperSheet sheet = paper_sheet_of(view.state);
  const std::vector<PaperCell> cells = cells_of(sheet);
  const PaperProgress progress = progress_of(view.state, cells);
  const auto judged = [&](const PaperCell& cell) { return judge(cell, typed_in(view.state, cell.id)); };
  const PaperCell* last = typed_last(view, cells);
  const auto hint = view.state.cells.find("hint");
  const PaperCell* chosen = chosen_cell(view, cells);
  const bool hinted = chosen && !cell_in_hand(view, cells) && hint != view.state.cells.end() &&
                      hint->second == cell_name(view.state, chosen->id);
  if (last && !hinted && !judged(*last).words.empty()) return feedback(*last, judged(*last));
  if (hint != view.state.cells.end())
    for (const PaperCell& cell : cells)
      if (hint->second == cell_name(view.state, cell.id) && judged(cell).verdict != CellVerdict::Right)
        return fmt::format("{}: {}. Here: {}.", sentence_name(cell), rule_of(cell), hint_of(sheet, cell, view.state));
  if (progress.wrong) return feedback(*progress.wrong, judged(*progress.wrong));
  if (progress.asked == 0 && view.on("backward"))
    return "The last tile first: other m, α and l on the way, the same O and L at the end.";
  if (progress.asked == 0) return "One query row meets its keys, tile by tile: m, α, the weights P, l and o.";
  if (!progress.next && progress.hinted > 0)
    return fmt::format("All right, {} with hints. Another sheet brings other numbers.", progress.hinted);
  if (!progress.next) return "All right, and all by hand. A kernel does this for every row, and no more.";
  if (in_room(view)) return fmt::format("One query row meets its keys, tile by tile. Next: {}.", progress.next->name);
  return fmt::format("Fill the table; three digits are enough. The next number is {}.", progress.next->name);
}

// One cell: given, or a field with what was typed in it.
void layout_cell(const BoardView& view, Rect rect, const PaperCell& cell, bool chosen) {
  const Style& st = view.style;
  const Rect box = rect.inset(st.px(6), std::max(st.px(3), (rect.h - st.px(44)) / 2));
  // In front of a room the numbers that carry a tile are the largest.
  const bool carries =
      in_room(view) && (cell.id.starts_with("m") || cell.id.starts_with("alpha") || cell.id.starts_with("l"));
  const float size = std::min(carries ? st.display() : st.caption(), box.h * 0.7f);
  if (is_given(view.state, cell.id)) {
    if (view.covered(cell.id)) return plate(view, box);
    view.text(box.inset(st.px(4), 0), paper_number(cell.value), Face::Mono, size, Role::Text, Align::Center);
    view.region(box, "reading:" + cell.id, fmt::format("{} = {}", cell.name, cell.formula));
    return;
  }
  const std::string typed = typed_in(view.state, cell.id);
  const JudgedCell judged = judge(cell, typed);
  const std::string id = "field:board/" + cell_name(view.state, cell.id);
  const bool hot = view.view.hover == id;
  Color border = view[hot ? Role::Text : Role::Border], text = view[Role::Text];
  float width = st.px(1.5f);
  if (judged.verdict == CellVerdict::Right)
    border = view[Role::Right], text = view[Role::RightText], width = st.px(2.5f);
  if (judged.verdict == CellVerdict::Wrong)
    border = view[Role::Wrong], text = view[Role::WrongText], width = st.px(2.5f);
  if (chosen) width = st.px(3), border = judged.verdict == CellVerdict::Empty ? view[Role::Accent] : border;
  view.box(box, st.r_small(), Role::Background, border, width);
  const bool being_typed = view.view.editing == id;  // the field over it shows what is in it
  const std::string_view mark = being_typed                            ? ""
                                : judged.verdict == CellVerdict::Right ? "✓"
                                : judged.verdict == CellVerdict::Wrong ? "✗"
                                : judged.verdict == CellVerdict::Close ? "≈"
                                                                       : "";
  // The mark has a strip of its own, so that it cuts no digit off.
  const float strip = mark.empty() ? 0 : std::min(st.px(18), box.h * 0.35f);
  if (!typed.empty() && !being_typed)
    view.text({box.x + st.px(4), box.y + strip, box.w - st.px(8), box.h - strip}, typed, Face::MonoBold,
              std::min(size, box.h - strip), text, Align::Center);
  if (!mark.empty())
    view.label({box.x, box.y + st.px(1), box.w, strip}, mark, Face::SansBold, std::min(st.small(), strip), text,
               Align::Center);
  view.region(box, id,
              judged.words.empty() ? sentence_name(cell) + ": click it, then type or press the digits below"
                                   : feedback(cell, judged),
              true, st.r_small());
}

// Nothing was summed before the first tile: its α multiplies zeros.
void layout_first_alpha(const BoardView& view, Rect slot) {
  view.text(slot, "0", Face::Mono, view.style.number(), Role::TextSecondary, Align::Center);
  view.region(slot, "reading:alpha1", "α of tile 1 = e^(−∞ − m) = 0: there is no sum to rescale yet");
}

void layout_table(const BoardView& view, Rect area, const PaperSheet& sheet, const std::vector<PaperCell>& cells,
                  const PaperCell* chosen) {
  const Style& st = view.style;
  const auto lay_cell = [&](Rect slot, const PaperCell& cell) { layout_cell(view, slot, cell, &cell == chosen); };
  const auto cell = [&](const std::string& id) -> const PaperCell& {
    return *std::ranges::find(cells, id, &PaperCell::id);
  };
  // Columns in shares of the width: scores and values, m, alpha, P (two), l, o (two).
  constexpr std::array<float, 6> kAlone{0.22f, 0.09f, 0.12f, 0.22f, 0.12f, 0.23f},
      kInRoom{0.19f, 0.10f, 0.15f, 0.21f, 0.14f, 0.21f};
  const std::array<float, 6>& shares = in_room(view) ? kInRoom : kAlone;
  constexpr std::array<std::string_view, 6> kHeads{"score → value", "m", "α", "P = e^(s−m)", "l", "o"};
  std::array<Rect, 6> columns;
  float x = area.x;
  for (size_t c = 0; c < columns.size(); ++c) {
    columns[c] = {x, area.y, area.w * shares[c], area.h};
    x += columns[c].w;
  }
  const float head = st.px(28);
  for (size_t c = 0; c < columns.size(); ++c)
    view.text({columns[c].x, area.y, columns[c].w, head}, kHeads[c], c == 0 ? Face::Sans : Face::MonoBold, st.number(),
              c == 2 || c == 3 ? view[Role::AccentText]
              : c == 5         ? st.palette.ink(Tensor::O)
                               : view[Role::Text],
              c == 0 ? Align::Left : Align::Center);
  view.line({area.x, area.y + head}, {area.right(), area.y + head}, Role::Border, st.px(1.5f));

  for (size_t c = 1; c < columns.size(); ++c)
    view.line({columns[c].x, area.y}, {columns[c].x, area.bottom()}, Role::Line, st.px(1));

  const float row = (area.h - head) / float(sheet.tiles());
  for (int t = 0; t < sheet.tiles(); ++t) {
    const float y = area.y + head + row * float(t);
    const std::string n = std::to_string(t + 1);
    const auto slot = [&](size_t c, float from = 0, float to = 1) {
      return Rect{columns[c].x + columns[c].w * from, y, columns[c].w * (to - from), row};
    };
    const RowStream::Visit& v = sheet.stream.visits[size_t(t)];
    if (t > 0) view.line({area.x, y}, {area.right(), y}, Role::Line, st.px(1));
    const float line = std::min(row / 2, st.px(40));
    for (size_t k = 0; k < v.keys.size(); ++k) {
      const int key = v.keys[k];
      view.text({columns[0].x, y + row / 2 + line * (float(k) - 1), columns[0].w, line},
                fmt::format("k{}  {} → ({}, {})", key + 1, paper_number(sheet.scores[size_t(key)]),
                            paper_number(sheet.values.at(key, 0)), paper_number(sheet.values.at(key, 1))),
                Face::Mono, st.number(), Role::Text);
    }
    lay_cell(slot(1), cell("m" + n));
    if (t > 0)
      lay_cell(slot(2), cell("alpha" + n));
    else
      layout_first_alpha(view, slot(2));
    lay_cell(slot(3, 0, 0.5f), cell("p" + n + "a"));
    lay_cell(slot(3, 0.5f, 1), cell("p" + n + "b"));
    lay_cell(slot(4), cell("l" + n));
    lay_cell(slot(5, 0, 0.5f), cell("ox" + n));
    lay_cell(slot(5, 0.5f, 1), cell("oy" + n));
  }
  view.line({area.x, area.bottom()}, {area.right(), area.bottom()}, Role::Border, st.px(1.5f));
}

float button(const BoardView& view, Rect slot, std::string_view words, std::string id, std::string tip) {
  const Style& st = view.style;
  const bool hot = view.view.hover == id;
  view.box(slot, st.r_medium(), hot ? Role::Line : Role::SurfaceStrong);
  view.text(slot.inset(st.px(8), 0), words, Face::SansBold, st.number(), Role::Text, Align::Center);
  view.region(slot, std::move(id), std::move(tip), true, st.r_medium());
  return slot.right();
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const PaperSheet sheet = paper_sheet_of(view.state);
  const std::vector<PaperCell> cells = cells_of(sheet);
  const auto cell = [&](std::string_view id) -> const PaperCell& {
    return *std::ranges::find(cells, id, &PaperCell::id);
  };
  const PaperProgress progress = progress_of(view.state, cells);
  const bool asks = progress.asked > 0;
  const float end = std::clamp(area.h * 0.16f, st.px(48), st.px(72)), key = asks ? st.px(36) : 0,
              foot = asks ? st.px(40) : 0, gap = std::min(st.px(12), area.h * 0.03f);
  const float most = st.px(28) + st.px(170) * float(sheet.tiles());
  const Rect table{area.x, area.y, area.w, std::min(area.h - end - key - foot - 3 * gap, most)};
  const PaperCell* chosen = asks ? chosen_cell(view, cells) : nullptr;
  layout_table(view, table, sheet, cells, chosen);

  // The end of the row: one division, and L.
  const float y = table.bottom() + gap, w = area.w / 10;
  const auto lay_cell = [&](Rect slot, const PaperCell& each) { layout_cell(view, slot, each, &each == chosen); };
  view.text({area.x, y, 1.9f * w, end}, view.covered("out_y") ? "O" : "O = o / l", Face::MonoBold, st.caption(),
            Tensor::O);
  lay_cell({area.x + 1.9f * w, y, 1.5f * w, end}, cell("out_x"));
  lay_cell({area.x + 3.4f * w, y, 1.5f * w, end}, cell("out_y"));
  view.text({area.x + 5.3f * w, y, 3.0f * w, end}, "L = m + log l", Face::MonoBold, st.caption(), Role::Text,
            Align::Right);
  lay_cell({area.x + 8.4f * w, y, 1.6f * w, end}, cell("L"));
  if (!asks || !view.hands) return;

  float low = std::min(y + end + gap, area.bottom() - foot - key - gap);
  if (chosen) {
    const float name = std::min(st.px(230), area.w * 0.3f);
    view.text({area.x, low, name - st.px(10), key}, sentence_name(*chosen) + ":", Face::SansBold, st.number(),
              Role::Text);
    digit_keys(view.scene, st, {area.x + name, low, area.w - name, key}, "1234567890.-<",
               fmt::format("{}{}/", kDigit, chosen->id), view.view.hover);
  }
  low += key + gap;
  const float width = std::min(st.px(120), area.w * 0.2f);
  // The button's name says which cell it is for.
  const std::string hint = view.view.focus.starts_with(kHint) ? view.view.focus
                           : chosen                           ? fmt::format("{}/{}", kHint, chosen->id)
                                                              : std::string(kHint);
  button(view, {area.x, low, width, foot}, "Hint", hint,
         "The rule of this cell or of the next; once more, and it is filled in where it is empty");
  button(view, {area.x + width + st.px(8), low, width, foot}, "Clear", "board:clear", "Begin this sheet again");
  if (in_room(view)) return;  // a room sees no score
  const int own = progress.right - progress.hinted;
  view.text({area.x + 2 * (width + st.px(8)), low, area.w - 2 * (width + st.px(8)), foot},
            progress.hinted > 0 ? fmt::format("{} of {} by hand, {} with hints", own, progress.asked, progress.hinted)
                                : fmt::format("{} of {} right", own, progress.asked),
            Face::MonoBold, st.body(), progress.next ? Role::Text : Role::RightText, Align::Right);
}

// One cell at a time, `wanted` if that is not right yet: the first press says its rule, the second fills it in where it
// is empty. What was typed is the learner's to mend.
std::string give_hint(std::string_view wanted, BoardState& state) {
  const std::vector<PaperCell> cells = cells_of(paper_sheet_of(state));
  const PaperCell* target = progress_of(state, cells).next;
  for (const PaperCell& cell : cells)
    if (cell.id == wanted && !is_given(state, cell.id) &&
        judge(cell, typed_in(state, cell.id)).verdict != CellVerdict::Right)
      target = &cell;
  if (!target) return "Every cell is right already.";
  const std::string name = cell_name(state, target->id);
  const std::string shown = state.cells["hint"];
  if (shown == name && typed_in(state, target->id).empty()) {
    state.cells[name] = paper_number(target->value);
    state.cells[name + std::string(kHinted)] = "yes";
  }
  state.cells["hint"] = state.cells[std::string(kChosen)] = name;
  return {};
}

// "board:digit/l2/5": behind what stands in the cell, or the last digit taken away.
void press_digit(std::string_view id, BoardState& state) {
  const size_t slash = id.rfind('/');
  const std::string name = cell_name(state, id.substr(kDigit.size(), slash - kDigit.size()));
  const char key = id.back();
  std::string& text = state.cells[name];
  if (key != kBackspaceKey)
    text += key;
  else
    while (!text.empty()) {  // a typed minus has several bytes
      const bool within = (text.back() & 0xC0) == 0x80;
      text.pop_back();
      if (!within) break;
    }
  if (text.empty()) state.cells.erase(name + std::string(kHinted));
  state.cells[std::string(kChosen)] = name;
  state.cells.erase("hint");  // now it is about what is typed
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  if (dragged) return {};
  if (id.starts_with(kDigit)) press_digit(id, state);
  if (id.starts_with(kHint)) return give_hint(id.substr(std::min(id.size(), kHint.size() + 1)), state);
  if (id == "board:clear") {
    const std::string sheet = cell_name(state, "");
    std::erase_if(state.cells, [&](const auto& entry) {
      return entry.first.starts_with(sheet) || entry.first == "hint" || entry.first == kChosen;
    });
  }
  return {};
}

// From a right cell on to the next one, none when all are right; a wrong one keeps the cursor.
std::string next_field(std::string_view cell, const BoardState& state) {
  const std::vector<PaperCell> cells = cells_of(paper_sheet_of(state));
  for (const PaperCell& each : cells)
    if (cell == cell_name(state, each.id) && judge(each, typed_in(state, each.id)).verdict == CellVerdict::Right) {
      const PaperCell* next = cell_behind(cells, each.id, state);
      return next ? "field:board/" + cell_name(state, next->id) : std::string();
    }
  return fmt::format("field:board/{}", cell);
}

}  // namespace

const Board kPaperBoard{.id = "paper",
                        .title = "One row on paper",
                        .knobs = kKnobs,
                        .layout = layout,
                        .caption = caption,
                        .readings = readings,
                        .act = act,
                        .next_field = next_field};

}  // namespace tilewalk
