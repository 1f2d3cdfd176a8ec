// The one line of a first start, over the transport: how to go on, and where all keys are. It goes for good with the
// first step.
#include "app/panels/panels.h"
#include "app/ui/layout.h"

namespace tilewalk {

void layout_coach(Scene& scene, Rect area, const Style& s) {
  using namespace ui;
  const auto part = [](std::string key, std::string words) {
    Node cap = text(std::move(key), {18, Face::MonoBold, Role::Inverse, Align::Center})
                   .padding(7, 0)
                   .width(px(28))
                   .height(px(28))
                   .on({.fill = Role::InverseText, .radius = 6});
    return row(of(std::move(cap), text(std::move(words), {18, Face::SansBold, Role::InverseText})), 10, Across::Center);
  };
  Node pill = row(of(part("→", "takes the next step"), part("?", "shows all keys")), 30)
                  .padding(20, 0)
                  .height(px(44))
                  .on({.fill = Role::Inverse, .radius = 22});
  show(scene, column(of(spacer(), row(of(spacer(), std::move(pill), spacer())), spacer())), area, s, {});
}

}  // namespace tilewalk
