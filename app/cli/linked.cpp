#include "app/cli/linked.h"

#include "app/session/link_moves.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/ostream.h>

namespace tilewalk {

std::shared_ptr<const Course> open_course() {
  const Environment environment = read_environment();
  auto course = std::make_shared<Course>();
  course->open(lesson_folders(environment.program.parent_path(), find_folders(environment, false).data));
  return course;
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
  if (!opened.words.empty()) fmt::print(console.err, "tilewalk {}: {}\n", command, printable(opened.words));
  return out;
}

}  // namespace tilewalk
