#include "core/lesson/board_words.h"

#include "core/io/embedded.h"

#include <algorithm>

namespace tilewalk {

std::vector<std::pair<std::string, Prose>> read_board_words(std::string_view markdown) {
  constexpr std::string_view kMark = "## ";
  std::vector<std::pair<std::string, Prose>> sections;
  std::string id, text;
  int line = 0, first_line = 1;
  const auto close = [&] {
    if (!id.empty()) sections.emplace_back(id, read_prose(text, first_line));
    text.clear();
  };
  while (!markdown.empty()) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view words = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    ++line;
    if (words.starts_with(kMark)) {
      close();
      id = words.substr(kMark.size());
      first_line = line + 1;
    } else {
      text += words;
      text += '\n';
    }
  }
  close();
  return sections;
}

const Prose* explanation_of_board(std::string_view id) {
  static const auto sections = read_board_words(embedded_file("lessons/data/boards.md"));
  for (const auto& [board, prose] : sections)
    if (board == id) return &prose;
  return nullptr;
}

}  // namespace tilewalk
