// The program's stages as the lesson checker wants to know them: boards with their knobs and readings, and walks.
#pragma once

#include "core/lesson/check.h"

namespace tilewalk {

// Without lesson_ids.
CheckContext lesson_facts();

}  // namespace tilewalk
