#include "app/session/typing.h"

#include "app/boards/board.h"
#include "app/session/board_hands.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/export_dialog.h"
#include "app/state/board_history.h"
#include "app/session/element.h"
#include "app/session/fields.h"
#include "app/session/lesson_hands.h"
#include "app/session/hand_counts.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/region_id.h"
#include "app/session/set_edit.h"
#include "app/session/talk_target.h"
#include "app/session/speaker_notes.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {
namespace {

// A field of the board on the stage: "field:board/m2" is its cell "m2".
std::string_view board_cell(std::string_view id) {
  constexpr std::string_view kBoardField = "field:board/";
  return id.starts_with(kBoardField) ? id.substr(kBoardField.size()) : std::string_view{};
}

// What stands in the one field of the overlay that is open; null where it has none.
template <class View>
auto* dialog_text(View& view) {
  auto& over = view.over;
  if (auto* keys = std::get_if<KeySheet>(&over)) return &keys->filter;
  if (auto* words = std::get_if<WordSheet>(&over)) return &words->filter;
  if (auto* element = std::get_if<TypeElement>(&over)) return &element->text;
  if (auto* join = std::get_if<JoinClass>(&over)) return &join->text;
  return is_open<GoTo>(view) ? &view.go_to_text : nullptr;
}

// Whether what was typed into a field of the board ends where a unit's letters may come: "3.3 T", "900 ".
bool goes_on_with_unit(const ViewState& view) {
  const auto typed = view.board.cells.find(board_cell(view.editing));
  if (typed == view.board.cells.end() || typed->second.empty()) return false;
  constexpr std::string_view kBefore = "kKMGTPun/ ";
  return kBefore.find(typed->second.back()) != std::string_view::npos;
}

// What sets a number of the picture or of a knob, which the room is to see whole.
bool sets_number(std::string_view id) { return is_knob_field(id) || !board_cell(id).empty() || kind_of(id) == "cell"; }

}  // namespace

bool is_field(std::string_view id) { return kind_of(id) == "field" || kind_of(id) == "cell"; }
bool is_stop_field(std::string_view id) { return id == "field:stop-title" || id == "field:stop-note"; }
bool is_live_field(std::string_view id) { return id == "field:key-filter" || id == "field:word-filter"; }
bool is_dialog_field(std::string_view id) {
  return id == "field:go-to" || id == "field:element" || id == "field:class" || is_live_field(id);
}

std::string text_in(std::string_view id, const Session& session, const ViewState& view) {
  if (is_dialog_field(id)) {
    const std::string* text = dialog_text(view);
    return text ? *text : std::string();
  }
  if (is_export_field(id)) return export_text(id, view.exporting);
  if (id == "field:note") return view.present.note_text;
  if (id == "field:hands") return view.present.hands_text;
  if (id == "field:class-number") return view.classroom.number;
  if (is_stop_field(id)) return view.present.stop_text;
  if (is_answer(id)) return answer_text(view);
  if (const std::string_view cell = board_cell(id); !cell.empty()) {
    const auto typed = view.board.cells.find(cell);
    if (typed != view.board.cells.end()) return typed->second;
    const Board* board = board_named(view.board.board);
    return board && board->text_of ? board->text_of(cell, view.board) : std::string();
  }
  if (const auto typed = view.typed.find(std::string(rest_of(id))); typed != view.typed.end()) return typed->second;
  if (const auto cell = element_of_cell(id, session))
    return fmt::format("{:.6g}", input_matrix(session, cell->tensor).at(cell->row, cell->col));
  return field_text(session, view, rest_of(id));
}

void begin_typing(std::string_view id, ViewState& view) {
  note_work(view);
  view.editing = id;
  view.typing_begun = false;
  const auto typed = view.typed.find(std::string(rest_of(id)));
  view.typed_before = typed == view.typed.end() ? std::nullopt : std::optional(typed->second);
  if (is_export_field(id)) view.typed_before = export_text(id, view.exporting);
  view.playing = false;
  view.hover_for = -1;
}

bool chooses_hit(const KeyPress& press, const ViewState& view) {
  return (press.key == Key::Up || press.key == Key::Down) && view.present.on && is_open<GoTo>(view);
}

bool choose_hit(const KeyPress& press, const Session& session, ViewState& view) {
  const int count = int(talk_hits(view.go_to_text, session, view).size());
  int& chosen = std::get<GoTo>(view.over).chosen;
  chosen = std::clamp(chosen + (press.key == Key::Down ? 1 : -1), 0, count - 1);
  return true;
}

void typed_into(std::string_view id, std::string text, ViewState& view) {
  if (GoTo* open = std::get_if<GoTo>(&view.over)) open->chosen = 0;
  if (is_dialog_field(id)) {
    if (std::string* field = dialog_text(view)) *field = std::move(text);
    if (WordSheet* words = std::get_if<WordSheet>(&view.over)) words->scroll = 0;
    if (GoTo* go = std::get_if<GoTo>(&view.over)) go->fault.clear();
    if (TypeElement* element = std::get_if<TypeElement>(&view.over)) element->fault.clear();
    if (JoinClass* join = std::get_if<JoinClass>(&view.over)) join->fault.clear();
  } else if (is_export_field(id)) {
    type_export(id, std::move(text), view);
  } else if (id == "field:note") {
    view.present.note_text = std::move(text);
  } else if (id == "field:hands") {
    view.present.hands_text = std::move(text);
  } else if (id == "field:class-number") {
    view.classroom.number = std::move(text);
    view.classroom.fault.clear();
  } else if (is_stop_field(id)) {
    view.present.stop_text = std::move(text);
  } else if (is_answer(id)) {
    type_answer(view, std::move(text));
  } else if (const std::string_view cell = board_cell(id); !cell.empty()) {
    view.board.cells[std::string(cell)] = std::move(text);
  } else {
    view.typed[std::string(rest_of(id))] = std::move(text);
  }
}

void finish_typing(Session& session, ViewState& view) {
  const std::string id = view.editing;
  if (id.empty() || is_live_field(id)) return;
  if (id == "field:go-to") {
    std::string fault =
        view.present.on ? present_go_to(view.go_to_text, session, view) : go_anywhere(view.go_to_text, session, view);
    if (!fault.empty()) {
      view.over = GoTo{std::move(fault)};
      return;
    }
    if (is_open<GoTo>(view)) view.over = {};
    view.editing = is_open<WordSheet>(view) ? "field:word-filter" : "";
    return;
  }
  if (id == "field:element") {
    TypeElement* dialog = std::get_if<TypeElement>(&view.over);
    if (!dialog) return;
    const ElementWords words = read_element(dialog->text, session);
    dialog->fault = words.fault.empty() ? type_over(session, view, *words.element, words.value) : words.fault;
    if (dialog->fault.empty()) close_overlays(view);
    return;
  }
  if (id == "field:class") {
    JoinClass* dialog = std::get_if<JoinClass>(&view.over);
    if (!dialog) return;
    dialog->fault = join_class(view, dialog->text);
    if (dialog->fault.empty()) close_overlays(view);
    return;
  }
  if (id == "field:class-number") {
    view.editing.clear();
    if (view.classroom.number.empty()) return;  // a press beside it, say
    vote_in_class(view, session, -1);
    if (!view.classroom.fault.empty()) begin_typing(id, view);  // to be put right
    return;
  }
  if (is_export_field(id)) return finish_export_field(session, view);
  if (id == "field:note") {
    const std::string elsewhere = stop_left_of_note(view);
    if (std::string fault = keep_note(view); !fault.empty())
      view.notice = std::move(fault);
    else if (!elsewhere.empty())
      view.notice = fmt::format("The note is kept at {}, which Page Down returns to.", elsewhere);
    return;
  }
  if (id == "field:hands") {
    view.notice = keep_hands(view);
    return;
  }
  if (is_stop_field(id)) {
    view.notice = keep_stop_words(view);
    return;
  }
  view.editing.clear();
  if (is_answer(id)) {
    lock_answer(session, view);
    return;
  }
  if (const std::string_view cell = board_cell(id); !cell.empty()) {
    const Board* board = board_named(view.board.board);
    if (board && board->take && view.board.cells.contains(cell)) board->take(cell, view.board);
    if (board && board->next_field && view.focus == id)
      view.focus = board->next_field(cell, view.board);
    else if (!view.focus_ring && view.focus == id)
      view.focus.clear();  // the next Enter goes on with the lesson
    note_work(view);
    return;
  }
  const auto typed = view.typed.find(std::string(rest_of(id)));
  if (typed == view.typed.end()) return;
  const std::string text = typed->second;
  view.typed.erase(typed);
  if (is_knob_field(id)) return take_knob(id, text, session, view);
  if (kind_of(id) == "cell") {
    if (const auto cell = element_of_cell(id, session))
      if (std::string fault = type_over(session, view, *cell, text); !fault.empty()) view.notice = std::move(fault);
    if (!view.focus_ring && view.focus == id) view.focus.clear();  // the steps below it go with the hand
  } else {
    apply_field(session, view, rest_of(id), text);
  }
}

bool hides_typed(const ViewState& view) {
  const Presentation& p = view.present;
  return p.on && !p.presenters_window() && view.editing == "field:note";
}

bool pages_from_field(const KeyPress& press, const ViewState& view) {
  const bool page = press.key == Key::PageDown || press.key == Key::PageUp;
  return page && !press.ctrl && !press.shift && view.present.on && !view.editing.empty() &&
         (!overlay_open(view) || is_open<GoTo>(view) || is_open<WordSheet>(view) || is_open<TypeElement>(view));
}

bool finish_for_page(Session& session, ViewState& view) {
  view.notice.clear();
  // Nobody has said that it is to be gone to, or to be set.
  if (is_open<GoTo>(view) || is_open<WordSheet>(view) || is_open<TypeElement>(view)) return close_overlays(view), true;
  if (view.editing == "field:note") return view.notice = leave_note(view), true;
  if (sets_number(view.editing)) return drop_half_typed(view), true;
  const bool hands = view.editing == "field:hands";
  finish_typing(session, view);
  if (hands && view.editing.empty() && can_count_hands(view)) return false;  // the room sees them before the answer
  if (view.editing == "field:hands") {
    view.editing.clear();
    view.present.hands_text.clear();
    view.notice = "Not counted: " + view.notice;
  }
  if (is_stop_field(view.editing)) {
    std::string refused = std::exchange(view.notice, {});
    leave_stop_words(view);
    view.notice = std::move(refused);
  }
  return view.editing.empty();
}

void drop_half_typed(ViewState& view) {
  if (view.present.on && sets_number(view.editing)) leave_typing(view);
}

bool restores_from_field(const KeyPress& press, const ViewState& view) {
  if (!view.present.on || !(sets_number(view.editing) || is_open<WordSheet>(view))) return false;
  const Command* command = command_for(press, true);
  return command && command->id == "present-restore";
}

bool darkens_from_field(const KeyPress& press, const ViewState& view) {
  const bool number = sets_number(view.editing) || view.editing == "field:hands" || view.editing == "field:element";
  if (!view.present.on || !number || press.character == U'.') return false;
  const Command* command = command_for(press, true);
  return command && (command->id == "present-black" || command->id == "present-freeze") && !goes_on_with_unit(view);
}

void without_typed_cell(ViewState& view) {
  const std::string cell(board_cell(view.editing));
  if (cell.empty()) return;
  const auto& before = view.board_history.now.cells;
  if (const auto was = before.find(cell); was != before.end())
    view.board.cells[cell] = was->second;
  else
    view.board.cells.erase(cell);
}

void leave_typing(ViewState& view) {
  if (is_stop_field(view.editing)) return leave_stop_words(view);
  if (is_export_field(view.editing)) {
    type_export(view.editing, view.typed_before.value_or(""), view);
    view.editing.clear();
    return;
  }
  const std::string name(rest_of(view.editing));
  if (view.typed_before)
    view.typed[name] = *view.typed_before;  // a wish that was refused before stays, with its reason
  else
    view.typed.erase(name);
  // Where a text takes effect at its end only, as all do before a room, leaving it means what was there.
  const Board* board = board_named(view.board.board);
  if (board && (board->take || view.present.on)) without_typed_cell(view);
  if (is_dialog_field(view.editing)) view.over = {};
  view.editing.clear();
}

}  // namespace tilewalk
