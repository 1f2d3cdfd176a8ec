// The lessons of one or more folders, in the order of the path, with what is wrong in them. Files are read again when
// they change; a file that has become faulty keeps its last good version.
#pragma once

#include "core/lesson/reader.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

// A file of the course: its lesson, or why there is none. Both, where an older version still stands.
struct CourseEntry {
  std::shared_ptr<const Lesson> lesson;  // null where no version was good
  std::vector<LessonFault> faults;
  std::filesystem::path path;
  std::filesystem::file_time_type written;
};

class Course {
 public:
  // *.md of the folders, without README.md. The prologue first, then numbered lessons, by number; then the others, by
  // file name. Two lessons with one id: the second one is a fault that names both.
  void open(std::vector<std::filesystem::path> folders);
  // Reads what has changed since; true where anything did.
  bool refresh();

  const std::vector<CourseEntry>& entries() const { return entries_; }
  std::shared_ptr<const Lesson> lesson_with(std::string_view id) const;  // or null
  std::shared_ptr<const Lesson> lesson_numbered(int number) const;       // or null
  std::shared_ptr<const Lesson> prologue() const;                        // what stands before the path; or null
  const LessonWay* way_called(std::string_view id) const;                // of the prologue's; or null: all of the path

 private:
  void arrange();  // entries_ out of files_

  std::vector<std::filesystem::path> folders_;
  std::vector<CourseEntry> files_;  // as they were read, in the order of folders and file names
  std::vector<CourseEntry> entries_;
};

// Without a way every lesson is on it, and what stands outside the path on any.
bool on_way(const Lesson& lesson, const LessonWay* way);

// The lessons of the checkout, or of the installation (core/io/paths.h, program_data), and lessons in the user's data
// folder (may be empty).
std::vector<std::filesystem::path> lesson_folders(const std::filesystem::path& program_folder,
                                                  const std::filesystem::path& data_folder);

}  // namespace tilewalk
