// Runs the command line as main() does, and keeps what it wrote.
#pragma once

#include "app/cli/command_line.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk::test {

struct Ran {
  int code;
  std::string out, err;
};

// Words as a shell would split them: at spaces, but not between single quotes.
Ran run(std::string_view line, const OpenWindow& open_window = {});

bool contains(std::string_view text, std::string_view part);
int widest_line(std::string_view text);      // in characters
std::string flowing(std::string_view text);  // on one line, single spaces between its words

// A folder of its own that is gone afterwards.
class Folder {
 public:
  Folder();
  ~Folder();
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::string write(std::string_view name, std::string_view content) const;  // the file's path

 private:
  std::filesystem::path path_;
};

// A .npy file of fp32 values 0, 1, 2 ... / 10 with that shape, such as "(8, 4)".
std::string npy(std::string_view shape, int64_t count);

std::string real_head();  // the trained head that comes with the program

}  // namespace tilewalk::test
