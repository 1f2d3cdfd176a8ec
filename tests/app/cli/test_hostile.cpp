// What a stranger brings in (a link, a file, a name, the environment) reaches the terminal as text and never as a
// command: every command and every option of it, with strings that mean something to a terminal or hide.
#include "core/io/printable.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <sstream>

namespace tilewalk::test_hostile {
using test::contains;
using test::run;

namespace {

// A title (OSC), bells, colours and movement (CSI, also of C1 in UTF-8), bytes of C1 alone, overrides and isolates of
// direction, an answer that types by itself (DECID), a backspace, a line of somebody else's, a deletion.
const std::vector<std::string> kHostile{"\033]0;owned\007",
                                        "\033[31m\033[2J\033[1;1H",
                                        "\u009B31m\u009D0;x\u009C",
                                        "\x9B"
                                        "31m",
                                        "\u202Egpj.exe\u2066x",
                                        "\033Z\033[c",
                                        "good\x08\x08\x08\x08"
                                        "bad",
                                        "a\rb",
                                        "\x7F\uFEFF\u200F"};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return out;
}

void check_harmless(std::string_view what, const test::Ran& ran) {
  for (const std::string& text : {ran.out, ran.err}) {
    const bool harmless = text == printable(text, "\n\t");
    CHECK_MESSAGE(harmless, printable(what), " wrote ", printable(text.substr(0, 2000), "\n"));
  }
}

// "--name" of a command's help.
std::set<std::string> options_of(const std::string& command) {
  std::set<std::string> out;
  std::istringstream words(run(command + " --help").out);
  for (std::string word; words >> word;)
    for (std::string each = word; each.starts_with("--");) {
      const size_t end = std::min(each.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), each.size());
      if (end > 2 && each.substr(0, end) != "--help" && each.substr(0, end) != "--version")
        out.insert(each.substr(0, end));
      each.erase(0, end == each.size() ? end : end + 1);
    }
  return out;
}

struct Variable {
  const char* name;
  std::string before;
  bool was;
  Variable(const char* name, const std::string& value) : name(name), was(std::getenv(name) != nullptr) {
    if (was) before = std::getenv(name);
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { was ? ::setenv(name, before.c_str(), 1) : ::unsetenv(name); }
};

}  // namespace

TEST_CASE("every option of every command with a stranger's value") {
  int tried = 0;
  for (const char* command : {"", "walk", "predict", "export", "describe", "check"}) {
    const std::set<std::string> options = options_of(command);
    REQUIRE(options.size() + (std::string_view(command) == "describe") > 0);
    for (const std::string& hostile : kHostile) {
      check_harmless(command, run(fmt::format("{} '{}'", command, hostile)));
      check_harmless(command, run(fmt::format("{} '--{}'", command, hostile)));
      for (const std::string& option : options) {
        if (option == "--reset-progress") continue;
        const std::string line = fmt::format("{} {} '{}'", command, option, hostile);
        check_harmless(line, run(line));
        ++tried;
      }
    }
  }
  CHECK(tried > 500);
}

TEST_CASE("every key of a link, and every part of its path") {
  const char* keys[] = {
      "schedule",     "preset", "N",          "Nq",    "d",       "Br",      "Bc",      "mask",  "align", "seed",
      "distribution", "format", "arithmetic", "scale", "variant", "machine", "compare", "fault", "at",    "row",
      "inputs",       "layer",  "head",       "view",  "stage",   "gpu",     "show",    "v",     "x"};
  std::vector<std::string> values;
  for (const std::string& each : kHostile) values.push_back(escaped(each));
  values.push_back("%00");
  values.push_back("a%0ab");
  for (const std::string& value : values) {
    std::vector<std::string> links;
    for (const char* key : keys)
      for (const char* place : {"walk", "board/clocks", "lesson/7/beat/2"})
        links.push_back(fmt::format("tilewalk://{}?{}={}", place, key, value));
    for (const char* shape : {"{0}", "walk/step/{0}", "lesson/{0}", "lesson/6/beat/{0}", "board/{0}", "walk?{0}=1"})
      links.push_back("tilewalk://" + fmt::format(fmt::runtime(shape), value));
    for (const std::string& link : links) {
      check_harmless(link, run("describe " + link));
      check_harmless(link, run("export -o - " + link));
    }
  }
  // A line that somebody else wrote does not stand alone.
  const test::Ran ran = run("describe tilewalk://walk?schedule=x%0aForgotten.");
  CHECK_FALSE(contains(ran.err, "\nForgotten"));
}

TEST_CASE("files and the environment of a stranger's naming") {
  const test::Folder folder;
  for (const std::string& hostile : kHostile) {
    const std::string file = folder.write(hostile + ".npy", test::npy("(8, 4)", 32));
    check_harmless("walk of a file", run(fmt::format("walk --input '{}'", file)));
    check_harmless("its JSON", run(fmt::format("walk --json --input '{}'", file)));
    check_harmless("its picture", run(fmt::format("export -o - --input '{}'", file)));
    check_harmless("a file that is none", run(fmt::format("walk --input '{}'", folder.write(hostile, "x"))));
    const std::string lesson =
        folder.write(hostile + ".md", fmt::format("+++\nid = \"a\"\ntitle = \"{}\"\n{} = 3\n+++\n# {}\n{{{{{}}}}}\n",
                                                  hostile, hostile, hostile, hostile));
    check_harmless("check", run(fmt::format("check '{}'", lesson)));
    check_harmless("check --json", run(fmt::format("check --json '{}'", lesson)));
    check_harmless("worksheet", run(fmt::format("export --worksheet --out '{}.svg'", (folder / hostile).string())));
    check_harmless("steps", run(fmt::format("export --steps 1-2 --out '{}-s.svg'", (folder / hostile).string())));
    const std::filesystem::path home = folder / (hostile + "-home");
    const Variable data("XDG_DATA_HOME", home.string());
    std::filesystem::create_directories(home / "tilewalk");
    check_harmless("--reset-progress", run("--reset-progress"));
    folder.write((hostile + "-home/tilewalk/progress.json"), "{\"tilewalk_progress\": 1, \"lessons\": {\"a\": {}}}");
    check_harmless("--reset-progress", run("--reset-progress"));
  }
}

}  // namespace tilewalk::test_hostile
