// What of the stage's premises is said beside a question: all but those that the question sets itself.
#pragma once

#include "app/session/questions.h"

#include <string>

namespace tilewalk {

// "N 4,096 · d 64 · GPU H100" without N where the question, or its answer, says "N = 16,384", and without the GPU where
// they name another one.
std::string premises_beside(const AskedQuestion& asked, const std::string& premises, const Session& session,
                            const ViewState& view);

}  // namespace tilewalk
