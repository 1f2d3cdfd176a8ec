// A program as it stands in a link: base64 of RFC 4648 section 5 ("-" and "_"), without padding.
#pragma once

#include "app/session/link.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

std::string packed_program(std::string_view text);
std::optional<std::string> unpacked_program(std::string_view packed);  // nothing where it is none

// What the link says of a program: in Write, or on the stage of a walk. The sentence says what could not be done.
std::string put_program(const Link& link, Session& session, ViewState& view);
// Adds the program to a link to where one is; the sentence says what it cannot carry.
std::string add_program(Link& link, const ViewState& view);

}  // namespace tilewalk
