// What a person has done and answered: kept in one JSON file under the user's data folder, written atomically. Nothing
// leaves the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct AnswerRecord {
  std::string first;   // what was answered first: an option's number from 1, or the number typed
  bool right = false;  // of the first answer
  int score = 0;       // 0..100
  bool sure = false;
  int attempts = 0;
  std::string date;  // of the first answer, ISO 8601
};

struct LessonRecord {
  int beat = 0;                                 // where one stopped, from 0
  int furthest = 0;                             // the furthest beat seen
  bool done = false;                            // checks answered once and the last beat reached
  std::string seen;                             // date of the last visit, ISO 8601
  std::map<std::string, AnswerRecord> answers;  // by question id
};

struct LearnerProgress {
  std::map<std::string, LessonRecord> lessons;  // by lesson id
  std::string last;                             // id of the lesson on show last
};

struct LoadedProgress {
  LearnerProgress progress;
  std::string notice;  // one sentence where the file was damaged or newer and was set aside, with its new name
};

// Never throws. A missing file, or an empty path, is a fresh start; one that is damaged or of a newer version is set
// aside as `*.bad-<suffix>` (a date) and begun anew.
LoadedProgress load_progress(const std::filesystem::path& file, std::string_view suffix);
// Makes the folder; an empty path writes nothing. IoError (core/io/file.h).
void save_progress(const std::filesystem::path& file, const LearnerProgress& progress);
std::string progress_csv(const LearnerProgress& progress);  // lesson,question,first,right,score,sure,attempts,date

}  // namespace tilewalk
