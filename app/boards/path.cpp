// The path as a map: its lessons as stations, and the ways through it that its prologue offers. A way is chosen here, a
// station opens its lesson; what is not on the chosen way stands back.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/state/action.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct Map {
  std::vector<const Lesson*> lessons;  // of the path, by number
  std::vector<const LessonWay*> ways;
  const LessonWay* chosen = nullptr;
};

Map map_of(const ViewState& view) {
  Map map;
  const Course* course = view.lesson.course.get();
  if (!course) return map;
  for (const CourseEntry& entry : course->entries())
    if (entry.lesson && entry.lesson->number > 0) map.lessons.push_back(entry.lesson.get());
  if (const auto prologue = course->prologue())
    for (const LessonWay& way : prologue->ways) map.ways.push_back(&way);
  map.chosen = course->way_called(view.lesson.way);
  return map;
}

double minutes_of(const Map& map, const LessonWay* way) {
  double minutes = 0;
  for (const Lesson* lesson : map.lessons) minutes += on_way(*lesson, way) ? lesson->minutes : 0;
  return minutes;
}

// The shortest way; null without ways.
const LessonWay* shortest(const Map& map) {
  const auto least = std::ranges::min_element(map.ways, {}, [](const LessonWay* way) { return way->lessons.size(); });
  return least == map.ways.end() ? nullptr : *least;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Map map = map_of(view.view);
  const LessonWay* idea = shortest(map);
  const auto number = [](std::string id, std::string label, double value) {
    return Reading{std::move(id), std::move(label), {value, "", Origin::Computed, "of the lessons' own minutes"}};
  };
  return {number("lessons", "Lessons", double(map.lessons.size())),
          number("minutes", "Minutes of all lessons", minutes_of(map, nullptr)),
          number("idea_lessons", "Lessons of the shortest way", idea ? double(idea->lessons.size()) : 0),
          number("idea_minutes", "Minutes of the shortest way", idea ? minutes_of(map, idea) : 0)};
}

std::string caption(const Exhibit& view) {
  const Map map = map_of(view.view);
  if (!map.chosen) return "Two ways lead through the lessons. Choose one; you can change it whenever you like.";
  return fmt::format("{}: {} lessons, about {:.0f} minutes. The list on the left shows it.", map.chosen->title,
                     map.chosen->lessons.size(), minutes_of(map, map.chosen));
}

void press(const BoardView& view, Rect rect, std::string id, std::string tip, Action action, float radius) {
  if (!view.hands) return;
  view.region(rect, std::move(id), std::move(tip), true, radius);
  view.scene.regions.back().press = std::make_shared<const Action>(std::move(action));
}

// "1 to 4, 6, 7": those that follow each other are told as a run.
std::string numbers_of(const LessonWay& way) {
  std::string out;
  for (size_t from = 0, to; from < way.lessons.size(); from = to) {
    to = from + 1;
    while (to < way.lessons.size() && way.lessons[to] == way.lessons[to - 1] + 1) ++to;
    if (to - from == 2) to = from + 1;
    if (!out.empty()) out += ", ";
    out += to - from > 1 ? fmt::format("{} to {}", way.lessons[from], way.lessons[to - 1])
                         : fmt::format("{}", way.lessons[from]);
  }
  return out;
}

std::string extent_of(const Map& map, const LessonWay& way) {
  const bool all = way.lessons.size() == map.lessons.size();
  return fmt::format("{}{} lessons, about {:.0f} minutes{}", all ? "All " : "", way.lessons.size(),
                     minutes_of(map, &way), all ? "" : ": " + numbers_of(way));
}

void layout_way(const BoardView& view, Rect card, const Map& map, const LessonWay& way) {
  const Style& st = view.style;
  const std::string id = "way:" + way.id;
  const bool chosen = map.chosen == &way, hot = view.view.hover == id;
  view.box(card, st.r_large(),
           chosen ? Role::Inverse
           : hot  ? Role::SurfaceStrong
                  : Role::Surface,
           chosen ? Role::Inverse : Role::Border, st.px(2));
  const Color ink = view[chosen ? Role::InverseText : Role::Text];
  const Rect in = card.inset(st.px(20), st.px(12));
  // The sentence takes what the title leaves, as large as it fits.
  const float title = std::min(st.px(38), in.h * 0.36f), foot = st.px(24);
  view.text({in.x, in.y, in.w, title}, (chosen ? "✓ " : "") + way.title, Face::SansBold,
            std::min(st.title(), title * 0.75f), ink);
  const Rect said{in.x, in.y + title, in.w, in.h - title - foot};
  const auto fits = [&](float size) {
    return float(wrap_text(way.says, Face::Sans, size, said.w).size()) * size * kLinePitch <= said.h;
  };
  float size = st.body();
  while (size > st.small() && !fits(size)) size -= st.px(1);
  text_block(view, said, way.says, Face::Sans, size, ink);
  view.text({in.x, in.bottom() - foot, in.w, foot}, extent_of(map, way), Face::SansBold, st.number(), ink);
  press(view, card, id, fmt::format("{}: {} {}", way.title, way.says, extent_of(map, way)), ChooseWay{way.id},
        st.r_large());
}

void layout_station(const BoardView& view, Rect row, float disc, const Map& map, const Lesson& lesson) {
  const Style& st = view.style;
  const bool there = on_way(lesson, map.chosen);
  const bool ring = !map.chosen && !on_way(lesson, shortest(map));  // not on every way
  const auto& records = view.view.lesson.progress.lessons;
  const auto record = records.find(lesson.id);
  const bool done = record != records.end() && record->second.done;
  const std::string id = fmt::format("station:{}", lesson.number);
  if (view.view.hover == id) view.box(row, st.r_medium(), Role::SurfaceStrong);
  const Rect circle{row.x + st.px(6), row.center().y - disc / 2, disc, disc};
  const Color fill = done ? view[Role::Right] : there && !ring ? view[Role::Inverse] : view[Role::Background];
  view.box(circle, disc / 2, fill,
           ring    ? view[Role::Inverse]
           : there ? Color{}
                   : view[Role::Ghost],
           there && !ring ? 0 : st.px(2));
  view.label(circle, done ? "✓" : fmt::format("{}", lesson.number), Face::SansBold, std::min(st.body(), disc * 0.5f),
             done    ? text_on(view[Role::Right])
             : ring  ? view[Role::Text]
             : there ? view[Role::InverseText]
                     : view[Role::TextSecondary],
             Align::Center);
  view.text({circle.right() + st.px(12), row.y, row.right() - circle.right() - st.px(16), row.h}, lesson.brief,
            there && !ring ? Face::SansBold : Face::Sans, st.body(), view[there ? Role::Text : Role::TextSecondary]);
  press(view, row, id,
        fmt::format("Lesson {}: {}. {:.0f} minutes{}", lesson.number, lesson.title, lesson.minutes,
                    there ? "" : ". Not on the way you chose"),
        OpenLesson{lesson.number}, st.r_medium());
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Map map = map_of(view.view);
  const float gap = st.px(20), cards = map.ways.empty() ? 0 : std::clamp(area.h * 0.3f, st.px(96), st.px(170));
  const float card = map.ways.empty() ? 0 : (area.w - gap * float(map.ways.size() - 1)) / float(map.ways.size());
  for (size_t k = 0; k < map.ways.size(); ++k)
    layout_way(view, {area.x + (card + gap) * float(k), area.y, card, cards}, map, *map.ways[k]);

  // In columns that are not the cards', each a line with its stations; below, what a ring is.
  constexpr size_t kColumns = 3;
  const size_t most = (map.lessons.size() + kColumns - 1) / kColumns;
  if (most == 0) return;
  const float legend = map.ways.size() > 1 && !map.chosen ? st.px(28) : 0, top = area.y + cards + gap;
  const float row = std::min((area.bottom() - top - legend) / float(most), st.px(64));
  const float disc = std::min(row * 0.74f, st.px(40));
  const float width = (area.w - gap * float(kColumns - 1)) / float(kColumns);
  for (size_t k = 0; k < map.lessons.size(); ++k) {
    const size_t column = k / most, at = k % most;
    const float x = area.x + (width + gap) * float(column), mid = x + st.px(6) + disc / 2;
    const Rect here{x, top + row * float(at), width, row};
    if (at + 1 < most && k + 1 < map.lessons.size())
      view.line({mid, here.center().y}, {mid, here.center().y + row}, view[Role::Ghost], st.px(3));
  }
  for (size_t k = 0; k < map.lessons.size(); ++k) {
    const float x = area.x + (width + gap) * float(k / most);
    layout_station(view, {x, top + row * float(k % most), width, row}, disc, map, *map.lessons[k]);
  }
  if (legend <= 0) return;
  view.text({area.x, top + row * float(most), area.w, legend},
            fmt::format("Filled: on both ways. A ring: {} alone.", map.ways.back()->title), Face::Sans, st.number(),
            view[Role::TextSecondary]);
}

}  // namespace

const Board kPathBoard{"path", "The path", {}, layout, caption, readings};

}  // namespace tilewalk
