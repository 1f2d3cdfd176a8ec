#include "app/shell/desktop/gl_texture.h"

#include <glad/gl.h>

namespace tilewalk {

namespace {

// Leaves the caller's texture binding and unpacking as they were.
class BindTexture {
 public:
  explicit BindTexture(uint64_t texture) {
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before_);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture));
  }
  ~BindTexture() { glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before_)); }

 private:
  GLint before_ = 0;
};

}  // namespace

uint64_t GlAlphaTextures::create(int width, int height) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (width > largest || height > largest) return 0;
  GLuint texture = 0;
  glGenTextures(1, &texture);
  const BindTexture bind(texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  const GLint white_with_alpha[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
  glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, white_with_alpha);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
  return texture;
}

void GlAlphaTextures::update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) {
  const BindTexture bind(texture);
  GLint alignment = 4, row_length = 0;
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  glGetIntegerv(GL_UNPACK_ROW_LENGTH, &row_length);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RED, GL_UNSIGNED_BYTE, alpha);
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, row_length);
}

uint64_t GlAlphaTextures::create_picture(const Pixels& picture) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (picture.width < 1 || picture.height < 1 || picture.width > largest || picture.height > largest) return 0;
  GLuint texture = 0;
  glGenTextures(1, &texture);
  const BindTexture bind(texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  GLint alignment = 4, row_length = 0;
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  glGetIntegerv(GL_UNPACK_ROW_LENGTH, &row_length);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.rgba.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, row_length);
  glGenerateMipmap(GL_TEXTURE_2D);
  return texture;
}

void GlAlphaTextures::destroy(uint64_t texture) {
  const auto name = static_cast<GLuint>(texture);
  glDeleteTextures(1, &name);
}

}  // namespace tilewalk
