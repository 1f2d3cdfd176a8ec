// An animated GIF, frame by frame: each frame brings only the rectangle that has changed, with colours of its own, and
// leaves what stays transparent. Played for ever.
// Source: GIF89a specification, CompuServe 1990; the loop is Netscape's application extension.
#pragma once

#include "app/scene/raster.h"

#include <memory>
#include <string>

namespace tilewalk {

class GifWriter {
 public:
  GifWriter(int width, int height);  // up to 65535 each
  ~GifWriter();
  GifWriter(GifWriter&&) noexcept;

  // A frame of the picture's size, shown for so many hundredths of a second. False where the encoder gave up.
  bool add(const Pixels& frame, int hundredths);
  size_t bytes() const;  // so far
  std::string finish();  // the whole file; empty where the encoder gave up

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewalk
