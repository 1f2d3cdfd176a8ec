// The commands of Present mode: rows of the table in app/session/commands.h. What a key means there goes before what it
// means while studying, so that a clicker's keys do the clicker's work and nothing else.
#pragma once

#include "app/session/commands.h"

#include <span>

namespace tilewalk {

std::span<const Command> present_commands();
std::span<const Command> class_commands();
std::span<const Command> gpu_commands();      // of its tab
void show_tab(ViewState& view, Tab tab);      // opens the column
std::span<const Command> learner_commands();  // the rest of the table: app/session/commands.cpp

inline constexpr std::string_view kFinding = "Finding";  // the last group; the presenter's stand before it

}  // namespace tilewalk
