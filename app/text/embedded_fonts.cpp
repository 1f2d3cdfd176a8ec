// Puts the font files, whose paths the build file gives, into the read-only data of the program.
#include "app/text/embedded_fonts.h"

#include "core/io/embed.h"

TILEWALK_EMBED("font_inter", TILEWALK_FONT_INTER);
TILEWALK_EMBED("font_inter_bold", TILEWALK_FONT_INTER_BOLD);
TILEWALK_EMBED("font_mono", TILEWALK_FONT_MONO);
TILEWALK_EMBED("font_mono_bold", TILEWALK_FONT_MONO_BOLD);
TILEWALK_EMBED("font_fallback", TILEWALK_FONT_FALLBACK);

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
