#include "app/panels/cards.h"

#include "app/session/commands.h"

namespace tilewalk {

ui::Press runs(std::string_view command, std::string tip) {
  return {"command:" + std::string(command), tip.empty() ? tip_of(command) : std::move(tip),
          means(RunCommand{command})};
}

ui::Node field_of(const ViewState& view, std::string id, const std::string& words, std::string hint, std::string tip) {
  const bool typing = view.editing == id;
  return ui::field({id, std::move(tip), means(TypeInto{id})}, words, std::move(hint), typing);
}

ui::Node close_button(std::string_view command) {
  const auto cross = [](Scene& scene, Rect r, const Style& s) {
    draw_icon(scene, Icon::Close, r.inset((r.w - s.px(24)) / 2, (r.h - s.px(24)) / 2), s[Role::Text]);
  };
  return ui::canvas(cross)
      .width(ui::px(36))
      .height(ui::px(36))
      .on({.hot = Role::SurfaceStrong, .radius = 10})
      .pressed(runs(command));
}

ui::Node title_row(std::string title, std::vector<ui::Node> beside) {
  std::vector<ui::Node> nodes =
      ui::of(ui::text(std::move(title), kCardTitle).width(beside.empty() ? ui::grow() : ui::px(116)));
  for (ui::Node& node : beside) nodes.push_back(std::move(node));
  nodes.push_back(close_button());
  return ui::row(std::move(nodes), 14, ui::Across::Center);
}

ui::Node fault_text(const std::string& fault, float size, int lines) {
  return ui::wrapped(fault, {size, Face::Sans, Role::WrongText}, lines);
}

void show_overlay(Scene& scene, const ViewState& view, Rect window, const Style& s, float strength,
                  const ui::Node& card) {
  scene.box(window, 0, with_alpha(s.palette.theme == Theme::Dark ? rgb(0x000000) : rgb(0x111111), strength));
  scene.region(window, "scrim", "Click to close");
  ui::show(scene, card, window, s, view.hover);
}

}  // namespace tilewalk
