// The text of a beat: CommonMark, read once into blocks of spans, with the program's own additions: quantities
// {{expression | format}} and links to what is on the stage, [K tile](tile:K/2), [rescale](step:Rescale). What stands
// between [[ and ]] is the window's alone: it tells what to press or turn, and paper has nothing to press.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Span {
  enum class Kind : uint8_t { Text, Code, Quantity, Break };
  Kind kind = Kind::Text;
  std::string text;    // UTF-8; of a Quantity: its expression
  std::string format;  // of a Quantity
  bool strong = false, emphasis = false;
  // Where a link leads: "tile:K/2", "step:Rescale", "term:ridge", "reading:time", "lesson:6", "puzzle:keep-p",
  // "https://..."; else empty.
  std::string target;
  bool window = false;  // between [[ and ]]: left out on paper
};

struct Block {
  enum class Kind : uint8_t { Paragraph, Heading, Item, Code, Table, Quote };
  Kind kind = Kind::Paragraph;
  int level = 0;     // of a heading 1..6; of a list item its depth from 0
  int ordinal = 0;   // of an item in a numbered list, from 1; 0 is a bullet
  std::string code;  // of a code block: its text; `language` what its fence says
  std::string language;
  std::vector<Span> spans;                           // paragraph, heading, item, quote
  std::vector<std::vector<std::vector<Span>>> rows;  // of a table: the first row is its head
  int line = 0;                                      // in the file, from 1
};
using Prose = std::vector<Block>;

// Reads CommonMark with tables, without HTML. Never fails: what is no markup is text. `first_line` is the line that the
// text begins on.
Prose read_prose(std::string_view markdown, int first_line = 1);

// A quantity is one word; code blocks are none.
int64_t count_words(const Prose& prose);
// What ends with "." or "?"; a colon begins another clause, not another sentence.
int count_sentences(const Prose& prose);

}  // namespace tilewalk
