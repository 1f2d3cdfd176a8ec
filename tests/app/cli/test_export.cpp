// Pictures without a display: the right step, the right size, written whole or not at all.
#include "core/io/file.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewalk::test_export {
using test::contains;
using test::run;

TEST_CASE("a step is written as SVG, with its words") {
  const test::Ran ran = run("export --out - --preset micro --at 'last row sum' --size 1280x720");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(ran.out.starts_with("<svg"));
  CHECK(ran.out.ends_with("</svg>\n"));
  CHECK(contains(ran.out, "width=\"1280\" height=\"720\""));
  CHECK(contains(ran.out, "<title>FA2, step 16 of 22</title>"));
  CHECK(contains(ran.out, "The old sum 1.37 shrinks"));
}

TEST_CASE("theme, row, comparison and step change the picture; nothing else does") {
  const std::string base = "export --out - --preset toy --at 60";
  const std::string picture = run(base).out;
  CHECK(picture == run(base).out);
  for (const char* more :
       {" --theme dark", " --theme projector", " --row 7", " --compare fa1", " --seed 5", " --size 1600x900"})
    CHECK_MESSAGE(run(base + more).out != picture, more);
  CHECK(run("export --out - --preset toy --at 61").out != picture);
}

TEST_CASE("a file is replaced whole, and a bad command leaves it alone") {
  const test::Folder folder;
  const std::string file = folder.write("stage.svg", "before");
  const auto content = [&] {
    std::stringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  };
  CHECK(run("export --preset micro --at 99 --out " + file).code == 2);
  CHECK(content() == "before");
  const test::Ran ran = run("export --preset micro --out " + file);
  CHECK(ran.code == 0);
  CHECK(ran.out.empty());
  CHECK(contains(content(), "step 22 of 22"));
}

TEST_CASE("a board is written as it is set, and the same twice") {
  const test::Ran ran = run("export --out - --board clocks?N=8192&gpu=h100");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "<title>Two clocks</title>"));
  CHECK(contains(ran.out, "Sequence length N 8,192"));
  CHECK(contains(ran.out, "GPU H100"));
  CHECK(ran.out == run("export --out - --board clocks?N=8192&gpu=h100").out);
  CHECK(ran.out != run("export --out - --board clocks?N=4096&gpu=h100").out);
}

TEST_CASE("a roofline is written for any GPU of the catalogue, with its figures") {
  const test::Ran h100 = run("export --roofline --gpu h100 --n 4096 --d 128 --out -");
  CHECK(h100.code == 0);
  CHECK(contains(h100.out, "<title>Roofline of an H100 SXM: N = 4,096, d = 128</title>"));
  CHECK(contains(h100.out, "Standard attention does 62 FLOP for each byte: 41.3 µs a head at best."));
  CHECK(contains(h100.out, "FA3 does 2,040 FLOP for each byte: 8.68 µs a head at best."));
  CHECK(contains(h100.out, "ridge 295"));
  CHECK_FALSE(contains(h100.out, "✓"));
  CHECK(contains(run("export --roofline --gpu a100-80 --out -").out, "N = 8,192, d = 128"));
  CHECK(contains(run("export --roofline --gpu t4 --n 1024 --d 64 --causal --out -").out, ", causal</title>"));
}

TEST_CASE("refusals") {
  const struct {
    const char* line;
    int code;
    const char* word;
  } refusals[] = {
      {"export", 2, "--out is required"},
      {"export --out - --size 10x10", 2, "from 960x540"},
      {"export --out - --size 959x1080", 2, "from 960x540"},
      {"export --out - --size 1920x539", 2, "from 960x540"},
      {"export --out - --size 1920x16385", 2, "to 16384x16384"},
      {"export --out - --size wide", 2, "like 1920x1080"},
      {"export --out - --size 1920x", 2, "like 1920x1080"},
      {"export --out - --theme red", 2, "light, dark, projector"},
      {"export --out - --compare fa2", 2, "shown already"},
      {"export --out - --compare fa8", 2, "standard, fa1, fa2, fa3"},
      {"export --out - --n 131072 --d 128", 2, "`tilewalk predict`"},
      {"export --out - --roofline --gpu h900", 2, "must be one of v100"},
      {"export --out - --gpu h100", 2, "--gpu is of --roofline"},
      {"export --out - --roofline --board clocks", 2, "not both"},
      {"export --out - --roofline --n-q 4 --n-k 8", 2, "leave out --n-q"},
      {"export --out - --board clox", 1, "there are clocks"},
      {"export --out - --board clocks?N=many", 1, "a power of two from 256 to 16384"},
      {"export --out - --board clocks?gpu=h900", 1, "one of a100-80"},
      {"export --out - --board clocks?zz=1", 1, "nothing called \"zz\""},
      {"export --out /nowhere/at/all.svg", 1, "could not be written"},
  };
  for (const auto& refusal : refusals) {
    const test::Ran ran = run(refusal.line);
    INFO(std::string(refusal.line) << "\n" << ran.err);
    CHECK(ran.code == refusal.code);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, refusal.word));
  }
}

TEST_CASE("a talk becomes a page: every stop, its questions, the answers at the end, notes where they are wanted") {
  const test::Folder folder;
  const std::string set = folder.write("talk.set",
                                       "slide: Tile by tile | A course  # say hello\ntilewalk://lesson/6/beat/3\n"
                                       "tilewalk://board/clocks\n");
  const std::string out = folder.write("talk.html", "");
  CHECK(run("export --talk " + set + " --out " + out).code == 0);
  const std::string page = read_file(out);
  CHECK(page.size() < 5'000'000);
  for (const char* words :
       {"<h1>Tile by tile</h1>\n<p>A course</p>", "2. The second tile", "3. Two clocks", "Question 2</h2>",
        "Question 2: 1.553002. The max rises from 2 to 4", "href=\"tilewalk://lesson/6/beat/3\"", "break-inside:avoid"})
    CHECK_MESSAGE(contains(page, words), words);
  CHECK_FALSE(contains(page, "1. Tile by tile"));  // the title slide is the page's heading
  CHECK(page.find("Question 2: 1.553002") > page.find("3. Two clocks"));
  CHECK_FALSE(contains(page, "say hello"));
  CHECK(run("export --talk " + set + " --notes --out " + out).code == 0);
  CHECK(contains(read_file(out), "say hello"));
  CHECK(run("export --talk " + set + " --out a.gif").code == 2);
  CHECK(run("export --notes --out a.svg").code == 2);
  CHECK(run("export --talk no-such.set --out a.html").code == 4);
  CHECK(run("export --talk " + folder.write("bad.set", "nonsense\n") + " --out a.html").code == 1);
}

TEST_CASE("a slide whose picture cannot be read is a plain page that says so; the others are written") {
  const test::Folder folder;
  folder.write("broken.png", "no picture");
  const std::string set = folder.write("talk.set",
                                       "slide: Mine | gone.png\nslide: broken.png\ntilewalk://board/clocks\nslide: "
                                       "Last words | Of mine\nslide: gone.pdf#3\n");
  const std::string out = folder.write("talk.html", "");
  const test::Ran ran = run("export --talk " + set + " --out " + out);
  CHECK(ran.code == 0);
  const std::string page = read_file(out);
  for (const char* words : {"<h2>1. Mine</h2>\n<p>talk.set line 1: ", "gone.png is not there", "<p>talk.set line 2: ",
                            "3. Two clocks", "<p>Of mine</p>", "<h2>5. gone.pdf, page 3</h2>\n<p>talk.set line 5: "})
    CHECK_MESSAGE(contains(page, words), words);
  for (const char* words : {"talk.set line 1: ", "gone.png is not there", "talk.set line 2: ", "broken.png"})
    CHECK_MESSAGE(contains(ran.err, words), words);
  CHECK_FALSE(contains(ran.err, "line 3"));
  CHECK(run("export --talk " + set + " --out /nowhere/at/all.html").code == 1);
}

TEST_CASE("on paper a talk shows no picture twice, no walk with nothing on chip, short links, no one's controls") {
  const test::Folder folder;
  const std::string walk = "tilewalk://walk?schedule=fa2&N=16&d=8&Br=4&Bc=4&mask=full&seed=4&row=2&view=explain&v=1";
  const std::string set = folder.write(
      "talk.set", "slide: Tiles\ntilewalk://lesson/1/beat/1\ntilewalk://lesson/1/beat/3\n" + walk + "  # Press on.\n");
  const std::string out = folder.write("talk.html", "");
  CHECK(run("export --talk " + set + " --notes --out " + out).code == 0);
  const std::string page = read_file(out);
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (size_t at = page.find(words); at != page.npos; at = page.find(words, at + 1)) ++found;
    return found;
  };
  CHECK(count("<h1>Tiles</h1>") == 1);
  CHECK(count("<figure") == 3);  // of the clocks one, its question, the walk
  CHECK(contains(page, "On the wall stands the picture of 2."));
  CHECK_FALSE(contains(page, "nothing is on chip"));
  CHECK(contains(page, "The walk at its step "));
  // What is printed can be typed.
  CHECK(contains(page, "&amp;view=explain&amp;v=1</a> · <a href=\"#note-4\">Speaker's note</a></p>"));
  CHECK(contains(page, "href=\"tilewalk://walk?schedule=fa2&amp;N=16"));
  CHECK(contains(page, "Question 3: "));
  CHECK(contains(page, "hidden under"));                 // why
  CHECK_FALSE(contains(page, "Drag the end of"));        // the lesson's note
  CHECK(contains(page, "Press on."));                    // the speaker's own stays
  CHECK_FALSE(contains(page, "height=\"4\" width=\""));  // no line of progress
  CHECK(contains(page, "--wide:"));
}

}  // namespace tilewalk::test_export
