#include "app/cli/linked.h"

#include "app/session/link_moves.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/ostream.h>

namespace tilewalk {

std::shared_ptr<const Course> open_course() {
  static std::vector<std::filesystem::path> folders;  // of what was read last
  static std::shared_ptr<const Course> known;
  const Environment environment = read_environment();
  auto now = lesson_folders(environment.program.parent_path(), find_folders(environment, false).data);
  if (known && now == folders) {
    auto again = std::make_shared<Course>(*known);
    if (again->refresh()) known = std::move(again);
    return known;
  }
  auto course = std::make_shared<Course>();
  folders = std::move(now);
  course->open(folders);
  return known = std::move(course);
}

std::unique_ptr<Linked> follow_link(const std::string& link, std::string_view command, Console& console, bool wholly) {
  if (const ReadLink read = read_link(link); !read.fault.empty()) throw CommandError(kUsage, read.fault);
  auto out = std::make_unique<Linked>();
  out->view.lesson.course = open_course();
  out->view.lesson.cache = std::make_shared<LessonCache>();
  const Opened opened = open_link(link, out->session, out->view);
  if (!opened.there) throw CommandError(kFailure, opened.words);
  if (wholly && !opened.lost.empty())
    throw CommandError(kFailure, fmt::format("Nothing was written, as {} leads elsewhere: {}", in_quotes(link, 200),
                                             printable(opened.lost)));
  out->lost = opened.lost;
  if (!out->lost.empty()) fmt::print(console.err, "tilewalk {}: {}\n", command, printable(out->lost));
  return out;
}

}  // namespace tilewalk
