// A screen without a display: time is what a test says, frames are counted, draw data are looked over and thrown away.
#pragma once

#include "app/window/alpha_texture.h"
#include "app/window/frame.h"

#include <imgui.h>

namespace tilewalk {

class NullTextures final : public AlphaTextures {
 public:
  uint64_t create(int, int) override { return ++made_; }
  void update(uint64_t, int, int, int, int, const uint8_t* alpha, int) override { seen_ ^= alpha ? *alpha : 0; }
  uint64_t create_picture(const Pixels&) override { return ++made_; }
  void destroy(uint64_t) override {}

 private:
  uint64_t made_ = 0;
  uint8_t seen_ = 0;
};

class NullScreen final : public Screen {
 public:
  Vec2 pixels{1920, 1080};
  float step = 1.0f / 60;  // seconds between frames
  float asked = -1;        // what the last wait was for
  int64_t presented = 0, vertices = 0, full_screens = 0;
  std::deque<InputEvent> next;

  void wait(float seconds, std::deque<InputEvent>& events) override {
    asked = seconds;
    for (InputEvent& event : next) events.push_back(std::move(event));
    next.clear();
  }
  float seconds_since_last_frame() override { return step; }
  Vec2 size() override { return pixels; }
  void fonts_changed() override {
    unsigned char* alpha = nullptr;
    int w = 0, h = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&alpha, &w, &h);
    ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(size_t{1} << 40));
  }
  void present(const Scene&, ImDrawData& data) override {
    ++presented;
    vertices = data.TotalVtxCount;
  }
  void toggle_full_screen() override { ++full_screens; }
};

struct NullImgui {
  NullImgui() : context(ImGui::CreateContext()) {
    set_up_imgui();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as OpenGL 3.3 has
  }
  ~NullImgui() { ImGui::DestroyContext(context); }
  ImGuiContext* context;
};

}  // namespace tilewalk
