// The glossary on one sheet: each word, what it means in a sentence, and the lesson that explains it; typing narrows it
// down to what has those letters in its name or its meaning.
#include "app/panels/flow.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/text/text.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tilewalk {
namespace {

bool has(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return std::tolower(uint8_t(a)) == std::tolower(uint8_t(b)); };
  return part.empty() || !std::ranges::search(text, part, same).empty();
}

// Those whose name has it come before those whose meaning has it.
std::vector<const Term*> terms_with(std::string_view filter) {
  std::vector<const Term*> named, meant;
  for (const Term& term : glossary()) {
    const bool alias = std::ranges::any_of(term.aliases, [&](const std::string& a) { return has(a, filter); });
    if (has(term.name, filter) || alias)
      named.push_back(&term);
    else if (has(term.meaning, filter))
      meant.push_back(&term);
  }
  named.insert(named.end(), meant.begin(), meant.end());
  return named;
}

void set_term(Flow& flow, Scene& scene, const ViewState& view, const Style& s, const Term& term, float width) {
  const float tag_w = s.px(96);
  flow.add(s.px(28), [&scene, &view, &s, &term, tag_w](Rect r) {
    fitted(scene, {r.x, r.y, r.w - tag_w - s.px(8), r.h}, term.name, Face::SansBold, s.body(), s[Role::Text]);
    if (term.lesson == 0) return;
    const std::string id = fmt::format("lesson:{}", term.lesson);
    const Rect tag{r.right() - tag_w, r.y, tag_w, r.h};
    if (view.hover == id && tag.contains(view.pointer)) scene.box(tag, s.r_small(), s[Role::SurfaceStrong]);
    scene.label(tag.inset(s.px(8), 0), fmt::format("lesson {}", term.lesson), Face::Sans, s.number(),
                s[Role::AccentText], Align::Right);
    scene.region(tag, id, fmt::format("Opens lesson {}, which explains {}", term.lesson, term.name), true);
    scene.regions.back().focus_radius = s.r_small();
  });
  for (const std::string& line : wrap_text(term.meaning, Face::Sans, s.number(), width))
    flow.add(s.px(22),
             [&scene, &s, line](Rect r) { scene.label(r, line, Face::Sans, s.number(), s[Role::TextSecondary]); });
  flow.space(s.px(12));
}

}  // namespace

void layout_word_sheet(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const WordSheet& sheet = std::get<WordSheet>(view.over);
  scrim(scene, s, window, 0.35f);
  const float w = std::min(window.w - s.px(48), s.px(820)), h = std::min(window.h - s.px(48), s.px(760));
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(32), s.px(24));
  scene.label({inner.x, inner.y, s.px(120), s.px(40)}, "Words", Face::SansBold, s.title(), s[Role::Text]);
  text_field(scene, view, s, {inner.x + s.px(130), inner.y, std::min(s.px(420), inner.w - s.px(190)), s.px(40)},
             "field:word-filter", sheet.filter, "type to search", "Type to search the words");
  icon_button(scene, view, s, {inner.right() - s.px(40), inner.y, s.px(40), s.px(40)}, Icon::Close, "escape",
              Look::Plain);
  const Rect list{inner.x, inner.y + s.px(58), inner.w, inner.h - s.px(58)};
  Flow flow;
  for (const Term* term : terms_with(sheet.filter)) set_term(flow, scene, view, s, *term, list.w);
  if (flow.height() == 0) {
    fitted(scene, {list.x, list.y, list.w, s.px(40)}, "No word has this in its name or its meaning.", Face::Sans,
           s.body(), s[Role::TextSecondary]);
    return;
  }
  layout_scrolled(scene, s, view, list, flow, sheet.scroll, s.px(24), "words", "The words");
}

}  // namespace tilewalk
