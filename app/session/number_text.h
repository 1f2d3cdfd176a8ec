// Numbers as people type them: "1,024", "1 024", "4k", "-3". What cannot be read is answered with one sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewalk {

struct ParsedNumber {
  int64_t value = 0;
  std::string fault;  // empty when the text is a number
};
// A whole number. k is 1,024 and M is 1,048,576, as sequence lengths are counted. `label` begins the sentence.
ParsedNumber parse_whole(std::string_view text, std::string_view label);

struct ParsedSeed {
  uint64_t value = 0;
  std::string fault;
};
ParsedSeed parse_seed(std::string_view text);

struct ParsedScale {
  double value = 0;  // 0 is 1/√d
  std::string fault;
};
// A softmax scale; nothing, "auto" or "1/√d" is the usual one.
ParsedScale parse_scale(std::string_view text);

}  // namespace tilewalk
