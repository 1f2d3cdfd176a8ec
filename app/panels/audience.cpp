#include "app/panels/audience.h"

#include "app/boards/board.h"
#include "app/boards/draw.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/panels/asked_premises.h"
#include "app/panels/class_panels.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/room_charts.h"
#include "app/panels/room_foot.h"
#include "app/panels/room_overlay.h"
#include "app/panels/room_question.h"
#include "app/panels/room_slide.h"
#include "app/panels/said_strip.h"
#include "app/scene/layout_check.h"
#include "app/session/breaking.h"
#include "app/session/class_moves.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"
#include "app/stage/room.h"
#include "app/text/text.h"
#include "core/io/trimmed.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

// Strokes, and fills as thin as strokes, at least so many pixels wide. Strokes lie inside their box, so that what is
// drawn around them stays as it is.
void widen_strokes(Scene& scene, float least) {
  for (Item& item : scene.items) {
    if (auto* line = std::get_if<Line>(&item)) line->width = std::max(line->width, least);
    auto* box = std::get_if<Box>(&item);
    if (!box) continue;
    if (box->stroke.a > 0 && box->stroke_width > 0) box->stroke_width = std::max(box->stroke_width, least);
    if (box->fill.a == 0) continue;
    if (box->rect.w > 0 && box->rect.w < least) box->rect.x -= (least - box->rect.w) / 2, box->rect.w = least;
    if (box->rect.h > 0 && box->rect.h < least) box->rect.y -= (least - box->rect.h) / 2, box->rect.h = least;
  }
}

// What a board is, where its caption is for one who learns alone.
std::string_view stated(const Board& board) {
  return board.id == "draw" ? "A roofline: what memory and the unit allow, over the work done for each byte."
                            : board.title;
}

void layout_room_board(const BoardView& view, Rect area) {
  const Style& st = view.style;
  std::string words = view.board.caption(view);
  const bool speakers = view.hands && view.view.present.presenters_window();
  if (!speakers) words = without_controls(words);
  if (words.empty()) words = stated(view.board);
  const float caption = st.px(54);
  float size = st.heading();
  while (size > st.caption() && wrap_text(words, Face::SansBold, size, area.w).size() * size * kLinePitch > caption)
    size -= st.px(1);
  text_block(view, {area.x, area.y, balanced_width(words, Face::SansBold, size, area.w), caption + st.px(2)}, words,
             Face::SansBold, size, Role::Text);
  const float gap = st.px(8);
  view.board.layout(view, {area.x, area.y + caption + gap, area.w, area.h - caption - gap});
}

std::string where_words(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const Board* board = view.gpu.enlarged ? nullptr : board_named(view.board.board);
  const Presentation& p = view.present;
  // Of a talk its stops are counted, of a lesson its beats; a walk or tool in between is of the stop that was left.
  const bool stop = !p.set.items.empty() && (!off_set_list(view) || (!lesson && p.landed.beat >= 0));
  const std::string at = stop     ? fmt::format("{} of {}", p.place + 1, p.set.items.size())
                         : lesson ? fmt::format("{} of {}", view.lesson.beat + 1, lesson->beats.size())
                                  : std::string();
  std::string name = slide_on_show(view) ? std::string()
                     : lesson            ? lesson_words(*lesson)
                     : board             ? std::string(board->title)
                                         : std::string();
  if (name.empty() && at.empty()) return "Tilewalk";
  return name + (name.empty() || at.empty() ? "" : " · ") + at;
}

constexpr float kFootGap = 20;  // before it

// How wide that is; a countdown lies there, and may be wider.
float where_width(const ViewState& view, const Style& st, Rect in) {
  const float words = text_width(where_words(view), Face::Sans, st.small()) + st.px(2);
  if (view.present.countdown <= 0) return words;
  const float lines = 2 * (in.x + in.w / 2) * 9 / 16;  // of the picture, which lies around `in`
  return std::max(words, (countdown_plate(view.present).w + kCountdownMargin) * lines / 1080 - in.x);
}

// The wall within its margins, and what the marks mean that are on it: "◇ published".
struct Wall {
  const ViewState& view;
  const Style& st;
  Rect in;
  std::string marks;
};

// What a number is whose mark is on the wall, other than that it is computed here.
std::string marks_on(const Scene& scene) {
  std::string words;
  for (const Origin origin : {Origin::Published, Origin::Recorded}) {
    const std::string_view mark = trimmed(mark_of(origin));
    const std::string told = fmt::format("{} {}", mark, name_of(origin));
    const auto there = [&](std::string_view what) {
      return std::ranges::any_of(scene.items, [&](const Item& item) {
        const auto* label = std::get_if<Label>(&item);
        return label && label->text.find(what) != std::string::npos;
      });
    };
    if (there(mark) && !there(told)) words += (words.empty() ? "" : " · ") + told;
  }
  return words;
}

// What is left of the foot beside that.
float foot_room(const Wall& wall) {
  const auto& [view, st, in, marks] = wall;
  const float said = marks.empty() ? 0 : text_width(" · " + marks, Face::Sans, st.small());
  return in.w - where_width(view, st, in) - st.px(kFootGap) - said;
}

constexpr std::string_view kOnTheStage = "On the stage: ";  // before it, below a question

// What the numbers of the stage depend on, as much of it as the foot has room for, a question's too.
std::string premises(Session& session, const Wall& wall) {
  const ViewState& view = wall.view;
  const Style& st = wall.st;
  const std::string broken = broken_words(view), lead = broken.empty() ? "" : fmt::format("Broken: {}", broken);
  const std::string before =
      (view.present.question ? std::string(kOnTheStage) : "") + (lead.empty() ? lead : lead + " · ");
  const float room = foot_room(wall) - text_width(before, Face::Sans, st.small());
  std::string words;
  if (const Board* board = board_named(view.board.board)) {
    words = knob_words({view.board, session, view, *board}, st, room);
  } else {
    const Moment moment = moment_of(session.walk(), view);
    words = walk_premises(moment, session);
    // Where it stands in its tiles is no premise, and a question does not change with it.
    if (const std::string place = words + room_place(moment);
        !view.present.question && text_width(place, Face::Sans, st.small()) <= room)
      words = place;
  }
  return lead + (lead.empty() || words.empty() ? "" : " · ") + words;
}

// Left what is set on the board, right where one is; returns the rectangle above.
Rect layout_foot(Scene& scene, const Wall& wall, std::string words) {
  const auto& [view, st, in, marks] = wall;
  if (!marks.empty()) words += (words.empty() ? "" : " · ") + marks;
  const float h = st.px(22);
  const Rect foot{in.x, in.bottom() - h, in.w, h};
  const float w = where_width(view, st, in);
  if (view.present.countdown <= 0)
    scene.label({foot.right() - w, foot.y, w, h}, where_words(view), Face::Sans, st.small(), st[Role::TextSecondary],
                Align::Right);
  if (!words.empty())
    fitted_label(scene, st, {foot.x, foot.y, foot.w - w - st.px(kFootGap), h}, words, Face::Sans, st.small(),
                 st[Role::TextSecondary]);
  return {in.x, in.y, in.w, in.h - h - st.px(6)};
}

Scene lay_out(Session& session, const ViewState& view, Vec2 size, Hands hands, std::string marks = {}) {
  Style st(view.theme, room_scale(view, size));
  st.palette = for_wall(st.palette);
  Scene scene;
  scene.size = size;
  scene.background = st[Role::Background];

  const Rect in{st.px(24), st.px(14), size.x - st.px(48), size.y - st.px(24)};
  const Wall wall{view, st, in, std::move(marks)};
  const AskedQuestion asked = asked_now(view);
  if (view.present.joining && teaches(view)) {
    layout_room_invitation(scene, view, layout_foot(scene, wall, {}), st);
  } else if (const std::string* slide = slide_on_show(view)) {
    // A picture without a title has all of the wall, and leaves it blank where it cannot be shown.
    const Slide shown = slide_of(*slide);
    const std::shared_ptr<const Pixels>& pixels = view.present.slide_pixels;
    const Rect area = pixels || shown.title.empty() ? in : layout_foot(scene, wall, {});
    const float said = is_said(view) ? said_height(size.y) : 0;
    layout_room_slide(scene, shown, pixels, {0, said, size.x, size.y - said}, area, st);
  } else if (view.present.question && asked.question) {
    // The question may go on to other numbers than those of the stage.
    const std::string stage = premises_beside(asked, premises(session, wall), session, view);
    Rect area = layout_foot(scene, wall, stage.empty() ? stage : std::string(kOnTheStage) + stage);
    // The countdown lies in the lower corner; the question stays as it is while it comes and goes.
    area.h = std::min(area.h, size.y * (1 - kCountdownHeight / 1080) - area.y);
    layout_room_question(scene, session, view, asked, area, st);
  } else if (view.gpu.enlarged) {
    const Moment moment = moment_of(session.walk(), view);
    layout_room_charts(scene, session, moment, view, layout_foot(scene, wall, room_charts_premises(view)), st);
  } else if (const Board* board = board_named(view.board.board)) {
    const BoardView board_view{{view.board, session, view, *board}, {scene, st}, nullptr, false, hands == Hands::On};
    layout_room_board(board_view, layout_foot(scene, wall, premises(session, wall)));
  } else {
    const Moment moment = moment_of(session.walk(), view);
    const Rect stage = layout_room_puzzle(scene, view, layout_foot(scene, wall, premises(session, wall)), st);
    if (Walk* other = session.other())
      layout_room_pair(scene, session, moment, matching_moment(*other, moment, view), view, stage, st);
    else
      layout_room_stage(scene, session, moment, view, stage, st);
  }
  if (!slide_on_show(view) || !view.present.slide_pixels) {  // a speaker's own picture is left whole
    const float line = 4 * size.y / 1080;
    scene.box({0, size.y - line, size.x * presented_share(view), line}, 0, st[Role::Text]);
  }
  widen_strokes(scene, kRoomStroke * size.y / 1080);
  return scene;
}

}  // namespace

Rect room_picture(Vec2 screen) {
  const float w = std::floor(std::min(screen.x, screen.y * 16 / 9)), h = std::floor(w * 9 / 16);
  return {std::floor((screen.x - w) / 2), std::floor((screen.y - h) / 2), w, h};
}

float room_scale(const ViewState& view, Vec2 size) { return size.y / kRoomLines * view.present.audience_scale; }

Scene layout_audience(Session& session, const ViewState& presenters, Vec2 size, Hands hands) {
  ViewState view = presenters;
  view.theme = view.present.theme;
  view.hover.clear();
  view.focus.clear();
  without_typed_cell(view);  // a number is on the wall once it is entered
  view.editing.clear();
  view.focus_ring = false;
  // Larger type where all of it still fits, else the largest that does.
  float& scale = view.present.audience_scale;
  for (; scale > 1.01f; scale = std::max(1.0f, scale - 0.1f)) {
    ViewState still = view;  // what travels lies over other things for a while
    still.phase = 1;
    if (layout_faults(lay_out(session, still, size, Hands::On), kRoomText * size.y / 1080, size.y / kRoomLines).empty())
      break;
  }
  const Presentation& p = view.present;
  if (!p.presenters_window() && p.tool == Tool::Normal && p.since_pointer < kPointerSeconds) hands = Hands::On;
  Scene scene = lay_out(session, view, size, hands);
  const std::string marks = marks_on(scene);
  return marks.empty() ? scene : lay_out(session, view, size, hands, marks);
}

}  // namespace tilewalk
