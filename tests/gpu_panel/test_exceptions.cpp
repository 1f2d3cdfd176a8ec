// What fails beside the window, in the thread that hears the worker and in the one that reads recordings, becomes a
// sentence and ends nothing.
#include "app/gpu/child.h"
#include "app/gpu/recordings.h"
#include "app/gpu/worker_client.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

namespace tilewalk::test_exceptions {
namespace fs = std::filesystem;

namespace {

std::optional<ChildEnd> end_of(Child& child) {
  for (int turn = 0; turn < 10'000 && !child.ended(); ++turn) {
    child.take();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return child.ended();
}

std::shared_ptr<const void> hear(std::string_view line) {
  if (line == "{memory") throw std::bad_alloc();
  if (line == "{length") throw std::length_error("too long");
  return line == "{rubbish" ? nullptr : std::make_shared<int>(1);
}

Child child_saying(const char* script, ChildLimits limits = {}) { return {{"sh", "-c", script}, hear, {}, limits}; }

}  // namespace

TEST_CASE("what cannot be taken in of a worker's words ends the worker alone") {
  for (const char* script : {"echo '{good'; echo '{memory'; sleep 100", "echo '{length'; sleep 100"}) {
    Child child = child_saying(script, {.grace = 0.1});
    const auto end = end_of(child);
    REQUIRE(end);
    CHECK(end->why == ChildEnd::Why::Unread);
    CHECK(child.reaped());
  }
}

TEST_CASE("every way in which a worker can end is told apart") {
  const auto why = [](const char* script, ChildLimits limits = {}) {
    Child child = child_saying(script, limits);
    const auto end = end_of(child);
    REQUIRE(end);
    return *end;
  };
  CHECK(why("exit 0").why == ChildEnd::Why::Exited);
  CHECK(why("exit 7").code == 7);
  CHECK(why("kill -9 $$").why == ChildEnd::Why::Signalled);
  CHECK(why("kill -9 $$").code == 9);
  CHECK(why("while :; do echo '{rubbish'; done", {.rubbish = 1000, .grace = 0.1}).why == ChildEnd::Why::Rubbish);
  CHECK(why("printf '{'; head -c 100000 /dev/zero | tr '\\0' x; sleep 100", {.small_line = 1000, .grace = 0.1}).why ==
        ChildEnd::Why::LongLine);
  Child none({"/no/such/program"}, hear, {});
  const auto end = end_of(none);
  REQUIRE(end);
  CHECK(end->why == ChildEnd::Why::NotStarted);
  CHECK(none.last_error() == "No such file or directory");
}

TEST_CASE("a folder of recordings with damaged ones opens the others, and says what is wrong with each") {
  const fs::path folder = fs::temp_directory_path() / fmt::format("tilewalk-damaged-{}", getpid());
  fs::create_directories(folder / "a-folder.json");
  const std::pair<const char*, const char*> files[] = {
      {"b-empty.json", ""},
      {"c-text.json", "hello"},
      {"d-list.json", "[[[[]]]]"},
      {"e-half.json", "{\"tilewalk_recording\": {\"major\": 1, \"minor\": 3}, \"results\": [{"},
      {"f-newer.json", "{\"tilewalk_recording\": {\"major\": 99, \"minor\": 0}, \"results\": []}"},
  };
  for (const auto& [name, text] : files) std::ofstream(folder / name) << text;
  fs::copy_file(fs::path(TILEWALK_SOURCE_DIR) / "assets/recordings/h200.json", folder / "z-good.json");
  const Recordings read = load_recordings({folder, "/no/such/folder"});
  CHECK(read.all.size() > 10);
  CHECK(read.faults.size() == std::size(files) + 1);
  for (const std::string& fault : read.faults) {
    CHECK(fault.ends_with('.'));
    CHECK(fault.find(".json") != std::string::npos);
  }
#ifndef __SANITIZE_ADDRESS__
  // One that this machine has no memory for.
  {
    std::ofstream large(folder / "g-large.json");
    const std::string part(1'000'000, ' ');
    for (int k = 0; k < 60; ++k) large << part;
  }
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const auto most = rlim_t(pages * sysconf(_SC_PAGESIZE) + 50'000'000);
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
    const Recordings few = load_recordings({folder});
    bool said = false;
    for (const std::string& fault : few.faults)
      said |= fault.ends_with("g-large.json is too large for this machine's memory.");
    _exit(said ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
#endif
  fs::remove_all(folder);
}

}  // namespace tilewalk::test_exceptions
