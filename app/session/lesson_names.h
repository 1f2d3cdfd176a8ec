// The numbers of a lesson as they are now: its expressions, with the names that mean something on the stage.
//   knob.N        what the board is set to
//   stage.time    a reading of the board; of a walk: stage.m, stage.l, stage.alpha (of the followed row), stage.step,
//                 stage.steps, stage.fill_bytes, stage.drain_bytes, stage.dram_bytes, stage.sram_bytes
// Values that do not depend on these are kept in LessonView::cache.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string_view>

namespace tilewalk {

// Keeps references to both.
Lookup stage_names(const Session& session, const ViewState& view);

// An expression of the lesson, with the variables of an instance where one is given; `about` tells instances apart.
Evaluated value_of(std::string_view expression, const Lesson& lesson, const Instance* instance, std::string_view about,
                   const Session& session, const ViewState& view);

// The instance of a question that its seed gives.
Instance instance_now(const Lesson& lesson, const Question& question, uint64_t seed, const Session& session,
                      const ViewState& view);

}  // namespace tilewalk
