// Sentences that tell a learner what to press: left out where there is nothing to press, on paper and on a wall.
#pragma once

#include "core/lesson/prose.h"

#include <string>
#include <string_view>

namespace tilewalk {

// "Press the button: the rescale is skipped." becomes "The rescale is skipped.", "Drag a bar." nothing; other sentences
// stay as they are.
std::string without_controls(std::string_view text);
// Of paragraphs and items, without what is marked as the window's alone, too; those that say nothing else are gone.
Prose without_controls(const Prose& prose);
// A speaker's note as paper shows it: without the sentences that tell what to press, turn or drag, or where a window
// has it.
std::string note_on_paper(std::string_view written);

// The first clause that tells to use a control or speaks of what paper has not ("the stage shows", "see above"), or the
// first link to a puzzle, that is not marked as the window's alone, [[Turn N.]]; empty without one.
std::string unmarked_control(const Block& block);
// What in a speaker's note does not hold while presenting: a tab, or a question, option or knob by its place; else
// empty.
std::string unfit_for_speaking(std::string_view note);

}  // namespace tilewalk
