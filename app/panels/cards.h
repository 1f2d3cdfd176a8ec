// What the window's overlays are made of: presses that run commands, fields, a card above a scrim.
#pragma once

#include "app/panels/widgets.h"
#include "app/state/action.h"
#include "app/ui/layout.h"
#include "app/ui/parts.h"

namespace tilewalk {

constexpr ui::Font kCardTitle{26, Face::SansBold, Role::Text, Align::Left, 36};
constexpr ui::Font kCardHeading{22, Face::SansBold, Role::Text, Align::Left, 30};

ui::Press runs(std::string_view command, std::string tip = {});  // without words of its own: the command's
ui::Node field_of(const ViewState&, std::string id, const std::string& words, std::string hint, std::string tip);
ui::Node close_button(std::string_view command = "escape");
ui::Node title_row(std::string title, std::vector<ui::Node> beside = {});  // with the cross that closes the card
ui::Node fault_text(const std::string& fault, float size = 18, int lines = 99);

void show_overlay(Scene&, const ViewState&, Rect window, const Style&, float scrim, const ui::Node& card);

}  // namespace tilewalk
