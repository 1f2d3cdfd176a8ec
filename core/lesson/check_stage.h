// The stage as a lesson's beats set it, for the checker: what stands there after a setting, and what names mean on it.
#pragma once

#include "core/lesson/check.h"

#include <memory>

namespace tilewalk {

struct StageState {
  std::string stage = "walk";
  Words walk;
  std::string fault;  // the mistake on purpose, of this beat alone
  KnobValues knobs;
  std::shared_ptr<const CheckedWalk> made;  // where the walk is on the stage
};

// Puts a setting on the stage; returns what is wrong with it, one sentence each.
std::vector<std::string> take_stage(const StageSetting& setting, const CheckContext& context, StageState& stage);

// knob.N and stage.time; of a walk, whatever it can show. Keeps references to both.
Lookup names_on(const CheckContext& context, const StageState& stage);

// Empty, or what is wrong.
std::string link_fault(std::string_view target, const CheckContext& context, const StageState& stage);
std::string reading_fault(std::string_view reading, const CheckContext& context, const StageState& stage);

}  // namespace tilewalk
