#include "app/session/class_moves.h"

#include "app/boards/draw.h"
#include "app/session/asked_words.h"
#include "app/session/class_boards.h"
#include "app/session/class_puzzles.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"
#include "core/classroom/invitation.h"
#include "core/lesson/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// What the room is asked, as the class is.
PollAsked poll_of(const AskedQuestion& asked, const Session& session, const ViewState& view) {
  const Instance instance = instance_on_show(asked, session, view);
  PollAsked out;
  out.place = link_here(session, view).text;
  out.question = asked.question->id;
  out.lesson = asked.lesson->id;
  out.options = int(asked.question->options.size());
  out.unit = asked.question->unit;
  out.seed = int64_t(question_view(view, asked).seed);
  for (const Beat& beat : asked.lesson->beats)
    if (std::ranges::any_of(beat.questions, [&](const Question& q) { return q.id == asked.question->id; }))
      out.title = beat.title;
  for (size_t k = 0; k < instance.right.size(); ++k)
    if (instance.right[k]) out.right.push_back(int(k));
  if (out.options == 0 && instance.answer) out.answer = instance.answer->value;
  say_as_asked(out, asked, instance, session, view);
  return out;
}

std::string asked_key(const ViewState& view, const AskedQuestion& asked) {
  return asked.question ? fmt::format("{}#{}", asked.key, question_view(view, asked).seed) : std::string();
}

// What the room sees is where the class is; a frozen or dark picture leads nowhere.
void lead_class(Session& session, ViewState& view) {
  ClassView& c = view.classroom;
  Presentation& p = view.present;
  if (p.on && (p.frozen || p.blank != Blank::None)) return;
  if (p.on && !slide_on_show(view)) c.with->lead(link_here(session, view).text);
  const AskedQuestion asked = p.on && p.question && !slide_on_show(view) ? asked_now(view) : AskedQuestion{};
  const std::string key = asked_key(view, asked);
  if (key != c.asked) {
    if (!c.asked.empty()) c.with->move_poll("away");
    if (asked.question && !settled(view, asked)) c.with->ask(poll_of(asked, session, view));
    c.asked = key;
    c.answered = false;
  } else if (asked.question && settled(view, asked) && !std::exchange(c.answered, true)) {
    c.with->move_poll("tell");
  }
}

void go_to_class(Session& session, ViewState& view) {
  ClassView& c = view.classroom;
  const Led& led = c.with->led();
  c.followed = led.step;
  c.around = c.touched = false;
  if (view.present.on) return;
  const bool card = is_open<ClassCard>(view), typing = view.editing == kClassNumber;
  if (!card && !view.exporting.busy) close_overlays(view);
  view.playing = false;
  const Tab own = view.tab;  // what one has beside the stage is one's own
  const BoardState board = view.board;
  const std::pair beat(view.lesson.id, view.lesson.beat);
  if (const Opened opened = open_link(led.link, session, view); !opened.there || !opened.words.empty())
    view.notice = "Following the class: " + opened.words;
  else
    view.notice.clear();
  view.tab = own == Tab::Lesson && !beat_on_show(view) ? Tab::Explain : own;
  keep_own_board(board, beat == std::pair(view.lesson.id, view.lesson.beat), view);
  if (card && c.with->poll()) {  // going there has closed it
    view.over = ClassCard{};
    if (typing) begin_typing(kClassNumber, view);
  }
  c.arrived = c.stood = link_here(session, view).place;
}

// Where a beat stands on the path: which lesson, which of its beats. Nothing where a link is of no beat here.
std::optional<std::pair<size_t, size_t>> on_path(const ViewState& view, std::string_view text) {
  const Link link = read_link(text).link;
  if (link.place != Link::Place::Lesson || !view.lesson.course) return std::nullopt;
  const auto& all = view.lesson.course->entries();
  for (size_t k = 0; k < all.size(); ++k) {
    const Lesson* lesson = all[k].lesson.get();
    if (lesson && (link.name == lesson->id || link.name == std::to_string(lesson->number)))
      return std::pair(k, size_t(std::max<int64_t>(1, link.beat.value_or(1))));
  }
  return std::nullopt;
}

constexpr std::string_view kClosed = "The class has not come to that yet. It opens when the class does.";

// Behind the class's beat, while that is closed.
bool is_closed(const ViewState& view, const std::string& link) {
  const Led& led = view.classroom.with->led();
  if (!led.locked) return false;
  const auto here = on_path(view, link), class_is = on_path(view, led.beat.empty() ? led.link : led.beat);
  return here && class_is && *here > *class_is;
}

bool follow_class(Session& session, ViewState& view) {
  ClassView& c = view.classroom;
  const Led& led = c.with->led();
  if (led.step > 0 && led.step < c.followed) c.followed = 0;  // another class, or one that lost its file
  bool changed = false;
  if (!led.locked && view.notice == kClosed) view.notice.clear(), changed = true;  // not true any more
  const std::string here = link_here(session, view).place;
  const bool was_there = !c.around && c.stood == c.arrived;
  if (c.followed > 0 && !c.around && here != c.arrived) {
    // What moves by itself, as a walk that plays, is no looking around.
    if (c.touched)
      c.around = changed = true;
    else
      c.arrived = here;
  }
  if (c.followed > 0 && here != c.stood) {
    if (is_closed(view, here) && !c.stood.empty()) {
      open_link(c.stood, session, view);
      view.notice = kClosed;
      c.stood = link_here(session, view).place;
      c.around = !was_there;
      if (was_there) c.arrived = c.stood, c.touched = false;
      changed = true;
    } else {
      c.stood = here;
    }
  }
  if (led.step > c.followed && !c.around) go_to_class(session, view), changed = true;
  c.with->stands_at(link_here(session, view).place, c.around);
  if (!c.around) remember_own_board(view);
  share_roofline(view);
  c.with->at_puzzle(puzzle_here(view));
  const std::optional<PollShown>& poll = c.with->poll();
  if (!poll) {
    if (is_open<ClassCard>(view)) close_overlays(view), c.card = {}, changed = true;
    return changed;
  }
  if (const std::array<int64_t, 2> question{poll->poll, poll->round}; question != c.question) {
    c.question = question;
    begin_question(view);
    changed = true;
  }
  send_picked(view);
  const std::array<int64_t, 3> card{poll->poll, poll->round, poll->counted + poll->told};
  if (card == c.card || view.present.on || !card_may_come(view)) return changed;
  c.card = card;
  c.fault.clear();
  open_class_question(view);
  return true;
}

}  // namespace

std::string join_class(ViewState& view, std::string_view typed, std::string seat) {
  const ReadInvitation read = read_invitation(typed, view.classroom.here);
  if (!read.fault.empty()) return read.fault;
  const Invitation& to = read.invitation;
  if (!view.classroom.here.empty() && to.page != view.classroom.here)
    return fmt::format("In a browser a class is joined from its own page: open {}", to.page);
  const bool same = view.classroom.socket == to.socket && view.classroom.with;
  if (same && seat.empty()) seat = view.classroom.with->ticket().seat;
  std::string here = std::move(view.classroom.here);
  view.classroom = {};
  view.classroom.here = std::move(here);
  view.classroom.socket = to.socket;
  view.classroom.page = to.page;
  view.classroom.with.emplace(Join{to.code, to.teacher, seat});
  return {};
}

void leave_class(ViewState& view) {
  if (is_open<ClassCard>(view) || is_open<ClassDesk>(view)) close_overlays(view);
  std::string here = std::move(view.classroom.here);
  view.classroom = {};
  view.classroom.here = std::move(here);
}

bool in_class(const ViewState& view) { return view.classroom.with.has_value(); }
bool teaches(const ViewState& view) { return in_class(view) && view.classroom.with->teacher(); }

bool keep_up_with_class(Session& session, ViewState& view) {
  if (!in_class(view)) return false;
  const Attendance::State state = view.classroom.with->state();
  if (state == Attendance::State::Refused || state == Attendance::State::Over) {
    if (!is_open<ClassCard>(view)) return false;
    close_overlays(view);  // what became of the class stands below it
    return true;
  }
  if (!view.classroom.with->in()) return false;
  if (!teaches(view)) return follow_class(session, view);
  lead_class(session, view);
  return false;
}

bool locked_ahead(const ViewState& view) { return in_class(view) && view.classroom.with->led().locked; }

void lock_ahead(ViewState& view) {
  if (!teaches(view)) return;
  const bool closed = !locked_ahead(view);
  view.classroom.with->lock_ahead(closed);
  view.notice = closed ? "Beats ahead are closed: each opens to all when the class comes to it."
                       : "Beats ahead are open to all again.";
}

void return_to_class(Session& session, ViewState& view) {
  if (!in_class(view)) return;
  ClassView& c = view.classroom;
  if (teaches(view)) {
    view.over = ClassDesk{};
    return;
  }
  if (c.around || c.with->led().step > c.followed) {
    if (c.with->led().step > 0) go_to_class(session, view);
  }
  open_class_question(view);
}

std::string class_state_words(const ViewState& view) {
  const ClassView& c = view.classroom;
  if (!c.with) return {};
  switch (c.with->state()) {
    case Attendance::State::Joining:
      return c.with->why().empty() ? fmt::format("Joining the class at {}", c.page) : c.with->why();
    case Attendance::State::Lost:
      return !c.with->why().empty()
                 ? c.with->why()
                 : "The connection to the class was lost and is tried again. What you do here stays.";
    case Attendance::State::Refused:
    case Attendance::State::Over: return c.with->why();
    case Attendance::State::In: break;
  }
  if (teaches(view)) {
    const ClassNow& now = c.with->now();
    if (view.board.board == kDrawBoard.id)
      if (const size_t locked = class_drawings_count(view, sheet_of(view.board)))
        return fmt::format("You teach. {} {} here; {} of them {} locked a roofline like this one.", now.learners,
                           now.learners == 1 ? "is" : "are", locked, locked == 1 ? "has" : "have");
    if (const PuzzleInClass puzzle = puzzle_in_class(view); !puzzle.counts.empty())
      return fmt::format("You teach. {} {} here; of this puzzle: {}.", now.learners, now.learners == 1 ? "is" : "are",
                         puzzle.counts);
    return fmt::format("You teach. {} {} here{}.", now.learners, now.learners == 1 ? "is" : "are",
                       view.present.on
                           ? std::string()
                           : fmt::format("; {} begins, and all follow what the room sees", key_of("present")));
  }
  const Led& led = c.with->led();
  if (const auto here = on_path(view, c.stood); c.around && here && here == on_path(view, led.link))
    return "You look around by yourself.";
  if (c.around) return "You look around.";
  if (locked_ahead(view)) return "You follow the class. Beats ahead open when it comes to them.";
  return c.followed > 0 ? "You follow the class." : "You are in the class. It has not begun yet: look around.";
}

}  // namespace tilewalk
