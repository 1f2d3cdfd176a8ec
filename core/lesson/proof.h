// What the stage shows with a question's answer, for the numbers that were asked for.
#pragma once

#include "core/lesson/answer.h"

namespace tilewalk {

// The question's proof with the instance's values in it: a knob that is set to "{{N}}" is set to this N.
StageSetting proof_of(const Question& question, const Instance& instance);

}  // namespace tilewalk
