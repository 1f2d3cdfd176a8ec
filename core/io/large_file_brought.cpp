// The large file beside the program: brought when it is asked for. Tests, which see the tree, read it there.
#include "core/io/embedded.h"
#include "core/io/file.h"

#include <filesystem>

namespace tilewalk {
namespace {

std::string read_in_tree(std::string_view path) { return read_file(std::filesystem::path(TILEWALK_TREE) / path); }

BringFile bring_it = read_in_tree;
std::string text;

}  // namespace

void bring_large_file(BringFile bring) { bring_it = bring; }

std::string_view large_file() {
  if (text.empty()) text = bring_it(kLargeFile);  // what could not be brought is asked for again
  return text;
}

void let_go_of_large_file() { text = std::string(); }

}  // namespace tilewalk
