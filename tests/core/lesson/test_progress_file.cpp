// Progress that several windows keep at once: nobody takes back what another has saved, whatever the clocks say.
#include "core/lesson/progress_file.h"

#include "tests/core/io_helpers.h"
#include "tests/core/processes.h"

namespace tilewalk::test_progress_file {
namespace fs = std::filesystem;

namespace {

// One window: its memory, and what it keeps.
struct Learner {
  ProgressFile file;
  LearnerProgress progress;
  explicit Learner(const fs::path& path) : file(path) { progress = file.open("1").progress; }
  void answer(const std::string& lesson, const std::string& question, const std::string& what, int64_t now) {
    AnswerRecord& record = progress.lessons[lesson].answers[question];
    record.first = what;
    ++record.attempts;
    file.change(progress, now);
  }
  std::string keep(int64_t now) {
    const std::string said = file.keep(now, "1", 60);
    progress = file.take();
    return said;
  }
};

std::string first_answer(const fs::path& path, const std::string& lesson, const std::string& question) {
  const LearnerProgress progress = load_progress(path, "1").progress;
  const auto found = progress.lessons.find(lesson);
  if (found == progress.lessons.end() || !found->second.answers.contains(question)) return "none";
  return found->second.answers.at(question).first;
}

}  // namespace

TEST_CASE("a window that began earlier does not take back what another has saved") {
  const ScratchFolder folder;
  const fs::path path = folder / "data/progress.json";
  Learner one(path), two(path);
  one.answer("a", "q1", "one", 1000);
  one.progress.lessons["a"].beat = 3;
  one.progress.last = "a";
  one.file.change(one.progress, 1001);
  one.keep(1002);
  two.answer("b", "q2", "two", 2000);
  two.keep(2001);
  CHECK(first_answer(path, "a", "q1") == "one");
  CHECK(first_answer(path, "b", "q2") == "two");
  CHECK(two.progress.lessons.at("a").beat == 3);
  CHECK(two.progress.last == "a");
  CHECK(one.file.others_wrote());
  CHECK_FALSE(two.file.others_wrote());
  one.keep(3000);
  CHECK(one.progress.lessons.contains("b"));
  CHECK_FALSE(one.file.others_wrote());
  CHECK(folder.names() == std::set<std::string>{"data"});
}

TEST_CASE("of two answers to one question the newer stays, and how far one came does not go back") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  Learner one(path), two(path);
  one.answer("a", "q", "older", 1000);
  one.progress.lessons["a"].furthest = 7;
  one.progress.lessons["a"].done = true;
  one.file.change(one.progress, 1000);
  two.answer("a", "q", "newer", 1500);
  two.progress.lessons["a"].furthest = 2;
  two.file.change(two.progress, 1500);
  // The newer one is kept first: the order of saving does not decide.
  two.keep(1600);
  one.keep(1700);
  CHECK(first_answer(path, "a", "q") == "newer");
  CHECK(load_progress(path, "1").progress.lessons.at("a").furthest == 7);
  CHECK(load_progress(path, "1").progress.lessons.at("a").done);
}

TEST_CASE("a caller that has not taken in what another window did does not take it back with its next change") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  Learner one(path), two(path);
  one.progress.lessons["of two"].beat = 1;
  one.answer("a", "q", "first", 900);
  one.keep(901);
  two.keep(902);
  two.progress.lessons["of two"].beat = 8;
  two.progress.lessons["of two"].furthest = 9;
  two.progress.last = "of two";
  two.answer("a", "q", "second", 1000);
  two.keep(1001);
  one.file.keep(1100, "1", 60);
  CHECK(one.progress.lessons.at("of two").beat == 1);
  one.answer("b", "q", "mine", 1200);
  one.keep(1201);
  const LearnerProgress kept = load_progress(path, "1").progress;
  CHECK(kept.lessons.at("of two").beat == 8);
  CHECK(kept.last == "of two");
  CHECK(first_answer(path, "a", "q") == "second");
  CHECK(first_answer(path, "b", "q") == "mine");
  CHECK(one.progress.lessons.at("of two").beat == 8);
  // Where one goes in a lesson does not take back how far one came.
  two.progress.lessons["of two"].furthest = 12;
  two.file.change(two.progress, 1300);
  two.keep(1301);
  one.file.keep(1302, "1", 60);
  one.progress.lessons["of two"].beat = 2;
  one.file.change(one.progress, 1400);
  one.keep(1401);
  CHECK(one.progress.lessons.at("of two").beat == 2);
  CHECK(one.progress.lessons.at("of two").furthest == 12);
}

TEST_CASE("an answer says nothing about where one stopped") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  Learner one(path), two(path);
  one.progress.lessons["a"].beat = 5;
  one.file.change(one.progress, 1000);
  one.keep(1001);
  two.answer("a", "q", "yes", 2000);
  two.keep(2001);
  CHECK(two.progress.lessons.at("a").beat == 5);
}

TEST_CASE("an entry is as old as the change, not as the saving") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  Learner one(path), two(path);
  one.answer("a", "q", "older", 1000);
  two.answer("a", "q", "newer", 2000);
  two.keep(2001);
  one.keep(9000);
  CHECK(first_answer(path, "a", "q") == "newer");
}

TEST_CASE("of two changes of the same moment the one that says more stays, whichever is saved first") {
  for (const bool swapped : {false, true}) {
    const ScratchFolder folder;
    const fs::path path = folder / "progress.json";
    Learner more(path), less(path);
    more.answer("a", "q", "second try", 999);
    more.answer("a", "q", "third try", 1000);
    more.progress.lessons["b"].beat = 3;
    more.progress.lessons["b"].done = true;
    more.progress.last = "b";
    more.file.change(more.progress, 1000);
    less.answer("a", "q", "first try", 1000);
    less.progress.lessons["b"].beat = 4;
    less.progress.last = "a";
    less.file.change(less.progress, 1000);
    (swapped ? less : more).keep(1001);
    (swapped ? more : less).keep(1002);
    CHECK(first_answer(path, "a", "q") == "third try");
    const LearnerProgress kept = load_progress(path, "1").progress;
    CHECK(kept.lessons.at("b").beat == 3);
    CHECK(kept.lessons.at("b").done);
    CHECK(kept.last == "b");
  }
}

TEST_CASE("a clock that was wrong keeps nothing from being changed") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  constexpr int64_t kTomorrow = 90'000'000;
  Learner ahead(path), right(path);
  ahead.answer("a", "q", "from the future", kTomorrow);
  ahead.keep(kTomorrow);
  SUBCASE("by a window that has seen it") {
    right.keep(1000);
    right.answer("a", "q", "now", 2000);
    right.keep(2001);
  }
  SUBCASE("by one that has not") {
    right.answer("a", "q", "now", 2000);
    right.keep(2001);
  }
  SUBCASE("by one whose clock goes back") {
    right.answer("a", "q", "then", 5000);
    right.keep(5001);
    right.answer("a", "q", "now", 10);
    right.keep(11);
  }
  CHECK(first_answer(path, "a", "q") == "now");
  // And the other window takes it in.
  ahead.keep(kTomorrow + 1);
  CHECK(ahead.progress.lessons.at("a").answers.at("q").first == "now");
}

TEST_CASE("what was forgotten stays so, in windows too that were open; what comes after is kept") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  put(path,
      "{\"tilewalk_progress\": 1, \"lessons\": {\"old\": {\"beat\": 2, \"answers\": {\"q\": {\"first\": \"1\"}}}}}");
  Learner one(path), two(path);
  two.answer("b", "q", "two", 900);
  two.keep(901);
  SUBCASE("in a window") {
    one.keep(950);
    one.progress = {};
    one.file.change(one.progress, 1000);
    one.keep(1001);
  }
  SUBCASE("on the command line") { CHECK(forget_progress(path, 1000)); }
  CHECK(load_progress(path, "1").progress.lessons.empty());
  two.answer("c", "q", "later", 2000);
  two.keep(2001);
  CHECK(first_answer(path, "old", "q") == "none");
  CHECK(first_answer(path, "b", "q") == "none");
  CHECK(first_answer(path, "c", "q") == "later");
  CHECK_FALSE(two.progress.lessons.contains("old"));
}

TEST_CASE("forgetting twice keeps every copy there was") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  CHECK_FALSE(forget_progress(path, 1));
  Learner one(path);
  one.answer("a", "q", "good", 1000);
  one.keep(1001);
  const std::string good = read_file(path);
  CHECK(forget_progress(path, 2000) == folder / "progress.json.before-reset");
  CHECK_FALSE(forget_progress(path, 2001));
  // A program that was opened and closed leaves no more than where it was.
  Learner two(path);
  two.progress.last = "a";
  two.file.change(two.progress, 3000);
  two.keep(3001);
  CHECK_FALSE(forget_progress(path, 3002));
  two.answer("a", "q", "another", 4000);
  two.keep(4001);
  CHECK(forget_progress(path, 5000) == folder / "progress.json.before-reset-2");
  CHECK(read_file(folder / "progress.json.before-reset") == good);
  CHECK(first_answer(folder / "progress.json.before-reset-2", "a", "q") == "another");
  CHECK(load_progress(path, "1").progress.lessons.empty());
}

TEST_CASE("a file of a newer version, or a damaged one, that appears meanwhile is set aside and not written over") {
  for (const char* text : {"{\"tilewalk_progress\": 2, \"all\": []}", "{\"tilewalk_pro"}) {
    const ScratchFolder folder;
    const fs::path path = folder / "progress.json";
    Learner one(path);
    put(path, text);
    one.answer("a", "q", "mine", 1000);
    check_words(one.keep(1001), {"set aside as progress.json.bad-1"});
    CHECK(read_file(folder / "progress.json.bad-1") == text);
    CHECK(first_answer(path, "a", "q") == "mine");
  }
}

TEST_CASE("today's files open, and older programs read what is kept now") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  LearnerProgress before;
  before.last = "traffic";
  before.lessons["traffic"].beat = 4;
  before.lessons["traffic"].answers["q"].first = "2";
  save_progress(path, before);
  CHECK(read_file(path).find("made") == std::string::npos);
  Learner one(path);
  CHECK(progress_csv(one.progress) == progress_csv(before));
  one.answer("traffic", "r", "3", 1000);
  one.keep(1001);
  CHECK(read_file(path).find("\"tilewalk_progress\": 1") != std::string::npos);
  CHECK(first_answer(path, "traffic", "q") == "2");
  CHECK(first_answer(path, "traffic", "r") == "3");
}

TEST_CASE("ten windows that answer at once lose no answer") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  constexpr int kWindows = 10, kAnswers = 20;
  in_processes(kWindows, [&](int k) {
    Learner one(path);
    for (int answer = 0; answer < kAnswers; ++answer) {
      one.answer("lesson", std::to_string(k) + "/" + std::to_string(answer), "yes", 1000 + answer);
      one.answer("own " + std::to_string(k), "q", std::to_string(answer), 1000 + answer);
      one.keep(1000 + answer);
    }
  });
  const LearnerProgress kept = load_progress(path, "1").progress;
  CHECK(kept.lessons.at("lesson").answers.size() == size_t(kWindows * kAnswers));
  for (int k = 0; k < kWindows; ++k)
    CHECK(first_answer(path, "own " + std::to_string(k), "q") == std::to_string(kAnswers - 1));
  CHECK(folder.names() == std::set<std::string>{"progress.json"});
}

TEST_CASE("a full disk and one that may only be read get a sentence, and nothing in memory is lost") {
  const ScratchFolder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const fs::path disk = folder.path;
    if (!put_small_disk(disk)) ::_exit(77);
    const fs::path path = disk / "progress.json";
    const auto fails = [&](Learner& one, const char* word) {
      try {
        one.keep(5000);
      } catch (const IoError& error) {
        return std::string_view(error.what()).find(word) != std::string_view::npos && one.file.unsaved();
      }
      return false;
    };
    Learner one(path);
    one.answer("a", "q", "small", 1000);
    one.keep(1001);
    one.answer("a", "large", std::string(100'000, 'x'), 2000);
    if (!fails(one, "No space left")) ::_exit(1);
    if (first_answer(path, "a", "q") != "small") ::_exit(2);
    if (::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") != 0) ::_exit(77);
    if (!fails(one, "Read-only file system")) ::_exit(3);
    if (::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=1m") != 0) ::_exit(77);
    one.keep(6000);
    ::_exit(first_answer(path, "a", "large").size() == 100'000 ? 0 : 4);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    MESSAGE("skipped: a small file system can only be mounted by root");
  else
    CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace tilewalk::test_progress_file
