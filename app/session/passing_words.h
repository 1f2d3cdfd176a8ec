// Sentences of a talk that are read once: they go by themselves after kNoticeSeconds, on the speaker's own screen, too.
#pragma once

#include "app/state/view_state.h"

#include <string_view>

namespace tilewalk {

inline constexpr std::string_view kAsPrepared = "This stop is as it was prepared.";
inline constexpr std::string_view kNothingTurned = "Nothing of this stop was turned.";
inline constexpr std::string_view kTwiceEnds = "Esc twice, quickly, ends the presentation";  // then what else does
inline constexpr std::string_view kTurnedBack = "What was turned here is as it was prepared again.";
inline constexpr std::string_view kStrokesLost =
    "What the pen drew over the turned picture is gone: the knobs are as prepared.";

// Whether what is said now is one of them; on the only screen, which is the room's, all that is said is.
bool notice_passes(const ViewState& view);

}  // namespace tilewalk
