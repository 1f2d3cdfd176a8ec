#include "app/window/text_field.h"

#include "app/session/typing.h"
#include "app/session/lesson_hands.h"
#include "app/text/embedded_fonts.h"
#include "app/text/fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

ImVec4 color_of(Color c) { return {float(c.r) / 255, float(c.g) / 255, float(c.b) / 255, float(c.a) / 255}; }

ImFont* add_font(float size, const ImWchar* ranges) {
  const std::span<const std::byte> file = embedded_font(int(FontId::Mono));
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<std::byte*>(file.data()), int(file.size()), size,
                                                    &config, ranges);
}

// What is typed is numbers, queries and paths: Latin, Greek and a few signs.
constexpr ImWchar kTyped[] = {0x20,   0x17F,  0x370,  0x3FF,  0x2010, 0x2027, 0x2190,
                              0x2193, 0x2212, 0x2212, 0x221E, 0x221E, 0};
constexpr ImWchar kBlank[] = {0x20, 0x20, 0};

}  // namespace

bool TextField::prepare(float scale, bool typing) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  if (typing ? scale == scale_ : fonts.IsBuilt()) return false;
  scale_ = typing ? scale : 0;
  fonts.Clear();
  fonts.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  const Style style(Theme::Light, scale);
  // Dear ImGui counts from ascender to descender, which is 1.32 em in this face; labels count em.
  const ImWchar* ranges = typing ? kTyped : kBlank;
  large_ = add_font(std::round(style.body() * 1.32f), ranges);
  small_ = add_font(std::round(style.small() * 1.32f), ranges);
  fonts.Build();
  return true;
}

void TextField::draw(const Scene& scene, const Session& session, ViewState& view, const Style& style) {
  const Region* region = view.editing.empty() ? nullptr : scene.find(view.editing);
  if (!region) {
    // The panel that had the field is closed, or the field is none: typing is over.
    if (!view.editing.empty()) leave_typing(view);
    id_.clear();
    ready_ = false;
    return;
  }
  if (view.editing != id_) {
    id_ = view.editing;
    text_ = text_in(id_, session, view);
    asked_ = 0;
    ready_ = false;
  }

  const Rect r = region->rect;
  ImFont* font = r.h >= style.px(32) ? large_ : small_;
  ImGui::PushFont(font);
  const float pad_x = std::min(style.px(10), r.w * 0.1f), pad_y = std::max(0.0f, (r.h - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {pad_x, pad_y});
  const bool cell = id_.starts_with("cell:");
  // The room's picture says below it what stood there: what is typed is not the room's.
  const bool covers = cell || view.present.on;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, color_of(covers ? style[Role::Background] : Color{}));
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(style[Role::Text]));
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, color_of(with_alpha(style[Role::Accent], 0.35f)));
  // A cell may be narrower than what is typed into it.
  const float width = cell ? std::max(r.w, style.px(80)) : r.w;
  ImGui::SetNextWindowPos({std::min(r.x, scene.size.x - width), r.y});
  ImGui::SetNextWindowSize({width, r.h});
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
  ImGui::Begin("field", nullptr, flags);
  ImGui::PushID(id_.c_str());
  if (!ready_) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  // What is begun already is not selected: typing goes on behind it. An answer's first digit opened its field.
  const bool begun = (id_ == "field:element" || is_answer(id_) || view.typing_begun) && !ready_;
  const auto to_the_end = [](ImGuiInputTextCallbackData* data) {
    if (*static_cast<const bool*>(data->UserData)) {
      data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    }
    return 0;
  };
  const ImGuiInputTextFlags hidden = hides_typed(view) ? ImGuiInputTextFlags_Password : ImGuiInputTextFlags_None;
  if (ImGui::InputText("##text", &text_,
                       ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackAlways | hidden, to_the_end,
                       const_cast<bool*>(&begun)))
    typed_into(id_, text_, view);
  // A field that never gets the keyboard must not swallow it for ever.
  ready_ = ImGui::IsItemActive() || ++asked_ > 8;
  if (cell)
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        ImGui::GetColorU32(color_of(style[Role::Focus])), 0, 0, style.px(2));
  ImGui::PopID();
  ImGui::End();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(4);
  ImGui::PopFont();
}

}  // namespace tilewalk
