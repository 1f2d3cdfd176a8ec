#include "core/lesson/progress_file.h"

#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <tuple>

#include <unistd.h>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using Entry = DatedProgress::Entry;

constexpr double kPatience = 2;     // seconds, where nobody waits for a picture
constexpr int64_t kAhead = 60'000;  // milliseconds: what is dated later than that from now has a wrong clock's date

auto fields_of(const AnswerRecord& a) { return std::tie(a.first, a.right, a.score, a.sure, a.attempts, a.date); }
auto place_of(const LessonRecord& l) { return std::tie(l.beat, l.furthest, l.done, l.seen); }

void take_place(LessonRecord& to, const LessonRecord& from) {
  to.beat = from.beat, to.furthest = from.furthest, to.done = from.done, to.seen = from.seen;
}

int64_t made_at(const DatedProgress& dated, const Entry& entry) {
  const auto found = dated.made.find(entry);
  return found == dated.made.end() ? 0 : found->second;
}

const LessonRecord* lesson_in(const DatedProgress& dated, const std::string& id) {
  const auto found = dated.progress.lessons.find(id);
  return found == dated.progress.lessons.end() ? nullptr : &found->second;
}

const AnswerRecord* answer_in(const LessonRecord* lesson, const std::string& id) {
  if (!lesson) return nullptr;
  const auto found = lesson->answers.find(id);
  return found == lesson->answers.end() ? nullptr : &found->second;
}

bool holds_nothing(const LearnerProgress& progress) { return progress.lessons.empty() && progress.last.empty(); }

}  // namespace

void date_changes(DatedProgress& ours, const DatedProgress& before, int64_t now) {
  if (holds_nothing(ours.progress) && !holds_nothing(before.progress)) {
    ours.forgotten = std::max(now, before.forgotten + 1);
    for (const auto& [entry, made] : before.made) ours.forgotten = std::max(ours.forgotten, made);
    ours.made.clear();
  }
  const auto date = [&](const Entry& entry) {
    ours.made[entry] = std::max({now, made_at(before, entry) + 1, ours.forgotten + 1});
  };
  for (const auto& [id, lesson] : ours.progress.lessons) {
    const LessonRecord* old = lesson_in(before, id);
    if (!old || place_of(lesson) != place_of(*old)) date({id, ""});
    for (const auto& [question, answer] : lesson.answers)
      if (const AnswerRecord* was = answer_in(old, question); !was || fields_of(answer) != fields_of(*was))
        date({id, question});
  }
  if (ours.progress.last != before.progress.last) date({});
}

DatedProgress merged(const DatedProgress& ours, const DatedProgress& theirs, const DatedProgress& known, int64_t now) {
  DatedProgress out;
  out.forgotten = std::max(ours.forgotten, theirs.forgotten);
  // Which of the two has it newer; 0 where it was forgotten, else when it is to be said to have been made.
  struct Choice {
    bool ours;
    int64_t made;
  };
  const auto choose = [&](const Entry& entry, bool here, bool there) -> Choice {
    const int64_t mine = here ? made_at(ours, entry) : -1, other = there ? made_at(theirs, entry) : -1;
    // Two changes, and the other's clock was ahead: what is changed now is the newer one.
    if (here && mine != made_at(known, entry) && other > now + kAhead && other != made_at(known, entry))
      return {true, other + 1};
    return mine > other ? Choice{true, mine} : Choice{false, other};
  };
  const auto lives = [&](int64_t made) { return out.forgotten == 0 || made > out.forgotten; };
  const auto date = [&](const Entry& entry, int64_t made) {
    if (made > 0) out.made[entry] = made;
  };
  const auto take_lesson = [&](const std::string& id) {
    const LessonRecord *mine = lesson_in(ours, id), *other = lesson_in(theirs, id);
    LessonRecord record;
    bool any = false;
    if (const Choice place = choose({id, ""}, mine, other); lives(place.made)) {
      take_place(record, place.ours ? *mine : *other);
      // How far one came does not go back.
      for (const auto& [each, from] : {std::pair{mine, &ours}, std::pair{other, &theirs}})
        if (each && lives(made_at(*from, {id, ""}))) {
          record.furthest = std::max(record.furthest, each->furthest);
          record.done = record.done || each->done;
        }
      date({id, ""}, place.made);
      any = true;
    }
    for (const LessonRecord* from : {mine, other}) {
      if (!from) continue;
      for (const auto& [question, ignored] : from->answers) {
        const AnswerRecord *a = answer_in(mine, question), *b = answer_in(other, question);
        const Choice answer = choose({id, question}, a, b);
        if (!lives(answer.made)) continue;
        record.answers[question] = answer.ours ? *a : *b;
        date({id, question}, answer.made);
        any = true;
      }
    }
    if (any) out.progress.lessons[id] = std::move(record);
  };
  for (const auto& [id, ignored] : theirs.progress.lessons) take_lesson(id);
  for (const auto& [id, ignored] : ours.progress.lessons)
    if (!theirs.progress.lessons.contains(id)) take_lesson(id);
  if (const Choice last = choose({}, !ours.progress.last.empty(), !theirs.progress.last.empty()); lives(last.made)) {
    out.progress.last = last.ours ? ours.progress.last : theirs.progress.last;
    date({}, last.made);
  }
  return out;
}

LoadedProgress ProgressFile::open(std::string_view suffix) {
  LoadedDated loaded = load_dated(file_, suffix);
  std::error_code missing;
  seen_ = fs::last_write_time(file_, missing);
  ours_ = known_ = std::move(loaded.dated);
  return {ours_.progress, std::move(loaded.notice)};
}

void ProgressFile::change(const LearnerProgress& progress, int64_t now) {
  const DatedProgress before = ours_;
  ours_.progress = progress;
  date_changes(ours_, before, now);
  unsaved_ = !file_.empty();
}

bool ProgressFile::others_wrote() const {
  std::error_code missing;
  const fs::file_time_type written = fs::last_write_time(file_, missing);
  return !missing && written != seen_;
}

std::string ProgressFile::keep(int64_t now, std::string_view suffix, double patience) {
  if (file_.empty()) return {};
  const fs::path folder = file_.parent_path();
  if (!folder.empty()) make_folder(folder);
  const FolderLock lock(folder, patience);
  LoadedDated theirs = load_dated(file_, suffix);
  if (theirs.blocked) throw IoError(theirs.notice);
  DatedProgress all = merged(ours_, theirs.dated, known_, now);
  std::error_code missing;
  const std::string text = dated_text(all);
  if (text != dated_text(theirs.dated) || !fs::exists(file_, missing)) write_file(file_, text);
  seen_ = fs::last_write_time(file_, missing);
  known_ = ours_ = std::move(all);
  unsaved_ = false;
  return std::move(theirs.notice);
}

std::optional<fs::path> forget_progress(const fs::path& file, int64_t now) {
  std::error_code missing;
  if (!fs::exists(file, missing)) return std::nullopt;
  const FolderLock lock(file.parent_path(), kPatience);
  const LoadedDated there = load_dated(file, "reset");
  if (!there.notice.empty()) throw IoError(there.notice);
  if (there.dated.progress.lessons.empty()) return std::nullopt;
  // A second name for the file as it is: at no moment is there none, and a name that is taken is never written over.
  fs::path old = file;
  old += ".before-reset";
  const std::string first = old.native();
  for (int k = 2; ::link(file.c_str(), old.c_str()) != 0; ++k) {
    if (errno != EEXIST)
      io_fail(old, fmt::format("could not be written ({}); choose another folder", system_words(errno)));
    old = fmt::format("{}-{}", first, k);
  }
  DatedProgress empty;
  empty.forgotten = std::max(now, there.dated.forgotten + 1);
  for (const auto& [entry, made] : there.dated.made) empty.forgotten = std::max(empty.forgotten, made);
  write_file(file, dated_text(empty));
  return old;
}

}  // namespace tilewalk
