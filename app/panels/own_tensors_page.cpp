#include "app/panels/own_tensors_page.h"

#include "app/panels/form.h"
#include "app/session/own_tensors.h"
#include "app/text/text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {
namespace {

// Lines of at most so many characters: what is longer goes on farther in, broken at a blank, behind a point or a
// bracket, or where it must be.
std::vector<std::string> folded(std::string_view code, size_t most) {
  std::vector<std::string> out;
  while (!code.empty()) {
    const size_t end = std::min(code.find('\n'), code.size());
    std::string line(code.substr(0, end));
    code.remove_prefix(std::min(end + 1, code.size()));
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string farther(std::min(indent + 4, most / 2), ' ');
    while (line.size() > most) {
      size_t at = line.rfind(' ', most);
      if (at == std::string::npos || at <= farther.size()) at = line.find_last_of(".(", most - 1) + 1;
      if (at <= farther.size() || at > most) at = most;
      out.push_back(line.substr(0, at));
      line = farther + line.substr(line[at] == ' ' ? at + 1 : at);
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace

void layout_own_tensors(const Column& c, Rect area) {
  const Style& s = c.style;
  const float row = c.px(34), pad = c.px(10);
  c.scene.label({area.x, area.y, area.w, c.px(28)}, "Q, K and V of a PyTorch model", Face::SansBold, s.body(),
                c.color(Role::Text));
  float y = area.y + c.px(32);
  constexpr std::string_view kWords =
      "Put these lines behind your model and its tokens. They write qkv.safetensors; open it here (Ctrl+O), or drop it "
      "on the window.";
  const float words = note_height(c, kWords, area.w, false);
  layout_note(c, {area.x, y, area.w, words}, kWords, false);
  y += words + c.px(8);
  const std::vector<Chip> chips{
      {"command:own-tensors", "Copy them again", "The lines are on the clipboard (Ctrl+Shift+L)"},
      {"choice:code/close", "Back to the problem", "Closes these lines"}};
  const float buttons = chips_height(c, chips, area.w, row);
  // The face as large as it can be where every line is seen.
  float size = s.number(), pitch = 0;
  std::vector<std::string> lines;
  for (const float room = area.bottom() - y - buttons - c.px(10) - 2 * pad; size >= s.small() * 0.8f; size *= 0.94f) {
    const float em = text_width("0", Face::Mono, size);
    lines = folded(own_tensors_code(), size_t(std::max(20.0f, (area.w - 2 * pad) / em)));
    pitch = size * 1.4f;
    if (float(lines.size()) * pitch <= room) break;
  }
  const Rect box{area.x, y, area.w, float(lines.size()) * pitch + 2 * pad};
  c.scene.box(box, s.r_medium(), c.color(Role::Surface));
  y += pad;
  for (const std::string& line : lines) {
    c.scene.label({area.x + pad, y, area.w - 2 * pad, pitch}, line, Face::Mono, size, c.color(Role::Text));
    y += pitch;
  }
  layout_chips(c, {area.x, box.bottom() + c.px(10), area.w, buttons}, chips, row);
}

}  // namespace tilewalk
