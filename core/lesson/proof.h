// What the stage shows while a question is asked, and with its answer, for the numbers that were asked for.
#pragma once

#include "core/lesson/answer.h"

namespace tilewalk {

// The question's stage and its proof with the instance's values in them: a knob that is set to "{{N}}" is set to this
// N.
StageSetting stage_of(const Question& question, const Instance& instance);
StageSetting proof_of(const Question& question, const Instance& instance);

}  // namespace tilewalk
