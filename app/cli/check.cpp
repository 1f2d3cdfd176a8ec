#include "app/cli/check.h"

#include "app/cli/lesson_facts.h"
#include "app/cli/linked.h"
#include "app/session/link_moves.h"
#include "app/session/set_list.h"
#include "app/session/slide_picture.h"
#include "core/io/file.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/check_teaching.h"
#include "core/lesson/course.h"
#include "core/puzzle/puzzle.h"
#include "core/judge/judge.h"
#include "core/walk/reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

// A program's file, and whether it is attention.
struct CheckedProgram {
  std::string file;
  std::vector<WalkFault> faults;  // of its text
  Verdict verdict;                // where it could be read

  bool good() const { return faults.empty() && verdict.kind == Verdict::Kind::Exact; }
};

CheckedProgram check_program(const std::string& path) {
  CheckedProgram out{printable_path(path), {}, {}};
  try {
    WalkRead read = read_walk(read_file(path, kMostWalkBytes));
    out.faults = std::move(read.faults);
    if (read.program) out.verdict = judge(*read.program);
  } catch (const IoError& error) {
    throw CommandError(kUnreadable, error.what());
  }
  return out;
}

// A judged problem as `tilewalk walk` takes it.
std::string options_of(const Problem& p) {
  return fmt::format("--n-q {} --n-k {} --d {} --br {} --bc {}{} --format fp64 --seed {}", p.n_q, p.n_k, p.d, p.br,
                     p.bc, p.mask == Mask::Causal ? fmt::format(" --causal --align {}", name_of(p.align)) : "", p.seed);
}

void print_program(const CheckedProgram& checked, Console& console) {
  for (const WalkFault& fault : checked.faults)
    fmt::print(console.out, "{}:{}:{}: {}\n", checked.file, fault.line, fault.column, fault.message);
  const Verdict& verdict = checked.verdict;
  if (!checked.faults.empty()) return;
  if (verdict.kind != Verdict::Kind::Exact)
    fmt::print(console.out, "{}:{}: {}{}\nIt broke here first: tilewalk walk --program {} {}\n", checked.file,
               verdict.line, verdict.kind == Verdict::Kind::Approximate ? "approximate: " : "", verdict.message,
               checked.file, options_of(verdict.problem));
  else
    fmt::print(console.out, "{}: good, {} on {} problems in float64{}{}\n", checked.file,
               verdict.backward ? "the gradients of attention" : "attention", kJudgedProblems,
               verdict.message.empty() ? "" : "; but ", verdict.message);
}

Json json_of(const CheckedProgram& checked) {
  Json faults = Json::array();
  for (const WalkFault& fault : checked.faults)
    faults.push_back({{"line", fault.line}, {"column", fault.column}, {"message", fault.message}});
  Json file{{"file", checked.file}, {"faults", std::move(faults)}};
  if (!checked.faults.empty()) return file;
  constexpr const char* kKinds[] = {"exact", "approximate", "wrong"};
  file.update({{"verdict", kKinds[int(checked.verdict.kind)]},
               {"line", checked.verdict.line},
               {"message", checked.verdict.message}});
  if (checked.verdict.kind != Verdict::Kind::Exact) file["problem"] = options_of(checked.verdict.problem);
  return file;
}

// A puzzle's file, and whether it holds what it says: a start that fails, a solution that does not, a near miss that is
// told why.
Checked check_puzzle(const std::string& path) {
  Checked out{printable_path(path), nullptr, {}};
  try {
    PuzzleRead read = read_puzzle(read_file(path, kMostPuzzleBytes), path);
    for (LessonFault& fault : read.faults) out.faults.push_back({out.file, fault.line, std::move(fault.message)});
    if (read.puzzle)
      for (std::string& fault : puzzle_faults(*read.puzzle)) out.faults.push_back({out.file, 0, std::move(fault)});
  } catch (const IoError& error) {
    throw CommandError(kUnreadable, error.what());
  }
  return out;
}

void print_fault(const LessonFault& fault, Console& console) {
  fmt::print(console.out, "{}{}: {}\n", fault.file, fault.line > 0 ? fmt::format(":{}", fault.line) : "",
             fault.message);
}

// A set list: lines that are no stop, and links that lead nowhere or not to all that they ask for.
Checked check_set_list(const std::string& path, int& stops) {
  Checked out{printable_path(path), nullptr, {}};
  const SetList list = open_set_list(path);
  if (list.items.empty() && list.faults.size() == 1 && !fs::exists(path))
    throw CommandError(kUnreadable, list.faults.front().message);
  for (const SetFault& fault : list.faults) out.faults.push_back({out.file, fault.line.value_or(0), fault.message});
  if (list.items.empty() && list.faults.empty()) out.faults.push_back({out.file, 0, "the set list has no stop in it."});
  Session session;
  ViewState view;
  view.lesson.course = open_course();
  view.lesson.cache = std::make_shared<LessonCache>();
  for (const SetItem& item : list.items) {
    ++stops;
    if (is_slide(item.link)) {
      std::vector<ShelvedPicture> shelf;
      if (std::string fault = picture_of_slide(item.link, list, shelf).fault; !fault.empty())
        out.faults.push_back({out.file, item.line, std::move(fault)});
      continue;
    }
    const Opened opened = open_link(item.link, session, view);
    const std::string& said = opened.lost.empty() ? opened.words : opened.lost;  // what is lost has the words, too
    if (!opened.there || !said.empty()) out.faults.push_back({out.file, item.line, said});
  }
  std::ranges::stable_sort(out.faults, {}, &LessonFault::line);
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

// Of the path's lessons together; said of the first of them.
void check_options(std::vector<Checked>& checked) {
  std::vector<const Lesson*> path;
  Checked* first = nullptr;
  for (Checked& each : checked) {
    if (!each.lesson || each.lesson->number < 1 || each.lesson->number > kLastOfPath) continue;
    if (!first) first = &each;
    path.push_back(each.lesson.get());
  }
  if (path.size() < 2) return;
  if (std::string fault = check_longest_options(path); !fault.empty())
    first->faults.push_back({first->file, 0, fmt::format("of all {} lessons: {}", path.size(), fault)});
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
  command.add_option("path", paths_, "lessons, folders, programs, puzzles, set lists")->type_name("PATH");
  command.add_flag("--json", json_, "one JSON document");
  command.add_flag("--quantities", quantities_, "list the functions that expressions know");
  command.footer("Leaves with 1 where one of them is at fault.");
}

void CheckCommand::run(Console& console) const {
  if (quantities_) print_quantities(console);
  if (paths_.empty() && quantities_) return;
  if (paths_.empty()) throw CommandError(kUsage, "name a lesson, a folder of lessons or a program.");
  std::vector<std::string> lessons;
  std::vector<CheckedProgram> programs;
  std::vector<Checked> puzzles, set_lists;
  std::vector<int> set_stops;  // of each
  for (const std::string& path : paths_) {
    if (is_set_list(path)) {
      int stops = 0;
      set_lists.push_back(check_set_list(path, stops));
      set_stops.push_back(stops);
    } else if (fs::path(path).extension() == ".puzzle")
      puzzles.push_back(check_puzzle(path));
    else if (fs::path(path).extension() == ".walk")
      programs.push_back(check_program(path));
    else
      lessons.push_back(path);
  }
  std::vector<Checked> checked = read_paths(lessons);
  CheckContext context = checked.empty() ? CheckContext{} : lesson_facts();
  if (!checked.empty()) context.lesson_ids = lesson_ids(checked);
  check_numbers(checked);
  check_options(checked);
  size_t faults = 0;
  for (Checked& each : checked) {
    if (each.lesson)
      for (LessonFault& fault : check_lesson(*each.lesson, context)) each.faults.push_back(std::move(fault));
    faults += each.faults.size();
  }
  for (const CheckedProgram& program : programs) faults += !program.good();
  for (const Checked& puzzle : puzzles) faults += puzzle.faults.size();
  for (const Checked& talk : set_lists) faults += talk.faults.size();
  if (json_) {
    Json all = json_of(checked);
    for (const CheckedProgram& program : programs) all["files"].push_back(json_of(program));
    const Json tried = json_of(puzzles);
    for (const Json& puzzle : tried.at("files")) all["files"].push_back(puzzle);
    const Json talks = json_of(set_lists);
    for (size_t k = 0; k < set_lists.size(); ++k) {
      Json talk = talks.at("files").at(k);
      talk["stops"] = set_stops[k];
      all["files"].push_back(std::move(talk));
    }
    console.out << all.dump(1) << '\n';
  } else {
    for (const Checked& each : checked)
      for (const LessonFault& fault : each.faults) print_fault({each.file, fault.line, fault.message}, console);
    for (const Checked& each : checked)
      if (each.faults.empty())
        fmt::print(console.out, "{}: good, about {:.0f} minutes, {:.1f} of them reading\n", each.file,
                   kTakenOverRead * minutes_of(*each.lesson), minutes_of(*each.lesson));
    for (const CheckedProgram& program : programs) print_program(program, console);
    for (const Checked& puzzle : puzzles) {
      for (const LessonFault& fault : puzzle.faults) print_fault(fault, console);
      if (puzzle.faults.empty()) fmt::print(console.out, "{}: good\n", puzzle.file);
    }
    for (size_t k = 0; k < set_lists.size(); ++k) {
      for (const LessonFault& fault : set_lists[k].faults) print_fault(fault, console);
      if (set_lists[k].faults.empty()) fmt::print(console.out, "{}: good, {} stops\n", set_lists[k].file, set_stops[k]);
    }
  }
  if (faults) throw CommandError(kFailure, std::vector<std::string>{});
}

}  // namespace tilewalk
