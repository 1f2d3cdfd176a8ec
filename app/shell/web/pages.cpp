// Writes what a host serves beside the program, for readers without it: each lesson as a page, a picture of each, and
// their names for the front page. A program for node, run while the site is made.
// Usage: node tilewalk_pages.js LESSONS-FOLDER OUT
#include "app/export/lesson_page.h"
#include "app/panels/stage_picture.h"
#include "app/scene/svg_painter.h"
#include "app/session/link_moves.h"
#include "app/window/lesson_files.h"
#include "core/io/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr Vec2 kPicture{1280, 720};
// The beat that shows a lesson's stage best: the second, but of the last lesson.
int pictured_beat(const Lesson& lesson, size_t lessons) {
  return lesson.number == int(lessons) ? int(lesson.beats.size()) : 2;
}

std::string picture(const ViewState& course, const std::string& link) {
  Session session;
  ViewState view;
  view.lesson.course = course.lesson.course;
  view.lesson.cache = course.lesson.cache;
  open_link(link, session, view);
  view.phase = 1;
  const StagePicture shown = stage_picture(session, view, kPicture);
  return to_svg(shown.scene, {.title = shown.title, .description = shown.description});
}

int write_pages(const fs::path& lessons, const fs::path& out) {
  LessonFiles files({lessons}, {});
  ViewState view;
  files.open(view);
  nlohmann::ordered_json index = nlohmann::ordered_json::array();
  size_t count = 0;
  for (const CourseEntry& entry : view.lesson.course->entries()) count += entry.lesson ? 1 : 0;
  for (const char* folder : {"lessons", "pictures"}) fs::create_directories(out / folder);
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson || entry.lesson->number < 1) continue;
    const Lesson& lesson = *entry.lesson;
    write_file(out / "lessons" / fmt::format("{}.html", lesson.number), lesson_page(view.lesson.course, lesson));
    write_file(out / "pictures" / fmt::format("{}.svg", lesson.number),
               picture(view, fmt::format("tilewalk://lesson/{}/beat/{}", lesson.number, pictured_beat(lesson, count))));
    index.push_back({{"number", lesson.number}, {"title", lesson.title}, {"minutes", lesson.minutes}});
  }
  write_file(out / "lessons.json", index.dump(1));
  return index.empty() ? 1 : 0;
}

}  // namespace
}  // namespace tilewalk

int main(int count, char** words) {
  try {
    if (count == 3) return tilewalk::write_pages(words[1], words[2]);
    std::fputs("Usage: tilewalk_pages LESSONS-FOLDER OUT\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
