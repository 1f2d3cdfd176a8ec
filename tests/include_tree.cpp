#include "tests/include_tree.h"

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {
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
}  // namespace

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
