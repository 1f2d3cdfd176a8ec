// Inside core/ and app/ the folders stand in an order: each may include what its row names and nothing else. Arrows
// that still climb are listed with the reason; the list may only shrink.
#include "tests/include_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace {

using Folders = std::set<std::string_view>;

// From the lowest up: a folder may name only rows above its own, so that there is no circle.
struct Row {
  std::string_view folder;
  Folders may;
};
const std::vector<Row> kRows = {
    {"core/attention", {}},
    {"core/io", {"core/attention"}},
    {"core/method", {"core/attention"}},
    {"core/machine", {"core/attention", "core/io", "core/method"}},
    {"core/quantity", {"core/attention", "core/io", "core/machine"}},
    {"core/walk", {"core/attention", "core/io", "core/machine"}},
    {"core/schedules", {"core/attention", "core/io", "core/machine", "core/method", "core/walk"}},
    {"core/judge", {"core/attention", "core/machine", "core/schedules", "core/walk"}},
    {"core/kernel", {"core/attention", "core/io", "core/machine", "core/method", "core/schedules"}},
    {"core/playback", {"core/attention", "core/io", "core/judge", "core/machine", "core/schedules"}},
    {"core/model", {"core/attention", "core/io", "core/kernel", "core/machine", "core/schedules"}},
    {"core/timing", {"core/attention", "core/kernel", "core/machine", "core/model", "core/schedules"}},
    {"core/run",
     {"core/attention", "core/io", "core/kernel", "core/machine", "core/method", "core/model", "core/schedules",
      "core/walk"}},
    {"core/roofline",
     {"core/attention", "core/io", "core/kernel", "core/machine", "core/method", "core/model", "core/quantity",
      "core/run", "core/schedules", "core/timing"}},
    {"core/lesson",
     {"core/attention", "core/io", "core/machine", "core/method", "core/model", "core/playback", "core/quantity",
      "core/roofline", "core/run", "core/schedules", "core/timing"}},
    {"core/puzzle",
     {"core/attention", "core/io", "core/judge", "core/lesson", "core/machine", "core/model", "core/run",
      "core/schedules", "core/walk"}},
    {"core/classroom",
     {"core/attention", "core/io", "core/machine", "core/model", "core/puzzle", "core/roofline", "core/run"}},
    {"app/text", {}},
    {"app/scene", {"app/text"}},
    {"app/ui", {"app/scene", "app/text"}},
    {"app/gpu", {}},
    {"app/classroom", {"app/gpu"}},
    {"app/state", {"app/gpu", "app/scene", "app/text"}},
    {"app/stage", {"app/scene", "app/state", "app/text"}},
    {"app/boards", {"app/gpu", "app/scene", "app/stage", "app/state", "app/text"}},
    {"app/session", {"app/boards", "app/gpu", "app/scene", "app/state", "app/text"}},
    {"app/panels",
     {"app/boards", "app/gpu", "app/scene", "app/session", "app/stage", "app/state", "app/text", "app/ui"}},
    {"app/export", {"app/boards", "app/panels", "app/scene", "app/session", "app/state", "app/text"}},
    {"app/window",
     {"app/boards", "app/export", "app/gpu", "app/panels", "app/scene", "app/session", "app/state", "app/text"}},
    {"app/shell",
     {"app/boards", "app/export", "app/gpu", "app/panels", "app/scene", "app/session", "app/state", "app/text",
      "app/window"}},
    {"app/cli",
     {"app/boards", "app/classroom", "app/export", "app/gpu", "app/panels", "app/scene", "app/session", "app/state"}},
};

struct Climb {
  std::string_view file, header, why;
};
const std::vector<Climb> kClimbs = {};

std::string folder_of(std::string_view path) {
  const size_t first = path.find('/');
  const size_t second = first == std::string_view::npos ? first : path.find('/', first + 1);
  return second == std::string_view::npos ? std::string() : std::string(path.substr(0, second));
}

const Row* row_of(std::string_view folder) {
  const auto found = std::ranges::find(kRows, folder, &Row::folder);
  return found == kRows.end() ? nullptr : &*found;
}

// One sentence for each arrow that the rows do not allow, for each folder without a row, and for each climb that is
// listed and gone.
std::vector<std::string> faults_of(const Tree& tree, const std::vector<Climb>& climbs) {
  std::vector<std::string> faults;
  std::set<const Climb*> met;
  std::set<std::string> unknown;
  for (const auto& [path, includes] : tree) {
    const std::string folder = folder_of(path);
    if (!folder.starts_with("core/") && !folder.starts_with("app/")) continue;
    const Row* row = row_of(folder);
    if (!row) {
      unknown.insert(folder);
      continue;
    }
    for (const Include& include : includes) {
      const std::string to = folder_of(include.name);
      if (to == folder || !row_of(to) || row->may.contains(to)) continue;
      if (to.starts_with("core/") && folder.starts_with("app/")) continue;
      const auto listed = std::ranges::find_if(
          climbs, [&](const Climb& climb) { return climb.file == path && climb.header == include.name; });
      if (listed != climbs.end()) {
        met.insert(&*listed);
        continue;
      }
      faults.push_back(path + ":" + std::to_string(include.line) + " includes " + include.name + ": " + folder +
                       " may not include " + to);
    }
  }
  for (const std::string& folder : unknown) faults.push_back(folder + " has no row in tests/test_arrows.cpp");
  for (const Climb& climb : climbs)
    if (!met.contains(&climb)) faults.push_back(std::string(climb.file) + " climbs no more: take it off the list");
  return faults;
}

}  // namespace

TEST_CASE("Each folder of core and app includes only what lies below it") {
  const Tree tree = read_tree(TILEWALK_SOURCE_DIR);
  REQUIRE(tree.size() > 500);
  for (const std::string& fault : faults_of(tree, kClimbs)) FAIL_CHECK(fault);
}

TEST_CASE("The rows allow no circle") {
  std::set<std::string_view> above;
  for (const Row& row : kRows) {
    CAPTURE(row.folder);
    for (const std::string_view to : row.may) CHECK(above.contains(to));
    above.insert(row.folder);
  }
}

TEST_CASE("A planted arrow is found") {
  const auto faults = [](const std::string& path, const std::string& name) {
    return faults_of({{path, {{1, name}}}}, {});
  };
  CHECK(faults("app/boards/x.cpp", "app/session/commands.h").size() == 1);
  CHECK(faults("app/text/x.h", "app/scene/scene.h").size() == 1);
  CHECK(faults("app/panels/x.cpp", "app/export/job.h").size() == 1);
  CHECK(faults("app/session/x.cpp", "app/stage/stage.h").size() == 1);
  CHECK(faults("core/machine/x.cpp", "core/schedules/schedule.h").size() == 1);
  CHECK(faults("core/method/x.cpp", "core/machine/program.h").size() == 1);
  CHECK(faults("core/run/x.cpp", "core/lesson/answer.h").size() == 1);
  CHECK(faults("app/novel/x.cpp", "fmt/format.h").size() == 1);
  CHECK(faults("app/panels/x.cpp", "app/session/commands.h").empty());
  CHECK(faults("app/stage/x.cpp", "core/lesson/answer.h").empty());
  CHECK(faults("core/lesson/functions/x.cpp", "core/roofline/turning.h").empty());
}

TEST_CASE("A climb that is listed passes once, and its entry must go with it") {
  const std::vector<Climb> one = {{"app/text/x.h", "app/scene/scene.h", "for a reason"}};
  CHECK(faults_of({{"app/text/x.h", {{1, "app/scene/scene.h"}}}}, one).empty());
  CHECK(faults_of({{"app/text/x.h", {}}}, one).size() == 1);
  CHECK(faults_of({{"app/text/x.h", {{1, "app/scene/scene.h"}}}, {"app/text/y.h", {{1, "app/scene/scene.h"}}}}, one)
            .size() == 1);
}
