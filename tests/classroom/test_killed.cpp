// The server's process killed in the middle of a vote, again and again, and started anew: its pages come back by
// themselves, no vote of the open question is lost or counted twice, and nobody is shown what is not so.
// TILEWALK_CLASS_KILLS=200 kills it more often.
#include "app/classroom/server.h"
#include "core/classroom/attendance.h"
#include "tests/classroom/page_client.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_killed {

namespace {

constexpr const char* kCode = "k7m-2xq";
constexpr size_t kPages = 30;

// The program as an operator starts it; `port` 0: any, which it prints.
class Process {
 public:
  Process(const std::filesystem::path& keep, int port) {
    const std::vector<std::string> words{
        TILEWALK_PROGRAM, "class", "--listen", fmt::format("127.0.0.1:{}", port), "--no-worker",
        "--code",         kCode,   "--site",   keep.parent_path().string(),       "--keep",
        keep.string()};
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    int pipe[2];
    REQUIRE(pipe2(pipe, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
    REQUIRE(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe[1]);
    out_ = pipe[0];
    char part[512];
    while (!runs())
      if (const ssize_t got = read(out_, part, sizeof part); got > 0)
        printed_.append(part, size_t(got));
      else
        break;
  }
  ~Process() { kill(); }

  bool runs() const { return printed_.find("Only this computer") != printed_.npos; }
  const std::string& printed() const { return printed_; }
  int port() const { return std::atoi(printed_.c_str() + printed_.find("127.0.0.1:") + 10); }
  std::string secret() const {
    const size_t link = printed_.find(fmt::format("#class/{}/", kCode));
    return printed_.substr(link + 15, 32);
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(out_);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  int out_ = -1;
  std::string printed_;
};

// A page as the browser's: an attendance, and a connection where there is one.
struct Page {
  Attendance with;
  std::unique_ptr<PageClient> wire = nullptr;
  int64_t step = 0;  // the last that it was led to
  std::string wrong = {};

  void turn(int port) {
    const double now = steady_seconds();
    if (with.wants_connection(now)) {
      with.connecting();
      wire = std::make_unique<PageClient>(port);
      if (wire->upgraded()) with.opened();
    }
    if (!wire) return;
    wire->read(0);
    for (const std::string& line : std::exchange(wire->messages, {})) with.heard(line);
    for (const std::string& line : with.take_out()) wire->send_text(line);
    if (!wire->open()) with.ended(now), wire.reset();
    if (with.led().step > 0 && with.led().step < step) wrong = "it was led back";
    step = std::max(step, with.led().step);
    if (!with.why().empty()) wrong = with.why();
    if (!with.vote_fault().empty()) wrong = with.vote_fault();
  }
};

}  // namespace

TEST_CASE("A server killed in the middle of a vote loses no page, no vote and no question") {
  if (!can_serve_classes()) return;
  const ScratchFolder scratch;
  const auto keep = scratch.path / "class.json";
  auto server = std::make_unique<Process>(keep, 0);
  REQUIRE_MESSAGE(server->runs(), server->printed());
  const int port = server->port();
  std::vector<Page> pages;
  pages.push_back({Attendance(Join{kCode, server->secret(), ""})});  // who teaches
  for (size_t k = 0; k < kPages; ++k) pages.push_back({Attendance(Join{kCode, "", ""})});
  const auto until = [&](auto holds, double seconds = 25) {
    for (const double end = steady_seconds() + seconds; steady_seconds() < end; usleep(1000)) {
      for (Page& page : pages) page.turn(port);
      if (std::ranges::all_of(pages, holds)) return true;
    }
    return false;
  };
  REQUIRE(until([](const Page& page) { return page.with.in(); }));
  Attendance& teacher = pages.front().with;

  const char* more = std::getenv("TILEWALK_CLASS_KILLS");
  const int kills = more ? std::atoi(more) : 6;
  std::mt19937 random(1);
  for (int k = 0; k < kills; ++k) {
    CAPTURE(k);
    const std::string place = fmt::format("tilewalk://lesson/6/beat/{}", k);
    teacher.lead(place);
    teacher.ask({place, "max", 4, "", "", {1}});
    const auto killed_at = steady_seconds() + std::uniform_real_distribution(0.0, 0.3)(random);
    std::array<int, 4> voted{};
    size_t next = 1;
    bool alive = true, seen = false;
    const auto vote = [&](size_t page) {  // as a person does: once the question is there
      const int option = int(random() % 4);
      ++voted[size_t(option)];
      pages[page].with.vote(option, std::nullopt, Sure::Sure);
    };
    const auto is_asked = [&](const Page& page) {
      return page.with.in() && page.with.poll() && page.with.poll()->asked.place == place && page.with.poll()->open;
    };
    for (const double end = steady_seconds() + 25; (alive || next <= kPages) && steady_seconds() < end; usleep(1000)) {
      if (alive && steady_seconds() > killed_at)
        server->kill(), alive = false, server = std::make_unique<Process>(keep, port);
      REQUIRE_MESSAGE(server->runs(), server->printed());
      for (Page& page : pages) page.turn(port);
      // A question that the server had not taken yet when it ended is asked again by who asked; one that somebody has
      // seen is still there.
      seen = seen || std::ranges::any_of(pages, is_asked);
      const bool elsewhere = teacher.poll() ? teacher.poll()->asked.place != place : teacher.led().step > 0;
      if (!alive && teacher.in() && elsewhere) {
        CHECK_FALSE(seen);
        teacher.ask({place, "max", 4, "", "", {1}});
        seen = true;
      }
      if (next <= kPages && is_asked(pages[next])) vote(next++);
    }
    REQUIRE(next > kPages);
    CHECK(until([](const Page& page) {
      return page.with.in() && (page.with.teacher() ? page.with.count().votes == int(kPages) : page.with.vote_counts());
    }));
    CHECK(teacher.count().votes == int(kPages));
    teacher.lead(place);
    teacher.move_poll("tell");
    CHECK(until([&](const Page& page) {
      return page.with.poll() && page.with.poll()->asked.place == place && page.with.poll()->told &&
             page.with.led().link == place;
    }));
    for (const Page& page : pages) {
      CHECK(page.wrong == "");
      REQUIRE(page.with.poll());
      REQUIRE(page.with.poll()->rounds.size() == 1);
      for (size_t option = 0; option < voted.size(); ++option)
        CHECK(page.with.poll()->rounds[0].options[option][size_t(Sure::Sure)] == voted[option]);
    }
  }
}

}  // namespace tilewalk::test_killed
