// What a class came to, once it is over, for who taught it: where it was, its puzzles and rooflines, and its questions,
// one a page, with what was voted before and after talking it over.
#include "app/panels/class_panels.h"

#include "app/panels/cards.h"
#include "app/panels/room_question.h"
#include "app/session/class_moves.h"
#include "app/session/class_puzzles.h"
#include "app/session/lesson_path.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using namespace ui;

std::string counted(int64_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

// Beats in the order of the class, each once, with the most pages that were there.
std::vector<PlaceCount> beats_of(const ClassLeft& left) {
  std::vector<PlaceCount> out;
  for (const PlaceLeft& step : left.places) {
    const std::string beat = beat_of_link(step.link);
    if (beat.empty()) continue;
    const auto known = std::ranges::find(out, beat, &PlaceCount::place);
    if (known == out.end())
      out.push_back({beat, step.pages});
    else
      known->pages = std::max(known->pages, step.pages);
  }
  return out;
}

Node line(std::string words, Role role = Role::Text) { return wrapped(std::move(words), {18, Face::Sans, role}, 2); }

Node head(std::string words) { return text(std::move(words), {18, Face::SansBold, Role::Text, Align::Left, 34}); }

Node all_of(const ClassLeft& left) {
  std::vector<Node> lines;
  std::string beats;
  for (const PlaceCount& beat : beats_of(left))
    beats += fmt::format("{}{}{}", beats.empty() ? "" : " · ", beat.place,
                         beat.pages > 0 ? fmt::format(" ({})", counted(beat.pages, "page", "pages")) : "");
  lines.push_back(head("Beats"));
  lines.push_back(wrapped(beats.empty() ? "The class was led to no beat." : beats, {18}, 4));
  lines.push_back(head("Questions"));
  if (left.polls.empty()) lines.push_back(line("None was asked.", Role::TextSecondary));
  for (size_t k = 0; k < left.polls.size(); ++k) {
    const PollLeft& poll = left.polls[k];
    std::string rounds;
    for (const Tally& round : poll.rounds)
      rounds += fmt::format("{}{}", rounds.empty() ? "" : ", then ", counted(round.votes, "vote", "votes"));
    const std::string id = fmt::format("summary:{}", k + 1);
    lines.push_back(button(fmt::format("{}. {}: {}", k + 1, poll.asked.title, rounds),
                           {id, "What was voted", means(TurnSummary{int(k + 1)})}, Fill::Plain, {18})
                        .height(px(36)));
  }
  if (!left.puzzles.empty()) lines.push_back(head("Puzzles"));
  for (const PuzzleCount& puzzle : left.puzzles) lines.push_back(line(words_of(puzzle)));
  if (!left.rooflines.empty()) {
    int64_t locked = 0;
    for (const RooflineCount& each : left.rooflines) locked += each.locked;
    lines.push_back(head("Rooflines"));
    lines.push_back(line(counted(locked, "was drawn and locked.", "were drawn and locked.")));
  }
  return list(std::move(lines), 4, [](int out) { return line(fmt::format("and {} more lines, in the file", out)); });
}

}  // namespace

void layout_class_summary(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  if (!in_class(view) || !view.classroom.with->left()) return;
  const ClassLeft& left = *view.classroom.with->left();
  const int pages = int(left.polls.size()), page = std::clamp(std::get<ClassSummary>(view.over).page, 0, pages);
  show_overlay(scene, view, window, s, 0.25f, spacer());
  const Rect box = window.inset(std::max(s.px(24), (window.w - s.px(1400)) / 2), s.px(40));
  scene.box(box, s.r_large(), s[Role::Background], s[Role::Border], s.px(2));
  scene.region(box, "panel:class-summary", "What the class came to", false);
  const Rect in = box.inset(s.px(32), s.px(20));
  const float top = s.px(44), foot = s.px(52), gap = s.px(14);
  const std::string title =
      page == 0 ? std::string("What the class came to")
                : fmt::format("Question {} of {}: {}", page, pages, left.polls[size_t(page - 1)].asked.title);
  show(scene, row(of(text(title, kCardHeading).width(grow()), close_button()), 10, Across::Center),
       {in.x, in.y, in.w, top}, s, view.hover);
  std::vector<Node> buttons;
  const auto turn = [&](int to, std::string words) {
    buttons.push_back(button(std::move(words),
                             {fmt::format("summary:{}", to),
                              to == 0 ? "Where it was, and what it did" : "What was voted", means(TurnSummary{to})},
                             Fill::Plain, {16, Face::SansBold})
                          .padding(14, 0));
  };
  if (page > 0) turn(page - 1, page == 1 ? "All of it" : "The question before");
  if (page < pages) turn(page + 1, page == 0 ? "Its questions" : "The next question");
  buttons.push_back(spacer());
  buttons.push_back(button("Save it as a file", runs("class-save"), Fill::Solid, {16, Face::SansBold}).padding(14, 0));
  show(scene, row(std::move(buttons), 12).padding(0, 6), {in.x, in.bottom() - foot, in.w, foot}, s, view.hover);

  const Rect area{in.x, in.y + top + gap, in.w, in.h - top - foot - 2 * gap};
  if (page == 0) return show(scene, all_of(left), area, s, view.hover);
  const PollLeft& poll = left.polls[size_t(page - 1)];
  const AskedQuestion asked = question_left(view, poll.asked);
  if (!asked.question)
    return show(scene, line("The question is of a lesson that this program does not have; the file holds its numbers."),
                area, s, view.hover);
  ViewState with_seed = view;  // the class's numbers and order of options
  with_seed.lesson.questions[asked.key].seed = uint64_t(poll.asked.seed);
  layout_room_question(scene, session, with_seed, asked, area, s, Answering{std::nullopt, false, &poll});
}

}  // namespace tilewalk
