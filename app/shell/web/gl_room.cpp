#include "app/shell/web/gl_room.h"

#include "app/scene/wash.h"

#include <GLES3/gl3.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

constexpr float kRoomContrast = 7;
constexpr int kBlurAt1080 = 2;  // pixels

}  // namespace

void GlRoom::close() {
  drop(stage_);
  drop(picture_);
  width_ = height_ = 0;
}

GlRoom::Buffer GlRoom::make() const {
  Buffer buffer;
  glGenTextures(1, &buffer.texture);
  glBindTexture(GL_TEXTURE_2D, buffer.texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &buffer.frame);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer.frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, buffer.texture, 0);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return buffer;
}

void GlRoom::drop(Buffer& buffer) {
  if (buffer.frame) glDeleteFramebuffers(1, &buffer.frame);
  if (buffer.texture) glDeleteTextures(1, &buffer.texture);
  buffer = {};
}

bool GlRoom::resize(Vec2 picture) {
  const int w = std::max(1, int(picture.x)), h = std::max(1, int(picture.y));
  if (w == width_ && h == height_) return false;
  close();
  width_ = w, height_ = h;
  stage_ = make();
  picture_ = make();
  return true;
}

void GlRoom::keep_picture() {
  if (kept_.texture || !picture_.texture) return;
  kept_ = make();
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.frame);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, kept_.frame);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void GlRoom::paint(const Buffer& buffer, const ImDrawData& data, Color background) {
  glBindFramebuffer(GL_FRAMEBUFFER, buffer.frame);
  renderer_.draw(data, {float(width_), float(height_)}, background);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void GlRoom::paint_stage(const ImDrawData& data, Color background) { paint(stage_, data, background); }

void GlRoom::paint_picture(const ImDrawData& data, bool washed) {
  paint(picture_, data, {0, 0, 0, 255});
  if (washed) wash();
}

std::vector<uint8_t> GlRoom::seen() const {
  std::vector<uint8_t> seen(size_t(width_) * size_t(height_) * 4);
  glBindFramebuffer(GL_FRAMEBUFFER, picture_.frame);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  for (size_t k = 3; k < seen.size(); k += 4) seen[k] = 255;
  return seen;
}

std::vector<uint8_t> GlRoom::pixels() const {
  std::vector<uint8_t> rows = seen();
  const auto pitch = std::ptrdiff_t(width_) * 4;
  for (std::ptrdiff_t top = 0, low = height_ - 1; top < low; ++top, --low)
    std::swap_ranges(rows.begin() + top * pitch, rows.begin() + (top + 1) * pitch, rows.begin() + low * pitch);
  return rows;
}

void GlRoom::wash() {
  std::vector<uint8_t> seen = this->seen();
  wash_picture(seen, width_, height_, kRoomContrast, std::max(1, kBlurAt1080 * height_ / 1080));  // up or down, alike
  glBindTexture(GL_TEXTURE_2D, picture_.texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
}

}  // namespace tilewalk
