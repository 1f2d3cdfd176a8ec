#include "core/io/file.h"
#include "core/io/folder_lock.h"

#include "tests/core/io_helpers.h"
#include "tests/core/processes.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

namespace tilewalk::test_file {
namespace fs = std::filesystem;

namespace {

// Runs `act` in a child process, where limits and mounts hurt nobody, and returns what it returned.
std::string in_child(const std::function<std::string()>& act) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string said;
    try {
      said = act();
    } catch (const std::exception& error) {
      said = std::string("threw ") + error.what();
    }
    const ssize_t ignored = ::write(ends[1], said.data(), said.size());
    ::_exit(ignored == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) said.append(buffer, static_cast<size_t>(got));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  return said;
}

// Root may read and write everything; the account "nobody" shows what others meet.
void become_nobody() {
  if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) throw std::runtime_error("cannot become nobody");
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const IoError& error) {
    return error.what();
  }
  return "no error";
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a file is read whole, and at offsets") {
  const ScratchFolder folder;
  const fs::path path = put(folder / "a", std::string("one\0two", 7));
  CHECK(read_file(path) == std::string("one\0two", 7));
  CHECK(read_file(put(folder / "empty", "")).empty());
  InputFile file(path);
  CHECK(file.size() == 7);
  std::string part(3, ' ');
  file.read_at(4, std::as_writable_bytes(std::span(part)));
  CHECK(part == "two");
  check_words(sentence_of(path, [&] { file.read_at(5, std::as_writable_bytes(std::span(part))); }),
              {"cut short", "1 byte missing at byte 7"});
  const InputFile moved = std::move(file);
  moved.read_at(0, std::as_writable_bytes(std::span(part)));
  CHECK(part == "one");
}

TEST_CASE("a pipe that nobody reads is refused, and one that is read takes all") {
  const ScratchFolder folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  check_words(sentence_of(pipe, [&] { write_file(pipe, "x"); }), {"a pipe that nobody reads"});
  const std::string all(100'000, 'x');  // more than a pipe holds
  std::string read;
  std::thread reader([&] {
    std::ifstream in(pipe, std::ios::binary);
    read.assign(std::istreambuf_iterator<char>(in), {});
  });
  for (bool written = false; !written;) try {
      write_file(pipe, all);
      written = true;
    } catch (const IoError&) {
      std::this_thread::yield();  // the reader is not there yet
    }
  reader.join();
  CHECK(read == all);
}

TEST_CASE("what cannot be read is told apart") {
  const ScratchFolder folder;
  const auto read = [](const fs::path& path) { return sentence_of(path, [&] { read_file(path, 10); }); };
  check_words(read(folder / "none"), {"is not there"});
  put(folder / "file", "x");
  check_words(read(folder / "file/below"), {"is not there"});
  check_words(read(folder.path), {"is a folder"});
  check_words(read(put(folder / "large", "12345678901")), {"too large", "11 bytes", "at most 10"});
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  check_words(read(folder / "pipe"), {"not a regular file"});
  fs::create_symlink("loop", folder / "loop");
  check_words(read(folder / "loop"), {"cannot be opened", "symbolic links"});
  check_words(read(folder / "bad\nname\xFF"), {"bad\\x0aname?", "is not there"});

  const fs::path locked = put(folder / "locked", "x");
  ::chmod(locked.c_str(), 0);
  ::chmod(folder.path.c_str(), 0755);
  check_words(in_child([&] {
                become_nobody();
                return error_of([&] { read_file(locked); });
              }),
              {locked.string(), "may not be read", "Permission denied"});
}

TEST_CASE("a file is replaced in one move") {
  const ScratchFolder folder;
  const fs::path path = folder / "a.txt";
  write_file(path, "first");
  CHECK(read_file(path) == "first");
  CHECK((mode_of(path) & 0600) == 0600);
  ::chmod(path.c_str(), 0640);
  const std::string large(3'000'000, 'x');
  write_file(path, large);
  CHECK(read_file(path) == large);
  CHECK(mode_of(path) == 0640);
  CHECK(folder.names() == std::set<std::string>{"a.txt"});

  // A link stays a link, also one whose target is not there yet.
  fs::create_directory(folder / "real");
  fs::create_symlink("real/target", folder / "link");
  write_file(folder / "link", "through");
  write_file(folder / "link", "through again");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "real/target") == "through again");
}

TEST_CASE("a writer that did not come to its end is in nobody's way, and is cleared away") {
  const ScratchFolder folder;
  const auto stray = [&](const std::string& name, int age) {
    put(folder / name, "half");
    const timespec when{::time(nullptr) - age, 0};
    const timespec both[] = {when, when};
    REQUIRE(::utimensat(AT_FDCWD, (folder / name).c_str(), both, 0) == 0);
  };
  const std::string own = std::to_string(::getpid());
  // Names as this process would take them first, from before as from now.
  for (int k = 0; k < 50; ++k) stray(".tilewalk-" + own + "-" + std::to_string(k) + ".tmp", 7200);
  int gone = 0;
  for (pid_t pid = 4'000'000; gone == 0; ++pid)
    if (::kill(pid, 0) != 0) gone = pid;
  stray(".tilewalk-" + std::to_string(gone) + "-0.tmp", 120);
  stray(".tilewalk-" + std::to_string(gone) + "-1.tmp", 5);  // another computer's process may be writing it
  stray(".tilewalk-1-0123456789abcdef.tmp", 90'000);         // its number is another's by now
  stray(".tilewalk-" + own + "-00000000000000ff.tmp", 120);  // ours, perhaps of another thread
  stray(".tilewalk-x.tmp", 90'000);                          // no name of ours
  write_file(folder / "a", "new");
  CHECK(read_file(folder / "a") == "new");
  std::set<std::string> left = folder.names();
  for (int k = 0; k < 50; ++k) left.erase(".tilewalk-" + own + "-" + std::to_string(k) + ".tmp");
  CHECK(left == std::set<std::string>{"a", ".tilewalk-" + std::to_string(gone) + "-1.tmp",
                                      ".tilewalk-" + own + "-00000000000000ff.tmp", ".tilewalk-x.tmp"});
}

TEST_CASE("in a folder that everybody may write to, a stranger's links are not followed") {
  if (::geteuid() != 0) {
    MESSAGE("skipped: only root can play a stranger");
    return;
  }
  const ScratchFolder folder;
  const fs::path shared = folder / "shared", home = folder / "home";
  for (const fs::path& each : {shared, home}) fs::create_directory(each);
  ::chmod(folder.path.c_str(), 0755);
  ::chmod(shared.c_str(), 01777);
  put(home / "precious", "mine");
  const auto stranger = [](const fs::path& link) { REQUIRE(::lchown(link.c_str(), 65534, 65534) == 0); };
  fs::create_symlink(home / "precious", shared / "file");
  fs::create_symlink(home, shared / "folder");
  fs::create_symlink(home / "new", shared / "nothing-yet");
  fs::create_symlink(shared / "file", home / "chain");
  for (const char* name : {"file", "folder", "nothing-yet"}) stranger(shared / name);
  for (const fs::path& path : {shared / "file", shared / "folder/precious", shared / "nothing-yet", home / "chain"})
    check_words(error_of([&] { write_file(path, "theirs"); }), {"another account", "choose another name"});
  CHECK(read_file(home / "precious") == "mine");
  CHECK_FALSE(fs::exists(home / "new"));
  REQUIRE(::mkfifo((shared / "pipe").c_str(), 0666) == 0);
  stranger(shared / "pipe");
  check_words(error_of([&] { write_file(shared / "pipe", "x"); }), {"pipe of another account"});
  // Nor does a stranger's file decide who may read ours, or make it run as somebody.
  put(shared / "open", "");
  ::chmod((shared / "open").c_str(), 04777);
  stranger(shared / "open");
  write_file(shared / "open", "ours");
  CHECK((mode_of(shared / "open") & 07022) == 0);
  // One's own links are followed, there and elsewhere.
  fs::create_symlink(home / "precious", shared / "own");
  fs::create_symlink("precious", home / "settings");
  write_file(shared / "own", "one");
  CHECK(read_file(home / "precious") == "one");
  write_file(home / "settings", "two");
  CHECK(read_file(home / "precious") == "two");
  CHECK(fs::is_symlink(home / "settings"));
}

TEST_CASE("one process at a time has a folder's lock, and a dead one does not keep it") {
  const ScratchFolder folder;
  {
    const FolderLock mine(folder.path, 0);
    check_words(sentence_of(folder.path, [&] { FolderLock(folder.path, 0.02); }), {"being written", "try again"});
  }
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder.path);
    (void)!::write(ends[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ends[0], &byte, 1) == 1);
  check_words(error_of([&] { FolderLock(folder.path, 0.02); }), {"being written"});
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(error_of([&] { FolderLock(folder.path, 0.5); }) == "no error");
  CHECK(folder.names().empty());
  check_words(error_of([&] { FolderLock(folder / "none"); }), {"cannot be opened"});
}

TEST_CASE("a failed write names the reason and leaves nothing behind") {
  const ScratchFolder folder;
  const auto write = [](const fs::path& path) { return sentence_of(path, [&] { write_file(path, "x"); }); };
  check_words(write(folder / "none/a"), {"could not be written", "No such file", "create its folder"});
  check_words(write(folder.path), {"is a folder"});
  check_words(write("/dev/full"), {"could not be written", "No space left", "free some space"});
  write_file("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));

  const fs::path kept = put(folder / "kept", "old");
  SUBCASE("a folder without permission") {
    ::chmod(folder.path.c_str(), 0555);
    check_words(in_child([&] {
                  become_nobody();
                  return error_of([&] { write_file(folder / "new", "x"); });
                }),
                {(folder / "new").string(), "Permission denied", "choose another folder"});
    ::chmod(folder.path.c_str(), 0755);
  }
  SUBCASE("a file that is read-only in a folder that is not") {
    ::chmod(kept.c_str(), 0444);
    ::chmod(folder.path.c_str(), 0777);
    check_words(in_child([&] {
                  become_nobody();
                  return error_of([&] { write_file(kept, "new"); });
                }),
                {kept.string(), "Permission denied"});
  }
  SUBCASE("a limit in the middle of the content") {
    check_words(in_child([&] {
                  ::signal(SIGXFSZ, SIG_IGN);
                  const rlimit limit{100'000, 100'000};
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  return error_of([&] { write_file(kept, std::string(1'000'000, 'x')); });
                }),
                {kept.string(), "File too large"});
  }
  SUBCASE("a full disk") {
    const std::string said = in_child([&]() -> std::string {
      if (!put_small_disk(folder.path)) {
        return "skipped";
      }
      write_file(kept, "old");
      std::string out = error_of([&] { write_file(kept, std::string(1'000'000, 'x')); });
      out += " then " + read_file(kept);
      for (const std::string& name : folder.names()) out += " and " + name;
      // With the disk still usable after, nothing half-written holds the space.
      write_file(kept, std::string(40'000, 'y'));
      return out + (read_file(kept).size() == 40'000 ? " free again" : "");
    });
    if (said == "skipped") {
      MESSAGE("skipped: a small file system can only be mounted by root");
    } else {
      check_words(said, {kept.string(), "No space left", "free some space", "then old and kept free again"});
    }
  }
  CHECK(read_file(kept) == "old");
  CHECK(folder.names() == std::set<std::string>{"kept"});
}

TEST_CASE("a damaged file is set aside under a name that is free") {
  const ScratchFolder folder;
  for (const char* name : {"a.toml.bad-2026-11-20", "a.toml.bad-2026-11-20-2", "a.toml.bad-2026-11-20-3"}) {
    put(folder / "a.toml", name);
    CHECK(set_aside(folder / "a.toml", "2026-11-20") == folder / name);
    CHECK(read_file(folder / name) == name);
  }
  CHECK(folder.names().size() == 3);
  put(folder / "b", "x");
  CHECK(set_aside(folder / "b", "../1") == folder / "b.bad-..-1");
  check_words(sentence_of(folder / "none", [&] { set_aside(folder / "none", "1"); }), {"could not be set aside"});
}

TEST_CASE("foreign text is made fit for a sentence") {
  CHECK(printable("plain, \xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x99\x82") ==
        "plain, \xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x99\x82");
  CHECK(printable("a\nb\x7F\x1B[0m") == "a\\x0ab\\u007f\\x1b[0m");
  CHECK(printable("a\nb\tc\x1B", "\n\t") == "a\nb\tc\\x1b");
  // CSI of C1, an override, an isolate, a mark, a separator, a byte order mark; a joiner between letters stays.
  CHECK(printable("\u009B31m \u202E \u2066 \u200F \u2028 \uFEFF \u200D") ==
        "\\u009b31m \\u202e \\u2066 \\u200f \\u2028 \\ufeff \u200D");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  // Bare, cut, overlong, surrogate, too large.
  CHECK(printable("\xA9 \xC3 \xC0\xAF \xED\xA0\x80 \xF4\x90\x80\x80 \xE2\x82") == "? ? ?? ??? ???? ??");
  CHECK(in_quotes("layer0.q") == "\"layer0.q\"");
  CHECK(in_quotes(std::string(100, 'a'), 8) == "\"aaaaaaaa...\"");
  CHECK(in_quotes("aaaaaaa\xE2\x82\xAC\xE2\x82\xAC", 8) == "\"aaaaaaa...\"");
  CHECK(shape_text({4, 64, 32}) == "[4, 64, 32]");
  CHECK(shape_text({}) == "[]");
  CHECK(some_of({"a", "b", "c"}, 2) == "\"a\", \"b\" and 1 more");
}

}  // namespace tilewalk::test_file
