// What is dropped on the window or given on the command line: links, files with links, recordings good and bad.
#include "app/gpu/desk.h"
#include "app/gpu/diagnostics.h"
#include "app/session/diagnostics.h"
#include "app/session/open_any.h"
#include "core/run/run_json.h"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tilewalk::test_open_any {
namespace fs = std::filesystem;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Table {
  fs::path folder = fs::temp_directory_path() / ("tilewalk-open-" + std::to_string(getpid()));
  Session session;
  ViewState view;
  Table() { fs::create_directories(folder); }
  ~Table() { fs::remove_all(folder); }
  fs::path file(const std::string& name, std::string_view content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
  }
  bool drop(const fs::path& path) { return open_any(session, view, {path}); }
  // What a desk makes of the recording that was dropped.
  std::string told(const fs::path& path) {
    drop(path);
    DeskOptions options;
    options.clock = now;
    options.date = [] { return std::string("2026-11-20T10:00:00Z"); };
    GpuDesk desk(std::move(options));
    desk.start();
    std::string notice;
    for (const double until = now() + 60; notice.empty() && now() < until;
         std::this_thread::sleep_for(std::chrono::milliseconds(2)))
      desk.update({session.problem(), session.inputs(), session.input_hash()}, true, view.gpu, notice);
    return notice;
  }
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a link that is dropped is gone to: as a text, and out of a small file") {
  Table table;
  table.drop("tilewalk://walk/step/12?seed=9");
  CHECK(table.view.playhead == 12);
  CHECK(table.session.problem().seed == 9);
  table.drop(table.file("stop.txt", "tilewalk://walk/step/20?seed=11\nand more\n"));
  CHECK(table.view.playhead == 20);
  CHECK(table.session.problem().seed == 11);
  CHECK_FALSE(table.drop("tilewalk://lesson/99"));
  CHECK(contains(table.view.notice, "which is not here"));
  CHECK(table.view.playhead == 20);
}

TEST_CASE("files that cannot be opened get a sentence, and the walk stays") {
  Table table;
  const uint64_t before = table.session.input_hash();
  for (const auto& [name, content] : std::vector<std::pair<std::string, std::string>>{{"empty.npy", ""},
                                                                                      {"empty.safetensors", ""},
                                                                                      {"empty.txt", ""},
                                                                                      {"words.txt", "nothing of ours"},
                                                                                      {"noise.npy", "\x93NUMPY\x01"}}) {
    CAPTURE(name);
    CHECK_FALSE(table.drop(table.file(name, content)));
    CHECK(contains(table.view.notice, name));
    CHECK(table.view.notice.ends_with("."));
  }
  table.drop(table.folder / "not-there.npy");
  CHECK(contains(table.view.notice, "not-there.npy"));
  table.drop(table.folder);
  CHECK(table.view.notice != "");
  CHECK(table.session.input_hash() == before);
}

TEST_CASE("a recording that is dropped is read, or says why not") {
  Table table;
  RunResult run;
  run.provenance.gpu = "Test GPU";
  run.spec.problem.n_q = run.spec.problem.n_k = 64;
  KernelResult kernel;
  kernel.kernel = Method::Fa2;
  run.kernels = {kernel};
  const std::string words = table.told(table.file("good.run.json", recording_text({run})));
  CHECK(contains(words, "Opened good.run.json: 1 run, the first on Test GPU with N = 64"));
  CHECK(table.view.tab == Tab::Gpu);
  CHECK(table.view.gpu.recorded);
  CHECK(table.view.gpu.unread.empty());

  for (const auto& [name, content] :
       std::vector<std::pair<std::string, std::string>>{{"empty.run.json", ""},
                                                        {"half.run.json", recording_text({run}).substr(0, 100)},
                                                        {"other.json", "{\"a\": 1}"}}) {
    CAPTURE(name);
    const std::string told = table.told(table.file(name, content));
    CHECK(contains(told, name));
    CHECK(told.ends_with("."));
    CHECK_FALSE(contains(told, "Opened"));
    CHECK(table.view.gpu.unread == told);
  }
  // Half a gigabyte, without taking it from the disk.
  const fs::path large = table.file("large.run.json", "{");
  fs::resize_file(large, uint64_t{500} << 20);
  const double start = now();
  const std::string told = table.told(large);
  CHECK(contains(told, "large.run.json"));
  CHECK_FALSE(contains(told, "Opened"));
  CHECK(now() - start < 30);
  CHECK(contains(table.told(table.folder / "gone.run.json"), "gone.run.json"));
}

TEST_CASE("whatever a name leads to, one sentence comes soon, and nothing else changes") {
  Table table;
  const uint64_t before = table.session.input_hash();
  const auto make = [&](const std::string& what, const fs::path& path) {
    fs::remove_all(path);
    if (what == "folder") {
      fs::create_directory(path);
    } else if (what == "pipe") {
      REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    } else {
      std::ofstream(path, std::ios::binary) << (what == "empty" ? "" : "{");
      if (what == "large") fs::resize_file(path, uint64_t{500} << 20);  // takes nothing from the disk
      if (what == "locked") fs::permissions(path, fs::perms::none);
    }
  };
  fs::permissions(table.folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  for (const std::string what : {"empty", "large", "folder", "pipe", "locked"})
    for (const std::string name : {"a.run.json", "a.set", "a.txt", "a.npy", "a.safetensors", "a.md", "a"}) {
      CAPTURE(what);
      CAPTURE(name);
      const fs::path path = table.folder / name;
      make(what, path);
      // Whoever may read everything is somebody else for as long as it takes.
      const bool other = what == "locked" && ::geteuid() == 0 && ::seteuid(65534) == 0;
      const double start = now();
      std::string words;
      if (name == "a.run.json") {
        words = table.told(path);
      } else {
        table.drop(path);
        words = table.view.notice;
      }
      const double took = now() - start;
      if (other) REQUIRE(::seteuid(0) == 0);
      CHECK(took < 2);
      CHECK_MESSAGE(contains(words, name), words);
      CHECK_MESSAGE(words.ends_with("."), words);
      CHECK_MESSAGE(std::ranges::count(words, '\n') == 0, words);
      CHECK_MESSAGE(words.size() < 300, words);
      fs::remove_all(path);
    }
  CHECK(table.session.input_hash() == before);
}

TEST_CASE("diagnostics name version, display, place and the log's last lines") {
  Table table;
  table.drop("tilewalk://walk/step/12?seed=9");
  table.view.about_facts.renderer = "a renderer";
  const std::string text = program_diagnostics(table.session, table.view, {"first line", "second line"});
  for (const std::string_view part :
       {"Tilewalk ", "a renderer", "tilewalk://walk/step/12", "seed=9", "first line", "second line", "GPU worker"}) {
    CAPTURE(part);
    CHECK(contains(text, part));
  }
  CHECK(contains(text, program_version()));
}

}  // namespace tilewalk::test_open_any
