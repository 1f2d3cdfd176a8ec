#include "core/lesson/course.h"

#include "tests/core/io_helpers.h"

#include <fmt/format.h>

namespace tilewalk::test_course {
namespace fs = std::filesystem;

namespace {

std::string lesson(std::string_view id, int number, std::string_view title = "A title") {
  return fmt::format("+++\nid = \"{}\"\n{}title = \"{}\"\nbrief = \"b\"\nminutes = 5\n+++\n## hook: A\n\nText.\n", id,
                     number ? fmt::format("number = {}\n", number) : "", title);
}

// Written anew with a time of its own: two writes may fall into one tick of the file system.
void put_later(const fs::path& path, const std::string& text, int later) {
  const auto before = fs::exists(path) ? fs::last_write_time(path) : fs::file_time_type();
  put(path, text);
  if (before != fs::file_time_type()) fs::last_write_time(path, before + std::chrono::seconds(later));
}

std::vector<std::string> files_of(const Course& course) {
  std::vector<std::string> out;
  for (const CourseEntry& entry : course.entries())
    out.push_back(entry.path.filename().string() + (entry.lesson ? "" : "!"));
  return out;
}

}  // namespace

TEST_CASE("A course has numbered lessons by number, then the others by name") {
  const ScratchFolder folder;
  fs::create_directory(folder / "mine");
  put(folder / "a.md", lesson("second", 2));
  put(folder / "b.md", lesson("first", 1));
  put(folder / "README.md", "# not a lesson\n");
  put(folder / "notes.txt", "not a lesson");
  put(folder / "mine/z.md", lesson("own-z", 0));
  put(folder / "mine/broken.md", "+++\n");
  Course course;
  course.open({folder.path, folder / "mine", folder / "none"});
  CHECK(files_of(course) == std::vector<std::string>{"b.md", "a.md", "broken.md!", "z.md"});
  REQUIRE(course.lesson_with("own-z"));
  CHECK(course.lesson_with("own-z")->number == 0);
  REQUIRE(course.lesson_numbered(2));
  CHECK(course.lesson_numbered(2)->id == "second");
  CHECK_FALSE(course.lesson_numbered(0));
  CHECK_FALSE(course.lesson_with("none"));
  REQUIRE(course.entries()[2].faults.size() == 1);
  CHECK(course.entries()[2].faults[0].line == 1);
  CHECK_FALSE(course.refresh());
}

TEST_CASE("Files are read again when they change; the last good version stays") {
  const ScratchFolder folder;
  put(folder / "a.md", lesson("a", 1, "Old"));
  Course course;
  course.open({folder.path});
  CHECK(course.lesson_with("a")->title == "Old");

  put_later(folder / "a.md", lesson("a", 1, "New"), 1);
  CHECK(course.refresh());
  CHECK(course.lesson_with("a")->title == "New");
  CHECK_FALSE(course.refresh());

  put_later(folder / "a.md", "+++\nid = \"a\"\n+++\n", 2);
  CHECK(course.refresh());
  REQUIRE(course.entries().size() == 1);
  CHECK_FALSE(course.entries()[0].faults.empty());
  REQUIRE(course.lesson_with("a"));
  CHECK(course.lesson_with("a")->title == "New");

  put_later(folder / "a.md", lesson("a", 1, "Newer"), 3);
  CHECK(course.refresh());
  CHECK(course.entries()[0].faults.empty());
  CHECK(course.lesson_with("a")->title == "Newer");

  put(folder / "b.md", lesson("b", 2));
  CHECK(course.refresh());
  CHECK(course.entries().size() == 2);
  fs::remove(folder / "a.md");
  CHECK(course.refresh());
  CHECK(files_of(course) == std::vector<std::string>{"b.md"});
}

TEST_CASE("Of two lessons with one id the second is a fault that names both") {
  const ScratchFolder folder;
  put(folder / "a.md", lesson("same", 1, "First"));
  put(folder / "b.md", lesson("same", 2, "Second"));
  put(folder / "c.md", lesson("other", 3));
  Course course;
  course.open({folder.path});
  CHECK(files_of(course) == std::vector<std::string>{"a.md", "c.md", "b.md!"});
  CHECK(course.lesson_with("same")->title == "First");
  REQUIRE(course.entries()[2].faults.size() == 1);
  const std::string message = course.entries()[2].faults[0].message;
  CHECK(message == "a.md and b.md have one id, \"same\"; the second one is left out.");

  // It comes back once the other has gone, although its own file has not changed.
  fs::remove(folder / "a.md");
  CHECK(course.refresh());
  CHECK(course.lesson_with("same")->title == "Second");
  CHECK(course.entries()[0].faults.empty());
}

TEST_CASE("The program's lessons are found in its checkout or installation, one's own in the data folder") {
  const ScratchFolder folder;
  fs::create_directories(folder / "build/bin");
  fs::create_directories(folder / "lessons/en");
  CHECK(lesson_folders(folder / "build/bin", {}).empty());  // anybody's, unless the program was built there
  put(folder / "build/CMakeCache.txt", "");
  fs::create_directories(folder / "usr/bin");
  fs::create_directories(folder / "usr/share/tilewalk/lessons/en");
  using Paths = std::vector<fs::path>;
  CHECK(lesson_folders(folder / "build/bin", {}) == Paths{folder / "lessons/en"});
  CHECK(lesson_folders(folder / "usr/bin", folder / "data") ==
        Paths{folder / "usr/share/tilewalk/lessons/en", folder / "data/lessons"});
  CHECK(lesson_folders({}, {}).empty());
}

}  // namespace tilewalk::test_course
