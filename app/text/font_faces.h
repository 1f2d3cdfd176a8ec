// The FreeType faces of the embedded fonts, opened when first needed. Only the files of app/text include this.
#pragma once

#include "app/text/fonts.h"

#include <ft2build.h>

#include <array>
#include <mutex>

#include FT_FREETYPE_H

namespace tilewalk {

class FontFaces {
 public:
  static FontFaces& get();
  // A face is used only while its lock is held: FreeType keeps one glyph slot for each face.
  std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }
  FT_Face face(FontId id);

 private:
  FontFaces();
  FT_Library library_ = nullptr;
  std::array<FT_Face, 5> faces_{};
  std::recursive_mutex mutex_;
};

}  // namespace tilewalk
