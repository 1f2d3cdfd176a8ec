// Puts the font files, whose paths the build file gives, into the read-only data of the program. The text is assembler,
// because a compiler takes minutes and gigabytes for what the assembler copies at once.
#include "app/text/embedded_fonts.h"

// clang-format off
#define TILEWALK_EMBED(name, path)            \
  asm(".pushsection .rodata\n"                \
      ".balign 16\n"                          \
      ".global tilewalk_font_" name "\n"      \
      "tilewalk_font_" name ":\n"             \
      ".incbin \"" path "\"\n"                \
      ".global tilewalk_font_" name "_end\n"  \
      "tilewalk_font_" name "_end:\n"         \
      ".byte 0\n"                             \
      ".popsection\n")
// clang-format on

TILEWALK_EMBED("inter", TILEWALK_FONT_INTER);
TILEWALK_EMBED("inter_bold", TILEWALK_FONT_INTER_BOLD);
TILEWALK_EMBED("mono", TILEWALK_FONT_MONO);
TILEWALK_EMBED("mono_bold", TILEWALK_FONT_MONO_BOLD);
TILEWALK_EMBED("fallback", TILEWALK_FONT_FALLBACK);

extern "C" {
extern const std::byte tilewalk_font_inter[], tilewalk_font_inter_end[];
extern const std::byte tilewalk_font_inter_bold[], tilewalk_font_inter_bold_end[];
extern const std::byte tilewalk_font_mono[], tilewalk_font_mono_end[];
extern const std::byte tilewalk_font_mono_bold[], tilewalk_font_mono_bold_end[];
extern const std::byte tilewalk_font_fallback[], tilewalk_font_fallback_end[];
}

namespace tilewalk {

std::span<const std::byte> embedded_font(int font) {
  switch (font) {
    case 0: return {tilewalk_font_inter, tilewalk_font_inter_end};
    case 1: return {tilewalk_font_inter_bold, tilewalk_font_inter_bold_end};
    case 2: return {tilewalk_font_mono, tilewalk_font_mono_end};
    case 3: return {tilewalk_font_mono_bold, tilewalk_font_mono_bold_end};
    default: return {tilewalk_font_fallback, tilewalk_font_fallback_end};
  }
}

}  // namespace tilewalk
