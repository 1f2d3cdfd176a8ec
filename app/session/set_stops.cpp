#include "app/session/set_stops.h"

#include "app/boards/board.h"
#include "app/session/charts_link.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"
#include "app/session/set_list.h"
#include "app/session/slide_picture.h"
#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/puzzle/puzzle.h"
#include "core/schedules/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace tilewalk {
namespace {

std::string title_in_lesson(const Link& link, const ViewState& view) {
  if (!view.lesson.course) return {};
  const std::shared_ptr<const Lesson> lesson = lesson_typed(link.name, *view.lesson.course);
  if (!lesson || lesson->beats.empty()) return {};
  const std::string step = link.step ? fmt::format(", step {}", *link.step) : std::string();
  if (!link.beat) return lesson->title + step;
  const int64_t beat = std::clamp<int64_t>(*link.beat, 1, int64_t(lesson->beats.size()));
  return lesson->beats[size_t(beat - 1)].title;
}

std::string title_of_walk(const Link& link) {
  if (std::string charts = title_of_charts(link); !charts.empty()) return charts;
  std::string title = "Walk";
  const auto add = [&](const std::string& words) { title += (title == "Walk" ? ": " : ", ") + words; };
  if (const std::string* schedule = link.find("schedule")) {
    const Schedule* found = schedule_named(*schedule);
    add(found ? std::string(found->name) : *schedule);
  }
  if (const std::string* n = link.find("N")) add("N = " + *n);
  if (link.step) add(fmt::format("step {}", *link.step));
  return title;
}

// "Why the sum needs alpha", of another puzzle or a program what it is.
std::string title_of_writing(const Link& link) {
  if (const std::string* id = link.find("puzzle")) {
    const std::shared_ptr<const Puzzle> puzzle = puzzle_named(*id);
    return puzzle ? puzzle->title : fmt::format("Write: puzzle {}, which is not here", printable(*id));
  }
  if (!link.find("program")) return "Write";
  return link.step ? fmt::format("Write: a program, step {}", *link.step) : "Write: a program";
}

constexpr std::string_view kCharts = "the GPU's charts";  // no board is called so

StopPlace stage_now(const ViewState& view) {
  if (view.gpu.enlarged) return {.lesson = {}, .board = std::string(kCharts), .beat = 0};
  if (!view.lesson.id.empty()) return {.lesson = view.lesson.id, .board = {}, .beat = view.lesson.beat};
  return {.lesson = {}, .board = view.board.board, .beat = 0};
}

}  // namespace

const std::string* slide_on_show(const ViewState& view) {
  const Presentation& p = view.present;
  return p.on && !p.slide.empty() && !p.elsewhere && p.under == stage_now(view) ? &p.slide : nullptr;
}

std::string show_slide(ViewState& view, const std::string& stop) {
  Presentation& p = view.present;
  p.slide = is_slide(stop) ? stop : std::string();
  p.under = stage_now(view);
  SlidePicture picture = picture_of_slide(p.slide, p.set, p.shelf);
  p.slide_pixels = std::move(picture.pixels);
  if (p.on && p.place + 1 < int(p.set.items.size()))
    draw_slide_ahead(p.set.items[size_t(p.place + 1)].link, p.set, p.shelf);
  return std::move(picture.fault);
}

StopPlace place_now(const ViewState& view) {
  if (const std::string* slide = slide_on_show(view)) return {.lesson = {}, .board = *slide, .beat = 0};
  return stage_now(view);
}

bool off_set_list(const ViewState& view) {
  const Presentation& p = view.present;
  return !p.set.items.empty() && (p.elsewhere || place_now(view) != p.landed);
}

bool off_stop(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.set.items.empty()) return off_set_list(view);
  if (p.landed.beat < 0 || !view.lesson.id.empty()) return false;
  return !p.landed.lesson.empty() || p.elsewhere || place_now(view).board != p.landed.board;
}

const SetItem* stop_on_show(const ViewState& view) {
  const Presentation& p = view.present;
  const bool there = p.place >= 0 && p.place < int(p.set.items.size()) && !off_set_list(view);
  return there ? &p.set.items[size_t(p.place)] : nullptr;
}

std::string stop_title(const SetItem& item, const ViewState& view) {
  if (!item.title.empty()) return item.title;
  if (is_slide(item.link)) return slide_of(item.link).name();
  const ReadLink read = read_link(item.link);
  if (!read.fault.empty()) return item.link;  // no list has such a line
  const auto not_here = [&](std::string_view what) {
    return fmt::format("{} {}, which is not here", what, printable(read.link.name));
  };
  switch (read.link.place) {
    case Link::Place::Walk: return title_of_walk(read.link);
    case Link::Place::Write: return title_of_writing(read.link);
    case Link::Place::Lesson: {
      const std::string title = title_in_lesson(read.link, view);
      return title.empty() ? not_here("Lesson") : title;
    }
    case Link::Place::Board: {
      const Board* board = board_named(read.link.name);
      return board ? std::string(board->title) : not_here("Board");
    }
  }
  return item.link;
}

float presented_share(const ViewState& view) {
  const Presentation& p = view.present;
  const auto share = [](int at, int of) { return of > 0 ? float(at + 1) / float(of) : 0; };
  if (!p.set.items.empty()) return share(p.place, int(p.set.items.size()));
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  return lesson ? share(view.lesson.beat, int(lesson->beats.size())) : 0;
}

std::string next_title(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.set.items.empty()) {
    const size_t next = size_t(off_set_list(view) ? p.place : p.place + 1);
    return next < p.set.items.size() ? stop_title(p.set.items[next], view) : std::string();
  }
  if (off_stop(view)) {
    const auto left = view.lesson.course ? view.lesson.course->lesson_with(p.landed.lesson) : nullptr;
    return left ? left->beats[size_t(p.landed.beat)].title : std::string();
  }
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || view.lesson.beat + 1 >= int(lesson->beats.size())) return {};
  return lesson->beats[size_t(view.lesson.beat) + 1].title;
}

}  // namespace tilewalk
