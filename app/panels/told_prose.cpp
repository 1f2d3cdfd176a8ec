#include "app/panels/told_prose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewalk {
namespace {

std::string plain_words(std::span<const Span> spans, const ProseWords& words) {
  std::string out;
  for (const Span& span : spans) {
    if (span.kind == Span::Kind::Quantity)
      out += words.quantity(span).text;
    else
      out += span.kind == Span::Kind::Break ? " " : span.text;
  }
  return out;
}

}  // namespace

void tell_prose(std::vector<std::string>& out, std::span<const Block> prose, const ProseWords& words) {
  for (const Block& block : prose) {
    if (block.kind == Block::Kind::Code) {
      out.push_back(block.code);
    } else if (block.kind == Block::Kind::Table) {
      for (const auto& row : block.rows) {
        std::vector<std::string> cells;
        for (const auto& cell : row) cells.push_back(plain_words(cell, words));
        out.push_back(fmt::format("{}", fmt::join(cells, " | ")));
      }
    } else {
      const std::string mark = block.kind != Block::Kind::Item ? ""
                               : block.ordinal > 0             ? fmt::format("{}. ", block.ordinal)
                                                               : "- ";
      out.push_back(mark + plain_words(block.spans, words));
    }
  }
}

}  // namespace tilewalk
