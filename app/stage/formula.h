// The formula under a moment's sentence.
#pragma once

#include "app/stage/moment.h"

#include <string>

namespace tilewalk {

// As it is drawn: m, l and α stand in no formula before they are explained.
std::string shown_formula(const Moment& moment, const ViewState& view);

}  // namespace tilewalk
