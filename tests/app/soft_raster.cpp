#include "tests/app/soft_raster.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {

uint64_t SoftTextures::create(int width, int height) {
  Texture& t = all[++made];
  t.width = width;
  t.height = height;
  t.alpha.assign(static_cast<size_t>(width) * static_cast<size_t>(height), 77);  // undefined, so something odd
  return made;
}

void SoftTextures::update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) {
  Texture& t = all.at(texture);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      t.alpha.at(static_cast<size_t>((y + row) * t.width + x + column)) = alpha[row * stride + column];
    }
  }
}

Picture::Picture(int width, int height, Color ground) : width_(width), height_(height) {
  for (int i = 0; i < width * height; ++i)
    rgb_.insert(rgb_.end(), {ground.r / 255.0f, ground.g / 255.0f, ground.b / 255.0f});
}

Color Picture::at(int x, int y) const {
  const float* p = &rgb_.at(static_cast<size_t>(y * width_ + x) * 3);
  const auto byte = [](float v) { return static_cast<uint8_t>(std::lround(v * 255)); };
  return {byte(p[0]), byte(p[1]), byte(p[2]), 255};
}

void Picture::draw(const ImDrawData& data, const SoftTextures& textures) {
  const float scale = data.FramebufferScale.x;
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.ElemCount == 0) continue;
      const SoftTextures::Texture& texture = textures.all.at((uint64_t)(intptr_t)command.GetTexID());
      for (unsigned i = 0; i < command.ElemCount; i += 3) {
        std::array<const ImDrawVert*, 3> v;
        std::array<Vec2, 3> p;
        for (unsigned k = 0; k < 3; ++k) {
          v[k] = &list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)] +
                                                  command.VtxOffset)];
          p[k] = {v[k]->pos.x * scale, v[k]->pos.y * scale};
        }
        float area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
        if (area == 0) continue;
        if (area < 0) std::swap(p[1], p[2]), std::swap(v[1], v[2]), area = -area;
        // A pixel centre on an edge belongs to the triangle on one side of it only.
        const auto edge = [&](Vec2 a, Vec2 b, Vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
        const auto owns = [](Vec2 a, Vec2 b) { return b.y < a.y || (b.y == a.y && b.x > a.x); };
        const auto inside = [&](float w, Vec2 a, Vec2 b) { return w > 0 || (w == 0 && owns(a, b)); };
        const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
        const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
        for (int y = std::max(0, static_cast<int>(top)); y < std::min(height_, static_cast<int>(bottom) + 1); ++y) {
          for (int x = std::max(0, static_cast<int>(left)); x < std::min(width_, static_cast<int>(right) + 1); ++x) {
            const Vec2 c{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
            const std::array<float, 3> w = {edge(p[1], p[2], c), edge(p[2], p[0], c), edge(p[0], p[1], c)};
            if (!inside(w[0], p[1], p[2]) || !inside(w[1], p[2], p[0]) || !inside(w[2], p[0], p[1])) continue;
            float u = 0, t = 0, alpha = 0;
            std::array<float, 3> color{};
            for (unsigned k = 0; k < 3; ++k) {
              const float part = w[k] / area;
              u += v[k]->uv.x * part, t += v[k]->uv.y * part;
              alpha += static_cast<float>(v[k]->col >> IM_COL32_A_SHIFT & 255) / 255 * part;
              color[0] += static_cast<float>(v[k]->col >> IM_COL32_R_SHIFT & 255) / 255 * part;
              color[1] += static_cast<float>(v[k]->col >> IM_COL32_G_SHIFT & 255) / 255 * part;
              color[2] += static_cast<float>(v[k]->col >> IM_COL32_B_SHIFT & 255) / 255 * part;
            }
            const int tx = static_cast<int>(u * static_cast<float>(texture.width));
            const int ty = static_cast<int>(t * static_cast<float>(texture.height));
            alpha *= static_cast<float>(texture.alpha.at(static_cast<size_t>(ty * texture.width + tx))) / 255;
            float* out = &rgb_[static_cast<size_t>(y * width_ + x) * 3];
            for (unsigned k = 0; k < 3; ++k) out[k] += (color[k] - out[k]) * alpha;
          }
        }
      }
    }
  }
}

}  // namespace tilewalk
