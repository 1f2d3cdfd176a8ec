// Under the top bar: where one stands to the class, and the one thing to do about it.
#include "app/panels/class_panels.h"

#include "app/boards/board.h"
#include "app/panels/cards.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

using namespace ui;

// Behind "The class is": "at 6.3 A max that streams", "at a walk"; empty where it is nowhere yet.
std::string place_words(const ViewState& view) {
  const ReadLink read = read_link(view.classroom.with->led().link);
  const Link& link = read.link;
  if (view.classroom.with->led().step == 0 || !read.fault.empty()) return {};
  if (link.find("charts")) return "at the charts of the GPU tab";
  if (link.place == Link::Place::Walk) return "at a walk";
  if (link.place == Link::Place::Write) return link.find("puzzle") ? "at a puzzle of Write" : "at Write";
  if (link.place == Link::Place::Board) {
    const Board* board = board_named(link.name);
    return board ? fmt::format("at the board \"{}\"", board->title) : "at a board";
  }
  if (!view.lesson.course || !link.beat) return {};
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson) continue;
    const Lesson& lesson = *entry.lesson;
    if (link.name != lesson.id && link.name != std::to_string(lesson.number)) continue;
    const auto beat = size_t(*link.beat - 1);
    return beat < lesson.beats.size() ? fmt::format("at {}.{} {}", lesson.number, *link.beat, lesson.beats[beat].title)
                                      : std::string();
  }
  return {};
}

Node key_button(std::string words, std::string_view command, Fill fill = Fill::Solid) {
  return button(std::move(words), runs(command), fill, {16, Face::SansBold}).padding(14, 0);
}

}  // namespace

void layout_class_bar(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const ClassView& c = view.classroom;
  const Attendance& with = *c.with;
  scene.box(area, 0, s[Role::Surface]);
  scene.line({area.x, area.bottom() - s.px(0.5f)}, {area.right(), area.bottom() - s.px(0.5f)}, s[Role::Line], s.px(1));
  const bool refused = with.state() == Attendance::State::Refused, ended = with.state() == Attendance::State::Over;
  const bool over = refused || ended, fault = refused || with.state() == Attendance::State::Lost;
  const std::string state = class_state_words(view), place = with.in() ? place_words(view) : std::string();
  std::vector<Node> parts = of(text(ended               ? "○"
                                    : fault || c.around ? "!"
                                                        : "●",
                                    {16, Face::SansBold,
                                     fault   ? Role::WrongText
                                     : ended ? Role::TextSecondary
                                             : Role::AccentText})
                                   .width(px(20)));
  const bool ends = place.ends_with('?') || place.ends_with('.');
  const bool asks = !over && !teaches(view) && with.poll(), open = asks && with.poll()->open;
  const std::string where = place.empty() ? state : fmt::format("{} The class is {}{}", state, place, ends ? "" : ".");
  std::vector<std::string> forms;
  if (open && !with.my_vote()) forms = {"A question is open. " + where, "A question is open. " + state};
  if (open && !with.my_vote()) forms.push_back("A question is open.");
  if (forms.empty()) forms = {where, state};
  parts.push_back(text(std::move(forms), {16, Face::SansBold, fault ? Role::WrongText : Role::Text})
                      .width(grow())
                      .pressed({"class:state", with.in() ? "The class: " + c.page : state, nullptr, false}));
  if (asks)
    parts.push_back(button(open && !with.my_vote() ? "Answer the question" : "The question",
                           {"class:question", "The question that the class is asked", means(OpenClassQuestion{})},
                           Fill::Solid, {16, Face::SansBold})
                        .padding(14, 0));
  if (with.in() && (teaches(view) || c.around))
    parts.push_back(key_button(teaches(view) ? "The class…" : "Back to the class", "class-back"));
  if (with.left()) parts.push_back(key_button("What it came to…", "class-summary"));
  if (refused) parts.push_back(key_button("Join again…", "class-join"));
  parts.push_back(key_button(over ? "Close" : "Leave", "class-leave", Fill::Plain));
  show(scene, row(std::move(parts), 12, Across::Center).padding(20, 4), area, s, view.hover);
}

void layout_join_class(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const JoinClass& dialog = std::get<JoinClass>(view.over);
  const bool here = !view.classroom.here.empty();
  std::vector<Node> lines = of(text("Join a class", kCardHeading), spacer(px(10)),
                               field_of(view, "field:class", dialog.text, here ? "k7m-2xq" : "10.0.0.5:8660 k7m-2xq",
                                        here ? "The code, then Enter" : "Address and code, then Enter")
                                   .height(px(44)),
                               spacer(px(12)));
  if (dialog.fault.empty())
    lines.push_back(wrapped(
        here ? "The code stands on the wall." : "Address and code stand on the wall; a link to the class does, too.",
        {16, Face::Sans, Role::TextSecondary}));
  else
    lines.push_back(fault_text(dialog.fault));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(column(std::move(lines)).height(px(188)))), between(0, 640), {24, 18}, 0.25f));
}

}  // namespace tilewalk
