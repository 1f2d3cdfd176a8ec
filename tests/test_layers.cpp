// Reads every #include in core/, app/ and kernels/ and finds the forbidden ones: what a layer may not know, paths that
// are not from the repository root, and headers that include each other in a circle.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {
namespace fs = std::filesystem;

struct Include {
  int line;
  std::string name;  // as written between the quotes or angle brackets
};
using Tree = std::map<std::string, std::vector<Include>>;  // path from the repository root -> its includes

// What a folder may not include, as prefixes of the name in lower case. The deepest matching folder does not replace
// the others: each rule whose folder is a prefix of the file's path applies.
using Names = std::vector<std::string_view>;
struct Rule {
  std::string_view folder;
  std::string_view why;
  Names forbidden;
};

const Names kScreen = {"imgui", "imstb", "backends/imgui", "glfw", "glad", "gl/", "gles", "egl/", "khr/", "x11/"};
const Names kCuda = {"cuda",
                     "cublas",
                     "cupti",
                     "cudnn",
                     "cute/",
                     "cutlass",
                     "nvrtc",
                     "nvml",
                     "nvtx",
                     "nvperf",
                     "cooperative_groups",
                     "mma.h",
                     "thrust/",
                     "cub/",
                     "device_launch_parameters",
                     "vector_types"};
const Names kClock = {"chrono", "ctime", "time.h", "sys/time.h"};

const std::vector<Rule> kRules = {
    {"core/", "core knows nothing of the layers above it", {"app/", "kernels/", "tests/"}},
    {"core/", "core knows no screen", kScreen},
    {"core/", "core knows no CUDA", kCuda},
    {"core/", "core knows no clock", kClock},
    {"app/", "app speaks to the kernels through a pipe only", {"kernels/", "tests/"}},
    {"app/", "app knows no CUDA", kCuda},
    {"app/scene/", "scenes know no screen", kScreen},
    {"app/text/", "text knows no screen", kScreen},
    {"app/gpu/", "the worker's client knows no screen", kScreen},
    {"app/gpu/",
     "the worker's client knows no picture",
     {"app/scene/", "app/session/", "app/stage/", "app/panels/", "app/window/", "app/cli/"}},
    {"app/session/", "a session knows no screen", kScreen},
    {"app/session/",
     "a session does not know how it is shown",
     {"app/stage/", "app/panels/", "app/window/", "app/cli/"}},
    {"app/stage/", "the stage knows no screen", kScreen},
    {"app/stage/", "the stage knows no panel and no window", {"app/panels/", "app/window/", "app/cli/"}},
    {"app/panels/", "panels know no screen", kScreen},
    {"app/boards/", "boards know no screen", kScreen},
    {"app/boards/", "boards know no panel and no window", {"app/panels/", "app/window/", "app/cli/"}},
    {"app/export/", "what is taken away needs no screen", kScreen},
    {"app/export/", "what is taken away knows no window", {"app/window/", "app/cli/"}},
    {"app/panels/", "panels know no window", {"app/window/", "app/cli/"}},
    {"app/cli/", "the command line knows no screen", kScreen},
    {"kernels/", "kernels know nothing of the app", {"app/", "tests/"}},
    {"kernels/", "kernels know no screen", kScreen},
};

// The text with its comments blanked out and its line breaks kept. Strings are left alone, so that "//" in one is text.
std::string without_comments(std::string_view text) {
  enum class In { Code, Line, Block, String, Char } in = In::Code;
  std::string out(text);
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k], next = k + 1 < text.size() ? text[k + 1] : '\0';
    if (c == '\n' && in != In::Block) {
      in = In::Code;
    } else if (in == In::Code) {
      if (c == '/' && next == '/') in = In::Line;
      if (c == '/' && next == '*') in = In::Block, out[k] = out[k + 1] = ' ', ++k;
      if (c == '"') in = In::String;
      if (c == '\'' && (k == 0 || !isalnum(static_cast<unsigned char>(text[k - 1])))) in = In::Char;
    } else if ((in == In::String || in == In::Char) && c == '\\') {
      ++k;
    } else if ((in == In::String && c == '"') || (in == In::Char && c == '\'')) {
      in = In::Code;
    } else if (in == In::Block && c == '*' && next == '/') {
      in = In::Code, out[k] = out[k + 1] = ' ', ++k;
    }
    if ((in == In::Line || in == In::Block) && k < out.size() && out[k] != '\n') out[k] = ' ';
  }
  return out;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> out;
  std::istringstream lines(without_comments(text));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto skip = [&](size_t from) { return line.find_first_not_of(" \t", from); };
    size_t at = skip(0);
    if (at == std::string::npos || line[at] != '#') continue;
    at = skip(at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    at += 7;
    if (line.compare(at, 5, "_next") == 0) at += 5;
    at = skip(at);
    if (at == std::string::npos) continue;
    const char close = line[at] == '<' ? '>' : '"';
    const bool named = line[at] == '<' || line[at] == '"';
    const size_t end = named ? line.find(close, at + 1) : line.find_first_of(" \t\r", at);
    out.push_back({number, named ? line.substr(at + 1, end - at - 1) : line.substr(at, end - at)});
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

// One sentence for each fault; empty for a clean tree.
std::vector<std::string> faults_of(const Tree& tree) {
  std::vector<std::string> faults;
  for (const auto& [path, includes] : tree) {
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    for (const auto& [line, name] : includes) {
      const std::string where = path + ":" + std::to_string(line) + " includes " + name + ": ";
      for (const Rule& rule : kRules) {
        if (!path.starts_with(rule.folder)) continue;
        const bool hit = std::ranges::any_of(rule.forbidden, [&](auto p) { return lower(name).starts_with(p); });
        if (hit) faults.push_back(where + std::string(rule.why));
      }
      const bool dotted = name.starts_with("./") || name.find("../") != std::string::npos;
      if (dotted || (!tree.contains(name) && tree.contains(folder + name))) {
        faults.push_back(where + "write the path from the repository root");
      }
    }
  }

  // Walk the includes depth first; a file met again while it is still open closes a circle.
  std::set<std::string> done;
  std::vector<std::string> open;
  const std::function<void(const std::string&)> visit = [&](const std::string& path) {
    if (const auto again = std::ranges::find(open, path); again != open.end()) {
      std::string circle = "include circle: ";
      for (auto it = again; it != open.end(); ++it) circle += *it + " -> ";
      faults.push_back(circle + path);
      return;
    }
    if (done.contains(path)) return;
    open.push_back(path);
    for (const Include& include : tree.at(path)) {
      if (tree.contains(include.name)) visit(include.name);
    }
    open.pop_back();
    done.insert(path);
  };
  for (const auto& [path, includes] : tree) visit(path);
  return faults;
}

Tree read_tree(const fs::path& root) {
  static const std::set<std::string> kinds = {".h", ".hpp", ".inl", ".c", ".cc", ".cpp", ".cu", ".cuh"};
  Tree tree;
  for (const char* layer : {"core", "app", "kernels"}) {
    if (!fs::exists(root / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      if (!entry.is_regular_file() || !kinds.contains(entry.path().extension().string())) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      tree[fs::relative(entry.path(), root).generic_string()] = includes_of(text.str());
    }
  }
  return tree;
}

std::vector<std::string> faults_with(const std::string& path, const std::string& name) {
  return faults_of({{path, {{1, name}}}, {"core/a.h", {}}, {"core/io/b.h", {}}, {"app/c.h", {}}});
}
}  // namespace

TEST_CASE("No file includes what its layer may not know") {
  const Tree tree = read_tree(TILEWALK_SOURCE_DIR);
  size_t includes = 0;
  for (const auto& [path, list] : tree) includes += list.size();
  CHECK(tree.size() > 1);
  CHECK(includes > 1);
  for (const std::string& fault : faults_of(tree)) FAIL_CHECK(fault);
}

TEST_CASE("Every forbidden kind of include is found") {
  const std::pair<const char*, const char*> forbidden[] = {
      {"core/x.cpp", "app/c.h"},
      {"core/x.cpp", "kernels/forward.h"},
      {"core/x.cpp", "imgui.h"},
      {"core/x.cpp", "GLFW/glfw3.h"},
      {"core/x.cpp", "glad/gl.h"},
      {"core/x.cpp", "GL/gl.h"},
      {"core/x.cpp", "cuda_runtime.h"},
      {"core/x.cpp", "chrono"},
      {"core/io/x.cpp", "b.h"},
      {"core/io/x.cpp", "../a.h"},
      {"app/x.cpp", "kernels/worker/w.h"},
      {"app/x.cpp", "cuda.h"},
      {"app/x.cpp", "cupti.h"},
      {"app/scene/x.h", "imgui.h"},
      {"app/text/x.h", "GLFW/glfw3.h"},
      {"app/stage/x.cpp", "glad/gl.h"},
      {"app/stage/x.cpp", "imgui_internal.h"},
      {"app/gpu/x.cpp", "app/panels/panels.h"},
      {"app/gpu/x.h", "GLFW/glfw3.h"},
      {"kernels/fa2.cu", "app/c.h"},
  };
  for (const auto& [path, name] : forbidden) {
    CAPTURE(path);
    CAPTURE(name);
    CHECK(faults_with(path, name).size() == 1);
  }
}

TEST_CASE("What a layer may include is let through") {
  const std::pair<const char*, const char*> allowed[] = {
      {"core/x.cpp", "core/io/b.h"},  {"core/x.cpp", "fmt/format.h"},    {"app/x.cpp", "core/a.h"},
      {"app/x.cpp", "imgui.h"},       {"app/x.cpp", "chrono"},           {"app/text/x.cpp", "FT_FREETYPE_H"},
      {"app/scene/x.cpp", "app/c.h"}, {"kernels/fa2.cu", "cuda_fp16.h"}, {"kernels/fa2.cu", "core/a.h"},
  };
  for (const auto& [path, name] : allowed) {
    CAPTURE(path);
    CAPTURE(name);
    CHECK(faults_with(path, name).empty());
  }
}

TEST_CASE("Headers that include each other in a circle are found once") {
  const auto faults = faults_of({{"core/a.h", {{1, "core/b.h"}}},
                                 {"core/b.h", {{1, "core/c.h"}}},
                                 {"core/c.h", {{1, "core/a.h"}}},
                                 {"core/d.h", {{1, "core/b.h"}}}});
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == "include circle: core/a.h -> core/b.h -> core/c.h -> core/a.h");
}

TEST_CASE("Includes are read as the preprocessor reads them") {
  const auto found = includes_of(
      "// #include <no1>\n/* \n#include <no2>\n*/ #include <yes1>\n"
      "  #  include\t\"yes2\"  // why\n#include FT_X_H\nauto s = \"/*\";\n#include_next <yes3>\n"
      "int n = 1'000; // '\"\n#include <yes4>\n#define include_me\n");
  std::string names;
  for (const Include& include : found) names += include.name + "@" + std::to_string(include.line) + " ";
  CHECK(names == "yes1@4 yes2@5 FT_X_H@6 yes3@8 yes4@10 ");
}
