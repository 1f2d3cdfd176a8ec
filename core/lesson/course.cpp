#include "core/lesson/course.h"

#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> lesson_files(const std::vector<fs::path>& folders) {
  std::vector<fs::path> out;
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    std::vector<fs::path> files;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored))
      if (it->path().extension() == ".md" && it->path().filename() != "README.md") files.push_back(it->path());
    std::ranges::sort(files);
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

fs::file_time_type time_of(const fs::path& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  return error ? fs::file_time_type::min() : time;
}

}  // namespace

void Course::open(std::vector<fs::path> folders) {
  folders_ = std::move(folders);
  files_.clear();
  refresh();
}

bool Course::refresh() {
  const std::vector<fs::path> paths = lesson_files(folders_);
  std::vector<CourseEntry> now;
  bool changed = paths.size() != files_.size();
  for (const fs::path& path : paths) {
    const auto before = std::ranges::find(files_, path, &CourseEntry::path);
    const fs::file_time_type written = time_of(path);
    if (before != files_.end() && before->written == written) {
      now.push_back(*before);
      continue;
    }
    changed = true;
    LessonFile file = read_lesson_file(path);
    CourseEntry entry{nullptr, std::move(file.faults), path, written};
    if (file.lesson)
      entry.lesson = std::make_shared<const Lesson>(std::move(*file.lesson));
    else if (before != files_.end())
      entry.lesson = before->lesson;
    now.push_back(std::move(entry));
  }
  files_ = std::move(now);
  if (changed) arrange();
  return changed;
}

void Course::arrange() {
  entries_ = files_;
  std::map<std::string_view, const CourseEntry*> first;
  for (CourseEntry& entry : entries_) {
    if (!entry.lesson) continue;
    const auto [other, fresh] = first.emplace(entry.lesson->id, &entry);
    if (fresh) continue;
    entry.faults.push_back({printable_path(entry.path), 0,
                            fmt::format("{} and {} have one id, {}; the second one is left out.",
                                        printable_path(other->second->path.filename()),
                                        printable_path(entry.path.filename()), in_quotes(entry.lesson->id, 40))});
  }
  for (CourseEntry& entry : entries_)
    if (entry.lesson && first.at(entry.lesson->id) != &entry) entry.lesson = nullptr;
  std::ranges::stable_sort(entries_, {}, [](const CourseEntry& entry) {
    const int number = entry.lesson ? entry.lesson->number : 0;
    const bool prologue = entry.lesson && entry.lesson->prologue;
    return std::tuple(!prologue, number == 0, number, entry.path.filename());
  });
}

std::shared_ptr<const Lesson> Course::lesson_with(std::string_view id) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const CourseEntry& entry) { return entry.lesson && entry.lesson->id == id; });
  return found == entries_.end() ? nullptr : found->lesson;
}

std::shared_ptr<const Lesson> Course::lesson_numbered(int number) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const CourseEntry& entry) { return entry.lesson && number && entry.lesson->number == number; });
  return found == entries_.end() ? nullptr : found->lesson;
}

std::shared_ptr<const Lesson> Course::prologue() const {
  const auto found =
      std::ranges::find_if(entries_, [](const CourseEntry& entry) { return entry.lesson && entry.lesson->prologue; });
  return found == entries_.end() ? nullptr : found->lesson;
}

const LessonWay* Course::way_called(std::string_view id) const {
  const std::shared_ptr<const Lesson> before = prologue();
  if (!before) return nullptr;
  const auto found = std::ranges::find(before->ways, id, &LessonWay::id);
  return found == before->ways.end() ? nullptr : &*found;
}

bool on_way(const Lesson& lesson, const LessonWay* way) {
  return !way || lesson.number == 0 || std::ranges::binary_search(way->lessons, lesson.number);
}

std::vector<fs::path> lesson_folders(const fs::path& program_folder, const fs::path& data_folder) {
  std::vector<fs::path> out = program_data(program_folder, "lessons/en", "lessons/en");
  if (out.size() > 1) out.resize(1);
  // One's own lessons are watched for even before the folder is there.
  if (!data_folder.empty()) out.push_back(data_folder / "lessons");
  return out;
}

}  // namespace tilewalk
