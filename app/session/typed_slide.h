// A slide's line as it is typed: as the set list's file has it behind "slide:", or a title alone, which leaves the
// slide's picture and its lines.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewalk {

struct TypedSlide {
  std::string line;   // for the list's file
  std::string fault;  // why it cannot be kept, in a sentence; empty where it can
};
// `now` is the slide's line before, `words` what was typed, on one line and with no note behind it. A picture that is
// newly named is looked for beside the list's file.
TypedSlide typed_slide(std::string_view now, std::string_view words, const std::filesystem::path& list);

}  // namespace tilewalk
