// The server over loopback: files, who may connect, following, votes, pages that misbehave, and going on after an end.
#include "app/classroom/silent.h"
#include "core/io/file.h"
#include "tests/classroom/served.h"

#include <fmt/format.h>

#include <filesystem>

#include <unistd.h>

namespace tilewalk::test_server {

namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path folder = fs::temp_directory_path() / fmt::format("tilewalk-class-{}", getpid());
  Scratch() {
    fs::remove_all(folder);
    fs::create_directories(folder / "site");
  }
  ~Scratch() { fs::remove_all(folder); }
  void put(const std::string& name, std::string_view text) const { write_file(folder / "site" / name, text); }
};

std::string get(int port, std::string_view path, std::string_view more = "") {
  return http_answer(port, fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}\r\n", path, more));
}

bool has(const std::string& answer, std::string_view words) { return answer.find(words) != answer.npos; }

}  // namespace

TEST_CASE("The page's files are served, compressed to who takes them, and no other file is") {
  if (!can_serve_classes()) return;
  const Scratch scratch;
  scratch.put("index.html", "<title>Tilewalk</title>");
  scratch.put("tilewalk.0123456789ab.js", "let plain = 1;");
  scratch.put("tilewalk.0123456789ab.js.br", "packed");
  write_file(scratch.folder / "secret.txt", "secret");
  Served served({.site = scratch.folder / "site"});
  const int port = served.server.port();
  const std::string front = get(port, "/");
  CHECK(front.starts_with("HTTP/1.1 200"));
  CHECK(has(front, "<title>Tilewalk</title>"));
  CHECK(has(front, "no-cache"));
  const std::string script = get(port, "/tilewalk.0123456789ab.js");
  CHECK(has(script, "let plain = 1;"));
  CHECK(has(script, "text/javascript"));
  CHECK(has(script, "immutable"));
  const std::string packed = get(port, "/tilewalk.0123456789ab.js?x=1", "Accept-Encoding: gzip, br\r\n");
  CHECK(has(packed, "packed"));
  CHECK(has(packed, "content-encoding: br"));
  CHECK(has(get(port, "/tilewalk.0123456789ab.js", "Accept-Encoding: br;q=0\r\n"), "let plain"));
  for (const char* path : {"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/nothing",
                           "/tilewalk.0123456789ab.js%20br", "/tilewalk.0123456789ab.js.br/x"}) {
    CAPTURE(path);
    const std::string answer = get(port, path);
    CHECK_FALSE(answer.starts_with("HTTP/1.1 200"));
    CHECK_FALSE(has(answer, "secret"));
    CHECK_FALSE(has(answer, "packed"));
  }
  CHECK_FALSE(http_answer(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                  .starts_with("HTTP/1.1 200"));
}

TEST_CASE("Without the page a sentence says how it is built") {
  if (!can_serve_classes()) return;
  Served served;
  CHECK(has(get(served.server.port(), "/"), "--web"));
}

TEST_CASE("A port that is taken, and a certificate that is none, are named in a sentence") {
  if (!can_serve_classes()) return;
  Served served;
  const int taken = served.server.port();
  const auto silent = [](const std::string&) {};
  CHECK_THROWS_WITH_AS(ClassServer({.port = taken}, kCode, kSecret, silent), doctest::Contains("--listen"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(
      ClassServer({.port = 0, .certificate = "/nowhere.pem", .key = "/nowhere.key"}, kCode, kSecret, silent),
      doctest::Contains("certificate"), std::runtime_error);
}

TEST_CASE("A page of another site cannot connect, nor one that does not name the protocol") {
  if (!can_serve_classes()) return;
  Served served;
  const int port = served.server.port();
  const auto let_in = [&](const PageClient::Opening& opening) {
    PageClient page(port, opening);
    page.say(Join{kCode, "", ""});
    return page.wait<Welcome>(1500).has_value();
  };
  CHECK(let_in({.origin = fmt::format("http://127.0.0.1:{}", port)}));
  CHECK(let_in({}));
  CHECK_FALSE(let_in({.origin = "https://elsewhere.example"}));
  CHECK_FALSE(let_in({.origin = fmt::format("http://127.0.0.1:{}.elsewhere.example", port)}));
  CHECK_FALSE(let_in({.origin = "null"}));
  CHECK_FALSE(let_in({.protocol = ""}));
  CHECK_FALSE(let_in({.protocol = "chat"}));
}

TEST_CASE("Pages follow and vote over loopback while others vanish, flood, send garbage and sleep") {
  if (!can_serve_classes()) return;
  Served served;
  const int port = served.server.port();
  PageClient teacher = served.page(kSecret);
  REQUIRE(teacher.wait<Welcome>());
  std::vector<PageClient> pages;
  for (int k = 0; k < 12; ++k) pages.push_back(served.page());
  for (PageClient& page : pages) REQUIRE(page.wait<Welcome>());

  // Those who misbehave come between the steps.
  std::vector<PageClient> strangers;
  for (int step = 1; step <= 20; ++step) {
    switch (step % 5) {
      case 0: PageClient(port).vanish(); break;
      case 1: {
        PageClient garbage(port);
        garbage.read(200);
        garbage.send_raw(std::string(5000, '\xc1'));
        strangers.push_back(std::move(garbage));
        break;
      }
      case 2: {
        PageClient large = served.page();
        large.send_text(std::string(size_t{1} << 17, 'x'));
        strangers.push_back(std::move(large));
        break;
      }
      case 3: {
        PageClient flood = served.page();
        for (int k = 0; k < 300; ++k) flood.say(Where{"tilewalk://lesson/1"});
        strangers.push_back(std::move(flood));
        break;
      }
      default: {
        PageClient half(port);
        half.read(200);
        half.send_raw(std::string("\x81\xfe\x00", 3));  // the beginning of a frame
        strangers.push_back(std::move(half));
        break;
      }
    }
    const std::string link = fmt::format("tilewalk://lesson/6/beat/{}", step);
    teacher.say(Lead{link});
    for (PageClient& page : pages) {
      const auto led = page.wait<Led>();
      REQUIRE(led);
      CHECK(led->step == step);
      CHECK(led->link == link);
    }
  }
  teacher.say(OpenPoll{{"tilewalk://lesson/6/beat/3", "max", 3, "", "", {1}}});
  for (size_t k = 0; k < pages.size(); ++k) {
    const auto asked = pages[k].wait<PollShown>();
    REQUIRE(asked);
    pages[k].say(CastVote{asked->poll, 1, int(k % 3), std::nullopt, 2});
    const auto taken = pages[k].wait<VoteTaken>();
    REQUIRE(taken);
    CHECK(taken->why_not.empty());
  }
  teacher.say(MovePoll{"tell"});
  for (PageClient& page : pages) {
    std::optional<PollShown> shown;
    do shown = page.wait<PollShown>();
    while (shown && !shown->told);
    REQUIRE(shown);
    CHECK(shown->rounds.front().votes == 12);
    CHECK(shown->rounds.front().options[1][2] == 4);
  }
  for (PageClient& page : strangers) page.read(100);
  const auto open = std::count_if(strangers.begin(), strangers.end(), [](const PageClient& p) { return p.open(); });
  CHECK(open <= 4);  // half a frame may wait for its other half
}

TEST_CASE("A server that was ended goes on with its file, and pages come back to their seats") {
  if (!can_serve_classes()) return;
  const Scratch scratch;
  const fs::path file = scratch.folder / "class.json";
  std::string seat;
  {
    Served served({.keep = file});
    PageClient teacher = served.page(kSecret), page = served.page();
    REQUIRE(teacher.wait<Welcome>());
    const auto welcome = page.wait<Welcome>();
    REQUIRE(welcome);
    seat = welcome->seat;
    teacher.say(Lead{"tilewalk://lesson/6/beat/2"});
    teacher.say(OpenPoll{{"tilewalk://lesson/6/beat/3", "max", 3, "", "", {1}}});
    const auto asked = page.wait<PollShown>();
    REQUIRE(asked);
    page.say(CastVote{asked->poll, 1, 0, std::nullopt, 2});
    REQUIRE(page.wait<VoteTaken>());
    // As kill -9 would leave it: what was written a moment ago.
    for (int k = 0; k < 50 && (!fs::exists(file) || !has(read_file(file), seat)); ++k) usleep(50000);
    REQUIRE(has(read_file(file), seat));
    fs::copy_file(file, scratch.folder / "copy.json");
  }
  fs::rename(scratch.folder / "copy.json", file);
  CHECK((fs::status(file).permissions() & fs::perms::others_read) == fs::perms::none);
  {
    Served served({.keep = file});
    CHECK(has(served.all_said(), "goes on"));
    PageClient page = served.page("", seat);
    CHECK(page.wait<Welcome>()->seat == seat);
    CHECK(page.wait<Led>()->link == "tilewalk://lesson/6/beat/2");
    CHECK(page.wait<PollShown>()->open);
    PageClient teacher = served.page(kSecret);
    teacher.say(MovePoll{"tell"});
    std::optional<PollShown> shown;
    do shown = page.wait<PollShown>();
    while (shown && !shown->told);
    REQUIRE(shown);
    CHECK(shown->rounds.front().options[0][2] == 1);
    teacher.say(EndClass{});
    CHECK(page.wait<ClassEnded>());
    served.thread.join();  // it ends by itself
    served.thread = std::thread([] {});
  }
  write_file(file, "{");
  CHECK_THROWS_WITH_AS(ClassServer({.port = 0, .keep = file}, kCode, kSecret, [](const std::string&) {}),
                       doctest::Contains("Move"), std::runtime_error);
}

TEST_CASE("Connections that finish no handshake, or say nothing, keep no page out") {
  if (!can_serve_classes()) return;
  Served served;
  const int port = served.server.port();
  for (const char* begins : {"GET /class HTTP/1.1\r\nHost: x\r\n", "", "GET / HT"}) {
    CAPTURE(begins);
    std::vector<int> open;
    for (int k = 0; k < 400; ++k) open.push_back(raw_connection(port, begins));
    usleep(300000);
    const double began = steady_seconds();
    PageClient page = served.page();
    CHECK(page.wait<Welcome>(1000));
    CHECK(steady_seconds() - began < 1);
    CHECK(has(get(port, "/"), "--web"));
    for (const int fd : open) close(fd);
  }
  // Those that come as far as a WebSocket, too.
  std::vector<PageClient> silent;
  for (int k = 0; k < 300; ++k) silent.emplace_back(port);
  PageClient page = served.page();
  CHECK(page.wait<Welcome>(1000));
}

TEST_CASE("Of too many silent connections of an address the oldest goes first, and other addresses keep theirs") {
  Silent<int> silent({.of_address = 3, .of_unknown = 4, .of_all = 6});
  for (int k = 1; k <= 3; ++k) CHECK_FALSE(silent.came(k, "a"));
  CHECK(silent.came(4, "a") == 1);
  silent.went(2);
  CHECK_FALSE(silent.came(5, "a"));
  CHECK_FALSE(silent.came(6, ""));
  CHECK_FALSE(silent.came(7, ""));
  CHECK_FALSE(silent.came(8, "b"));
  CHECK(silent.came(9, "b") == 3);  // too many of all
  CHECK(silent.count() == 6);
  for (int k = 1; k <= 9; ++k) silent.went(k);
  CHECK(silent.count() == 0);
}

}  // namespace tilewalk::test_server
