// Of who teaches: how many are here and where, the queue of the GPU, what the room needs to join, and the end of it
// all.
#include "app/panels/class_panels.h"

#include "app/boards/draw.h"
#include "app/panels/cards.h"
#include "app/panels/room_votes.h"
#include "app/session/class_moves.h"
#include "app/session/class_puzzles.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/lesson/course.h"
#include "core/puzzle/puzzle.h"
#include "core/run/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace tilewalk {
namespace {

using namespace ui;

std::string gpu_words(const ViewState& view) {
  const Attendance& with = *view.classroom.with;
  std::string fault;
  const auto hello = from_worker(with.gpu(), fault);
  const Hello* gpu = hello ? std::get_if<Hello>(&*hello) : nullptr;
  if (!gpu) return "No GPU: recorded runs are shown.";
  const ClassNow& now = with.now();
  const std::string more = now.workers > 1 ? fmt::format(" and {} more", now.workers - 1) : "";
  std::string out =
      fmt::format("{}{}: {}", gpu->gpu.gpu, more,
                  now.waiting == 0 ? "nobody waits"
                                   : fmt::format("{} {} in the queue", now.waiting, now.waiting == 1 ? "run" : "runs"));
  if (now.answered > 0) out += fmt::format(", {} answered so far", now.answered);
  return out;
}

// The question that is open, as it comes in: on no wall.
Node votes_now(const Session& session, const ViewState& view) {
  const Attendance& with = *view.classroom.with;
  const VoteCount& count = with.count();
  if (!with.poll() || !with.poll()->open || !count.so_far) return spacer(px(0));
  const AskedQuestion asked = asked_now(view);
  if (!asked.question) return spacer(px(0));
  const Instance instance = instance_on_show(asked, session, view);
  const ClassVotes votes = votes_of(with.poll()->asked, {*count.so_far}, false, instance);
  std::string so_far;
  for (size_t k = 0; k < votes.rounds[0].options.size(); ++k) {
    int all = 0;
    for (const int each : votes.rounds[0].options[k]) all += each;
    so_far += fmt::format("{}{} {}", so_far.empty() ? "" : "   ", char('A' + k), all);
  }
  Node said = text(so_far, {18, Face::Mono});
  if (asked.question->options.empty())
    said = canvas([votes, question = *asked.question](Scene& out, Rect r, const Style& s) {
             draw_numbers(out, s, r, votes, question, s.px(16));
           }).height(px(62));
  return column(of(text(count_words(view) + ". So far:", {18, Face::SansBold}), std::move(said))).height(px(88));
}

Node puzzles_of(const ClassNow& now) {
  std::vector<Node> rows;
  const auto add = [&](const PuzzleCount& puzzle) { rows.push_back(text(words_of(puzzle), {18}).height(px(28))); };
  PuzzleCount own;  // those that nobody shipped, whatever pages call them
  for (const PuzzleCount& puzzle : now.puzzles)
    if (puzzle_named(puzzle.puzzle))
      add(puzzle);
    else
      own.solved = std::max(own.solved, puzzle.solved), own.at += puzzle.at;
  if (own.solved > 0 || own.at > 0) add(own);
  return list(std::move(rows), 1, [](int out) {
    return text(fmt::format("and {} more puzzles", out), {16, Face::Sans, Role::TextSecondary}).height(px(28));
  });
}

// "34 are here, 31 with you; 28 have locked a roofline". Where nobody looks around, all are with who teaches.
std::string here_words(const ViewState& view) {
  const Attendance& with = *view.classroom.with;
  const ClassNow& now = with.now();
  std::string out = fmt::format("{} {} here", now.learners, now.learners == 1 ? "is" : "are");
  if (now.learners > 0 && now.steps > 0)
    out += now.following == now.learners ? ", all with you" : fmt::format(", {} with you", now.following);
  const size_t drawn = view.board.board == kDrawBoard.id ? class_drawings_count(view, sheet_of(view.board)) : 0;
  if (drawn > 0) out += fmt::format("; {} {} locked a roofline", drawn, drawn == 1 ? "has" : "have");
  return out;
}

// "6.2", as pages say it, of a lesson that is here; "Start here" of the prologue; else "elsewhere".
std::string place_words(const ViewState& view, std::string_view place) {
  const size_t dot = place.find('.');
  const std::string_view id = place.substr(0, dot);
  const auto beat = dot == place.npos ? std::optional<int64_t>(1) : number_of<int64_t>(place.substr(dot + 1));
  if (view.lesson.course)
    for (const auto& entry : view.lesson.course->entries())
      if (const Lesson* lesson = entry.lesson.get(); lesson &&
                                                     (id == lesson->id || id == std::to_string(lesson->number)) &&
                                                     beat && *beat >= 1 && *beat <= int64_t(lesson->beats.size()))
        return lesson->number > 0 ? fmt::format("{}.{}", lesson->number, *beat) : lesson->title;
  return "elsewhere";
}

// Where those look around who are not where the class is: the beats with most pages first.
Node places_of(const ViewState& view) {
  const ClassNow& now = view.classroom.with->now();
  std::map<std::string, int64_t> counted;
  for (const PlaceCount& each : now.places) counted[place_words(view, each.place)] += each.pages;
  std::vector<PlaceCount> places;
  for (const auto& [place, pages] : counted) places.push_back({place, pages});
  std::ranges::sort(
      places, [](const auto& a, const auto& b) { return a.pages != b.pages ? a.pages > b.pages : a.place < b.place; });
  std::vector<Node> rows;
  const int64_t most = std::max<int64_t>(1, places.empty() ? 1 : places.front().pages);
  for (const PlaceCount& place : places) {
    const float share = float(place.pages) / float(most);
    rows.push_back(
        row(of(text(place.place, {18, Face::Mono}).width(px(150)),
               canvas([share](Scene& scene, Rect r, const Style& s) {
                 scene.box({r.x, r.y + s.px(7), r.w * share, r.h - s.px(14)}, s.px(3), s[Role::Inverse]);
               }).width(grow()),
               text(std::to_string(place.pages), {18, Face::MonoBold, Role::Text, Align::Right}).width(px(60))),
            12)
            .height(px(30)));
  }
  if (rows.empty() && now.learners == 0)
    rows.push_back(text("Nobody is here yet.", {18, Face::Sans, Role::TextSecondary}));
  return list(std::move(rows), 1, [](int out) {
    return text(fmt::format("and {} more places", out), {16, Face::Sans, Role::TextSecondary}).height(px(30));
  });
}

// Dark modules on light ground, whatever the theme: a camera expects it so.
void draw_qr(Scene& scene, Rect r, const std::vector<std::string>& rows) {
  if (rows.empty()) return;
  constexpr float kQuiet = 4;  // light modules around it
  const float count = float(rows.size()) + 2 * kQuiet, side = std::floor(std::min(r.w, r.h) / count) * count;
  const float module = side / count, x = std::floor(r.x), y = std::floor(r.center().y - side / 2);
  scene.box({x, y, side, side}, 0, rgb(0xFFFFFF));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t column = 0; column < rows[row].size();) {
      size_t end = column;
      while (end < rows[row].size() && rows[row][end] == '#') ++end;
      if (end > column)
        scene.box({x + (kQuiet + float(column)) * module, y + (kQuiet + float(row)) * module,
                   float(end - column) * module, module},
                  0, rgb(0x000000));
      column = end + 1;
    }
}

// The address and the code of the invitation, "http://10.0.0.5:8660/ k7m-2xq".
std::pair<std::string, std::string> invitation_of(const ViewState& view) {
  const std::string& join = view.classroom.with->welcome().join;
  const size_t blank = join.find(' ');
  if (blank == join.npos) return {view.classroom.page, view.classroom.with->ticket().code};
  return {join.substr(0, blank), join.substr(blank + 1)};
}

}  // namespace

void layout_class_desk(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  if (!teaches(view)) return;
  const ClassNow& now = view.classroom.with->now();
  const auto [address, code] = invitation_of(view);
  const bool ends = std::get<ClassDesk>(view.over).ends;
  const std::vector<std::string> qr = view.classroom.with->welcome().qr;
  Node invitation =
      row(of(canvas([qr](Scene& out, Rect r, const Style&) { draw_qr(out, r, qr); }).width(px(qr.empty() ? 0 : 150)),
             column(of(spacer(), text("Join at", {16, Face::Sans, Role::TextSecondary}),
                       text(address, {20, Face::MonoBold}),
                       text("with the code", {16, Face::Sans, Role::TextSecondary}),
                       text(code, {28, Face::MonoBold, Role::Text, Align::Left, 40}), spacer()))
                 .width(grow())),
          20)
          .height(px(150));
  // What ends it comes left of what asked for it, so that nobody presses twice at one place.
  std::vector<Node> head = of(text(ends ? "End it for all?" : "The class", kCardHeading).width(grow()));
  if (ends) {
    head.push_back(
        button("End it",
               {"class:really-end", "Every page is told, and what it did stays there", means(EndClassForAll{})},
               Fill::Solid)
            .width(px(110)));
    head.push_back(button("Go on", runs("class-back"), Fill::Plain).width(px(170)));
  } else {
    head.push_back(button("End the class…", runs("class-end"), Fill::Plain).width(px(170)));
  }
  head.push_back(close_button());
  show_overlay(
      scene, view, window, s, 0.25f,
      card(column(
               of(row(std::move(head), 10, Across::Center), spacer(px(8)), std::move(invitation), spacer(px(14)),
                  rule(), spacer(px(10)), text(here_words(view), {22, Face::SansBold}), votes_now(session, view),
                  places_of(view).height(px(now.puzzles.empty() ? 190 : 120)),
                  puzzles_of(now).height(px(now.puzzles.empty() ? 0 : 70)), spacer(px(10)), rule(), spacer(px(10)),
                  row(of(text(locked_ahead(view) ? "Beats ahead are closed" : "All beats are open", {18}).width(grow()),
                         button(locked_ahead(view) ? "Open them" : "Close beats ahead", runs("class-lock"), Fill::Solid)
                             .width(px(190))),
                      16, Across::Center)
                      .height(px(44)),
                  spacer(px(6)), text(gpu_words(view), {18}).height(px(44)))),
           between(0, 720), {28, 20}));
}

void layout_room_invitation(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const auto [address, code] = invitation_of(view);
  const std::vector<std::string>& qr = view.classroom.with->welcome().qr;
  const float side = qr.empty() ? 0 : std::min(area.h, area.w * 0.42f);
  if (side > 0) draw_qr(scene, {area.x, area.y, side, area.h}, qr);
  const float x = area.x + (side > 0 ? side + s.px(40) : 0), w = area.right() - x;
  const auto fits = [&](const std::string& words, Face face, float wanted) {
    float size = s.px(wanted);
    while (size > s.px(14) && text_width(words, face, size) > w) size -= s.px(1);
    return size;
  };
  const float address_size = fits(address, Face::MonoBold, 44), code_size = fits(code, Face::MonoBold, 96);
  const float line = s.px(40);
  const float total = 2 * line + address_size * 1.5f + code_size * 1.4f + line;
  float y = area.center().y - total / 2;
  const auto put = [&](std::string_view words, Face face, float size, float h, Role role) {
    scene.label({x, y, w, h}, words, face, size, s[role]);
    y += h;
  };
  put("Join at", Face::Sans, s.px(26), line, Role::TextSecondary);
  put(address, Face::MonoBold, address_size, address_size * 1.5f, Role::Text);
  put("with the code", Face::Sans, s.px(26), line, Role::TextSecondary);
  put(code, Face::MonoBold, code_size, code_size * 1.4f, Role::Text);
  const int64_t here = view.classroom.with->now().learners;
  put(fmt::format("{} {} here", here, here == 1 ? "is" : "are"), Face::SansBold, s.px(26), line, Role::AccentText);
}

Rect layout_room_puzzle(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const PuzzleInClass puzzle = puzzle_in_class(view);
  if (puzzle.counts.empty()) return area;
  const float line = s.px(34);
  const auto put = [&](const std::string& words, Face face, Role role, float wanted) {
    float size = s.px(wanted);
    while (size > s.px(14) && text_width(words, face, size) > area.w) size -= s.px(1);
    scene.label({area.x, area.y, area.w, line}, words, face, size, s[role]);
    area.y += line, area.h -= line;
  };
  put(fmt::format("{}: {}", puzzle.title, puzzle.counts), Face::SansBold, Role::Text, 26);
  if (!puzzle.best.empty()) put(puzzle.best, Face::Sans, Role::AccentText, 22);
  return area;
}

}  // namespace tilewalk
