#include "app/shell/web/mirror.h"

#include <nlohmann/json.hpp>

namespace tilewalk {
namespace {

std::string_view name_of(Told::Role role) {
  switch (role) {
    case Told::Role::Part: return "part";
    case Told::Role::Dialog: return "dialog";
    case Told::Role::Heading: return "heading";
    case Told::Role::Text: return "text";
    case Told::Role::Status: return "status";
    case Told::Role::Button: return "button";
    case Told::Role::Toggle: return "toggle";
    case Told::Role::Switch: return "switch";
    case Told::Role::Choices: return "choices";
    case Told::Role::Choice: return "choice";
    case Told::Role::Slider: return "slider";
    case Told::Role::Dial: return "dial";
    case Told::Role::Field: return "field";
  }
  return "";
}

}  // namespace

std::string mirror_json(const std::vector<Told>& told, const ViewState& view) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const Told& one : told) {
    Json row = {{"role", name_of(one.role)}, {"id", one.id}, {"name", one.name}};
    if (!one.value.empty()) row["value"] = one.value;
    if (!one.tip.empty()) row["tip"] = one.tip;
    if (one.role == Told::Role::Heading) row["level"] = one.level;
    if (one.on) row["on"] = true;
    if (one.role == Told::Role::Slider) row["now"] = one.now, row["most"] = one.most;
    rows.push_back(std::move(row));
  }
  const Json all = {{"focus", view.focus_ring ? view.focus : std::string()}, {"told", std::move(rows)}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);  // text of strangers may be no UTF-8
}

}  // namespace tilewalk
