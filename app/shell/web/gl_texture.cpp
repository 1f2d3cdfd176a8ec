#include "app/shell/web/gl_texture.h"

#include "app/shell/web/gl_renderer.h"

#include <GLES3/gl3.h>

namespace tilewalk {

uint64_t WebAlphaTextures::create(int width, int height) {
  if (largest_ == 0) glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_);
  if (width > largest_ || height > largest_) return 0;
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
  return GlRenderer::coverage(texture);
}

void WebAlphaTextures::update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) {
  glBindTexture(GL_TEXTURE_2D, GlRenderer::name_of(texture));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RED, GL_UNSIGNED_BYTE, alpha);
}

uint64_t WebAlphaTextures::create_picture(const Pixels& picture) {
  if (largest_ == 0) glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_);
  if (picture.width < 1 || picture.height < 1 || picture.width > largest_ || picture.height > largest_) return 0;
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.rgba.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  return GlRenderer::colors(texture);
}

void WebAlphaTextures::destroy(uint64_t texture) {
  const GLuint name = GlRenderer::name_of(texture);
  glDeleteTextures(1, &name);
}

}  // namespace tilewalk
