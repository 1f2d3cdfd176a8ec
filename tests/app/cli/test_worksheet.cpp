// The printed sheet of lesson 7: its answers are the simulator's, its empty sheet gives nothing away, and it is written
// whole or not at all.
#include "app/boards/paper_sheet.h"
#include "app/boards/worksheet.h"
#include "app/session/link_moves.h"
#include "app/state/session.h"
#include "app/text/text.h"
#include "core/playback/row_view.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace tilewalk::test_worksheet {
using test::contains;
using test::run;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

// The same row walked by FA2 on the machine, from q and K instead of given scores.
struct Walked {
  std::map<std::string, double> numbers;  // by PaperCell::id
};
Walked walk_of(const PaperSheet& sheet) {
  const int64_t keys = int64_t(sheet.scores.size());
  Inputs inputs;
  const auto shape = [](Matrix& m, int64_t rows) {
    m.rows = rows, m.cols = 2;
    m.values.assign(size_t(rows) * 2, 0.0);
  };
  shape(inputs.q, 1), shape(inputs.k, keys), shape(inputs.v, keys);
  inputs.q.at(0, 0) = 1;
  for (int64_t k = 0; k < keys; ++k) inputs.k.at(k, 0) = sheet.scores[size_t(k)];
  inputs.v = sheet.values;
  Setup setup;
  setup.problem.br = 1;
  setup.problem.bc = 2;
  setup.problem.scale = 1;
  setup.problem.format = Format::Float32;
  setup.problem.distribution = Distribution::Custom;
  Session session;
  REQUIRE(session.change(setup, inputs).empty());

  Walked out;
  Replay& replay = session.walk().replay;
  const std::vector<Step>& steps = replay.steps();
  for (int64_t k = 1; k <= replay.length(); ++k) {
    const Step& step = steps[size_t(k - 1)];
    const MachineState state = replay.at(k);
    const RowView row = view_row(state, step.i, step.j, 0);
    const std::string n = std::to_string(step.j + 1);
    if (step.kind == StepKind::RowMax) out.numbers["m" + n] = *row.m, out.numbers["alpha" + n] = row.alpha.value_or(0);
    if (step.kind == StepKind::Exponentiate)
      out.numbers["p" + n + "a"] = row.p[0], out.numbers["p" + n + "b"] = row.p[1];
    if (step.kind == StepKind::RowSum) out.numbers["l" + n] = *row.l;
    if (step.kind == StepKind::Accumulate) out.numbers["ox" + n] = row.o[0], out.numbers["oy" + n] = row.o[1];
    if (step.kind == StepKind::Normalize) out.numbers["out_x"] = row.o[0], out.numbers["out_y"] = row.o[1];
    if (step.kind == StepKind::LogSumExp) out.numbers["L"] = *row.lse;
  }
  return out;
}

std::multiset<std::string> labels(const Scene& scene) {
  std::multiset<std::string> out;
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item)) out.insert(label->text);
  return out;
}

}  // namespace

TEST_CASE("every answer is what the simulator computes, and stands on the sheet") {
  for (uint64_t seed = 0; seed < 100; ++seed)
    for (const int tiles : {2, 3}) {
      if (seed == 0 && tiles == 3) continue;
      CAPTURE(seed);
      CAPTURE(tiles);
      const PaperSheet sheet = make_sheet(seed, tiles, false);
      const Walked walked = walk_of(sheet);
      const std::vector<PaperCell> cells = cells_of(sheet);
      const std::multiset<std::string> printed = labels(worksheet_scene({seed, tiles, true}));
      CHECK(cells.size() == size_t(tiles) * 7 - 1 + 3);
      for (const PaperCell& cell : cells) {
        CAPTURE(cell.id);
        const auto found = walked.numbers.find(cell.id);
        REQUIRE(found != walked.numbers.end());
        CHECK(cell.value == doctest::Approx(found->second).epsilon(1e-9));
        CHECK(printed.contains(paper_number(found->second)));  // to four digits, as one writes it
      }
    }
}

TEST_CASE("the empty sheet gives no answer away, and both keep inside the page") {
  for (const int tiles : {2, 3}) {
    const Scene empty = worksheet_scene({11, tiles, false}), full = worksheet_scene({11, tiles, true});
    CHECK(labels(full).size() > labels(empty).size() + size_t(tiles) * 7);
    for (const PaperCell& cell : cells_of(make_sheet(11, tiles, false)))
      CHECK_MESSAGE(!labels(empty).contains(paper_number(cell.value)), cell.id);
    for (const Scene* scene : {&empty, &full}) {
      CHECK(scene->size.x == 794);
      CHECK(scene->size.y == 1123);
      for (const Item& item : scene->items)
        if (const Label* label = std::get_if<Label>(&item)) {
          CAPTURE(label->text);
          CHECK(label->slot.x >= 50);
          CHECK(label->slot.right() <= 744);
          CHECK(label->slot.bottom() <= 1073);
          CHECK_FALSE(contains(label->text, "…"));
          CHECK(text_width(label->text, label->face, label->size) <= label->slot.w + 0.5f);
        }
    }
  }
}

TEST_CASE("the link on the sheet opens the same sheet in the program") {
  Session session;
  ViewState view;
  const Opened opened = open_link(worksheet_link({42, 3, false}), session, view);
  CHECK(opened.there);
  CHECK(opened.words == "");
  CHECK(view.board.board == "paper");
  CHECK(view.board.knobs.at("numbers") == 42);
  CHECK(view.board.knobs.at("tiles") == 1);  // the second choice
}

TEST_CASE("the sheet is written as SVG with its answers beside it, or as one page of HTML") {
  const test::Folder folder;
  const test::Ran ran = run("export --worksheet --lesson 7 --seed 5 --out " + (folder / "row.svg").string());
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "row-answers.svg"));
  CHECK(contains(content(folder / "row.svg"), "width=\"794\" height=\"1123\""));
  CHECK(contains(content(folder / "row-answers.svg"), "answers"));
  CHECK(run("export --worksheet --seed 5 --out -").out == content(folder / "row.svg"));
  CHECK(run("export --worksheet --seed 6 --out -").out != content(folder / "row.svg"));
  CHECK(run("export --worksheet --seed 5 --tiles 3 --out -").out != content(folder / "row.svg"));

  CHECK(run("export --worksheet --lesson 7 --out " + (folder / "row.html").string()).code == 0);
  const std::string page = content(folder / "row.html");
  CHECK(contains(page, "break-before: page"));
  CHECK(page.find("<svg") != page.rfind("<svg"));
}

TEST_CASE("what has no worksheet says so") {
  for (const auto& [line, words] :
       std::vector<std::pair<std::string, std::string>>{{"--lesson 6 --out a.svg", "lesson 7 has one"},
                                                        {"--out a.pdf", ".svg or .html"},
                                                        {"--seed 100 --out a.svg", "from 0 to 99"},
                                                        {"--tiles 4 --out a.svg", "from 2 to 3"},
                                                        {"--seed 0 --tiles 3 --out a.svg", "the example"}}) {
    const test::Ran ran = run("export --worksheet " + line);
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, words), ran.err);
  }
}

TEST_CASE("a full disk or a folder that cannot be written leaves nothing half-written, and says which file and why") {
  const test::Folder folder;
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  const std::string missing = (folder / "no-such-folder/a.svg").string();
  for (const std::string what : {"export --preset micro", "export --worksheet"}) {
    CAPTURE(what);
    const test::Ran gone = run(what + " --out " + missing);
    CHECK(gone.code == 1);
    CHECK(contains(gone.err, missing));
    CHECK(contains(gone.err, "No such file or directory"));
    if (::geteuid() != 0) {
      const test::Ran locked = run(what + " --out " + (folder / "locked/a.svg").string());
      CHECK(locked.code == 1);
      CHECK(contains(locked.err, "Permission denied"));
    }
    CHECK(fs::is_empty(folder / "locked"));
  }
  // A disk that takes no byte more.
  const fs::path full = folder / "full.svg";
  fs::create_symlink("/dev/full", full);
  const test::Ran ran = run("export --preset micro --out " + full.string());
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "full.svg"));
  CHECK(contains(ran.err, "No space left on device"));
}

}  // namespace tilewalk::test_worksheet
