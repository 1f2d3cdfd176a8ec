// progress.json:
//   {"tilewalk_progress": 1, "last": "traffic",
//    "lessons": {"traffic": {"beat": 3, "furthest": 5, "done": false, "seen": "2026-11-21",
//                            "answers": {"doubling": {"first": "2", "right": true, "score": 100, "sure": false,
//                                                     "attempts": 1, "date": "2026-11-21"}}}}}
// Each entry may say in "made" when it was; see progress_file.h. Other versions leave that out.
#include "core/lesson/progress.h"

#include "core/io/csv.h"
#include "core/io/file.h"
#include "core/io/json_reader.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/progress_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr uint64_t kMostBytes = uint64_t{16} << 20;

// A member that is missing keeps its start value; one of another kind is damage.
template <class Value>
void take(const Json& object, const char* key, Value& value) {
  if (const auto found = object.find(key); found != object.end()) found->get_to(value);
}
void take(const Json& object, const char* key, int& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  if (!found->is_number_integer())
    throw Json::type_error::create(302, std::string(key) + " is no whole number", &object);
  value = int(std::clamp<int64_t>(found->get<int64_t>(), 0, std::numeric_limits<int>::max()));
}

// Throws where it is no object, which is damage too.
const Json::object_t& members_of(const Json& json) { return json.get_ref<const Json::object_t&>(); }

AnswerRecord answer_of(const Json& json) {
  AnswerRecord out;
  members_of(json);
  take(json, "first", out.first);
  take(json, "right", out.right);
  take(json, "score", out.score);
  take(json, "sure", out.sure);
  take(json, "attempts", out.attempts);
  take(json, "date", out.date);
  out.score = std::min(out.score, 100);
  return out;
}

using Made = std::map<DatedProgress::Entry, int64_t>;

int64_t time_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? std::max<int64_t>(0, found->get<int64_t>()) : 0;
}

void take_made(const Json& object, const char* key, DatedProgress::Entry entry, Made& made) {
  if (const int64_t time = time_of(object, key)) made[std::move(entry)] = time;
}

LessonRecord lesson_of(const std::string& lesson, const Json& json, Made& made) {
  LessonRecord out;
  members_of(json);
  take(json, "beat", out.beat);
  take(json, "furthest", out.furthest);
  take(json, "done", out.done);
  take(json, "seen", out.seen);
  take_made(json, "made", {lesson, ""}, made);
  if (const auto answers = json.find("answers"); answers != json.end())
    for (const auto& [id, answer] : members_of(*answers)) {
      out.answers[id] = answer_of(answer);
      take_made(answer, "made", {lesson, id}, made);
    }
  return out;
}

// Empty, or what is wrong with the file.
std::string read(const fs::path& file, DatedProgress& dated) {
  LearnerProgress& progress = dated.progress;
  const std::string name = printable_path(file);
  try {
    const Json json = read_json(read_file(file, kMostBytes));
    int version = 0;
    take(json, "tilewalk_progress", version);
    if (version > kVersion)
      return fmt::format("{} was written by a newer Tilewalk (version {} of the file, {} is known)", name, version,
                         kVersion);
    if (version < 1) return fmt::format("{} is damaged (it does not say that it holds progress)", name);
    take(json, "last", progress.last);
    if (const auto lessons = json.find("lessons"); lessons != json.end())
      for (const auto& [id, lesson] : members_of(*lessons)) progress.lessons[id] = lesson_of(id, lesson, dated.made);
    take_made(json, "made", {}, dated.made);
    dated.forgotten = time_of(json, "forgotten");
    return {};
  } catch (const Json::exception& error) {
    std::string what = error.what();
    what.erase(0, what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2);
    return fmt::format("{} is damaged ({})", name, printable(what.substr(0, 200)));
  } catch (const JsonError& error) {
    return fmt::format("{} is damaged: it {}", name, error.what());
  } catch (const IoError& error) {
    std::string what = error.what();
    if (what.ends_with('.')) what.pop_back();
    return what;
  }
}

}  // namespace

LoadedDated load_dated(const fs::path& file, std::string_view suffix) {
  LoadedDated out;
  std::error_code missing;
  if (file.empty() || fs::symlink_status(file, missing).type() == fs::file_type::not_found) return out;
  const std::string fault = read(file, out.dated);
  if (fault.empty()) return out;
  out.dated = {};
  try {
    out.notice = fmt::format("{}; it was set aside as {}, and progress begins anew.", fault,
                             printable_path(set_aside(file, suffix).filename()));
  } catch (const IoError&) {
    out.notice = fmt::format("{}; it could not be set aside, and progress begins anew: remove it.", fault);
    out.blocked = true;
  }
  return out;
}

std::string dated_text(const DatedProgress& dated) {
  const auto with_made = [&](Json json, const DatedProgress::Entry& entry) {
    if (const auto made = dated.made.find(entry); made != dated.made.end()) json["made"] = made->second;
    return json;
  };
  Json lessons = Json::object();
  for (const auto& [id, lesson] : dated.progress.lessons) {
    Json answers = Json::object();
    for (const auto& [question, a] : lesson.answers)
      append_member(answers, question,
                    with_made({{"first", a.first},
                               {"right", a.right},
                               {"score", a.score},
                               {"sure", a.sure},
                               {"attempts", a.attempts},
                               {"date", a.date}},
                              {id, question}));
    append_member(lessons, id,
                  with_made({{"beat", lesson.beat},
                             {"furthest", lesson.furthest},
                             {"done", lesson.done},
                             {"seen", lesson.seen},
                             {"answers", std::move(answers)}},
                            {id, ""}));
  }
  Json json = with_made({{"tilewalk_progress", kVersion}, {"last", dated.progress.last}}, {});
  if (dated.forgotten > 0) json["forgotten"] = dated.forgotten;
  json["lessons"] = std::move(lessons);
  // What was typed may be cut inside a character; that must not cost the rest.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

LoadedProgress load_progress(const fs::path& file, std::string_view suffix) {
  LoadedDated loaded = load_dated(file, suffix);
  return {std::move(loaded.dated.progress), std::move(loaded.notice)};
}

void save_progress(const fs::path& file, const LearnerProgress& progress) {
  if (file.empty()) return;
  if (file.has_parent_path()) make_folder(file.parent_path());
  write_file(file, dated_text({progress, {}, 0}));
}

std::string progress_csv(const LearnerProgress& progress) {
  std::string out = "lesson,question,first,right,score,sure,attempts,date\n";
  for (const auto& [id, lesson] : progress.lessons)
    for (const auto& [question, a] : lesson.answers)
      out += csv_row(std::array<std::string, 8>{id, question, a.first, a.right ? "yes" : "no", std::to_string(a.score),
                                                a.sure ? "yes" : "no", std::to_string(a.attempts), a.date});
  return out;
}

}  // namespace tilewalk
