// The stage of a walk as a room sees it: the sentence, the formula with its numbers, SRAM and DRAM. The L2 strip and
// the ledger are left out, and what is left is as large as it can be.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"

#include <string>

namespace tilewalk {

void layout_room_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                       const Style& style);

// "FA2 · tile 3 of 4 · part 2 of 5".
std::string room_place_words(const Moment& moment);

}  // namespace tilewalk
