// Links, steps and pages in files: what is asked is what is written, and what cannot be says why.
#include "app/export/cost.h"
#include "app/export/job.h"
#include "app/state/export_order.h"
#include "core/io/file.h"
#include "tests/app/cli/run.h"
#include "tests/app/xml.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_export_links {
using test::contains;
using test::run;

namespace {

const std::string kWalk = "export tilewalk://walk/step/37?schedule=fa2&N=16&d=8&Br=4&Bc=4&seed=7 ";

// The first line in which two texts differ.
std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  std::string in_a, in_b;
  for (int line = 1;; ++line) {
    const bool more_a = bool(std::getline(a, in_a)), more_b = bool(std::getline(b, in_b));
    if (!more_a && !more_b) return "none";
    if (more_a != more_b || in_a != in_b)
      return "line " + std::to_string(line) + "\n  kept: " + (more_a ? in_a : "(its end)") +
             "\n  now:  " + (more_b ? in_b : "(its end)");
  }
}

}  // namespace

TEST_CASE("the telling stop of every lesson is drawn as it is kept in golden/lessons") {
  // Lesson and beat.
  const std::pair<const char*, int> stops[] = {{"1", 5},
                                               {"2", 5},
                                               {"3", 5},
                                               {"4", 4},
                                               {"5", 4},
                                               {"6", 4},
                                               {"7", 2},
                                               {"8", 6},
                                               {"9", 4},
                                               {"10", 4},
                                               {"11", 4},
                                               {"12", 5},
                                               {"13", 4},
                                               {"14", 2},
                                               {"differential-attention", 4},
                                               {"flash-decoding", 4},
                                               {"latent-attention", 4},
                                               {"ring-attention", 4},
                                               {"native-sparse-attention", 4}};
  for (const auto& [lesson, beat] : stops) {
    const test::Ran ran = run(std::string("export tilewalk://lesson/") + lesson + "/beat/" + std::to_string(beat) +
                              " --size 1280x720 -o -");
    const std::string path = std::string(TILEWALK_SOURCE_DIR "/tests/app/golden/lessons/") + lesson + ".svg";
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK_MESSAGE(well_formed(ran.out), path);
    CHECK_MESSAGE(contains(ran.out, "<text"), path);
    if (std::getenv("TILEWALK_WRITE_GOLDEN")) std::ofstream(path) << ran.out;
    const std::string kept = read_file(path);
    const bool same = ran.out == kept;  // not the texts themselves into the report
    CHECK_MESSAGE(same, path << " is no longer what is drawn; first at " << first_difference(kept, ran.out)
                             << "\nLook at the picture; if it is meant, renew them all: TILEWALK_WRITE_GOLDEN=1 "
                                "build/bin/export_tests -tc='*golden*'");
  }
}

TEST_CASE("a link is written in any size and theme, with its footer") {
  const test::Ran plain = run(kWalk + "-o -");
  CHECK(plain.code == 0);
  CHECK(plain.err.empty());
  CHECK(contains(plain.out, "width=\"1920\" height=\"1080\""));
  CHECK(contains(plain.out, "<title>FA2, step 37 of"));
  CHECK_FALSE(contains(plain.out, "tilewalk://"));
  CHECK(run(kWalk + "-o - --theme dark").out != plain.out);
  CHECK(contains(run(kWalk + "-o - --size 3840x2160").out, "width=\"3840\" height=\"2160\""));
  const test::Ran footer = run(kWalk + "-o - --footer");
  CHECK(contains(footer.out, "schedule=fa2&amp;N=16&amp;d=8&amp;Br=4"));
  CHECK(contains(footer.out, "seed 7"));
  CHECK(contains(run(kWalk + "-o - --window").out, ">Tilewalk</text>"));
}

TEST_CASE("a range of steps becomes numbered files, one for each part") {
  const test::Folder folder;
  const test::Ran ran = run(kWalk + "--steps 3-12 -o " + (folder / "walk.svg").string());
  CHECK(ran.code == 0);
  const std::string first = read_file(folder / "walk-001.svg");
  CHECK(contains(first, "step 3 of"));
  int64_t count = 0;
  while (std::filesystem::exists(folder / ("walk-00" + std::to_string(count + 1) + ".svg"))) ++count;
  CHECK(count >= 3);
  CHECK(count < 10);
  CHECK(contains(read_file(folder / ("walk-00" + std::to_string(count) + ".svg")), "step 12 of"));
  CHECK(contains(ran.out, std::to_string(count) + " pictures, about"));
  CHECK_FALSE(std::filesystem::exists(folder / "walk.svg"));
  // Every step by itself.
  CHECK(run(kWalk + "--steps 3-12 --unit step -o " + (folder / "each.svg").string()).code == 0);
  CHECK(std::filesystem::exists(folder / "each-010.svg"));
  CHECK_FALSE(std::filesystem::exists(folder / "each-011.svg"));
}

TEST_CASE("steps follow the row that is rescaled first in them, unless one is named; so does a talk's page") {
  const test::Folder folder;
  const std::string walk = "tilewalk://walk?N=16&d=8&Br=4&Bc=4";
  for (const auto& [row, said] : {std::pair{"", "row 2"}, {"&row=1", "row 1"}}) {
    CAPTURE(row);
    CHECK(run("export '" + walk + row + "' --steps 14-19 -o " + (folder / "row.svg").string()).code == 0);
    const std::string first = read_file(folder / "row-001.svg"), last = read_file(folder / "row-003.svg");
    CHECK(contains(first + last, said));
    CHECK(contains(first + last, "shrinks by α = 0.677") == (std::string_view(said) == "row 2"));
  }
  const std::string set = folder.write("talk.set", walk + "\n");
  CHECK(run("export --talk " + set + " --out " + (folder / "talk.html").string()).code == 0);
  CHECK(contains(read_file(folder / "talk.html"), "shrinks by α = 0.677"));
  // Of boards that are stepped the same, but for what a question covers.
  const std::string rows = folder.write("rows.set", "tilewalk://lesson/6/beat/1\ntilewalk://lesson/6/beat/2\n");
  CHECK(run("export --talk " + rows + " --notes --out " + (folder / "rows.html").string()).code == 0);
  const std::string page = read_file(folder / "rows.html");
  const size_t second = page.find("<h2>2. ");
  REQUIRE(second != page.npos);
  CHECK(contains(page.substr(0, second), "not met yet"));
  CHECK(contains(page.substr(second), "The picture at its step 2 of 2."));
  CHECK(contains(page.substr(second), ">was p "));
}

TEST_CASE("sizes and ranges are read as they are written") {
  CHECK(read_picture_size("1920x1080") == PictureSize{1920, 1080});
  CHECK(read_picture_size(" 1280 × 720 ") == PictureSize{1280, 720});
  for (const char* bad :
       {"", "1920", "x", "1920x", "959x540", "960x539", "16385x9000", "1920x1080x2", "-1920x1080", "1e4x1080"})
    CHECK_MESSAGE(!read_picture_size(bad), bad);
  CHECK(read_steps("3-20") == StepRange{3, 20});
  CHECK(read_steps("3..20") == StepRange{3, 20});
  CHECK(read_steps("7") == StepRange{7, 7});
  CHECK(read_steps("all") == StepRange{});
  for (const char* bad : {"20-3", "a-b", "3-", "-3", "3-4-5", "3.5-7"}) CHECK_MESSAGE(!read_steps(bad), bad);
  CHECK(format_of_extension(".PNG") == ExportFormat::Png);
  CHECK_FALSE(format_of_extension("png"));
  CHECK_FALSE(format_of_extension(".bmp"));
}

TEST_CASE("refusals of links, steps and pages") {
  const struct {
    std::string line;
    int code;
    const char* word;
  } refusals[] = {
      {kWalk + "-o a.bmp", 2, ".svg, .png, .gif"},
      {kWalk + "-o picture", 2, "its ending says what is written"},
      {kWalk + "-o a.png --steps 9-3", 2, "write it like 3-20"},
      {kWalk + "-o - --steps 3-9", 2, "must be a file's name"},
      {kWalk + "-o /tmp/a.png --steps 4000-5000", 1, "the range begins behind them"},
      {kWalk + "-o a.csv --steps 3-9", 2, "Numbers are of one step"},
      {kWalk + "-o a.gif --window", 2, "--window is one picture"},
      {kWalk + "-o a.html", 2, "the link leads to none"},
      {kWalk + "-o - --seed 5", 2, "leave out --seed"},
      {kWalk + "-o - --board clocks", 2, "leave out --board"},
      {kWalk + "-o /nowhere/at/all.png", 1, "could not be written"},
      {"export tilewalk://lesson/99 -o -", 1, "99"},
      {"export nonsense -o -", 2, "nonsense"},
      {"export tilewalk://board/curves -o /tmp/a.gif", 1, "has no steps"},
      {"export --lesson 99 -o a.html", 2, "no lesson \"99\""},
      {"export --lesson 6 -o a.png", 2, ".html"},
      {"export --roofline -o a.gif", 2, "--roofline is one picture"},
  };
  for (const auto& refusal : refusals) {
    const test::Ran ran = run(refusal.line);
    INFO(refusal.line << "\n" << ran.err);
    CHECK(ran.code == refusal.code);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, refusal.word));
  }
}

TEST_CASE("every lesson is a page that is well-formed, with its numbers, folded answers and words") {
  for (const char* lesson : {"1", "6", "7", "14", "ring-attention"}) {
    const test::Ran ran = run(std::string("export -o - --lesson ") + lesson);
    INFO(std::string(lesson));
    CHECK(ran.code == 0);
    CHECK(ran.out.starts_with("<!DOCTYPE html>\n<html lang=\"en\""));
    CHECK(well_formed(ran.out.substr(ran.out.find("<html"))));
    // Questions have numbers, and their answers stand behind the last of them, with these.
    CHECK(contains(ran.out, "<details class=\"answer\" id=\"answer-1\"><summary>Answer to question 1</summary>"));
    CHECK(ran.out.find("<h2>Answers</h2>") > ran.out.rfind("<div class=\"question\">"));
    CHECK(ran.out.find("id=\"answer-1\"") > ran.out.find("<h2>Answers</h2>"));
    // A sheet ends between paragraphs and pictures, not within them, and no question is torn from its options.
    CHECK(contains(ran.out, "p,section>ol,section>ul,figure,table,.question,"));
    CHECK_FALSE(contains(ran.out, "[["));
    CHECK(contains(ran.out, "prefers-color-scheme:dark"));
    CHECK(contains(ran.out, "fill=\"var(--c"));
    CHECK_FALSE(contains(ran.out, "<script"));
    CHECK_FALSE(contains(ran.out, "{{"));
    CHECK_FALSE(contains(ran.out, ">?</span>"));
  }
  const std::string six = run("export -o - --lesson 6").out;
  CHECK(contains(six, "1.367879"));
  CHECK(contains(six, "Scores 2, 1, 4, 3"));
  for (const char* usual : {"Score 2 ·", "Drag bars", "reverse it"}) CHECK_MESSAGE(!contains(six, usual), usual);
  CHECK(six == run("export -o - --lesson running-max").out);
  CHECK(contains(run("export -o - --lesson F").out, "Flash-Decoding: split the keys"));  // as the rail has it
}

TEST_CASE("a link that cannot be honoured writes nothing and says what it lacks") {
  const test::Folder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"tilewalk://walk?schedule=nope", "There is no schedule called"},
      {"tilewalk://walk?N=99999999", "out of range"},
      {"tilewalk://walk/step/9999?N=16", "Step 9999 is out of range"},
      {"tilewalk://walk?scedule=fa3", "not known there: \"scedule\""},
      {"tilewalk://walk?view=upside-down", "view=upside-down"},
      {"tilewalk://board/clocks?N=99", "256"},
      {"tilewalk://board/clocks?schedule=fa3", "\"schedule\""},
      {"tilewalk://lesson/7/beat/99", "Beat 99 is out of range"},
      {"tilewalk://walk?at=nowhere", ""},
      {"tilewalk://walk?N=16&v=99", "newer Tilewalk"},
      {"tilewalk://board/clocks?N=1000", "N 1000 is no place of its slider; 1,024 is taken"},
      {"tilewalk://board/clocks?show=nothing", "show names \"nothing\""},
      {"tilewalk://board/row/step/99", "Step 99 is out of range"},
      {"tilewalk://board/draw?points=garbage", "points is \"garbage\""},
      {"tilewalk://walk/foo/3", "\"foo/3\""},
      {"tilewalk://walk?inputs=other", "inputs=other"},
      {"tilewalk://walk?layer=2", "\"layer\""},
      {"tilewalk://walk?inputs=trained-head&N=64", "\"N\""},
      {"tilewalk://lesson/1/beat/2?stage=foo", "stage=foo"},
  };
  for (const auto& [link, words] : cases)
    for (const char* name : {"a.svg", "a.png", "-"}) {
      const std::string out = std::string_view(name) == "-" ? name : (folder / name).string();
      const test::Ran ran = run(std::string("export ") + link + " -o " + out);
      CAPTURE(link);
      CHECK(ran.code == 1);
      CHECK(ran.out.empty());
      CHECK_MESSAGE(contains(ran.err, words), ran.err);
      CHECK(contains(ran.err, "Nothing was written"));
      CHECK_FALSE(std::filesystem::exists(folder / name));
    }
  // One of several is enough, and none of them is written.
  const std::string good = "tilewalk://walk/step/3?N=16", bad = "tilewalk://walk?schedule=nope";
  CHECK(run("export " + good + " " + bad + " -o " + (folder / "b.svg").string()).code == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "b-001.svg"));
  CHECK(run("export " + good + " " + good + " -o " + (folder / "c.svg").string()).code == 0);
  CHECK(std::filesystem::exists(folder / "c-002.svg"));
}

TEST_CASE("a board whose words cannot be honoured is not written, in no format") {
  const test::Folder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"clocks?N=1000", "N is \"1000\"; it must be a power of two from 256 to 16384"},
      {"clocks?N=4096.5", "a power of two"},
      {"clocks?N=99", "from 256"},
      {"clocks?gpu=nope", "it must be one of"},
      {"clocks?step=4", "The board clocks has no steps"},
      {"row?step=99999", "step is 99999; it must be a whole number from 0 to 2"},
      {"row?step=-3", "step is -3"},
      {"clocks?show=nothing", "show names \"nothing\""},
      {"draw?points=garbage", "points is \"garbage\""},
      {"draw?points=fa2:34e9:b8.4e6,nonsense", "it must be methods"},
      {"draw?roofs=dram:abc", "it must be roofs"},
      {"nope", "There is no board"},
  };
  for (const auto& [words, said] : cases)
    for (const char* name : {"a.svg", "a.png", "a.csv", "a.gif", "-"}) {
      const std::string out = std::string_view(name) == "-" ? name : (folder / name).string();
      const test::Ran ran = run(std::string("export --board ") + words + " -o " + out);
      CAPTURE(words);
      CHECK(ran.code == 1);
      CHECK(ran.out.empty());
      CHECK_MESSAGE(contains(ran.err, said), ran.err);
      CHECK_FALSE(std::filesystem::exists(folder / name));
    }
  CHECK(run("export --board draw?points=fa2:34e9:b8.4e6&roofs=dram:3.35e12,tensor:9.9e14 -o -").code == 0);
  CHECK(run("export --board row?step=2 -o -").code == 0);
}

TEST_CASE("what would be left out of a picture is refused") {
  const test::Folder folder;
  for (const char* line :
       {"--board clocks --at 3", "--board clocks --row 3", "--board clocks --compare fa1", "--board clocks --n 64",
        "--board clocks --schedule fa1", "--board clocks --lesson 6", "--roofline --at 3", "--roofline --row 2",
        "--roofline --heads 4", "--lesson 6 --at 3", "--lesson 6 --theme dark", "--lesson 6 --n 64", "--tiles 3",
        "--worksheet --theme dark", "tilewalk://lesson/6 --theme dark"})
    for (const char* name : {"a.svg", "a.html"}) {
      const test::Ran ran = run(std::string("export ") + line + " -o " + (folder / name).string());
      if (std::string_view(line).starts_with("tilewalk") && std::string_view(name) == "a.svg") continue;
      INFO(line << " " << name << "\n" << ran.err);
      CHECK(ran.code == 2);
      CHECK_FALSE(std::filesystem::exists(folder / name));
    }
}

TEST_CASE("a link that the program makes itself is honoured whole") {
  for (const char* link :
       {"tilewalk://lesson/7/beat/2?N=64&d=16&Br=16&Bc=16&mask=causal&seed=7&view=numbers&stage=walk",
        "tilewalk://walk?inputs=trained-head&layer=2&head=1", "tilewalk://walk?preset=toy&row=2",
        "tilewalk://board/curves?curve=win&gpu=h200-measured&d=64", "tilewalk://lesson/1/beat/6?view=explain"}) {
    const test::Ran ran = run(std::string("export ") + link + " -o -");
    CHECK_MESSAGE(ran.code == 0, ran.err);
  }
}

#ifndef __SANITIZE_ADDRESS__
namespace {

int64_t address_space() {  // bytes
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

// In a process of its own, what `act` says with so many bytes more than it has at its beginning.
template <class Act>
bool with_memory(int64_t more, Act&& act) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    bool good = false;
    try {
      good = act([more] {
        const auto most = rlim_t(address_space() + more);
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
      });
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a picture for which the memory does not reach becomes a sentence, and no file") {
  const test::Folder folder;
  const auto said = [&](int64_t more, std::string_view words) {
    return with_memory(more, [&](auto&& limit) {
      Session session;
      ExportOrder order;
      order.format = ExportFormat::Png;
      order.size = {4096, 4096};
      ExportJob job(session, {}, order, folder / "a.png", ExportAim::Write);
      limit();  // it was there when it was asked for
      while (job.advance(true)) {
      }
      return contains(job.fault(), words) && job.files().empty() && !std::filesystem::exists(folder / "a.png");
    });
  };
  CHECK(said(40'000'000, "There is not enough memory for a picture of that size; take a smaller one."));
  CHECK(said(0, "."));  // not even a thread for it
}
#endif

TEST_CASE("what a large picture takes is known before it is begun, and what this machine cannot hold is refused") {
  ExportOrder order;
  order.format = ExportFormat::Png;
  order.size = {16384, 16384};
  CHECK(picture_memory(order) > 2'000'000'000);
  CHECK(too_much_memory(order, 1'200'000'000) ==
        "A picture of 16384x16384 takes about 2211 MB of memory, and 1200 MB are free; take a smaller size, or .svg.");
  CHECK(too_much_memory(order, 4'000'000'000).empty());
  CHECK(free_memory() > 10'000'000);
  double by = 1;
  const ExportOrder small = small_sample(order, by);
  CHECK(pixels_of(small) * 200 < pixels_of(order));
  CHECK(by == doctest::Approx(double(pixels_of(order)) / double(pixels_of(small))));
  order.format = ExportFormat::Svg;
  CHECK(picture_memory(order) == 0);
  CHECK(too_much_memory(order, 0).empty());
#ifndef __SANITIZE_ADDRESS__
  const test::Folder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit limit{1'000'000'000, 1'000'000'000};
    setrlimit(RLIMIT_AS, &limit);
    const test::Ran ran = run("export --size 16384x16384 -o " + (folder / "a.png").string());
    _exit(ran.code == 1 && contains(ran.err, "of memory, and") && !std::filesystem::exists(folder / "a.png") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
#endif
}

}  // namespace tilewalk::test_export_links
