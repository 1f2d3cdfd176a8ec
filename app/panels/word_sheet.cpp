// The glossary on one sheet: each word, what it means in a sentence, and the lesson that explains it; typing narrows it
// down to what has those letters in its name or its meaning.
#include "app/panels/cards.h"
#include "app/panels/flow.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/text/text.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

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
    scene.region(tag, id, fmt::format("Opens lesson {}, which explains {}", term.lesson, term.name), true, s.r_small());
  });
  for (const std::string& line : wrap_text(term.meaning, Face::Sans, s.number(), width))
    flow.add(s.px(22),
             [&scene, &s, line](Rect r) { scene.label(r, line, Face::Sans, s.number(), s[Role::TextSecondary]); });
  flow.space(s.px(12));
}

}  // namespace

void layout_word_sheet(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  using namespace ui;
  const WordSheet& sheet = std::get<WordSheet>(view.over);
  if (sheet.statements) return layout_statement_sheet(scene, view, window, s);
  const std::vector<const Term*> terms = terms_with(sheet.filter);
  Node list = canvas([&](Scene& out, Rect r, const Style& style) {
    Flow flow;
    for (const Term* term : terms) set_term(flow, out, view, style, *term, r.w);
    layout_scrolled(out, style, view, r, flow, sheet.scroll, style.px(24), "words", "The words");
  });
  Node none =
      text("No word has this in its name or its meaning.", {18, Face::Sans, Role::TextSecondary, Align::Left, 40});
  // In front of a room the talk waits below it.
  const std::string back = view.present.on ? fmt::format("Esc or {}: back to the talk", key_of("present-restore")) : "";
  Node filter = field_of(view, "field:word-filter", sheet.filter, "type to search", "Type to search the words");
  show_overlay(scene, view, window, s, 0.35f,
               card(column(of(title_row("Words", of(std::move(filter).width(between(0, 420)).height(px(40)),
                                                    text(back, {18, Face::Sans, Role::TextSecondary, Align::Left, 40}),
                                                    spacer())),
                              spacer(px(18)), std::move(terms.empty() ? none : list).height(between(0, 654)))),
                    between(0, 820), {32, 24}));
}

}  // namespace tilewalk
