// The large files beside the program: each brought when it is asked for. Tests, which see the tree, read them there.
#include "core/io/embedded.h"
#include "core/io/file.h"

#include <algorithm>
#include <filesystem>

namespace tilewalk {
namespace {

std::string read_in_tree(std::string_view path) { return read_file(std::filesystem::path(TILEWALK_TREE) / path); }

BringFile bring_it = read_in_tree;

// The text of a large file, as far as it was brought; null: it is none of them.
std::string* text_of(std::string_view path) {
  static std::array<std::string, kLargeFiles.size()> texts;
  const auto found = std::ranges::find(kLargeFiles, path);
  return found == kLargeFiles.end() ? nullptr : &texts[size_t(found - kLargeFiles.begin())];
}

}  // namespace

void bring_large_files(BringFile bring) { bring_it = bring; }

std::string_view large_file(std::string_view path) {
  std::string* text = text_of(path);
  if (!text) return {};
  if (text->empty()) *text = bring_it(path);  // what could not be brought is asked for again
  return *text;
}

void let_go_of_large_file(std::string_view path) {
  if (std::string* text = text_of(path)) *text = std::string();
}

}  // namespace tilewalk
