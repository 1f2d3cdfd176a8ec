// Reads a lesson's file: TOML front matter between lines of +++, then beats separated by lines of ---, each opened by a
// heading "## kind: Title"; fenced blocks `scene`, `ask` and `predict` hold TOML; <!-- note: ... --> is the speaker's.
// lessons/README.md is the author's guide.
#pragma once

#include "core/lesson/lesson.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct LessonFault {
  std::string file;
  int line = 0;         // from 1; 0 is the file as a whole
  std::string message;  // one sentence: what is wrong and what was expected
};

struct LessonFile {
  std::optional<Lesson> lesson;  // nothing where there are faults
  std::vector<LessonFault> faults;
};

constexpr int64_t kMostLessonBytes = 1 << 20;

// Never throws; reads any bytes at all. Expressions and queries are checked by check_lesson, not here.
LessonFile read_lesson(std::string_view text, std::string file);
LessonFile read_lesson_file(const std::filesystem::path& path);

}  // namespace tilewalk
