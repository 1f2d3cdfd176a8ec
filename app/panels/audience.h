// The picture that the room sees: the stage alone, or the question that is asked, laid out to be read from the last
// row.
//
// It is always 16:9, 960 x 540 design pixels at 100 %: at 1080 lines every design pixel is two, so that the type scale
// (app/scene/style.h) gives 28 px for the smallest text, 40 for captions and 60 for the numbers that carry the step.
// What a room cannot use is left out, by these rules:
//   - knobs are their names and values on one line, not controls;
//   - buttons of a board and the boxes of its fields are left out, and their places stay empty: the presenter has them
//     (`Hands::On`), and on one screen the room as long as the presenter's pointer moves;
//   - of a walk the L2 strip and the ledger: SRAM, DRAM, the caption and the formula stay (app/stage/room.cpp);
//   - a question stands alone, in the largest type in which it fits; its reason only where it fits too;
//   - no stroke is thinner than 3 px at 1080 lines; no grey text (the projector palette has none).
// Along the lower edge runs a line of 4 px: how far one has come.
#pragma once

#include "app/scene/scene.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

constexpr float kRoomLines = 540;                 // design pixels of its height
constexpr float kRoomText = 28, kRoomStroke = 3;  // the least of each, in pixels of 1080 lines

// The largest picture within `screen`, and where it lies there: black bars take the rest.
Rect room_picture(Vec2 screen);

enum class Hands : uint8_t { Off, On };

// `size` as room_picture gives it. A function of its arguments alone. Where the wanted scale is more than fits, the
// largest that does is taken.
Scene layout_audience(Session& session, const ViewState& view, Vec2 size, Hands hands = Hands::Off);

// The pixels of the picture for one design pixel.
float room_scale(const ViewState& view, Vec2 size);

}  // namespace tilewalk
