#include "app/session/lesson_hands.h"

#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/session/commands.h"
#include "app/session/go_to.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/session/review.h"
#include "app/session/typing.h"
#include "app/session/write_moves.h"
#include "core/io/number.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

constexpr float kNotch = 0.14f;  // of what is seen, for one notch of the wheel

std::string_view after(std::string_view id, char mark) {
  const size_t at = id.find(mark);
  return at == std::string_view::npos ? std::string_view{} : id.substr(at + 1);
}

float* scroll_of(std::string_view name, ViewState& view) {
  if (name == "lesson") return &view.lesson.scroll;
  if (name == "board") return &view.lesson.board_scroll;
  if (WordSheet* words = std::get_if<WordSheet>(&view.over); words && name == "words") return &words->scroll;
  if (name == "source") return &view.source.scroll;
  if (name == "rail") return &view.lesson.rail_scroll;
  if (name == "review") return &view.lesson.about.scroll;
  return nullptr;
}

// The question that takes keys: open, and on show in the Lesson tab.
AskedQuestion open_question(const ViewState& view) {
  if (view.tab != Tab::Lesson && !view.lesson.review) return {};
  AskedQuestion asked = asked_now(view);
  return asked.question && !settled(view, asked) ? asked : AskedQuestion{};
}

bool follow_link(std::string_view target, Session& session, ViewState& view) {
  const std::string_view kind = target.substr(0, target.find(':')), rest = after(target, ':');
  view.notice.clear();
  if (kind == "lesson") {
    const auto number = number_of<int>(rest);
    if (number ? !open_lesson_numbered(session, view, *number) : !open_lesson(session, view, rest))
      view.notice = fmt::format("Lesson {} is not written yet.", rest);
  } else if (kind == "puzzle") {
    begin_puzzle_named(session, view, rest);
  } else if (kind == "http" || kind == "https") {
    view.wishes.copy = target;
    view.notice = fmt::format("{} is on the clipboard.", target);
  } else if (kind == "step") {
    // The next one from here, or else the first.
    if (!view.board.board.empty()) return true;
    if (!go_to(fmt::format("next {}", rest), session, view).empty())
      view.notice = go_to(fmt::format("first {}", rest), session, view);
  } else if (kind == "term") {
    if (const Term* term = term_named(rest)) view.notice = term->meaning;
  } else if (kind == "tile" || kind == "stat" || kind == "level") {
    const std::string id(target);
    view.selection = view.selection == id ? std::string() : id;
  }
  return true;
}

bool open_from_rail(std::string_view which, Session& session, ViewState& view) {
  const auto number = number_of<int>(which);
  view.notice.clear();
  if (number == 0) {
    open_free_walk(session, view);
  } else if (number ? !open_lesson_numbered(session, view, *number) : !open_lesson(session, view, which)) {
    view.notice = fmt::format("Lesson {} is not written yet. The walk on the stage is yours to explore.", which);
  }
  return true;
}

bool show_fault(std::string_view path, ViewState& view) {
  view.lesson.fault_of = path;
  view.lesson.scroll = 0;
  view.tab = Tab::Lesson;
  (view.column_floats ? view.column_over : view.column_open) = true;
  view.rail_over = false;
  return true;
}

}  // namespace

bool on_board_button(const ViewState& view) {
  const Board* board = board_named(view.board.board);
  if (board && view.focus_ring && view.focus.starts_with("knob:") &&
      (is_switch(*board, view.focus) || opens_choices(view.focus)))
    return true;
  return presses_alike(view, view.focus);
}

bool presses_alike(const ViewState& view, std::string_view id) {
  const Board* board = board_named(view.board.board);
  if (!board || !board->act || !id.starts_with("board:")) return false;
  BoardState low = view.board, high = view.board;
  board->act(id, {0.1f, 0.1f}, false, low);
  board->act(id, {0.9f, 0.9f}, false, high);
  return low == high && !(low == view.board);
}

bool lesson_key(const KeyPress& press, Session& session, ViewState& view) {
  if ((view.lesson.id.empty() && !view.lesson.review) || press.ctrl) return false;
  const AskedQuestion asked = open_question(view);
  if (asked.question && press.key == Key::Character && !press.shift) {
    const char32_t c = press.character;
    const bool digit = c >= U'0' && c <= U'9';
    if (!asked.question->options.empty()) {
      if (!digit || c == U'0' || int(c - U'0') > int(asked.question->options.size())) return false;
      choose_option(view, int(c - U'1'));
      view.focus.clear();
      return true;
    }
    if (digit || c == U'.' || c == U'-') {
      type_answer(view, answer_text(view) + char(c));
      begin_typing("field:answer", view);
      return true;
    }
  }
  if (press.key != Key::Enter || press.shift || view.focus.starts_with("field:board/")) return false;
  // On a slider or a thing of the board it goes on too: there is no middle of it to press.
  const bool on_stage = (view.focus.starts_with("knob:") || view.focus.starts_with("board:")) && !on_board_button(view);
  const bool on_chosen = asked.question && view.focus == fmt::format("option:{}", question_view(view, asked).chosen);
  if (view.focus_ring && !view.focus.empty() && !on_chosen && !on_stage) return false;
  if (asked.question && asked.question->options.empty() && answer_text(view).empty()) {
    begin_typing("field:answer", view);
    return true;
  }
  return run_command("lesson-next", session, view);
}

bool lesson_click(std::string_view id, Session& session, ViewState& view) {
  const std::string_view kind = id.substr(0, id.find(':')), rest = after(id, ':');
  if (kind == "option") {
    choose_option(view, number_of<int>(rest).value_or(-1));
    return true;
  }
  if (kind == "digit") {
    std::string typed = answer_text(view);
    if (rest != "<")
      typed += rest;
    else if (!typed.empty())
      typed.pop_back();
    type_answer(view, std::move(typed));
    return true;
  }
  if (kind == "beat") {
    show_beat(session, view, number_of<int>(rest).value_or(view.lesson.beat));
    return true;
  }
  if (kind == "link") return follow_link(rest, session, view);
  if (kind == "lesson") return open_from_rail(rest, session, view);
  if (kind == "fault") return show_fault(rest, view);
  if (kind == "review") return review_click(rest, view);
  if (kind != "copy") return false;
  view.wishes.copy = code_of_beat(view, number_of<int>(rest).value_or(-1));
  view.notice = "The lines are on the clipboard.";
  return true;
}

bool drag_scroll(std::string_view id, Vec2 at, const Scene& scene, ViewState& view) {
  const std::string_view kind = id.substr(0, id.find(':'));
  float* share = kind == "scroll" || kind == "thumb" ? scroll_of(after(id, ':'), view) : nullptr;
  if (!share) return false;
  const Region* bar = scene.find(fmt::format("scroll:{}", after(id, ':')));
  const Region* thumb = scene.find(fmt::format("thumb:{}", after(id, ':')));
  if (!bar || !thumb || bar->rect.h <= thumb->rect.h) return false;
  *share = std::clamp((at.y - bar->rect.y - thumb->rect.h / 2) / (bar->rect.h - thumb->rect.h), 0.0f, 1.0f);
  return true;
}

bool drag_track(std::string_view id, Vec2 at, const Scene& scene, Session& session, ViewState& view) {
  const Region* track = id == "steps" || id == "beats" ? scene.find(id) : nullptr;
  if (!track || track->rect.w <= 0) return false;
  const float share = std::clamp((at.x - track->rect.x) / track->rect.w, 0.0f, 1.0f);
  if (id == "steps") {
    seek_board(session, view, int(std::lround(share * float(board_steps(session, view)))));
  } else if (const auto lesson = lesson_on_show(view)) {
    const int beat = int(std::lround(share * float(lesson->beats.size() - 1)));
    if (beat != view.lesson.beat) go_to_beat(session, view, beat);
  }
  return true;
}

void keep_rail(const Scene& scene, ViewState& view) {
  if (!std::exchange(view.lesson.rail_shows, false)) return;
  const Region *bar = scene.find("scroll:rail"), *thumb = scene.find("thumb:rail");
  if (bar && thumb && bar->rect.h > thumb->rect.h)
    view.lesson.rail_scroll = (thumb->rect.y - bar->rect.y) / (bar->rect.h - thumb->rect.h);
}

bool turn_scroll(float turned, const Scene& scene, ViewState& view) {
  // The last one lies above the others.
  for (auto panel = scene.regions.rbegin(); panel != scene.regions.rend(); ++panel) {
    if (!panel->id.starts_with("panel:") || !panel->rect.contains(view.pointer)) continue;
    const std::string_view name = after(panel->id, ':');
    float* share = scroll_of(name, view);
    const Region* thumb = scene.find(fmt::format("thumb:{}", name));
    const Region* bar = scene.find(fmt::format("scroll:{}", name));
    if (!share || !thumb || !bar) return false;
    // The handle is to the bar as what is seen is to all.
    const float seen = thumb->rect.h / bar->rect.h, beyond = (1 - seen) / seen;
    const float before = *share;
    if (*share < 0)
      *share = bar->rect.h > thumb->rect.h ? (thumb->rect.y - bar->rect.y) / (bar->rect.h - thumb->rect.h) : 0;
    *share = std::clamp(*share - turned * kNotch / std::max(beyond, 1e-3f), 0.0f, 1.0f);
    return *share != before;
  }
  return false;
}

bool is_answer(std::string_view id) { return id == "field:answer"; }

std::string answer_text(const ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  return asked.question ? question_view(view, asked).typed : std::string();
}

void type_answer(ViewState& view, std::string text) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question) return;
  QuestionView& now = view.lesson.questions[asked.key];
  if (settled(view, asked)) return;
  now.typed = std::move(text);
  now.fault.clear();
}

}  // namespace tilewalk
