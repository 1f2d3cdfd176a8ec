#include "app/cli/text_table.h"

#include <algorithm>

namespace tilewalk {

void TextTable::title(std::string text) { lines_.push_back({Line::Title, std::move(text), {}}); }
void TextTable::row(std::string label, std::vector<std::string> cells) {
  lines_.push_back({Line::Row, std::move(label), std::move(cells)});
}
void TextTable::note(std::string text) { lines_.push_back({Line::Note, std::move(text), {}}); }

void TextTable::print(Console& console) const {
  int label_width = 0;
  std::vector<int> widths;
  for (const std::string& head : heads_) widths.push_back(width_of(head));
  for (const Line& line : lines_) {
    if (line.kind != Line::Row) continue;
    label_width = std::max(label_width, width_of(line.label));
    for (size_t c = 0; c < line.cells.size(); ++c) widths[c] = std::max(widths[c], width_of(line.cells[c]));
  }
  for (int& width : widths) width += 2;

  console.out << std::string(size_t(label_width) + 2, ' ');
  for (size_t c = 0; c < heads_.size(); ++c)
    console.out << inked(console, Ink::Bold, right_aligned(heads_[c], widths[c]));
  console.out << '\n';
  for (const Line& line : lines_) {
    if (line.kind == Line::Title) {
      console.out << inked(console, Ink::Bold, wrapped(line.label, console.columns, 0)) << '\n';
    } else if (line.kind == Line::Note) {
      console.out << "  " << inked(console, Ink::Dim, wrapped(line.label, console.columns - 2, 2)) << '\n';
    } else {
      console.out << "  " << padded(line.label, label_width);
      for (size_t c = 0; c < line.cells.size(); ++c) console.out << right_aligned(line.cells[c], widths[c]);
      console.out << '\n';
    }
  }
}

}  // namespace tilewalk
