#include "app/shell/web/gl_renderer.h"

#include <GLES3/gl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tilewalk {
namespace {

// From pixels, y down, to clip space.
constexpr const char* kVertex = R"(#version 300 es
uniform vec4 scale;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
out vec2 at;
out vec4 tint;
void main() {
  at = uv;
  tint = color;
  gl_Position = vec4(position * scale.xy + scale.zw, 0, 1);
})";

// A texture of coverage holds one byte to a texel and reads as white with that alpha.
constexpr const char* kFragment = R"(#version 300 es
precision mediump float;
uniform sampler2D image;
uniform bool colored;
in vec2 at;
in vec4 tint;
out vec4 color;
void main() {
  vec4 texel = texture(image, at);
  color = tint * (colored ? texel : vec4(1, 1, 1, texel.r));
})";

unsigned compile(unsigned program, unsigned kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  return shader;
}

// Why a program could not be linked of these shaders: what is wrong in the first one that is no good, or between them.
std::string fault_of(unsigned program, const std::array<unsigned, 2>& shaders) {
  char words[512] = "no reason given";
  for (const unsigned shader : shaders) {
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) continue;
    glGetShaderInfoLog(shader, sizeof words, nullptr, words);
    return words;
  }
  glGetProgramInfoLog(program, sizeof words, nullptr, words);
  return words;
}

const void* offset(size_t bytes) { return reinterpret_cast<const void*>(bytes); }

}  // namespace

void GlRenderer::begin() {
  program_ = glCreateProgram();
  shaders_ = {compile(program_, GL_VERTEX_SHADER, kVertex), compile(program_, GL_FRAGMENT_SHADER, kFragment)};
  glLinkProgram(program_);
  glFlush();
}

std::string GlRenderer::open() {
  GLint good = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &good);
  if (!good) return fault_of(program_, shaders_);
  for (const unsigned shader : shaders_) glDeleteShader(shader);
  scale_ = glGetUniformLocation(program_, "scale");
  colored_ = glGetUniformLocation(program_, "colored");

  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  for (unsigned place = 0; place < 3; ++place) glEnableVertexAttribArray(place);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, col)));

  glUseProgram(program_);
  glActiveTexture(GL_TEXTURE0);
  glUniform1i(glGetUniformLocation(program_, "image"), 0);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  return {};
}

GlRenderer::~GlRenderer() {
  glDeleteTextures(1, &font_);
  glDeleteBuffers(1, &vertices_);
  glDeleteBuffers(1, &indices_);
  glDeleteVertexArrays(1, &array_);
  glDeleteProgram(program_);
}

void GlRenderer::fonts_changed() {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.GetTexDataAsAlpha8(&pixels, &width, &height);
  if (!font_) glGenTextures(1, &font_);
  glBindTexture(GL_TEXTURE_2D, font_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  fonts.SetTexID(reinterpret_cast<ImTextureID>(size_t(coverage(font_))));
}

void GlRenderer::draw(const ImDrawData& data, Vec2 size, Color background) {
  const auto height = int(size.y);
  glViewport(0, 0, int(size.x), height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(float(background.r) / 255, float(background.g) / 255, float(background.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glUniform4f(scale_, 2 / data.DisplaySize.x, -2 / data.DisplaySize.y, -1, 1);
  for (const ImDrawList* list : data.CmdLists) {
    glBufferData(GL_ARRAY_BUFFER, list->VtxBuffer.size_in_bytes(), list->VtxBuffer.Data, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, list->IdxBuffer.size_in_bytes(), list->IdxBuffer.Data, GL_STREAM_DRAW);
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      const int left = std::max(0, int(clip.x)), top = std::max(0, int(clip.y));
      const int right = std::min(int(size.x), int(std::ceil(clip.z))),
                bottom = std::min(height, int(std::ceil(clip.w)));
      if (right <= left || bottom <= top || command.ElemCount == 0) continue;
      glScissor(left, height - bottom, right - left, bottom - top);
      const auto texture = uint64_t(reinterpret_cast<size_t>(command.GetTexID()));
      glUniform1i(colored_, int(texture & 1));
      glBindTexture(GL_TEXTURE_2D, name_of(texture));
      glDrawElements(GL_TRIANGLES, int(command.ElemCount), GL_UNSIGNED_INT,
                     offset(size_t{command.IdxOffset} * sizeof(ImDrawIdx)));
    }
  }
}

}  // namespace tilewalk
