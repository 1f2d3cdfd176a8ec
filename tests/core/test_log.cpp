// The log: one line an event, rotated, and never in the way.
#include "core/io/log.h"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewalk::test_log {
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("tilewalk-log-" + std::to_string(getpid()));
  ~Folder() { fs::remove_all(path); }
};

std::string content(const fs::path& file) {
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

}  // namespace

TEST_CASE("an event is one line with time and level, in a folder that is made for it") {
  const Folder folder;
  const fs::path file = folder.path / "state/tilewalk.log";
  int second = 0;
  Log log(file, [&] { return "T" + std::to_string(second++); });
  CHECK_FALSE(fs::exists(file));
  log.line(LogLevel::Info, "begun");
  log.line(LogLevel::Warn, "two\nlines");
  CHECK(content(file) == "T0 INFO begun\nT1 WARN two\\x0alines\n");
  REQUIRE(log.last().size() == 2);
  CHECK(log.last().back() == "T1 WARN two\\x0alines");
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0077) == 0);          // nobody else's
  Log(file, {}).line(LogLevel::Info, "again");  // a second start goes on in the same file
  CHECK(content(file).ends_with("INFO again\n"));
}

TEST_CASE("a log that has grown is rotated, and only so many are kept") {
  const Folder folder;
  const fs::path file = folder.path / "tilewalk.log";
  Log log(file, {}, 100, 2);
  for (int k = 0; k < 40; ++k) log.line(LogLevel::Info, "line " + std::to_string(k) + std::string(20, '.'));
  CHECK(fs::file_size(file) <= 100);
  CHECK(fs::exists(file.string() + ".1"));
  CHECK(fs::exists(file.string() + ".2"));
  CHECK_FALSE(fs::exists(file.string() + ".3"));
  CHECK(content(file).find("line 39") != std::string::npos);
  // Nothing is lost between the files that are kept.
  const std::string all = content(file.string() + ".2") + content(file.string() + ".1") + content(file);
  for (int k = 34; k < 40; ++k) CHECK(all.find("line " + std::to_string(k) + ".") != std::string::npos);
  CHECK(log.last().size() == 40);
  for (int k = 0; k < 40; ++k) log.line(LogLevel::Info, "more");
  CHECK(log.last().size() == 50);
}

TEST_CASE("a log that cannot be written is kept in memory and says nothing") {
  Log none;
  none.line(LogLevel::Info, "said");
  CHECK(none.last().back() == "INFO said");
  const Folder folder;
  fs::create_directories(folder.path);
  std::ofstream(folder.path / "file") << "x";
  Log below_a_file(folder.path / "file/state/tilewalk.log", {});
  below_a_file.line(LogLevel::Info, "said");
  below_a_file.line(LogLevel::Info, "and said");
  CHECK(below_a_file.last().size() == 2);
  Log full("/dev/full", {});
  full.line(LogLevel::Info, "said");
  CHECK(full.last().size() == 1);
}

TEST_CASE("what is less urgent than the level is left out") {
  Log log;
  CHECK(log_level_named("debug") == LogLevel::Debug);
  CHECK(log_level_named("ERROR") == LogLevel::Error);
  CHECK_FALSE(log_level_named("loud"));
  CHECK_FALSE(log_level_named(""));
  const auto all = [&] {
    for (const char* name : {"error", "warn", "info", "debug", "trace"}) log.line(*log_level_named(name), name);
    const size_t lines = log.last().size();
    log = Log();
    return lines;
  };
  CHECK(all() == 3);
  log.set_level(LogLevel::Error);
  CHECK(all() == 1);
  log.set_level(LogLevel::Trace);
  CHECK(all() == 5);
}

TEST_CASE("a pipe in the log's place is not waited for") {
  const Folder folder;
  fs::create_directories(folder.path);
  const fs::path pipe = folder.path / "tilewalk.log";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Log log(pipe, {});
  log.line(LogLevel::Info, "said");
  CHECK(log.last().size() == 1);
}

}  // namespace tilewalk::test_log
