// Sentences that tell a learner what to press: left out where there is nothing to press, on paper and on a wall.
#pragma once

#include "core/lesson/prose.h"

#include <string>
#include <string_view>

namespace tilewalk {

// "Press the button: the rescale is skipped." becomes "The rescale is skipped.", "Drag a bar." nothing; other sentences
// stay as they are.
std::string without_controls(std::string_view text);
Prose without_controls(const Prose& prose);  // of paragraphs and items; those that say nothing else are gone

}  // namespace tilewalk
