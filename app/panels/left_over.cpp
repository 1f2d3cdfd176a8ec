// What is offered at the start after a run that did not come to its end: going on where it was, and the diagnostics to
// copy. Nothing is sent anywhere.
#include "app/panels/cards.h"
#include "app/panels/panels.h"

namespace tilewalk {

void layout_left_over(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  using namespace ui;
  const std::string& link = view.left_over.link;
  Node go = link.empty()
                ? spacer()
                : button("Go on there", {"left-over:go", "To where the last run was (Enter)", means(ResumeLeftOver{})},
                         Fill::Solid);
  Node copy = button("Copy diagnostics", runs("diagnostics"), Fill::Plain);
  show_overlay(
      scene, view, window, s, 0.25f,
      card(column(of(title_row("The last run did not end as it should"), spacer(px(10)),
                     text("What you answered and wrote is kept. It was at", {18}).height(px(26)), spacer(px(2)),
                     text(link.empty() ? "the start" : link, {16, Face::Mono, Role::TextSecondary}).height(px(26)),
                     spacer(px(34)),
                     row(of(std::move(go).width(grow()), std::move(copy).width(grow())), 12).height(px(44)))),
           between(0, 620), {28, 22}));
}

}  // namespace tilewalk
