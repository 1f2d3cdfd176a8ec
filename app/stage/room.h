// The stage of a walk as a room sees it: the sentence, SRAM with m, alpha and l as its largest numbers, the formula
// under it, and DRAM with the bytes moved. Cards, the L2 strip and the ledger are left out.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"

#include <string>

namespace tilewalk {

void layout_room_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                       const Style& style);

// Two schedules on the same inputs: what each has on chip, what crosses between memory and chip, and, as the largest
// numbers, how many bytes that is so far.
void layout_room_pair(Scene& scene, const Session& session, const Moment& first, const Moment& second,
                      const ViewState& view, Rect area, const Style& style);

// "FA2 · N 16 · d 8 · fp16 · causal · H200 · seed 4", what the numbers of a walk depend on, and " · tile 3 of 4 · part
// 2 of 5".
std::string walk_premises(const Moment& moment, const Session& session);
std::string room_place(const Moment& moment);

}  // namespace tilewalk
