// What a class is asked: the answers of those who learn, what it came to, and what the clicker does at it.
#include "app/session/class_moves.h"

#include "app/session/overlays.h"
#include "app/session/typing.h"
#include "app/session/write_moves.h"
#include "core/lesson/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {

std::string class_key_of(const PollAsked& asked) { return fmt::format("class/{}#{}", asked.question, asked.seed); }

namespace {

const Question* question_in(const Lesson& lesson, std::string_view id) {
  for (const Beat& beat : lesson.beats)
    for (const Question& question : beat.questions)
      if (question.id == id) return &question;
  return nullptr;
}

// A field, or the program of Write.
bool text_has_keys(const ViewState& view) { return !view.editing.empty() || typing_in_program(view); }

}  // namespace

// ---- the question

AskedQuestion question_left(const ViewState& view, const PollAsked& asked) {
  if (!view.lesson.course) return {};
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson || entry.lesson->id != asked.lesson) continue;
    const Question* question = question_in(*entry.lesson, asked.question);
    if (question && int(question->options.size()) == asked.options)
      return {entry.lesson, question, class_key_of(asked)};
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
  if (!in_class(view) || !view.classroom.with->poll()) return std::nullopt;
  const ClassView& c = view.classroom;
  const bool picked = c.picked && c.with->poll()->open;
  if (!picked && !c.with->my_vote()) return std::nullopt;
  const int option = picked ? c.picked->option : c.with->my_vote()->option;
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
    const Question& question = asked.question ? *asked.question : kPlain;
    const auto right = asked.question ? instance_on_show(asked, session, view).answer : std::nullopt;
    const auto number = typed_number(c.number, question, right ? std::optional(right->value) : std::nullopt);
    if (!number) {
      c.fault = c.number.empty() ? "Type a number first." : no_number_words(c.number);
      return;
    }
    c.voted = c.number;
    if (number != typed_number(c.number, question)) std::ranges::replace(c.voted, ',', '.');  // as it was read
    c.picked = PickedAnswer{-1, *number};
    return send_picked(view);
  }
  if (place < 0 || place >= what.options) return;
  const std::vector<int> order = asked.question ? instance_on_show(asked, session, view).order : std::vector<int>{};
  c.picked = PickedAnswer{size_t(place) < order.size() ? order[size_t(place)] : place, std::nullopt};
  send_picked(view);
}

void be_sure_in_class(ViewState& view, int sure) {
  ClassView& c = view.classroom;
  if (!in_class(view) || !c.with->poll() || !c.with->poll()->open) return;
  c.sure = std::clamp(sure, 0, kSureLevels - 1);
  if (const auto& vote = c.with->my_vote(); vote && !c.picked) c.picked = PickedAnswer{vote->option, vote->number};
  send_picked(view);
}

std::optional<int> sure_in_class(const ViewState& view) {
  const ClassView& c = view.classroom;
  return c.sure || !c.with->my_vote() ? c.sure : std::optional(c.with->my_vote()->sure);
}

void send_picked(ViewState& view) {
  ClassView& c = view.classroom;
  const std::optional<int> sure = sure_in_class(view);
  if (!c.picked || !sure || !c.with->in() || !c.with->poll() || !c.with->poll()->open) return;
  c.with->vote(c.picked->option, c.picked->number, Sure(*sure));
  c.picked.reset();
}

void begin_question(ViewState& view) {
  ClassView& c = view.classroom;
  const PollAsked& asked = c.with->poll()->asked;
  c.number.clear(), c.voted.clear(), c.fault.clear();
  c.sure.reset(), c.picked.reset();
  c.card_for = 0;
  view.lesson.questions[class_key_of(asked)].seed = uint64_t(asked.seed);
}

void open_class_question(ViewState& view) {
  ClassView& c = view.classroom;
  if (!in_class(view) || !c.with->poll()) return;
  if (!is_open<ClassCard>(view)) c.card_for = 0;
  close_overlays(view);
  view.over = ClassCard{};
  const PollShown& poll = *c.with->poll();
  if (poll.open && poll.asked.options == 0 && !c.with->my_vote()) begin_typing(kClassNumber, view);
}

bool card_may_come(const ViewState& view) {
  if (is_open<ClassCard>(view) || !overlay_open(view)) return is_open<ClassCard>(view) || !text_has_keys(view);
  if (text_has_keys(view)) return false;
  return is_open<Menu>(view) || is_open<KeySheet>(view) || is_open<WordSheet>(view) || is_open<About>(view) ||
         is_open<ChoiceList>(view) || is_open<ProgramList>(view);
}

bool card_settles(const ViewState& view) { return is_open<ClassCard>(view) && view.classroom.card_for < kCardSettles; }

bool class_key(const KeyPress& press, const Session& session, ViewState& view) {
  if (!is_open<ClassCard>(view) || !view.editing.empty() || press.key != Key::Character || press.ctrl) return false;
  if (!view.classroom.with->poll() || !view.classroom.with->poll()->open) return false;
  const char32_t letter = press.character | 0x20;
  const int place = int(letter) - int(U'a');
  const int options = view.classroom.with->poll()->asked.options;
  if (place >= 0 && place < options) return vote_in_class(view, session, place), true;
  for (int k = 0; k < kSureLevels; ++k)
    if (letter == U"grs"[k] || (options > 0 && press.character == U"123"[k])) return be_sure_in_class(view, k), true;
  return false;
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

// Pages see nothing of a vote that the wall does not.
bool wall_waits(ViewState& view) {
  const Presentation& p = view.present;
  if (!p.frozen && p.blank == Blank::None) return false;
  view.notice = p.frozen ? "The wall is frozen, and the vote with it: F lifts it."
                         : "The wall is dark, and the vote waits until it is back.";
  return true;
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
  if (wall_waits(view)) return true;
  const VoteCount& count = view.classroom.with->count();
  const PollShown& poll = *view.classroom.with->poll();
  const std::array<int64_t, 2> round{poll.poll, poll.round};
  if (2 * count.votes < count.of && std::exchange(view.classroom.warned, round) != round) {
    view.notice = fmt::format("{} of {} have answered. Once more closes the vote.", count.votes, count.of);
    return true;
  }
  view.classroom.with->move_poll("show");
  return true;
}

bool keeps_vote(ViewState& view) {
  const PollShown* poll = poll_in_room(view);
  const std::array<int64_t, 2> round{poll ? poll->poll : 0, poll ? poll->round : 0};
  if (!poll || !poll->open || view.classroom.with->count().votes == 0 ||
      std::exchange(view.classroom.leaving, round) == round)
    return false;
  view.notice = "The class is being asked. Once more leaves the question, and ends the vote without showing it.";
  return true;
}

bool ask_class_again(ViewState& view) {
  const PollShown* poll = poll_in_room(view);
  if (!poll) return false;
  if (wall_waits(view)) return true;
  view.classroom.with->move_poll("again");
  view.notice = "Asked again: the votes of before are kept beside.";
  return true;
}

std::string why_not_again(const ViewState& view) {
  return teaches(view) ? "The room sees no question that its answer is not told of: Ctrl+P asks one."
                       : "A question is asked again of a class that has joined: tilewalk class begins one.";
}

}  // namespace tilewalk
