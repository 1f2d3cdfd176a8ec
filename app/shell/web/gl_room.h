// The room's picture in WebGL: a frame buffer with the stage as it was painted last, and one with the picture, the
// stage and what lies over it. The page itself shows it, or its second window.
#pragma once

#include "app/shell/web/gl_renderer.h"

#include <vector>

namespace tilewalk {

class GlRoom {
 public:
  explicit GlRoom(GlRenderer& renderer) : renderer_(renderer) {}
  ~GlRoom() { let_picture_go(), close(); }
  GlRoom(const GlRoom&) = delete;
  GlRoom& operator=(const GlRoom&) = delete;

  void close();
  // Frame buffers of that many pixels. True where they had another size and are empty now.
  bool resize(Vec2 picture);
  void paint_stage(const ImDrawData& data, Color background);
  void paint_picture(const ImDrawData& data, bool washed);  // `washed`: as a bright room leaves it

  // A copy of the picture as it is now, until it is let go: it outlives close() and another size.
  void keep_picture();
  void let_picture_go() { drop(kept_); }

  std::vector<uint8_t> pixels() const;  // of the picture: RGBA, rows from the top
  int width() const { return width_; }
  int height() const { return height_; }

  uint64_t stage_texture() const { return GlRenderer::colors(stage_.texture); }
  uint64_t picture_texture() const { return GlRenderer::colors(picture_.texture); }
  uint64_t kept_texture() const { return kept_.texture ? GlRenderer::colors(kept_.texture) : 0; }  // 0: none is kept

 private:
  struct Buffer {
    unsigned texture = 0, frame = 0;
  };
  Buffer make() const;
  static void drop(Buffer& buffer);
  void paint(const Buffer& buffer, const ImDrawData& data, Color background);
  void wash();
  std::vector<uint8_t> seen() const;  // rows from below

  GlRenderer& renderer_;
  int width_ = 0, height_ = 0;
  Buffer stage_, picture_, kept_;
};

}  // namespace tilewalk
