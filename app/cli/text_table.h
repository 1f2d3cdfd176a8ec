// Numbers in columns: a label and one right-aligned cell for each column, under the columns' heads.
#pragma once

#include "app/cli/console.h"

#include <string>
#include <vector>

namespace tilewalk {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heads) : heads_(std::move(heads)) {}
  void title(std::string text);  // a line of its own, after an empty one
  void row(std::string label, std::vector<std::string> cells);
  void note(std::string text);  // under the row before, wrapped
  void print(Console& console) const;

 private:
  struct Line {
    enum Kind { Title, Row, Note } kind;
    std::string label;
    std::vector<std::string> cells;
  };
  std::vector<std::string> heads_;
  std::vector<Line> lines_;
};

}  // namespace tilewalk
