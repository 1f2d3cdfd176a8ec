#include "core/lesson/said.h"

#include "core/lesson/glossary.h"

#include <algorithm>
#include <string>

namespace tilewalk {
namespace {

void add_words(const std::vector<Span>& spans, std::string& to) {
  for (const Span& span : spans)
    if (!span.window) to += span.kind == Span::Kind::Text ? span.text : " ";
  to += ' ';
}

int64_t saying(std::string_view words, const Prose& prose) {
  return std::ranges::count_if(prose, [&](const Block& block) {
    std::string all;
    add_words(block.spans, all);
    for (const auto& row : block.rows)
      for (const std::vector<Span>& cell : row) add_words(cell, all);
    return has_words(words, all);
  });
}

}  // namespace

int paragraphs_saying(std::string_view words, const Beat& beat) {
  int64_t count = saying(words, beat.text) + saying(words, beat.kernel);
  for (const Question& question : beat.questions) count += saying(words, question.text);
  return int(count);
}

}  // namespace tilewalk
