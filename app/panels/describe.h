// What is on show, in plain words for those who do not see it: the lesson's text and questions, the stage's caption,
// formula and numbers, what lies in which memory, and the bytes so far; of a board its knobs and readings.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <vector>

namespace tilewalk {

// Paragraphs, each of one line however long; an empty one parts what belongs together.
std::vector<std::string> describe(Session& session, const ViewState& view);

// A stage that is on screen: where it lies in which scene, and whether what Tab stops at is told elsewhere.
struct SeenStage {
  const Scene* scene;
  Rect area;
  bool without_stops;
};
// Without the lesson's text. Where no stage is given, of one that is laid out for it.
std::vector<std::string> describe_stage(Session& session, const ViewState& view, const SeenStage* seen = nullptr);
std::string stage_caption(const Session& session, const ViewState& view);  // what has just happened

}  // namespace tilewalk
