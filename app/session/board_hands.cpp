#include "app/session/board_hands.h"

#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/boards/roofs_knob.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/region_id.h"
#include "app/session/stop_way.h"
#include "app/session/transport.h"
#include "app/session/typing.h"
#include "app/state/board_history.h"
#include "core/io/printable.h"
#include "core/lesson/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace tilewalk {
namespace {

// What the picture is grasped by moves knobs too: those that are locked go back, and it is said why.
void keep_locked(const BoardState& before, ViewState& view) {
  for (const std::string& id : view.board.locked) {
    const auto was = before.knobs.find(id);
    const auto now = view.board.knobs.find(id);
    const bool had = was != before.knobs.end(), has = now != view.board.knobs.end();
    if (had == has && (!had || was->second == now->second)) continue;
    if (had)
      view.board.knobs[id] = was->second;
    else
      view.board.knobs.erase(now);
    view.notice = "This is locked until the question is answered or skipped, for it would show the answer.";
  }
}

std::string_view knob_of_region(std::string_view region) {
  return rest_of(region).substr(0, rest_of(region).find('/'));
}

// Before a room a turn passes over GPUs that have nothing to show. `region` is the knob's, or one of its arrows.
void pass_no_roofs(const Board& board, std::string_view region, int by, ViewState& view) {
  const std::string_view id = knob_of_region(region);
  const auto knob = std::ranges::find(board.knobs, id, &Knob::id);
  if (!view.present.on || knob == board.knobs.end()) return;
  for (size_t tries = 0; tries < knob->words().size(); ++tries) {
    if (!leads_to_no_roofs(*knob, knob_value(board, view.board, id), view.gpu.status)) return;
    nudge_knob(board, view.board, region.substr(0, region.find('/')), by);
  }
}

constexpr std::string_view kKnobField = "field:knob/";

// The choice that is this number: "128" of 64 and 128.
std::optional<double> choice_of_number(const Knob& knob, std::optional<double> number) {
  for (size_t k = 0; number && k < knob.words().size(); ++k)
    if (typed_number(knob.words()[k], Question{}) == number) return double(k);
  return std::nullopt;
}

}  // namespace

bool of_board(std::string_view id) { return kind_of(id) == "knob" || kind_of(id) == "board"; }
bool is_slider(const ViewState& view) {
  const Board* board = board_named(view.board.board);
  return board && kind_of(view.focus) == "knob" && has_slider(*board, view.focus);
}

Vec2 across(Vec2 at, const Rect& rect) {
  return {rect.w > 0 ? (at.x - rect.x) / rect.w : 0, rect.h > 0 ? (at.y - rect.y) / rect.h : 0};
}

const Region* plot_of(std::string_view id, const Scene& scene) {
  constexpr std::string_view kPlot = "board:plot";
  return id.starts_with(kPlot) && id != kPlot ? scene.find(kPlot) : nullptr;
}

bool on_board(std::string_view id, Vec2 at, const Scene& scene, const Session& session, ViewState& view, bool dragged) {
  const Board* board = board_named(view.board.board);
  const Region* region = scene.find(id);
  if (!board || !region) return false;
  if (const Region* plot = plot_of(id, scene)) region = plot;
  if (kind_of(id) == "knob") {
    if (refused_behind_question(knob_of_region(id), view)) return true;
    const std::optional<double> method = method_on_board(view);
    const auto value = [&] { return knob_value(*board, view.board, knob_of_region(id)); };
    const double before = value();
    if (has_slider(*board, id))
      turn_slider(*board, view.board, id, region->rect, at, dragged);
    else
      turn_knob(*board, view.board, id, across(at, region->rect), dragged);
    pass_no_roofs(*board, id, id.ends_with("/-") ? -1 : 1, view);
    view.present.turned |= view.present.on && value() != before;
    wipe_after_method(id, method, view);
    within_steps(session, view);
    return true;
  }
  if (kind_of(id) != "board" || !board->act) return false;
  const BoardState before = view.board;
  std::string refusal = board->act(id, across(at, region->rect), dragged, view.board);
  keep_locked(before, view);
  // What has come of it, where that is what one goes on with.
  if (const auto next = view.board.cells.find(".focus"); next != view.board.cells.end()) {
    if (view.focus == id && view.focus_ring) view.focus = next->second;
    view.board.cells.erase(next);
  }
  if (!refusal.empty()) view.notice = std::move(refusal);
  return true;
}

bool typed_on_cell(const KeyPress& press, ViewState& view) {
  const char32_t c = press.character;
  if (press.key != Key::Character || press.ctrl || !view.focus.starts_with("field:board/")) return false;
  if (!(c >= U'0' && c <= U'9') && c != U'.' && c != U'-') return false;
  begin_typing(view.focus, view);
  typed_into(view.focus, std::string(1, char(c)), view);
  view.typing_begun = true;
  return true;
}

bool typed_on_knob(const KeyPress& press, ViewState& view) {
  const Board* board = board_named(view.board.board);
  const Knob* knob = board && kind_of(view.focus) == "knob" ? typed_knob(*board, view.focus) : nullptr;
  const char32_t c = press.character;
  if (!knob || press.key != Key::Character || press.ctrl || c < U'0' || c > U'9') return false;
  // Before a room digits take tools, but for a slider that one is at.
  const bool tools = view.present.on && (view.present.over_picture || !has_slider(*board, view.focus));
  if (is_locked(view.board, knob->id) || tools) return false;
  if (refused_behind_question(knob->id, view)) return true;
  const std::string field = fmt::format("{}{}", kKnobField, knob->id);
  begin_typing(field, view);
  typed_into(field, std::string(1, char(c)), view);
  view.typing_begun = true;
  return true;
}

bool is_knob_field(std::string_view id) { return id.starts_with(kKnobField); }

void take_knob(std::string_view field, std::string_view text, const Session& session, ViewState& view) {
  const Board* board = board_named(view.board.board);
  const Knob* knob = board ? typed_knob(*board, field.substr(kKnobField.size())) : nullptr;
  if (!knob || is_locked(view.board, knob->id) || refused_behind_question(knob->id, view)) return;
  const std::optional<double> number = typed_number(text, Question{});
  const auto value = knob->kind == Knob::Kind::Choice ? choice_of_number(*knob, number) : number;
  if (!value) {
    view.notice = fmt::format("{}: {} is none of its numbers: {}.", knob->label, in_quotes(text, 20),
                              knob->kind == Knob::Kind::Choice ? fmt::format("{}", fmt::join(knob->words(), ", "))
                                                               : fmt::format("{} to {}", knob_text(*knob, knob->least),
                                                                             knob_text(*knob, knob->top())));
    return;
  }
  note_work(view);
  turn_to(*board, view.board, knob->id, *value);
  view.present.turned |= view.present.on;
  view.notice = knob_fault(*knob, *value, fmt::format("{:.10g}", *value));
  view.focus =
      view.present.on ? std::string() : focus_of_knob(*board, view.board, view.focus);  // digits are tools again
  within_steps(session, view);
  note_work(view);
}

bool has_knob(const ViewState& view, std::string_view id) {
  const Board* board = view.gpu.enlarged ? nullptr : board_named(view.board.board);
  return board && std::ranges::find(board->knobs, id, &Knob::id) != board->knobs.end() && !is_locked(view.board, id);
}

void turn_on(const Session& session, ViewState& view, std::string_view id) {
  const Board& board = *board_named(view.board.board);
  const Knob& knob = *std::ranges::find(board.knobs, id, &Knob::id);
  note_work(view);
  const std::optional<double> method = method_on_board(view);
  const double next = knob_value(board, view.board, id) + 1;
  turn_to(board, view.board, id, next > knob.top() ? knob.least : next);
  pass_no_roofs(board, fmt::format("knob:{}", id), 1, view);
  wipe_after_method(id, method, view);
  view.present.turned |= view.present.on;
  within_steps(session, view);
  note_work(view);
}

std::optional<double> method_on_board(const ViewState& view) {
  const Board* board = board_named(view.board.board);
  const bool has = board && std::ranges::find(board->knobs, "method", &Knob::id) != board->knobs.end();
  return has ? std::optional(knob_value(*board, view.board, "method")) : std::nullopt;
}

void wipe_after_method(std::string_view knob, std::optional<double> before, ViewState& view) {
  const bool its = knob == "method" || knob == "knob:method" || knob.starts_with("knob:method/");
  if (its && view.present.on && method_on_board(view) != before) wipe_strokes(view);
}

bool typed_on_outlined(const KeyPress& press, const Scene& scene, ViewState& view) {
  constexpr std::string_view kDigit = "board:digit/";
  if (press.key != Key::Character) return false;
  const auto key = std::ranges::find_if(scene.regions, [&](const Region& r) { return r.id.starts_with(kDigit); });
  if (key == scene.regions.end()) return false;
  const std::string cell = key->id.substr(kDigit.size(), key->id.rfind('/') - kDigit.size());
  const auto field = std::ranges::find_if(
      scene.regions, [&](const Region& r) { return r.id.starts_with("field:board/") && r.id.ends_with("/" + cell); });
  if (field == scene.regions.end()) return false;
  const std::string focus = std::exchange(view.focus, field->id);
  if (typed_on_cell(press, view)) return true;
  view.focus = focus;
  return false;
}

bool nudged(const KeyPress& press, const Session& session, ViewState& view) {
  const Board* board = board_named(view.board.board);
  const BoardState before = view.board;
  if (board && board->key && !press.ctrl && kind_of(view.focus) == "board" &&
      board->key(view.focus, press, view.board)) {
    keep_locked(before, view);
    return true;
  }
  if (!board || press.ctrl || press.shift) return false;
  if (view.focus.starts_with("knob:more")) return false;  // brings others, and knows no arrows
  const bool turns = view.present.on && kind_of(view.focus) == "knob";
  if ((press.key == Key::Home || press.key == Key::End) && is_slider(view)) {
    if (refused_behind_question(knob_of_region(view.focus), view)) return true;
    view.present.turned |= turns;
    turn_knob(*board, view.board, view.focus, {press.key == Key::End ? 1.0f : 0.0f, 0.5f}, false);
    return true;
  }
  const int right = press.key == Key::Right ? 1 : press.key == Key::Left ? -1 : 0;
  const int up = press.key == Key::Up ? 1 : press.key == Key::Down ? -1 : 0;
  if (right == 0 && up == 0) return false;
  // What was only pressed with the pointer holds no arrow back that does nothing for it: at a slider's end, on a
  // switch, across a thing that goes up and down, the arrows go on through the lesson.
  const bool lets_go = !view.focus_ring && what_moves(session, view) != Moves::Nothing;
  if (kind_of(view.focus) == "knob") {
    if (lets_go && is_switch(*board, view.focus)) return false;
    if (refused_behind_question(knob_of_region(view.focus), view)) return true;
    const std::optional<double> method = method_on_board(view);
    nudge_knob(*board, view.board, view.focus, right + up);
    pass_no_roofs(*board, view.focus, right + up, view);
    wipe_after_method(view.focus, method, view);
    if (lets_go && !view.present.on && view.board == before) return false;
    view.present.turned |= turns;
    view.focus = focus_of_knob(*board, view.board, view.focus);  // of a choice the ring goes along
    within_steps(session, view);
    return true;
  }
  if (kind_of(view.focus) != "board" || !board->nudge) {
    // On a thing of the picture that knows no arrows they do nothing, rather than leave the beat.
    const std::string_view kind = kind_of(view.focus);
    const bool thing = kind == "board" || kind == "reading" || kind == "figure" || kind == "way" || kind == "station";
    return thing && view.focus_ring && what_moves(session, view) == Moves::Beats;
  }
  std::string refusal = board->nudge(view.focus, right, up, view.board);
  keep_locked(before, view);
  // Before a room the arrow at the end of what it moves leaves no stop.
  BoardState other = before;
  const bool at_end = view.present.on && (board->nudge(view.focus, -right, -up, other), other != before);
  if (lets_go && refusal.empty() && view.board == before && !at_end) return false;
  within_steps(session, view);
  if (!refusal.empty()) view.notice = std::move(refusal);
  return true;
}

}  // namespace tilewalk
