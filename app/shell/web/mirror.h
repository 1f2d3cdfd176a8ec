// What is on screen as data for the page, which mirrors it as elements that screen readers know: page/mirror.js.
#pragma once

#include "app/panels/told.h"

#include <string>

namespace tilewalk {

// JSON: {"focus": id of what the keyboard is on, or "", "told": [{"role": "slider", "id": ..., "name": ...}, ...]}.
std::string mirror_json(const std::vector<Told>& told, const ViewState& view);

}  // namespace tilewalk
