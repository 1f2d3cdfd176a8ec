// Overlays that take all input while they are open: the menu, the go-to field, the file list. The key sheet has a file
// of its own.
#include "app/panels/overlays.h"

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/element.h"
#include "app/session/playback.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

namespace {

// Where an overlay's fault is said; wrapped, in the colour of what is wrong.
float say_fault(Scene& scene, const Style& s, Rect area, const std::string& fault) {
  float y = area.y;
  for (const std::string& line : wrap_text(fault, Face::Sans, s.body(), area.w)) {
    if (y + s.px(26) > area.bottom()) break;
    fitted(scene, {area.x, y, area.w, s.px(26)}, line, Face::Sans, s.body(), s[Role::WrongText]);
    y += s.px(26);
  }
  return y;
}

}  // namespace

void layout_menu(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  constexpr std::string_view kItems[] = {
      "open-file", "real-head", "preset-micro",  "preset-toy", "preset-causal", "element",   "compare",
      "",          "take-away", "export",        "export-png", "export-csv",    "copy-link", "export-progress",
      "ask-reset", "",          "draw-roofline", "estimate",   "curves",        "",          "present",
      "theme",     "larger",    "smaller",       "usual-size", "full-screen",   "",          "keys",
      "words",     "about",     "reset",         "quit"};
  constexpr size_t kSecondColumn = 16;
  static_assert(kItems[kSecondColumn - 1].empty());
  scrim(scene, s, window, 0.12f);
  float gaps = 0, rows = 0;
  for (std::string_view id : kItems) (id.empty() ? gaps : rows) += 1;
  const float top = s.px(50), pad = s.px(8), sep = s.px(9), room = window.h - top - 2 * pad - s.px(12);
  // Two columns where one would leave the lines too low to point at.
  const bool two = (room - gaps * sep) / rows < s.px(26);
  const size_t second = two ? kSecondColumn : std::size(kItems);
  float longer = 0;  // of two columns the second
  for (size_t k = kSecondColumn; k < std::size(kItems); ++k) longer += kItems[k].empty() ? sep / s.px(34) : 1;
  const float row = two ? std::min(s.px(34), room / longer) : std::min(s.px(38), (room - gaps * sep) / rows);
  const float column = std::min(s.px(420), (window.w - s.px(16)) / 2);
  float heights[2] = {0, 0};
  for (size_t k = 0; k < std::size(kItems); ++k) heights[k >= second] += kItems[k].empty() ? sep : row;
  const Rect box{s.px(8), top, two ? 2 * column : s.px(420), 2 * pad + std::max(heights[0], heights[1])};
  card(scene, s, box);
  float y = box.y + pad;
  for (size_t k = 0; k < std::size(kItems); ++k) {
    const std::string_view id = kItems[k];
    if (k == second) y = box.y + pad;
    const Rect part{k >= second ? box.x + column : box.x, box.y, two ? column : box.w, box.h};
    if (id.empty()) {
      if (k + 1 != second)
        scene.line({part.x + s.px(16), y + sep / 2}, {part.right() - s.px(16), y + sep / 2}, s[Role::Line], s.px(1));
      y += sep;
      continue;
    }
    const Command& command = *command_named(id);
    const bool enabled = command.enabled(session, view);
    const Rect line{part.x + pad, y, part.w - 2 * pad, row};
    const std::string region = fmt::format("command:{}", id);
    if (enabled && view.hover == region) scene.box(line, s.r_small(), s[Role::SurfaceStrong]);
    const Rect inner = line.inset(s.px(12), 0);
    const std::string_view keys = command.keys.substr(0, command.keys.find(" or "));
    const float keys_w = text_width(keys, Face::Mono, s.small());
    if (enabled)
      scene.label({inner.right() - keys_w, y, keys_w, row}, keys, Face::Mono, s.small(), s[Role::TextSecondary]);
    fitted(scene, {inner.x, y, inner.w - keys_w - s.px(16), row}, command.title, Face::Sans, s.number(),
           s[enabled ? Role::Text : Role::TextSecondary]);
    scene.region(line, region, std::string(command.title), enabled);
    scene.regions.back().focus_radius = s.r_small();
    y += row;
  }
}

void layout_confirm_reset(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(600), window.w - s.px(40)), h = s.px(190);
  const Rect box{window.center().x - w / 2, std::max(s.px(60), window.h * 0.3f), w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(24), s.px(18));
  fitted(scene, {inner.x, inner.y, inner.w, s.px(32)}, "Forget what was done and answered?", Face::SansBold,
         s.heading(), s[Role::Text]);
  float y = inner.y + s.px(40);
  for (const std::string& line :
       wrap_text("All lessons begin anew. Answers can be saved as CSV first.", Face::Sans, s.number(), inner.w)) {
    scene.label({inner.x, y, inner.w, s.px(24)}, line, Face::Sans, s.number(), s[Role::TextSecondary]);
    y += s.px(24);
  }
  const float row = s.px(44), keep = s.px(130), forget = s.px(170);
  const Rect right{inner.right() - keep, inner.bottom() - row, keep, row};
  text_button(scene, view, s, right, "Keep it", "command:escape", "Nothing changes (Esc)", Look::Round, Face::SansBold,
              s.body());
  text_button(scene, view, s, {right.x - forget - s.px(10), right.y, forget, row}, "Forget it all",
              "command:reset-progress", tip_of("reset-progress"), Look::Solid, Face::SansBold, s.body());
}

void layout_go_to(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(640), window.w - s.px(40)), h = s.px(224);
  const Rect box{window.center().x - w / 2, std::max(s.px(60), window.h * 0.22f), w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(24), s.px(18));
  scene.label({inner.x, inner.y, inner.w, s.px(30)}, "Go to", Face::SansBold, s.heading(), s[Role::Text]);
  text_field(scene, view, s, {inner.x, inner.y + s.px(40), inner.w, s.px(44)}, "field:go-to", view.go_to_text,
             view.board.board.empty() ? "37, tile 7, or first rescale of Q tile 1" : "6.3",
             "Type where to go, then Enter");
  const Rect below{inner.x, inner.y + s.px(96), inner.w, inner.bottom() - inner.y - s.px(96)};
  if (!std::get<GoTo>(view.over).fault.empty()) {
    say_fault(scene, s, below, std::get<GoTo>(view.over).fault);
    return;
  }
  std::vector<std::string> lines;
  if (view.board.board.empty())
    lines = {fmt::format("A step from 0 to {}, \"tile 7\", \"row 2\", \"end\",",
                         with_commas(session.walk().replay.length())),
             "or what happens: \"first rescale of Q tile 1\", \"last store O\"."};
  else if (const int steps = board_steps(session, view); steps > 0)
    lines = {fmt::format("A step from 0 to {}.", steps)};
  lines.push_back("6.3 is beat 3 of lesson 6; a lesson goes by its title too, and a word (\"ridge\") to its meaning.");
  float y = below.y;
  for (const std::string& line : lines) {
    fitted(scene, {below.x, y, below.w, s.px(28)}, line, Face::Sans, s.number(), s[Role::TextSecondary]);
    y += s.px(28);
  }
}

void layout_element(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  const TypeElement& dialog = std::get<TypeElement>(view.over);
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(640), window.w - s.px(40)), h = s.px(210);
  const Rect box{window.center().x - w / 2, std::max(s.px(60), window.h * 0.22f), w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(24), s.px(18));
  scene.label({inner.x, inner.y, inner.w, s.px(30)}, "Type over a number", Face::SansBold, s.heading(), s[Role::Text]);
  text_field(scene, view, s, {inner.x, inner.y + s.px(40), inner.w, s.px(44)}, "field:element", dialog.text,
             "K 3 2 = 0.5", "Type an element and its new value, then Enter");
  const Rect below{inner.x, inner.y + s.px(96), inner.w, inner.bottom() - inner.y - s.px(96)};
  if (!dialog.fault.empty()) {
    say_fault(scene, s, below, dialog.fault);
    return;
  }
  const ElementWords words = read_element(dialog.text, session);
  const std::string lines[] = {
      words.element
          ? fmt::format("{} is {} now; type its new value, then Enter.", element_words(*words.element),
                        number_words(
                            input_matrix(session, words.element->tensor).at(words.element->row, words.element->col), 4))
          : words.fault,
      "Q, K or V, then row, column and value: K 3 2 = 0.5"};
  float y = below.y;
  for (const std::string& line : lines) {
    fitted(scene, {below.x, y, below.w, s.px(28)}, line, Face::Sans, s.number(), s[Role::TextSecondary]);
    y += s.px(28);
  }
}

int picker_rows(Rect window, const Style& s) {
  return std::max(3, int((std::min(window.h - s.px(60), s.px(720)) - s.px(190)) / s.px(40)));
}

void layout_picker(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const Picker& picker = view.picker;
  scrim(scene, s, window, 0.25f);
  const int shown = picker_rows(window, s);
  const float row = s.px(40), w = std::min(s.px(820), window.w - s.px(40)), h = s.px(190) + float(shown) * row;
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(24), s.px(16));
  scene.label({inner.x, inner.y, inner.w - s.px(50), s.px(30)}, "Open your own Q, K, V", Face::SansBold, s.heading(),
              s[Role::Text]);
  icon_button(scene, view, s, {inner.right() - s.px(36), inner.y - s.px(3), s.px(36), s.px(36)}, Icon::Close, "escape",
              Look::Plain);
  fitted(scene, {inner.x, inner.y + s.px(34), inner.w, s.px(24)}, picker.folder.string(), Face::Mono, s.number(),
         s[Role::TextSecondary]);

  // The rows: files of the folder first, then the folders in it.
  const Rect list{inner.x, inner.y + s.px(66), inner.w, float(shown) * row};
  scene.box(list, s.r_small(), s[Role::Surface]);
  const int total = int(picker.rows.size()), top = std::clamp(picker.top, 0, std::max(0, total - shown));
  for (int k = 0; k < shown && top + k < total; ++k) {
    const Picker::Row& entry = picker.rows[size_t(top + k)];
    const Rect line{list.x, list.y + float(k) * row, list.w, row};
    const std::string id = fmt::format("pick:{}", top + k);
    if (view.hover == id) scene.box(line, s.r_small(), s[Role::SurfaceStrong]);
    const float note_w = entry.note.empty() ? 0 : text_width(entry.note, Face::Mono, s.small());
    if (note_w > 0)
      scene.label({line.right() - note_w - s.px(14), line.y, note_w, row}, entry.note, Face::Mono, s.small(),
                  s[Role::TextSecondary]);
    fitted(scene, {line.x + s.px(14), line.y, line.w - note_w - s.px(44), row}, entry.title + (entry.folder ? "/" : ""),
           entry.folder ? Face::Sans : Face::SansBold, s.number(), s[Role::Text]);
    scene.region(line, id, entry.path.string(), true);
    scene.regions.back().focus_radius = s.r_small();
  }
  if (total > shown) {
    const float bar = list.h * float(shown) / float(total);
    scene.box({list.right() - s.px(5), list.y + (list.h - bar) * float(top) / float(total - shown), s.px(4), bar},
              s.px(2), s[Role::Border]);
  }
  if (std::ranges::none_of(picker.rows, [](const auto& r) { return !r.folder; }))
    scene.label({list.x + s.px(14), list.bottom() - row, list.w - s.px(28), row},
                "No .npy or .safetensors file is here.", Face::Sans, s.number(), s[Role::TextSecondary], Align::Right);

  const Rect foot{inner.x, list.bottom() + s.px(10), inner.w, inner.bottom() - list.bottom() - s.px(10)};
  if (!picker.fault.empty())
    say_fault(scene, s, foot, picker.fault);
  else
    for (const auto& [k, line] :
         {std::pair{0, "A .safetensors file with Q, K and V in it, or q.npy beside k.npy and v.npy;"},
          std::pair{1, "[N, d], [H, N, d] or [B, H, N, d] in fp16, bf16 or fp32. Or drop the file here."}})
      fitted(scene, {foot.x, foot.y + float(k) * s.px(26), foot.w, s.px(26)}, line, Face::Sans, s.number(),
             s[Role::TextSecondary]);
}

}  // namespace tilewalk
