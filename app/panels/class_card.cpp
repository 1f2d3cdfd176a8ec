// What the class is asked, on a learner's page: the question with the letters and the numbers of the wall, how sure one
// is, and once it is shown what all have answered.
#include "app/panels/class_panels.h"

#include "app/panels/cards.h"
#include "app/panels/room_question.h"
#include "app/panels/room_votes.h"
#include "app/session/class_moves.h"
#include "core/lesson/answer.h"

#include <fmt/format.h>

#include <array>

namespace tilewalk {
namespace {

using namespace ui;

constexpr const char* kLost = "The connection to the class is lost: an answer is kept, and goes when it is back.";

// As it was typed; of a page that was loaded anew as the class has it.
std::string own_number(const ViewState& view) {
  const ClassView& c = view.classroom;
  const auto& vote = c.with->my_vote();
  if (!c.voted.empty() || !vote || !vote->number) return c.voted;
  const AskedQuestion asked = class_question(view);
  const auto own = asked.question ? answer_in_unit(*vote->number, *asked.question) : std::nullopt;
  return own ? *own : fmt::format("{:.4g}", *vote->number);
}

std::string vote_state_words(const ViewState& view, const Session& session) {
  const ClassView& c = view.classroom;
  const Attendance& with = *c.with;
  const PollShown& poll = *with.poll();
  if (!c.fault.empty()) return c.fault;
  if (!with.vote_fault().empty()) return with.vote_fault();
  const std::string counted = count_words(view), count = counted.empty() ? counted : counted + ".";
  const bool lost = !with.in(), late = !poll.open && (c.picked || (!with.my_vote() && !c.number.empty()));
  if (late) return fmt::format("The question was closed before your {} came.", with.my_vote() ? "change" : "answer");
  if (!with.my_vote() && !c.picked) {
    if (lost) return kLost;
    return poll.told && !with.may_have_voted() ? "You did not answer." : count;
  }
  const std::optional<int> place = voted_place(view, session);
  const std::string mine = place && *place >= 0 ? fmt::format("Your answer is {}", char('A' + *place))
                                                : fmt::format("Your answer is {}", own_number(view));
  if (!sure_in_class(view))
    return fmt::format("{}. How sure are you? Press {}{}", mine, poll.asked.options > 6 ? "1, 2 or 3." : "G, R or S.",
                       lost ? " The connection is lost: it is kept." : "");
  if (lost) return mine + ". The connection is lost: it goes when that is back.";
  if (!with.vote_counts()) return mine + ". It is on its way.";
  if (poll.open) return fmt::format("{}; you can change it. {}", mine, count);
  const bool dots = poll.asked.options == 0 && (poll.counted || poll.told);
  return mine + (dots ? ", the violet dot." : poll.told ? "." : ". The right one comes when all are told.");
}

// The question alone by its letters, where this program has no such lesson.
void layout_letters(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const PollShown& poll = *view.classroom.with->poll();
  std::vector<Node> letters;
  for (int k = 0; k < poll.asked.options; ++k)
    letters.push_back(
        button(std::string(1, char('A' + k)),
               {fmt::format("vote:{}", k), fmt::format("Answer {}", char('A' + k)), means(VoteInClass{k})}, Fill::Solid,
               {32, Face::SansBold})
            .width(px(84)));
  if (letters.empty())
    letters.push_back(field_of(view, "field:class-number", view.classroom.number, "type a number",
                               "Type a number, then Enter: 66.9, 1e3, 2^20")
                          .width(px(260)));
  letters.push_back(spacer());
  show(scene,
       column(of(spacer(), wrapped("The question stands on the wall: this program does not have its lesson.", {20}),
                 spacer(px(20)), row(std::move(letters), 12).height(px(72)), spacer())),
       area, s, view.hover);
}

}  // namespace

void layout_class_card(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  if (!in_class(view) || !view.classroom.with->poll()) return;
  const PollShown& poll = *view.classroom.with->poll();
  show_overlay(scene, view, window, s, 0.25f, spacer());
  const Rect box = window.inset(std::max(s.px(24), (window.w - s.px(1400)) / 2), s.px(40));
  scene.box(box, s.r_large(), s[Role::Background], s[Role::Border], s.px(2));
  scene.region(box, "panel:class", "What the class is asked", false);
  const Rect in = box.inset(s.px(32), s.px(20));
  const float head = s.px(44), foot = s.px(52), gap = s.px(14);
  const std::string round = poll.round > 1 ? "Asked again: talk it over, then answer" : "The class is asked";
  const std::string title = poll.counted || poll.told ? "What the class has answered" : round;
  show(scene, row(of(text(title, kCardHeading).width(grow()), close_button()), 10, Across::Center),
       {in.x, in.y, in.w, head}, s, view.hover);

  constexpr std::array<std::string_view, kSureLevels> kSure{"I guess", "Rather sure", "Sure"};
  std::vector<Choice> levels;
  for (int k = 0; k < kSureLevels; ++k)
    levels.push_back(
        {std::string(kSure[size_t(k)]),
         {fmt::format("sure:{}", k),
          fmt::format("How sure you are: goes with your answer. Key: {}", (poll.asked.options > 6 ? "123" : "GRS")[k]),
          means(BeSureInClass{k})},
         sure_in_class(view) == k});
  const bool fault =
      !view.classroom.fault.empty() || !view.classroom.with->vote_fault().empty() || !view.classroom.with->in();
  std::vector<Node> line =
      of(wrapped(vote_state_words(view, session), {18, Face::SansBold, fault ? Role::WrongText : Role::Text}, 2)
             .width(grow()));
  if (poll.open) line.push_back(segments(std::move(levels)).width(px(380)).height(px(42)));
  show(scene, row(std::move(line), 16, Across::Center), {in.x, in.bottom() - foot, in.w, foot}, s, view.hover);

  const Rect area{in.x, in.y + head + gap, in.w, in.h - head - foot - 2 * gap};
  const AskedQuestion asked = class_question(view);
  if (!asked.question) return layout_letters(scene, view, area, s);
  layout_room_question(scene, session, view, asked, area, s, Answering{voted_place(view, session), poll.open});
}

}  // namespace tilewalk
