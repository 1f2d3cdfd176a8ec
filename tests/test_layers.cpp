// Reads every #include in core/, app/ and kernels/ and finds the forbidden ones: what a layer may not know, paths that
// are not from the repository root, and headers that include each other in a circle.
#include "tests/include_tree.h"

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

// What a folder may not include, as prefixes of the name in lower case. The deepest matching folder does not replace
// the others: each rule whose folder is a prefix of the file's path applies.
using Names = std::vector<std::string_view>;
struct Rule {
  std::string_view folder;
  std::string_view why;
  Names forbidden;
};

const Names kScreen = {"imgui", "imstb", "backends/imgui", "glfw", "glad",      "gl/",
                       "gles",  "egl/",  "khr/",           "x11/", "emscripten"};
// What draws on a machine's screen, and the machines themselves.
const Names kMachine = {"imgui_impl", "backends/imgui", "glfw", "glad",       "gl/",        "gles",
                        "egl/",       "khr/",           "x11/", "emscripten", "app/shell/", "app/cli/"};
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
    {"app/state/", "the state knows no screen", kScreen},
    {"app/gpu/", "the worker's client knows no screen", kScreen},
    {"app/gpu/",
     "the worker's client knows no picture",
     {"app/scene/", "app/session/", "app/stage/", "app/panels/", "app/window/", "app/shell/", "app/cli/"}},
    {"app/session/", "a session knows no screen", kScreen},
    {"app/session/",
     "a session does not know how it is shown",
     {"app/stage/", "app/panels/", "app/window/", "app/shell/", "app/cli/"}},
    {"app/stage/", "the stage knows no screen", kScreen},
    {"app/stage/", "the stage knows no panel and no window", {"app/panels/", "app/window/", "app/shell/", "app/cli/"}},
    {"app/panels/", "panels know no screen", kScreen},
    {"app/boards/", "boards know no screen", kScreen},
    {"app/boards/", "boards know no panel and no window", {"app/panels/", "app/window/", "app/shell/", "app/cli/"}},
    {"app/export/", "what is taken away needs no screen", kScreen},
    {"app/export/", "what is taken away knows no window", {"app/window/", "app/shell/", "app/cli/"}},
    {"app/panels/", "panels know no window", {"app/window/", "app/shell/", "app/cli/"}},
    {"app/cli/", "the command line knows no screen", kScreen},
    {"app/window/", "the window knows no machine around it", kMachine},
    {"app/shell/desktop/", "the desktop is no page", {"emscripten", "gles", "app/shell/web/"}},
    {"app/shell/web/", "a page is no desktop", {"glfw", "glad", "app/shell/desktop/"}},
    {"kernels/", "kernels know nothing of the app", {"app/", "tests/"}},
    {"kernels/", "kernels know no screen", kScreen},
};

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
      {"app/state/x.h", "imgui.h"},
      {"app/stage/x.cpp", "glad/gl.h"},
      {"app/stage/x.cpp", "imgui_internal.h"},
      {"app/gpu/x.cpp", "app/panels/panels.h"},
      {"app/gpu/x.h", "GLFW/glfw3.h"},
      {"app/window/x.cpp", "GLFW/glfw3.h"},
      {"app/window/x.cpp", "imgui_impl_opengl3.h"},
      {"app/window/x.cpp", "emscripten.h"},
      {"app/window/x.h", "app/shell/web/page.h"},
      {"app/shell/desktop/x.cpp", "GLES3/gl3.h"},
      {"app/shell/web/x.cpp", "glad/gl.h"},
      {"app/panels/x.cpp", "app/shell/web/page.h"},
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
      {"core/x.cpp", "core/io/b.h"},
      {"core/x.cpp", "fmt/format.h"},
      {"app/x.cpp", "core/a.h"},
      {"app/x.cpp", "imgui.h"},
      {"app/x.cpp", "chrono"},
      {"app/text/x.cpp", "FT_FREETYPE_H"},
      {"app/scene/x.cpp", "app/c.h"},
      {"kernels/fa2.cu", "cuda_fp16.h"},
      {"kernels/fa2.cu", "core/a.h"},
      {"app/window/x.cpp", "imgui.h"},
      {"app/shell/web/x.cpp", "GLES3/gl3.h"},
  };
  for (const auto& [path, name] : allowed) {
    CAPTURE(path);
    CAPTURE(name);
    CHECK(faults_with(path, name).empty());
  }
}

TEST_CASE("Nobody but the shells, and who embeds files, asks which machine it is built for") {
  const fs::path root = TILEWALK_SOURCE_DIR;
  int asked = 0;
  for (const char* layer : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      const std::string path = fs::relative(entry.path(), root).generic_string();
      if (!entry.is_regular_file() || path.starts_with("app/shell/")) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      for (std::string line; std::getline(file, line);) {
        if (line.find("__wasm") == std::string::npos && line.find("__EMSCRIPTEN__") == std::string::npos) continue;
        ++asked;
        CHECK(path == "core/io/embed.h");
      }
    }
  CHECK(asked == 1);
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
