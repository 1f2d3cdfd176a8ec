#include "tests/app/cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include <unistd.h>

namespace tilewalk::test {

Ran run(std::string_view line, const OpenWindow& open_window) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (char c : std::string(line) + ' ') {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any) words.push_back(std::exchange(word, {}));
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  std::ostringstream out, err;
  Console console{out, err};
  const int code = run_command_line(words, console, open_window);
  return {code, out.str(), err.str()};
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

int widest_line(std::string_view text) {
  int widest = 0;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, width_of(line));
  return widest;
}

std::string flowing(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tilewalk-cli-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::string Folder::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

std::string npy(std::string_view shape, int64_t count) {
  std::string head = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", shape);
  head += std::string(64 - (10 + head.size() + 1) % 64, ' ') + '\n';
  std::string file = "\x93NUMPY";
  file += '\1';
  file += '\0';
  file += char(head.size() & 255);
  file += char(head.size() >> 8);
  file += head;
  for (int64_t k = 0; k < count; ++k) {
    const float value = float(k) / 10;
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return file;
}

std::string real_head() { return TILEWALK_SOURCE_DIR "/assets/inputs/induction-head.safetensors"; }

}  // namespace tilewalk::test
