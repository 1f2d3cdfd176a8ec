// The stage that a link leads to, for commands that have no window.
#pragma once

#include "app/cli/console.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>
#include <string>

namespace tilewalk {

// The lessons. Read once a process, as several links of one command lead into them; what has changed since is read
// again.
std::shared_ptr<const Course> open_course();

struct Linked {
  Session session;
  ViewState view;
  std::string lost;  // sentences on what the link asks for and is not on show; empty: all of it is
};
// Throws CommandError where the link leads nowhere, or where all of it is wanted and it is not honoured whole; says on
// standard error, after the command's name, what was left out or clamped.
std::unique_ptr<Linked> follow_link(const std::string& link, std::string_view command, Console& console,
                                    bool wholly = false);

}  // namespace tilewalk
