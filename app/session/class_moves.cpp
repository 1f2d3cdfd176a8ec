#include "app/session/class_moves.h"

#include "app/session/commands.h"

#include "app/boards/draw.h"
#include "app/session/class_puzzles.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/set_stops.h"
#include "core/classroom/invitation.h"
#include "core/lesson/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// Under this key a page keeps the numbers and the order of options that the class's question has, apart from the
// learner's own answer to the same question.
std::string key_of(const PollAsked& asked) { return fmt::format("class/{}#{}", asked.question, asked.seed); }

const Question* question_in(const Lesson& lesson, std::string_view id) {
  for (const Beat& beat : lesson.beats)
    for (const Question& question : beat.questions)
      if (question.id == id) return &question;
  return nullptr;
}

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
  const bool card = is_open<ClassCard>(view);
  if (!card && !view.exporting.busy) close_overlays(view);
  view.playing = false;
  const Tab own = view.tab;  // what one has beside the stage is one's own
  if (const Opened opened = open_link(led.link, session, view); !opened.there || !opened.words.empty())
    view.notice = "Following the class: " + opened.words;
  else
    view.notice.clear();
  view.tab = own;
  if (card && c.with->poll()) view.over = ClassCard{};  // going there has closed it
  c.arrived = c.stood = link_here(session, view).place;
}

// What is locked on the drawing board goes to the wall; but what is drawn for "this GPU", which is another one
// elsewhere.
void lock_roofline(ViewState& view) {
  if (view.board.board != kDrawBoard.id) return;
  const DrawSheet sheet = sheet_of(view.board);
  if (sheet.locked && sheet.gpu != kThisGpu &&
      view.classroom.with->lock_roofline(
          {sheet.lock_word(), words_of_roofs(sheet.drawing), words_of_points(sheet.drawing)}))
    view.notice = "Your roofline lies with those of the class, without a name.";
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
  if (c.followed > 0 && !c.around && here != c.arrived) {
    // What moves by itself, as a walk that plays, is no looking around.
    if (c.touched)
      c.around = changed = true;
    else
      c.arrived = here;
  }
  if (c.followed > 0 && here != c.stood) {
    if (is_closed(view, here) && !c.stood.empty()) {
      const bool was_there = c.stood == c.arrived;
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
  c.with->stands_at(link_here(session, view).place);
  lock_roofline(view);
  c.with->at_puzzle(puzzle_here(view));
  const std::optional<PollShown>& poll = c.with->poll();
  if (!poll) {
    if (is_open<ClassCard>(view)) close_overlays(view), changed = true;
    return changed;
  }
  const std::array<int64_t, 3> card{poll->poll, poll->round, poll->counted + poll->told};
  if (card == c.card || view.present.on || (overlay_open(view) && !is_open<ClassCard>(view))) return changed;
  if (card[0] != c.card[0] || card[1] != c.card[1]) c.number.clear();
  c.card = card;
  c.fault.clear();
  view.lesson.questions[key_of(poll->asked)].seed = uint64_t(poll->asked.seed);
  close_overlays(view);
  view.over = ClassCard{};
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
  if (!in_class(view) || !view.classroom.with->in()) return false;
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
  if (c.with->poll()) {
    close_overlays(view);
    view.over = ClassCard{};
  }
}

// ---- the question

AskedQuestion question_left(const ViewState& view, const PollAsked& asked) {
  if (!view.lesson.course) return {};
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson || entry.lesson->id != asked.lesson) continue;
    const Question* question = question_in(*entry.lesson, asked.question);
    if (question && int(question->options.size()) == asked.options) return {entry.lesson, question, key_of(asked)};
  }
  return {};
}

AskedQuestion class_question(const ViewState& view) {
  return in_class(view) && view.classroom.with->poll() ? question_left(view, view.classroom.with->poll()->asked)
                                                       : AskedQuestion{};
}

bool class_asks(const ViewState& view, const AskedQuestion& asked) {
  if (!asked.question || !in_class(view) || teaches(view) || !view.classroom.with->poll()) return false;
  const PollShown& poll = *view.classroom.with->poll();
  return !poll.told && poll.asked.question == asked.question->id && poll.asked.lesson == asked.lesson->id;
}

std::optional<int> voted_place(const ViewState& view, const Session& session) {
  if (!in_class(view) || !view.classroom.with->my_vote()) return std::nullopt;
  const int option = view.classroom.with->my_vote()->option;
  const AskedQuestion asked = class_question(view);
  if (!asked.question) return option;
  const std::vector<int> order = instance_on_show(asked, session, view).order;
  const auto place = std::ranges::find(order, option);
  return place == order.end() ? std::nullopt : std::optional(int(place - order.begin()));
}

void vote_in_class(ViewState& view, const Session& session, int place) {
  ClassView& c = view.classroom;
  if (!in_class(view) || !c.with->poll() || !c.with->poll()->open) return;
  const PollAsked& what = c.with->poll()->asked;
  const AskedQuestion asked = class_question(view);
  c.fault.clear();
  if (what.options == 0) {
    static const Question kPlain{};
    const auto number = typed_number(c.number, asked.question ? *asked.question : kPlain);
    if (!number) {
      c.fault = c.number.empty() ? "Type a number first." : no_number_words(c.number);
      return;
    }
    c.voted = c.number;
    return c.with->vote(-1, *number, Sure(c.sure));
  }
  if (place < 0 || place >= what.options) return;
  const std::vector<int> order = asked.question ? instance_on_show(asked, session, view).order : std::vector<int>{};
  c.with->vote(size_t(place) < order.size() ? order[size_t(place)] : place, std::nullopt, Sure(c.sure));
}

void be_sure_in_class(ViewState& view, int sure) {
  ClassView& c = view.classroom;
  c.sure = std::clamp(sure, 0, kSureLevels - 1);
  if (!in_class(view) || !c.with->my_vote()) return;
  const CastVote vote = *c.with->my_vote();
  c.with->vote(vote.option, vote.number, Sure(c.sure));
}

ClassVotes votes_of(const PollAsked& asked, const std::vector<Tally>& rounds, bool told, const Instance& instance) {
  ClassVotes out;
  out.told = told;
  if (told) out.answer = asked.answer;
  for (const Tally& tally : rounds) {
    ClassVotes::Round round;
    round.votes = tally.votes;
    round.numbers = tally.numbers;
    for (const int option : instance.order)
      round.options.push_back(size_t(option) < tally.options.size() ? tally.options[size_t(option)]
                                                                    : std::array<int, kSureLevels>{});
    out.rounds.push_back(std::move(round));
  }
  return out;
}

ClassVotes class_votes(const ViewState& view, const AskedQuestion& asked, const Instance& instance) {
  if (!in_class(view) || !view.classroom.with->poll() || !asked.question) return {};
  const PollShown& poll = *view.classroom.with->poll();
  if (poll.asked.question != asked.question->id || (!poll.counted && !poll.told)) return {};
  ClassVotes votes = votes_of(poll.asked, poll.rounds, poll.told, instance);
  if (!teaches(view) && view.classroom.with->my_vote()) votes.mine = view.classroom.with->my_vote()->number;
  return votes;
}

std::string count_words(const ViewState& view) {
  if (!in_class(view) || !view.classroom.with->poll()) return {};
  const PollShown& poll = *view.classroom.with->poll();
  const VoteCount& count = view.classroom.with->count();
  if (count.of == 0) return {};
  return fmt::format("{} of {} have answered{}", count.votes, count.of, poll.round > 1 ? " again" : "");
}

// ---- who teaches

namespace {

const PollShown* poll_in_room(const ViewState& view) {
  if (!teaches(view) || !view.present.on || !view.present.question || view.classroom.asked.empty()) return nullptr;
  const std::optional<PollShown>& poll = view.classroom.with->poll();
  return poll && view.classroom.with->in() && !poll->told ? &*poll : nullptr;
}

}  // namespace

bool can_ask_again(const ViewState& view) { return poll_in_room(view) != nullptr; }

bool votes_shown(const ViewState& view) {
  const PollShown* poll = poll_in_room(view);
  return poll && poll->counted;
}

bool votes_to_show(const ViewState& view) {
  const PollShown* poll = poll_in_room(view);
  return poll && !poll->counted && (poll->round > 1 || view.classroom.with->count().votes > 0);
}

bool show_votes(ViewState& view) {
  if (!votes_to_show(view)) return false;
  view.classroom.with->move_poll("show");
  return true;
}

bool ask_class_again(ViewState& view) {
  const PollShown* poll = poll_in_room(view);
  if (!poll) return false;
  view.classroom.with->move_poll("again");
  view.notice = "Asked again: the votes of before are kept beside.";
  return true;
}

std::string why_not_again(const ViewState& view) {
  return teaches(view) ? "The room sees no question that its answer is not told of: Ctrl+P asks one."
                       : "A question is asked again of a class that has joined: tilewalk class begins one.";
}

std::string class_state_words(const ViewState& view) {
  const ClassView& c = view.classroom;
  if (!c.with) return {};
  switch (c.with->state()) {
    case Attendance::State::Joining: return fmt::format("Joining the class at {}", c.page);
    case Attendance::State::Lost:
      return "The connection to the class was lost and is tried again. What you do here stays.";
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
  if (c.around && on_path(view, c.stood) == on_path(view, led.beat.empty() ? led.link : led.beat))
    return "You look around by yourself.";
  if (c.around) return "You look around; the class is elsewhere.";
  if (locked_ahead(view)) return "You follow the class. Beats ahead open when it comes to them.";
  return c.followed > 0 ? "You follow the class." : "You are in the class. It has not begun yet: look around.";
}

}  // namespace tilewalk
