// What is on the stage as a picture of its own and as a table: the walk, a board, the GPU's charts or the review. For
// files; nothing is pointed at and nothing moves in it.
#pragma once

#include "app/scene/scene.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

struct StagePicture {
  Scene scene;
  std::string title, description;  // for those who do not see it
};
StagePicture stage_picture(Session& session, const ViewState& view, Vec2 size);

// The same numbers as comma-separated values: id, label, value, unit, origin, source; of a board that draws curves also
// what lies below (N) and the spread of what was measured. Covered readings are left out. Empty where the stage shows
// no numbers.
std::string stage_numbers(const Session& session, const ViewState& view);

// For a file's name: "fa2-step-37", "curves", "gpu".
std::string stage_name(const Session& session, const ViewState& view);

}  // namespace tilewalk
