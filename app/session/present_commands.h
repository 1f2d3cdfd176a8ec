// The commands of Present mode: rows of the table in app/session/commands.h. What a key means there goes before what it
// means while studying, so that a clicker's keys do the clicker's work and nothing else.
#pragma once

#include "app/session/commands.h"

#include <span>

namespace tilewalk {

std::span<const Command> present_commands();

}  // namespace tilewalk
