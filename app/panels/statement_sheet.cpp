// Every line that a program can have, on one sheet: how it is typed and what it does; typing narrows it down, a press
// writes the line into the program.
#include "app/panels/cards.h"
#include "app/panels/flow.h"
#include "app/panels/panels.h"
#include "app/session/write_moves.h"
#include "app/text/text.h"
#include "core/io/letters.h"
#include "core/walk/page.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

struct Entry {
  std::string typed, meaning, with = {};                      // with: the other half, which is written too
  bool whole() const { return !typed.starts_with(kGoesOn); }  // a line of its own, and not the end of one
};

// "with `l = 0` beside it" without its marks.
std::string plain(std::string note) {
  std::erase(note, '`');
  return note;
}

std::vector<Entry> entries_with(std::string_view filter) {
  std::vector<Entry> out;
  const auto add = [&](Entry entry) {
    if (has_letters(entry.typed, filter) || has_letters(entry.meaning, filter) ||
        has_letters(looked_for_as(entry.typed), filter))
      out.push_back(std::move(entry));
  };
  for (const WalkHeader& header : walk_headers()) {
    add({std::string(header.typed), std::string(header.meaning)});
    if (!header.also.empty()) add({std::string(header.also), fmt::format("its counterpart: {}", header.meaning)});
  }
  for (const WalkStatement& s : walk_statements())
    add({s.typed, s.note.empty() ? s.meaning : fmt::format("{} ({})", s.meaning, plain(s.note)), s.with});
  return out;
}

void set_entry(Flow& flow, Scene& scene, const ViewState& view, const Style& s, const Entry& entry, float width) {
  flow.add(s.px(26), [&scene, &view, &s, entry](Rect r) {
    const std::string id = "statement:" + entry.typed;
    if (entry.whole() || in_loop_head(view)) {
      if (view.hover == id) scene.box(r, s.r_small(), s[Role::SurfaceStrong]);
      scene.region(r, id,
                   !entry.whole()       ? "Writes this behind the loop of the caret's line"
                   : entry.with.empty() ? "Writes this line below the caret's"
                                        : "Writes both halves below the caret's line",
                   true, s.r_small());
      // m' comes before alpha, which is made of it.
      const bool first = entry.with.starts_with("alpha") || entry.with == "l = 0";
      scene.regions.back().press = means(TypeStatement{entry.with.empty() ? entry.typed
                                                       : first ? fmt::format("{};  {}", entry.typed, entry.with)
                                                               : fmt::format("{};  {}", entry.with, entry.typed)});
    }
    fitted(scene, r.inset(s.px(6), 0), entry.typed, Face::MonoBold, s.number(), s[Role::Text]);
  });
  for (const std::string& line : wrap_text(entry.meaning, Face::Sans, s.number(), width - s.px(12)))
    flow.add(s.px(22), [&scene, &s, line](Rect r) {
      scene.label(r.inset(s.px(6), 0), line, Face::Sans, s.number(), s[Role::TextSecondary]);
    });
  flow.space(s.px(8));
}

}  // namespace

void layout_statement_sheet(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  using namespace ui;
  const WordSheet& sheet = std::get<WordSheet>(view.over);
  const std::vector<Entry> entries = entries_with(sheet.filter);
  Node list = canvas([&](Scene& out, Rect r, const Style& style) {
    Flow flow;
    for (const Entry& entry : entries) set_entry(flow, out, view, style, entry, r.w);
    layout_scrolled(out, style, view, r, flow, sheet.scroll, style.px(24), "words", "The lines");
  });
  Node none = text("No line has this in it.", {18, Face::Sans, Role::TextSecondary, Align::Left, 40});
  Node filter = field_of(view, "field:word-filter", sheet.filter, "type to search", "Type to search the lines");
  show_overlay(
      scene, view, window, s, 0.35f,
      card(column(of(title_row("Lines", of(std::move(filter).width(between(0, 420)).height(px(40)), spacer())),
                     text(in_loop_head(view)
                              ? "All that a program can say. A press writes a line into yours, or … behind its loop."
                              : "All that a program can say. A press writes a line into yours. What begins with … "
                                "goes behind a loop: put the caret in the loop's line first.",
                          {16, Face::Sans, Role::TextSecondary}),
                     spacer(px(12)), std::move(entries.empty() ? none : list).height(between(0, 620)))),
           between(0, 820), {32, 24}));
}

}  // namespace tilewalk
