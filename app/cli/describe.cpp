#include "app/cli/describe.h"

#include "app/panels/describe.h"
#include "app/session/link_moves.h"
#include "core/io/paths.h"
#include "core/lesson/course.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>

namespace tilewalk {

DescribeCommand::DescribeCommand(CLI::App& command) {
  command.add_option("link", link_, "tilewalk://lesson/6/beat/2, tilewalk://walk/step/37?N=64, tilewalk://board/clocks")
      ->required()
      ->type_name("LINK");
}

void DescribeCommand::run(Console& console) const {
  if (const ReadLink read = read_link(link_); !read.fault.empty()) throw CommandError(kUsage, read.fault);
  const Environment environment = read_environment();
  auto course = std::make_shared<Course>();
  course->open(lesson_folders(environment.program.parent_path(), find_folders(environment, false).data));
  Session session;
  ViewState view;
  view.lesson.course = std::move(course);
  view.lesson.cache = std::make_shared<LessonCache>();

  const Opened opened = open_link(link_, session, view);
  if (!opened.there) throw CommandError(kFailure, opened.words);
  if (!opened.words.empty()) fmt::print(console.err, "tilewalk describe: {}\n", opened.words);
  for (const std::string& line : describe(session, view)) {
    const int indent = int(line.find_first_not_of(' ') == std::string::npos ? 0 : line.find_first_not_of(' '));
    // Code keeps its own lines.
    const bool keeps = line.find('\n') != std::string::npos;
    fmt::print(console.out, "{}\n", keeps ? line : std::string(size_t(indent), ' ') +
                                                       wrapped(line.substr(size_t(indent)), console.columns - indent, indent + 2));
  }
}

}  // namespace tilewalk
