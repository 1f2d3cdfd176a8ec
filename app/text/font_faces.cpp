#include "app/text/font_faces.h"

#include "app/text/embedded_fonts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tilewalk {

namespace {
// The fonts are part of the program, so a fault here is a broken build and nothing a person can put right.
void need(FT_Error error, const char* what) {
  if (error == 0) return;
  std::fprintf(stderr, "tilewalk: %s failed (FreeType error %d)\n", what, error);
  std::abort();
}
}  // namespace

FontFaces& FontFaces::get() {
  // Never destroyed: labels may be measured while the program ends.
  static FontFaces* const faces = new FontFaces;
  return *faces;
}

FontFaces::FontFaces() { need(FT_Init_FreeType(&library_), "starting FreeType"); }

FT_Face FontFaces::face(FontId id) {
  const size_t file = std::min<size_t>(static_cast<size_t>(id), faces_.size() - 1);
  if (!faces_[file]) {
    const auto bytes = embedded_font(static_cast<int>(file));
    need(FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(bytes.data()),
                            static_cast<FT_Long>(bytes.size()), 0, &faces_[file]),
         "opening an embedded font");
  }
  return faces_[file];
}

}  // namespace tilewalk
