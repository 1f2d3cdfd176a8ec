// What the guides name is there: the paths in backticks and the links of README, CONTRIBUTING and what lies in docs/.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = TILEWALK_SOURCE_DIR;
constexpr std::string_view kTops[] = {"app",     "assets",  "cmake",   "core",    "docs",
                                      "kernels", "lessons", "packing", "scripts", "tests"};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Every file and folder of the tree, as "/core/io" and "/core/io/file.h".
std::set<std::string> all_paths() {
  std::set<std::string> all;
  for (const std::string_view top : kTops) {
    all.insert("/" + std::string(top));
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top))
      all.insert("/" + entry.path().lexically_relative(kRoot).generic_string());
  }
  for (const auto& entry : fs::directory_iterator(kRoot))
    if (entry.is_regular_file()) all.insert("/" + entry.path().filename().generic_string());
  return all;
}

// A `*` stands for the rest of a name.
bool is_there(const std::set<std::string>& all, std::string path, bool anywhere) {
  if (path.ends_with('/')) path.pop_back();
  std::string pattern = anywhere ? ".*/" : "/";
  for (const char c : path) pattern += c == '*' ? "[^/]*" : c == '.' ? "\\." : std::string(1, c);
  const std::regex whole(pattern);
  return std::ranges::any_of(all, [&](const std::string& one) { return std::regex_match(one, whole); });
}

bool under_a_top(std::string_view path) {
  return std::ranges::any_of(
      kTops, [&](std::string_view top) { return path.starts_with(top) && path.substr(top.size()).starts_with('/'); });
}

// The paths that a text names and that are not there. A name without a folder of the tree before it, as in
// "`core/machine/step.cpp`, its cost in `cost.cpp`", may lie anywhere; in `whole` alone is it asked for.
std::vector<std::string> gone(const std::set<std::string>& all, const std::string& text, const fs::path& folder,
                              bool whole) {
  static const std::regex ticked("`([A-Za-z0-9_.*/-]+)`"), link("\\]\\(([^)#: ]+)(#[^)]*)?\\)"),
      file("[A-Za-z0-9_*-]+\\.(cpp|h|cu|cuh|mjs|js|py|sh|md|toml|txt|walk|\\*)");
  std::vector<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), ticked), end; at != end; ++at) {
    const std::string path = (*at)[1];
    const bool top = under_a_top(path);
    const bool named = top || path.ends_with('/') || std::regex_match(path, file);
    if (named && (top || whole) && !is_there(all, path, !top)) out.push_back(path);
  }
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
    if (!fs::exists(folder / std::string((*at)[1]))) out.push_back((*at)[1]);
  return out;
}

}  // namespace

TEST_CASE("Guides name nothing that is gone") {
  const std::set<std::string> all = all_paths();
  REQUIRE(all.size() > 500);
  std::vector<fs::path> guides = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "lessons/README.md",
                                  "kernels/README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") guides.push_back(entry.path().lexically_relative(kRoot));
  CHECK(guides.size() > 10);
  for (const fs::path& guide : guides)
    for (const std::string& path :
         gone(all, text_of(kRoot / guide), (kRoot / guide).parent_path(), guide == "CONTRIBUTING.md"))
      FAIL_CHECK(guide.string() << " names " << path << ", which is not there");
}

TEST_CASE("What is gone is found in backticks, behind a star and in a link") {
  const std::set<std::string> all = {"/core", "/core/io", "/core/io/file.h", "/core/io/npy.cpp"};
  const std::string text =
      "`core/io/file.h`, its row in `npy.cpp`, `core/io/npy*.cpp`, `walk --json`, `core/io/gone.h`, `lost.cpp`, "
      "`core/no*.h` and [a link](no/such.md)";
  CHECK(gone(all, text, kRoot, true) ==
        std::vector<std::string>{"core/io/gone.h", "lost.cpp", "core/no*.h", "no/such.md"});
  CHECK(gone(all, text, kRoot, false) == std::vector<std::string>{"core/io/gone.h", "core/no*.h", "no/such.md"});
}
