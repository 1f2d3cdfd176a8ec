// What has been drawn and set, out of the board's state and back into it.
#include "app/boards/draw.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

std::string_view cell_of(const BoardState& state, std::string_view name) {
  const auto found = state.cells.find(name);
  return found == state.cells.end() ? std::string_view{} : std::string_view(found->second);
}

// What a lesson has drawn already: what is missing of it is added, the roofs are the datasheet's to the last digit, a
// point that was drawn well stays, one that was left unfinished or wrong is put right, for the lesson goes on from it.
// What was locked stays.
void add_given(DrawSheet& sheet, int given) {
  const Roofs& roofs = sheet.roofs;
  DrawSheet with_l2 = sheet;  // where L2 is taken away, it is the model's point that moves
  with_l2.l2 = true;
  const auto roof = [&](Roof kind) {
    if (!roofs[kind]) return;
    const double rate = roofs[kind]->value;
    const auto there = std::ranges::find(sheet.drawing.roofs, kind, &DrawnRoof::kind);
    if (there == sheet.drawing.roofs.end())
      sheet.drawing.roofs.push_back({kind, rate});
    else if (!sheet.locked)
      there->rate = rate;
  };
  const auto point = [&](Method method, const DrawnPoint* there) {
    DrawnPoint wanted;
    if (there) wanted = *there;
    if (!there) wanted.method = method;
    const DrawnPoint right = true_point(with_l2, roofs, wanted).point;
    if (!there && sheet.drawing.points.size() < kMostDrawnPoints)
      sheet.drawing.points.push_back(right);
    else if (there && !sheet.locked && !(is_close(there->flop, right.flop) && is_close(there->bytes, right.bytes)))
      sheet.drawing.points[size_t(there - sheet.drawing.points.data())] = right;
  };
  if (given >= 1) roof(Roof::Dram);
  if (given >= 2) roof(Roof::Tensor);
  if (given >= 3) point(Method::Standard, drawn_standard(sheet.drawing));
  if (given >= 4) point(best_fused(roofs), drawn_fused(sheet.drawing));
}

// The first roof or point that the mistake spoils, and all others like it.
void make_mistake(DrawSheet& sheet) {
  for (DrawnRoof& roof : sheet.drawing.roofs)
    if (sheet.mistake == DrawMistake::Sparse && roof.kind == Roof::Tensor) roof.rate *= 2;
  for (DrawnPoint& point : sheet.drawing.points) {
    if (sheet.mistake == DrawMistake::Factor) set_flop(point, point.flop / 4);
    if (sheet.mistake == DrawMistake::Elements) set_bytes(point, point.bytes / 2);
    if (sheet.mistake != DrawMistake::SramTraffic || !is_fused(point.method)) continue;
    const Problem problem = benchmark_problem(sheet.n, sheet.d());
    const double heads = double(problem.batch * problem.heads);
    set_bytes(point, work_of(point.method, problem).total(Roof::Sram) / heads);
  }
}

void read_selection(const BoardState& state, DrawSheet& sheet) {
  const std::string_view selected = cell_of(state, ".selected");
  const size_t slash = std::min(selected.find('/'), selected.size());
  const std::string_view kind = selected.substr(0, slash), rest = selected.substr(std::min(slash + 1, selected.size()));
  if (kind == "roof")
    if (const auto roof = roof_named(rest); roof && sheet.drawing.find(*roof)) sheet.roof = roof;
  sheet.point = int(sheet.drawing.points.size()) - 1;
  if (kind == "point") sheet.point = std::clamp(number_or(rest, sheet.point), -1, sheet.point);
  const double knob = knob_value(kDrawBoard, state, "paper");
  const std::string_view tab = cell_of(state, ".tab");
  // A tab that was opened stays until the beat opens another one: then the knob has changed.
  const size_t mark = std::min(tab.find('/'), tab.size());
  const int opened = number_or(tab.substr(0, mark), int(knob));
  const int under = number_or(tab.substr(std::min(mark + 1, tab.size())), -1);
  sheet.tab = DrawTab(std::clamp(under == int(knob) ? opened : int(knob), 0, 3));
  if (sheet.tab == DrawTab::Missing && !sheet.locked) sheet.tab = DrawTab::Predict;
}

}  // namespace

std::string DrawSheet::lock_word() const { return fmt::format("{}.{}.{}", n, d(), gpu); }

DrawSheet sheet_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kDrawBoard, state, id); };
  DrawSheet sheet;
  sheet.n = int64_t(knob("N"));
  sheet.drawing.d = int64_t(64) << int(knob("d"));
  sheet.drawing.eta = knob("reach");
  const OfferedGpu& gpu = offered_gpu(size_t(knob("gpu")));
  sheet.gpu = gpu.id;
  sheet.known = gpu.roofs.has_value();
  if (sheet.known) sheet.roofs = *gpu.roofs;
  if (!sheet.known) sheet.roofs.title = gpu.word;
  sheet.snap = knob("snap") != 0;
  sheet.l2 = knob("l2") != 0;
  const int given = int(knob("given"));
  const bool own = given != kGivenExample;
  if (!own) sheet.mistake = DrawMistake(int(knob("mistake")));
  sheet.locked = own && sheet.known && cell_of(state, sheet_cell(state, "locked")) == sheet.lock_word();
  sheet.reveal = sheet.locked || (sheet.known && knob("reveal") != 0);
  if (own) sheet.drawing.roofs = read_drawn_roofs(cell_of(state, sheet_cell(state, "roofs")));
  if (own) sheet.drawing.points = read_drawn_points(cell_of(state, sheet_cell(state, "points")));
  add_given(sheet, given);
  if (sheet.mistake != DrawMistake::None) make_mistake(sheet);
  read_selection(state, sheet);
  return sheet;
}

std::string sheet_cell(const BoardState& state, std::string_view name) {
  const int sheet = int(knob_value(kDrawBoard, state, "sheet"));
  return sheet == 0 ? std::string(name) : fmt::format("{}{}", name, sheet + 1);
}

std::vector<Drawing> class_drawings(const ViewState& view, const DrawSheet& sheet) {
  std::vector<Drawing> out;
  if (!view.classroom.with) return out;
  for (const auto& [page, locked] : view.classroom.with->rooflines()) {
    if (locked.of != sheet.lock_word()) continue;
    Drawing drawing = sheet.drawing;  // d and the reach are those of the sheet
    drawing.roofs = read_drawn_roofs(locked.roofs);
    drawing.points = read_drawn_points(locked.points);
    out.push_back(std::move(drawing));
  }
  return out;
}

size_t class_drawings_count(const ViewState& view, const DrawSheet& sheet) {
  if (!view.classroom.with) return 0;
  return size_t(std::ranges::count_if(view.classroom.with->rooflines(),
                                      [word = sheet.lock_word()](const auto& each) { return each.second.of == word; }));
}

void put_drawing(const Drawing& drawing, BoardState& state) {
  state.cells[sheet_cell(state, "roofs")] = words_of_roofs(drawing);
  state.cells[sheet_cell(state, "points")] = words_of_points(drawing);
  state.knobs["given"] = 0;
  state.knobs["mistake"] = 0;
  state.cells.erase(sheet_cell(state, "locked"));  // what was locked was another drawing
}

std::string_view short_name(Roof roof) {
  if (roof == Roof::Tensor) return "tensor";
  if (roof == Roof::Exponential) return "exp";
  return name_of(roof);
}

std::string time_words(double seconds) {
  constexpr std::array<std::string_view, 4> kUnits{"ns", "µs", "ms", "s"};
  double scaled = seconds * 1e9;
  size_t k = 0;
  while (scaled >= 999.95 && k + 1 < kUnits.size()) scaled /= 1000, ++k;
  return fmt::format("{:.{}f} {}", scaled, scaled >= 99.995 ? 1 : scaled >= 9.9995 ? 2 : 3, kUnits[k]);
}

std::string si_words(double value, int digits) {
  constexpr std::array<std::string_view, 7> kPrefixes{"", " k", " M", " G", " T", " P", " E"};
  size_t power = 0;
  // What rounds up to a thousand takes the next prefix.
  const double edge = 1000 - 0.5 * std::pow(10, 3 - digits);
  while (value >= edge && power + 1 < kPrefixes.size()) value /= 1000, ++power;
  if (value >= 1000) return fmt::format("{:.2g}{}", value, kPrefixes[power]);
  const int whole = value >= 100 ? 3 : value >= 10 ? 2 : 1;
  std::string text = fmt::format("{:.{}f}", value, std::clamp(digits - whole, 0, 6));
  if (value < 1 && value > 0) text = fmt::format("{:.{}g}", value, digits);
  if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + std::string(kPrefixes[power]);
}

std::string intensity_words(double value) {
  return value >= 999.5 && value < 1e7 ? with_commas(std::llround(value)) : si_words(value);
}

std::string rate_words(Roof roof, double rate) {
  const std::string number = si_words(rate);
  const bool spaced = number.find(' ') != std::string::npos;
  const char* unit = is_bandwidth(roof) ? "B/s" : roof == Roof::Tensor ? "FLOP/s" : "/s";
  return number + (spaced ? "" : " ") + unit;
}

double handle_x(Roof bandwidth) {
  // Apart from each other, as slopes may lie close together.
  return bandwidth == Roof::Dram ? 4 : bandwidth == Roof::L2 ? 2.2 : 1.25;
}

const DrawnPoint* drawn_standard(const Drawing& drawing, Direction direction, Mask mask) {
  for (const DrawnPoint& p : drawing.points)
    if (!is_fused(p.method) && p.direction == direction && p.mask == mask) return &p;
  return nullptr;
}

const DrawnPoint* drawn_fused(const Drawing& drawing) {
  const DrawnPoint* best = nullptr;
  for (const DrawnPoint& p : drawing.points)
    if (is_fused(p.method) && p.direction == Direction::Forward && p.mask == Mask::Full &&
        (!best || p.method > best->method))
      best = &p;
  return best;
}

Predicted predicted_of(const DrawSheet& sheet, const BoardState& state) {
  Predicted out;
  const DrawnPoint *standard = drawn_standard(sheet.drawing), *fused = drawn_fused(sheet.drawing);
  if (fused) out.seconds = seconds_of(sheet.drawing, *fused);
  if (fused && standard && out.seconds > 0) out.win = seconds_of(sheet.drawing, *standard) / out.seconds;
  const auto typed = [&](std::string_view cell, AmountOf what, double& value, bool& flag, std::string& fault) {
    std::string_view text = cell_of(state, fmt::format("{}/{}", cell, sheet.lock_word()));
    if (text.empty()) text = cell_of(state, cell);  // of a link
    if (text.empty()) return;
    const TypedAmount read = read_amount(text, what, sheet.n, sheet.d());
    fault = read.fault;
    if (read.fault.empty()) value = read.value, flag = true;
  };
  typed("time", AmountOf::Time, out.seconds, out.seconds_typed, out.seconds_fault);
  typed("win", AmountOf::Count, out.win, out.win_typed, out.win_fault);
  return out;
}

bool is_close(double drawn, double truth) {
  return drawn > 0 && truth > 0 && drawn / truth < 1.1 && truth / drawn < 1.1;
}

}  // namespace tilewalk
