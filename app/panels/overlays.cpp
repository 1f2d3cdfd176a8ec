// Overlays that take all input while they are open: the menu, the go-to field, the file list. The sheets and the larger
// dialogs have files of their own.
#include "app/panels/overlays.h"

#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/element.h"
#include "app/session/playback.h"
#include "app/session/talk_target.h"
#include "core/io/trimmed.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using namespace ui;

Node menu_item(const Session& session, const ViewState& view, std::string_view id, Size pitch) {
  if (id.empty()) return column(of(spacer(), rule(), spacer())).padding(8, 0).height(px(9));
  const Command& c = *command_named(id);
  const bool enabled = c.enabled(session, view);
  const std::string title(c.title), keys(enabled ? c.keys.substr(0, c.keys.find(" or ")) : "");
  Press press = runs(id, title);
  press.focusable = enabled;
  return row(of(text(title, {16, Face::Sans, enabled ? Role::Text : Role::TextSecondary}).width(grow()),
                text(keys, {14, Face::Mono, Role::TextSecondary})),
             16)
      .padding(12, 0)
      .height(pitch)
      .on({.hot = enabled ? std::optional(Role::SurfaceStrong) : std::nullopt, .radius = 6})
      .pressed(std::move(press));
}

// A card with a place to type, and below it what is wrong or what can be typed.
void show_typing(Scene& scene, const ViewState& view, Rect window, const Style& s, std::string title, Node field,
                 const std::string& fault, const std::vector<std::string>& remarks) {
  std::vector<Node> lines =
      of(text(std::move(title), kCardHeading), spacer(px(10)), std::move(field).height(px(44)), spacer(px(12)));
  if (!fault.empty()) lines.push_back(fault_text(fault));
  for (const std::string& remark : remarks)
    if (fault.empty()) lines.push_back(text(remark, {16, Face::Sans, Role::TextSecondary, Align::Left, 28}));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(column(std::move(lines)).height(px(216)))), between(0, 640), {24, 18}, 0.25f));
}

}  // namespace

void layout_menu(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  using Items = std::vector<std::string_view>;
  static const Items kFirst = {"open-file",     "real-head",       "preset-micro", "preset-toy",
                               "preset-causal", "element",         "compare",      "",
                               "take-away",     "export",          "export-png",   "export-csv",
                               "copy-link",     "export-progress", "take-along",   "ask-reset"};
  static const Items kSecond = {"start-here", "review",  "ten",          "draw-roofline", "estimate",    "curves",
                                "",           "present", "present-anew", "add-to-set",    "class-join",  "",
                                "theme",      "larger",  "smaller",      "usual-size",    "full-screen", "",
                                "keys",       "words",   "about",        "reset",         "quit"};
  const auto items = [&](const Items& ids, Size pitch) {
    std::vector<Node> out;
    for (std::string_view id : ids)
      if (id.empty() || command_named(id)) out.push_back(menu_item(session, view, id, pitch));  // a page has no "quit"
    return out;
  };
  const auto hang = [](Node menu) {
    return column(of(spacer(px(50)), row(of(spacer(px(8)), boxed(std::move(menu), {8, 8}), spacer())), spacer()));
  };
  const auto one = [&] {
    Items ids = kFirst;
    ids.push_back("");
    ids.insert(ids.end(), kSecond.begin(), kSecond.end());
    return hang(column(items(ids, between(26, 38))).width(between(0, 420)));
  };
  // Two columns where one would leave the lines too low to point at.
  const auto two = [&] {
    return hang(row(of(column(items(kFirst, between(20, 34))).width(between(0, 404)),
                       column(items(kSecond, between(20, 34))).width(between(0, 404))),
                    16));
  };
  show_overlay(scene, view, window, s, 0.12f, first_that_fits({one, two}));
}

void layout_confirm_reset(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  Node forget = button("Forget it all", runs("reset-progress"), Fill::Solid).width(px(170));
  Node keep = button("Keep it", runs("escape", "Nothing changes (Esc)"), Fill::Round).width(px(130));
  show_overlay(
      scene, view, window, s, 0.25f,
      card(column(of(text("Forget what was done and answered?", kCardHeading), spacer(px(10)),
                     wrapped("All lessons begin anew. Answers can be saved as CSV first.",
                             {16, Face::Sans, Role::TextSecondary}),
                     spacer(px(46)), row(of(spacer(), std::move(forget), std::move(keep)), 10).height(px(44)))),
           between(0, 600), {24, 18}, 0.36f));
}

void layout_go_to(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  std::vector<std::string> remarks;
  const bool walks = view.board.board.empty();
  if (walks)
    remarks = {fmt::format("{} from 0 to {}, \"tile 7\", \"row 2\", \"end\",",
                           view.present.on ? "\"step 37\"," : "A step", with_commas(session.walk().replay.length())),
               "or what happens: \"first rescale of Q tile 1\", \"last store O\"."};
  else if (const int steps = board_steps(session, view); steps > 0 && !view.present.on)
    remarks = {fmt::format("A step from 0 to {}.", steps)};
  remarks.emplace_back("6.3 is beat 3 of lesson 6. Lessons and beats go by their titles too,");
  remarks.emplace_back(view.present.on ? "then by words of their text; what a word means comes last."
                                       : "and a word, such as \"ridge\", to its meaning.");
  // Where Enter leads, as one types it.
  if (view.present.on && !trimmed(view.go_to_text).empty()) {
    const std::vector<TalkHit> hits = talk_hits(view.go_to_text, session, view);
    const size_t chosen = size_t(std::clamp(std::get<GoTo>(view.over).chosen, 0, int(hits.size()) - 1));
    remarks.clear();
    for (size_t k = 0; k < hits.size(); ++k)
      remarks.push_back(k == chosen && hits[k].target.fault.empty() ? "Enter: " + hits[k].words : hits[k].words);
  }
  show_typing(scene, view, window, s, "Go to",
              field_of(view, "field:go-to", view.go_to_text, walks ? "37, tile 7, or first rescale of Q tile 1" : "6.3",
                       "Type where to go, then Enter"),
              std::get<GoTo>(view.over).fault, remarks);
}

void layout_element(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  const TypeElement& dialog = std::get<TypeElement>(view.over);
  const ElementWords words = read_element(dialog.text, session);
  const std::string now =
      words.element
          ? fmt::format("{} is {} now; type its new value, then Enter.", element_words(*words.element),
                        number_words(
                            input_matrix(session, words.element->tensor).at(words.element->row, words.element->col), 4))
          : words.fault;
  show_typing(
      scene, view, window, s, "Type over a number",
      field_of(view, "field:element", dialog.text, "K 3 2 = 0.5", "Type an element and its new value, then Enter"),
      dialog.fault, {now, "Q, K or V, then row, column and value: K 3 2 = 0.5"});
}

int picker_rows(Rect window, const Style& s) {
  return std::max(3, int((std::min(window.h - s.px(60), s.px(720)) - s.px(190)) / s.px(40)));
}

void layout_picker(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const Picker& picker = view.picker;
  const int shown = picker_rows(window, s), total = int(picker.rows.size());
  const int top = std::clamp(picker.top, 0, std::max(0, total - shown));
  // Files of the folder first, then the folders in it.
  std::vector<Node> rows;
  for (int k = top; k < std::min(total, top + shown); ++k) {
    const Picker::Row& entry = picker.rows[size_t(k)];
    rows.push_back(
        row(of(text(entry.title + (entry.folder ? "/" : ""), {16, entry.folder ? Face::Sans : Face::SansBold})
                   .width(grow()),
               text(entry.note, {14, Face::Mono, Role::TextSecondary})),
            16)
            .padding(14, 0)
            .height(px(40))
            .on({.hot = Role::SurfaceStrong, .radius = 6})
            .pressed({fmt::format("pick:{}", k), entry.path.string(), means(PickFile{size_t(k)})}));
  }
  const auto bar = [=](Scene& out, Rect r, const Style& style) {
    if (total <= shown) return;
    const float h = r.h * float(shown) / float(total), y = r.y + (r.h - h) * float(top) / float(total - shown);
    out.box({r.right() - style.px(5), y, style.px(4), h}, style.px(2), style[Role::Border]);
  };
  std::vector<Node> layers = of(column(std::move(rows)), canvas(bar));
  if (std::ranges::none_of(picker.rows, [](const auto& r) { return !r.folder; }))
    layers.push_back(column(
        of(spacer(), text("No .npy or .safetensors file is here.", {16, Face::Sans, Role::TextSecondary, Align::Right})
                         .padding(14, 0)
                         .height(px(40)))));
  constexpr Font kFine{16, Face::Sans, Role::TextSecondary, Align::Left, 26};
  Node foot =
      picker.fault.empty()
          ? column(of(text("A .safetensors file with Q, K and V in it, or q.npy beside k.npy and v.npy;", kFine),
                      text("[N, d], [H, N, d] or [B, H, N, d] in fp16, bf16 or fp32. Or drop the file here.", kFine)))
          : fault_text(picker.fault);
  show_overlay(
      scene, view, window, s, 0.25f,
      card(column(of(row(of(text("Open your own Q, K, V", kCardHeading).width(grow()), close_button()), 10),
                     text(picker.folder.string(), {16, Face::Mono, Role::TextSecondary}), spacer(px(6)),
                     over(std::move(layers)).height(px(float(shown) * 40)).on({.fill = Role::Surface, .radius = 6}),
                     spacer(px(10)), std::move(foot).height(px(78)))),
           between(0, 820), {24, 16}));
}

}  // namespace tilewalk
