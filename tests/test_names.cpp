// A type's name means one thing in a whole program: two of one name in two headers would be linked as one, without a
// word.
#include "tests/include_tree.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

// The types that a header's text defines in a namespace, outside of any other: "tilewalk::ui::Canvas".
std::set<std::string> types_of(std::istream& text) {
  static const std::regex kType("^(class|struct|enum class) ([A-Za-z_0-9]+)( final)?( :.*)?( \\{.*)$");
  static const std::regex kNamespace("^namespace ([A-Za-z_0-9:]+) \\{$");
  std::set<std::string> names;
  std::string space;
  std::smatch found;
  for (std::string line; std::getline(text, line);) {
    if (std::regex_match(line, found, kNamespace)) space = found[1].str() + "::";
    if (std::regex_match(line, found, kType)) names.insert(space + found[2].str());
  }
  return names;
}

// The desktop's shell and the page's never stand in one program.
bool in_one_program(const std::string& a, const std::string& b) {
  const auto in = [](const std::string& path, std::string_view folder) { return path.starts_with(folder); };
  return in(a, "app/shell/web/") == in(b, "app/shell/web/") || !(in(a, "app/shell/") && in(b, "app/shell/"));
}

}  // namespace

TEST_CASE("No two headers of a program define a type of the same name") {
  std::map<std::string, std::string> where;
  size_t seen = 0;
  for (const auto& [path, includes] : read_tree(TILEWALK_SOURCE_DIR)) {
    if (!path.ends_with(".h")) continue;
    std::ifstream text(std::string(TILEWALK_SOURCE_DIR) + "/" + path);
    for (const std::string& name : types_of(text)) {
      ++seen;
      const auto [before, fresh] = where.emplace(name, path);
      if (!fresh && in_one_program(before->second, path)) FAIL_CHECK(name << ": " << before->second << " and " << path);
    }
  }
  CHECK(seen > 400);
}
