// The stage that a link leads to, for commands that have no window.
#pragma once

#include "app/cli/console.h"
#include "app/session/session.h"
#include "app/session/view_state.h"

#include <memory>
#include <string>

namespace tilewalk {

std::shared_ptr<const Course> open_course();

struct Linked {
  Session session;
  ViewState view;
};
// Throws CommandError where the link leads nowhere; says on standard error, after the command's name, what was left out
// or clamped.
std::unique_ptr<Linked> follow_link(const std::string& link, std::string_view command, Console& console,
                                    bool wholly = false);

}  // namespace tilewalk
