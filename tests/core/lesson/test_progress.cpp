#include "core/lesson/progress.h"

#include "tests/core/io_helpers.h"

namespace tilewalk::test_progress {
namespace fs = std::filesystem;

namespace {

LearnerProgress some_progress() {
  LearnerProgress out;
  out.last = "traffic";
  LessonRecord& lesson = out.lessons["traffic"];
  lesson.beat = 3;
  lesson.furthest = 5;
  lesson.done = true;
  lesson.seen = "2026-11-21";
  lesson.answers["doubling"] = {"2", true, 100, true, 1, "2026-11-20T10:00:00Z"};
  lesson.answers["how-long"] = {"66,9 \"µs\"", false, 30, false, 3, "2026-11-21"};
  out.lessons["scratchpad"].beat = 1;
  return out;
}

bool same(const LearnerProgress& a, const LearnerProgress& b) {
  return a.last == b.last && progress_csv(a) == progress_csv(b);
}

}  // namespace

TEST_CASE("progress comes back as it was saved") {
  const ScratchFolder folder;
  const fs::path file = folder / "deep/er/progress.json";
  save_progress(file, some_progress());
  const LoadedProgress loaded = load_progress(file, "1");
  CHECK(loaded.notice.empty());
  CHECK(same(loaded.progress, some_progress()));
  const LessonRecord& lesson = loaded.progress.lessons.at("traffic");
  CHECK(lesson.beat == 3);
  CHECK(lesson.furthest == 5);
  CHECK(lesson.done);
  CHECK(lesson.seen == "2026-11-21");
  CHECK(loaded.progress.lessons.at("scratchpad").beat == 1);
  CHECK(folder.names() == std::set<std::string>{"deep"});
}

TEST_CASE("without a file, or without a place for one, progress begins") {
  const ScratchFolder folder;
  CHECK(load_progress(folder / "none.json", "1").notice.empty());
  CHECK(load_progress({}, "1").progress.lessons.empty());
  save_progress({}, some_progress());
  CHECK(folder.names().empty());
}

TEST_CASE("a damaged or newer file is set aside and named, and nothing of it is lost") {
  const std::pair<const char*, const char*> damaged[] = {
      {"", "is damaged"},
      {"{\"tilewalk_progress\": 1, \"last\": \"a", "is damaged"},
      {"[]", "is damaged"},
      {"3", "is damaged"},
      {"{}", "does not say that it holds progress"},
      {"\xFF\xFE\x00", "is damaged"},
      {"{\"tilewalk_progress\": 2, \"more\": []}",
       "was written by a newer Tilewalk (version 2 of the file, 1 is known)"},
      {"{\"tilewalk_progress\": \"1\"}", "is damaged"},
      {"{\"tilewalk_progress\": 1, \"lessons\": []}", "is damaged"},
      {"{\"tilewalk_progress\": 1, \"lessons\": {\"a\": 7}}", "is damaged"},
      {"{\"tilewalk_progress\": 1, \"lessons\": {\"a\": {\"beat\": \"x\"}}}", "is damaged"},
      {"{\"tilewalk_progress\": 1, \"lessons\": {\"a\": {\"answers\": {\"q\": {\"right\": 3}}}}}", "is damaged"},
  };
  for (const auto& [text, what] : damaged) {
    CAPTURE(text);
    const ScratchFolder folder;
    const fs::path file = put(folder / "progress.json", text);
    const LoadedProgress loaded = load_progress(file, "2026-11-21");
    CHECK(loaded.progress.lessons.empty());
    CHECK(loaded.notice.find(what) != std::string::npos);
    CHECK(loaded.notice.find("set aside as progress.json.bad-2026-11-21,") != std::string::npos);
    CHECK(loaded.notice == printable(loaded.notice));
    CHECK(folder.names() == std::set<std::string>{"progress.json.bad-2026-11-21"});
    CHECK(read_file(folder / "progress.json.bad-2026-11-21") == text);
  }
}

TEST_CASE("numbers out of range are taken as the nearest") {
  const ScratchFolder folder;
  const fs::path file =
      put(folder / "p.json",
          "{\"tilewalk_progress\": 1, \"future\": 1, \"lessons\": {\"a\": {\"beat\": -5, \"furthest\": "
          "99999999999, \"answers\": {\"q\": {\"score\": 900}}}}}");
  const LoadedProgress loaded = load_progress(file, "1");
  CHECK(loaded.notice.empty());
  CHECK(loaded.progress.lessons.at("a").beat == 0);
  CHECK(loaded.progress.lessons.at("a").furthest == 2147483647);
  CHECK(loaded.progress.lessons.at("a").answers.at("q").score == 100);
}

TEST_CASE("an answer of bytes that are no text is kept as well as it goes") {
  const ScratchFolder folder;
  LearnerProgress progress = some_progress();
  progress.lessons["traffic"].answers["doubling"].first =
      "\xFF"
      "7";
  save_progress(folder / "p.json", progress);
  CHECK(load_progress(folder / "p.json", "1").progress.lessons.at("traffic").answers.at("how-long").score == 30);
}

TEST_CASE("the table for others has a row for each answer") {
  CHECK(progress_csv(some_progress()) ==
        "lesson,question,first,right,score,sure,attempts,date\n"
        "traffic,doubling,2,yes,100,yes,1,2026-11-20T10:00:00Z\n"
        "traffic,how-long,\"66,9 \"\"µs\"\"\",no,30,no,3,2026-11-21\n");
  CHECK(progress_csv({}) == "lesson,question,first,right,score,sure,attempts,date\n");
}

}  // namespace tilewalk::test_progress
