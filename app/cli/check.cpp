#include "app/cli/check.h"

#include "app/cli/lesson_facts.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/course.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kLastOfPath = 14;

// A lesson's file, and all that is wrong in it.
struct Checked {
  std::string file;
  std::shared_ptr<const Lesson> lesson;  // null where it could not be read
  std::vector<LessonFault> faults;
};

std::vector<Checked> read_paths(const std::vector<std::string>& paths) {
  std::vector<Checked> out;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
      throw CommandError(kUnreadable,
                         fmt::format("{} is not there; name a lesson or a folder of lessons.", printable_path(path)));
    if (fs::is_directory(status)) {
      Course course;
      course.open({path});
      if (course.entries().empty())
        throw CommandError(kUnreadable, fmt::format("{} holds no lessons: no file ends in .md.", printable_path(path)));
      for (const CourseEntry& entry : course.entries())
        out.push_back({printable_path(entry.path), entry.faults.empty() ? entry.lesson : nullptr, entry.faults});
      continue;
    }
    LessonFile file = read_lesson_file(path);
    out.push_back({printable_path(path), nullptr, std::move(file.faults)});
    if (file.lesson) out.back().lesson = std::make_shared<const Lesson>(std::move(*file.lesson));
  }
  return out;
}

// What links may name: these lessons, the program's own, and all places of the path.
std::vector<std::string> lesson_ids(const std::vector<Checked>& checked) {
  std::vector<std::string> out;
  for (int number = 1; number <= kLastOfPath; ++number) out.push_back(std::to_string(number));
  for (const Checked& each : checked)
    if (each.lesson) out.push_back(each.lesson->id);
  Course course;
  course.open(lesson_folders(read_environment().program.parent_path(), {}));
  for (const CourseEntry& entry : course.entries())
    if (entry.lesson) out.push_back(entry.lesson->id);
  return out;
}

void check_numbers(std::vector<Checked>& checked) {
  std::map<int, std::string> taken;
  for (Checked& each : checked) {
    if (!each.lesson || !each.lesson->number) continue;
    const auto [other, fresh] = taken.emplace(each.lesson->number, each.file);
    if (!fresh)
      each.faults.push_back({each.file, 0,
                             fmt::format("{} is number {} already; leave the number out, or change it.", other->second,
                                         each.lesson->number)});
  }
}

void print_quantities(Console& console) {
  for (const QuantityFunction& function : quantity_functions())
    fmt::print(console.out, "{}\n    {}\n",
               inked(console, Ink::Bold,
                     wrapped(fmt::format("{}({})", function.name, function.arguments), console.columns, 4)),
               wrapped(std::string(function.meaning), console.columns - 4, 4));
  fmt::print(console.out, "\n{}\n",
             wrapped(fmt::format("Formats: {}", fmt::join(quantity_formats(), ", ")), console.columns, 4));
}

Json json_of(const std::vector<Checked>& checked) {
  Json files = Json::array();
  for (const Checked& each : checked) {
    Json file{{"file", each.file}};
    if (each.lesson) {
      int64_t words = 0, questions = 0;
      for (const Beat& beat : each.lesson->beats) {
        words += count_words(beat.text);
        questions += int64_t(beat.questions.size());
      }
      file.update({{"id", each.lesson->id},
                   {"beats", each.lesson->beats.size()},
                   {"questions", questions},
                   {"words", words},
                   {"minutes", minutes_of(*each.lesson)}});
    }
    Json faults = Json::array();
    for (const LessonFault& fault : each.faults) faults.push_back({{"line", fault.line}, {"message", fault.message}});
    file["faults"] = std::move(faults);
    files.push_back(std::move(file));
  }
  return {{"files", std::move(files)}};
}

}  // namespace

CheckCommand::CheckCommand(CLI::App& command) {
  command.add_option("path", paths_, "lessons, or folders of lessons")->type_name("PATH");
  command.add_flag("--json", json_, "one JSON document");
  command.add_flag("--quantities", quantities_, "list the functions that expressions know");
  command.footer("Leaves with 1 where a lesson is at fault.");
}

void CheckCommand::run(Console& console) const {
  if (quantities_) print_quantities(console);
  if (paths_.empty() && quantities_) return;
  if (paths_.empty()) throw CommandError(kUsage, "name a lesson or a folder of lessons.");
  std::vector<Checked> checked = read_paths(paths_);
  CheckContext context = lesson_facts();
  context.lesson_ids = lesson_ids(checked);
  check_numbers(checked);
  size_t faults = 0;
  for (Checked& each : checked) {
    if (each.lesson)
      for (LessonFault& fault : check_lesson(*each.lesson, context)) each.faults.push_back(std::move(fault));
    faults += each.faults.size();
  }
  if (json_) {
    console.out << json_of(checked).dump(1) << '\n';
  } else {
    for (const Checked& each : checked)
      for (const LessonFault& fault : each.faults)
        fmt::print(console.out, "{}:{}: {}\n", each.file, fault.line, fault.message);
    for (const Checked& each : checked)
      if (each.faults.empty())
        fmt::print(console.out, "{}: good, about {:.1f} minutes\n", each.file, minutes_of(*each.lesson));
  }
  if (faults) throw CommandError(kFailure, std::vector<std::string>{});
}

}  // namespace tilewalk
