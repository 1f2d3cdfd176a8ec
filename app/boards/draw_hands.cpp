// What hands do to the drawing: drag and nudge, type, add and remove, lock. Ids: "board:plot/roof/dram",
// "board:plot/point/2" on the axes; "board:add/fa3", "board:remove", "board:lock" and so on on the paper.
#include "app/boards/draw.h"
#include "app/boards/gpu_knob.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct Target {
  std::optional<Roof> roof;
  int point = -1;
  std::string_view field;  // "flop", of "point/2/flop"
  explicit operator bool() const { return roof || point >= 0; }
};

// "roof/dram", "point/2", "point/2/flop"; nothing where the drawing has no such thing.
Target target_of(std::string_view name, const Drawing& drawing) {
  Target out;
  if (name.starts_with("roof/")) {
    const auto roof = roof_named(name.substr(5));
    if (roof && drawing.find(*roof)) out.roof = roof;
  } else if (name.starts_with("point/")) {
    name.remove_prefix(6);
    const int index = take_number<int>(name).value_or(-1);
    if (index >= 0 && index < int(drawing.points.size())) out.point = index;
    if (name.starts_with('/')) out.field = name.substr(1);
  }
  return out;
}

std::string_view plot_name(std::string_view id) {
  constexpr std::string_view kPlot = "board:plot/";
  return id.starts_with(kPlot) ? id.substr(kPlot.size()) : std::string_view{};
}

void open_tab(BoardState& state, DrawTab tab) {
  state.cells[".tab"] = fmt::format("{}/{}", int(tab), int(knob_value(kDrawBoard, state, "paper")));
}

void select(BoardState& state, const Target& target) {
  state.cells[".selected"] =
      target.roof ? fmt::format("roof/{}", key_of(*target.roof)) : fmt::format("point/{}", target.point);
  open_tab(state, target.roof ? DrawTab::Roofs : DrawTab::Points);
}

DrawnRoof* roof_in(Drawing& drawing, Roof kind) {
  const auto found = std::ranges::find(drawing.roofs, kind, &DrawnRoof::kind);
  return found == drawing.roofs.end() ? nullptr : &*found;
}

// The number that a thing on the plot stands for, and setting it.
double value_of(Drawing& drawing, const Target& target) {
  return target.roof ? roof_in(drawing, *target.roof)->rate : drawing.points[size_t(target.point)].intensity;
}
void set_value(Drawing& drawing, const Target& target, double value) {
  if (target.roof)
    roof_in(drawing, *target.roof)->rate = std::clamp(value, 1e6, 1e18);
  else
    set_intensity(drawing.points[size_t(target.point)], std::clamp(value, kLeastX, kMostX));
}

// What is drawn now is the learner's own: locked numbers must not move.
constexpr std::string_view kLocked = "The drawing is locked: unlock it, and it is yours to change.";

// The value under the pointer, in the unit of the thing that is held.
double under_pointer(const Target& target, Vec2 at, int64_t d) {
  const double x = std::clamp(double(at.x), 0.0, 1.0), y = std::clamp(1 - double(at.y), 0.0, 1.0);
  if (!target.roof) return kLeastX * std::pow(kMostX / kLeastX, x);
  const double flop = kLeastY * std::pow(kMostY / kLeastY, y);
  return is_bandwidth(*target.roof) ? flop / handle_x(*target.roof) : rate_from_flop(*target.roof, flop, d);
}

void drag(const Target& target, Vec2 at, bool dragged, DrawSheet& sheet, BoardState& state) {
  const double here = under_pointer(target, at, sheet.d());
  if (!dragged) {
    // Where in the handle it was taken.
    state.cells[".grab"] = fmt::format("{}", value_of(sheet.drawing, target) / here);
    return;
  }
  const auto grab = state.cells.find(".grab");
  const double wanted = here * (grab == state.cells.end() ? 1 : number_or(grab->second, 1.0));
  set_value(sheet.drawing, target, sheet.snap ? on_grid(wanted) : wanted);
  put_drawing(sheet.drawing, state);
}

// A number that is wrong on purpose: to be dragged to its place.
double first_rate(Roof roof) {
  switch (roof) {
    case Roof::Dram: return 1e12;
    case Roof::L2: return 3e12;
    case Roof::Sram: return 1e13;
    case Roof::Tensor: return 1e14;
    case Roof::Exponential: return 1e12;
    case Roof::Vector: return 1e13;
  }
  return 1e12;
}

std::string add(std::string_view what, DrawSheet& sheet, BoardState& state) {
  Target target;
  if (const auto roof = roof_named(what)) {
    if (!sheet.drawing.find(*roof)) sheet.drawing.roofs.push_back({*roof, first_rate(*roof)});
    target.roof = roof;
  } else if (const auto method = method_named(what)) {
    if (sheet.drawing.points.size() >= kMostDrawnPoints)
      return fmt::format("There are {} points; remove one first.", kMostDrawnPoints);
    DrawnPoint point;
    point.method = *method;
    // Beside those that have not been placed yet.
    while (
        std::ranges::any_of(sheet.drawing.points, [&](const DrawnPoint& p) { return p.intensity == point.intensity; }))
      point.intensity *= 2;
    sheet.drawing.points.push_back(point);
    target.point = int(sheet.drawing.points.size()) - 1;
  } else {
    return {};
  }
  put_drawing(sheet.drawing, state);
  select(state, target);
  // With the keyboard one goes on with its number.
  state.cells[".focus"] = target.roof ? fmt::format("field:board/roof/{}", key_of(*target.roof))
                                      : fmt::format("field:board/point/{}/flop", target.point);
  return {};
}

void remove(const Target& target, DrawSheet& sheet, BoardState& state) {
  if (target.roof) {
    std::erase_if(sheet.drawing.roofs, [&](const DrawnRoof& roof) { return roof.kind == *target.roof; });
    state.cells.erase(fmt::format("roof/{}", key_of(*target.roof)));
  } else {
    sheet.drawing.points.erase(sheet.drawing.points.begin() + target.point);
    std::erase_if(state.cells, [](const auto& cell) { return cell.first.starts_with("point/"); });
  }
  state.cells.erase(".selected");
  put_drawing(sheet.drawing, state);
}

// With the numbers that `was` has, of another pass or mask now: what was right stays right, what was not as far off.
DrawnPoint turned_into(DrawnPoint point, const DrawnPoint& was, const DrawSheet& sheet) {
  const DrawnPoint before = true_point(sheet, sheet.roofs, was).point,
                   now = true_point(sheet, sheet.roofs, point).point;
  if (was.flop > 0) set_flop(point, was.flop * now.flop / before.flop);
  if (was.bytes > 0) set_bytes(point, was.bytes * now.bytes / before.bytes);
  return point;
}

std::string lock(const DrawSheet& sheet, BoardState& state) {
  if (!sheet.known) return "Nothing is known of that GPU's roofs: choose another one, or have them measured.";
  const Predicted predicted = predicted_of(sheet, state);
  if (!predicted.seconds_fault.empty()) return predicted.seconds_fault;
  if (!predicted.win_fault.empty()) return predicted.win_fault;
  if (predicted.seconds <= 0 || predicted.win <= 0)
    return "Type a time and a win first, or place a standard and a fused point with their FLOP and bytes.";
  state.cells[sheet_cell(state, "locked")] = sheet.lock_word();
  open_tab(state, DrawTab::Predict);
  state.cells[".focus"] = "board:unlock";
  return {};
}

// What is on the other sheets stays.
void clear(BoardState& state) {
  const auto stays = [&](std::string_view cell) {
    if (cell.starts_with(".tab")) return true;
    for (const std::string_view part : {"roofs", "points", "locked"})
      if (cell.starts_with(part)) return cell != sheet_cell(state, part);
    return false;
  };
  std::erase_if(state.cells, [&](const auto& cell) { return !stays(cell.first); });
  state.knobs["given"] = 0;
  state.knobs["mistake"] = 0;
}

// Another N, d and GPU, from a seed that counts on: never the same as now.
void another(BoardState& state) {
  uint64_t seed = state.cells.contains("seed") ? number_or(state.cells["seed"], uint64_t{0}) : 0;
  const BoardState was = state;
  clear(state);
  do {
    ++seed;
    uint64_t bits = seed * 0x9E3779B97F4A7C15ull;
    bits ^= bits >> 29;
    state.knobs["N"] = double(int64_t{1024} << (bits % 5));
    state.knobs["d"] = double((bits >> 8) % 2);
    state.knobs["gpu"] = double(*offered_named(kGpuIds[(bits >> 16) % kGpuIds.size()]));
  } while (knob_value(kDrawBoard, state, "gpu") == knob_value(kDrawBoard, was, "gpu"));
  state.cells["seed"] = fmt::format("{}", seed);
  open_tab(state, DrawTab::Roofs);
}

}  // namespace

std::string act_on_drawing(std::string_view id, Vec2 at, bool dragged, BoardState& state) {
  DrawSheet sheet = sheet_of(state);
  if (const std::string_view name = plot_name(id); !name.empty()) {
    const Target target = target_of(name, sheet.drawing);
    if (!target) return {};
    if (!dragged) select(state, target);
    if (sheet.locked) return dragged ? std::string(kLocked) : std::string();
    drag(target, at, dragged, sheet, state);
    return {};
  }
  if (dragged) return {};
  const std::string_view what = id.substr(std::min(id.size(), std::string_view("board:").size()));
  if (what == "unlock")
    return state.cells.erase(sheet_cell(state, "locked")), open_tab(state, DrawTab::Predict), std::string();
  if (what == "another") return another(state), std::string();
  if (what == "reset") return clear(state), std::string();
  if (what == "snap") return state.knobs["snap"] = sheet.snap ? 0 : 1, std::string();
  if (what.starts_with("tab/")) return open_tab(state, DrawTab(std::clamp(what.back() - '0', 0, 3))), std::string();
  const int count = int(sheet.drawing.points.size());
  if (what == "next" || what == "previous") {
    Target target;
    target.point = count > 0 ? (sheet.point + (what == "next" ? 1 : count - 1)) % count : -1;
    if (target) select(state, target);
    return {};
  }
  if (sheet.locked) return std::string(kLocked);
  if (what == "lock") return lock(sheet, state);
  if (what.starts_with("add/")) return add(what.substr(4), sheet, state);
  if (what.starts_with("remove/")) {
    if (const Target target = target_of(what.substr(7), sheet.drawing)) remove(target, sheet, state);
    return {};
  }
  if (what.starts_with("fill/")) {
    if (sheet.point < 0) return {};
    const bool flop = what.starts_with("fill/flop/");
    const size_t k = std::min<size_t>(size_t(std::max(0, what.back() - '0')), kFlopChoices.size() - 1);
    const TypedAmount read = read_amount((flop ? kFlopChoices : kByteChoices)[k], AmountOf::Count, sheet.n, sheet.d());
    DrawnPoint& point = sheet.drawing.points[size_t(sheet.point)];
    (flop ? set_flop : set_bytes)(point, read.value);
    state.cells.erase(fmt::format("point/{}/{}", sheet.point, flop ? "flop" : "bytes"));  // what was typed and refused
    put_drawing(sheet.drawing, state);
    state.cells[".focus"] = fmt::format("field:board/point/{}/{}", sheet.point, point.bytes > 0 ? "flop" : "bytes");
    return {};
  }
  if (what == "backward" || what == "causal") {
    if (sheet.point < 0) return {};
    DrawnPoint& point = sheet.drawing.points[size_t(sheet.point)];
    DrawnPoint other = point;
    if (what == "causal")
      other.mask = point.mask == Mask::Causal ? Mask::Full : Mask::Causal;
    else
      other.direction = point.direction == Direction::Backward ? Direction::Forward : Direction::Backward;
    point = turned_into(other, point, sheet);
    put_drawing(sheet.drawing, state);
    return {};
  }
  return {};
}

std::string nudge_drawing(std::string_view id, int right, int up, BoardState& state) {
  DrawSheet sheet = sheet_of(state);
  const Target target = target_of(plot_name(id), sheet.drawing);
  if (!target) return {};
  if (sheet.locked) return std::string(kLocked);
  select(state, target);
  set_value(sheet.drawing, target, step_on_grid(value_of(sheet.drawing, target), right + up, !sheet.snap));
  put_drawing(sheet.drawing, state);
  return {};
}

bool key_on_drawing(std::string_view id, const KeyPress& press, BoardState& state) {
  DrawSheet sheet = sheet_of(state);
  const Target target = target_of(plot_name(id), sheet.drawing);
  if (!target || sheet.locked) return false;
  if (press.key == Key::Delete || press.key == Key::Backspace) {
    remove(target, sheet, state);
    return true;
  }
  const int by = press.key == Key::Right || press.key == Key::Up    ? 1
                 : press.key == Key::Left || press.key == Key::Down ? -1
                                                                    : 0;
  if (!press.shift || by == 0) return false;
  select(state, target);
  set_value(sheet.drawing, target, step_on_grid(value_of(sheet.drawing, target), by, true));
  put_drawing(sheet.drawing, state);
  return true;
}

std::string field_text(std::string_view cell, const BoardState& state) {
  DrawSheet sheet = sheet_of(state);
  const Target target = target_of(cell, sheet.drawing);
  if (target.roof) return rate_words(*target.roof, roof_in(sheet.drawing, *target.roof)->rate);
  if (target.point < 0) return {};
  const DrawnPoint& point = sheet.drawing.points[size_t(target.point)];
  const double value = target.field == "flop" ? point.flop : point.bytes;
  return value > 0 ? fmt::format("{}", value) : std::string();
}

std::string field_fault(std::string_view cell, const BoardState& state) {
  const auto typed = state.cells.find(cell);
  if (typed == state.cells.end() || typed->second.empty()) return {};
  const DrawSheet sheet = sheet_of(state);
  const Target target = target_of(cell, sheet.drawing);
  const AmountOf what = cell.starts_with("time") ? AmountOf::Time : target.roof ? AmountOf::Rate : AmountOf::Count;
  const TypedAmount read = read_amount(typed->second, what, sheet.n, sheet.d());
  if (!read.fault.empty()) return read.fault;
  return target.roof ? fault_of_rate(*target.roof, read.value) : std::string();
}

void take_field(std::string_view cell, BoardState& state) {
  if (cell.starts_with("time") || cell.starts_with("win")) {
    if (state.cells[std::string(cell)].empty()) state.cells.erase(std::string(cell));
    return;  // the text is what is kept: it is read wherever it is needed
  }
  const auto typed = state.cells.find(cell);
  if (typed == state.cells.end()) return;
  DrawSheet sheet = sheet_of(state);
  const Target target = target_of(cell, sheet.drawing);
  const std::string text = typed->second;
  if (!target || text.empty() || sheet.locked) {
    state.cells.erase(typed);
    return;
  }
  if (!field_fault(cell, state).empty()) return;
  if (text != field_text(cell, state)) {  // what was not changed keeps its last digit
    const double value = read_amount(text, target.roof ? AmountOf::Rate : AmountOf::Count, sheet.n, sheet.d()).value;
    if (target.roof) {
      set_value(sheet.drawing, target, value);
    } else {
      DrawnPoint& point = sheet.drawing.points[size_t(target.point)];
      (target.field == "flop" ? set_flop : set_bytes)(point, value);
    }
    put_drawing(sheet.drawing, state);
  }
  state.cells.erase(std::string(cell));
  select(state, target);
}

}  // namespace tilewalk
