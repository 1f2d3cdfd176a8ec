// Which switch (core/kernel/switches.h) this file is built with. A switch is read where the idea is, as
// `kSwitch == Switch::PingPong`; it is a constant, so what is not built leaves nothing behind. Overlap, PingPong,
// Producer, Skipping, LongestFirst and Swizzle mean a kernel WITHOUT that idea. NoRescale, WrongOrder and NoMax are
// mistakes. The others mean a kernel WITH what they name.
#pragma once

#include "core/kernel/switches.h"

namespace tilewalk::gpu {

#ifdef TILEWALK_SWITCH
constexpr Switch kSwitch = Switch::TILEWALK_SWITCH;
#else
constexpr Switch kSwitch = Switch::None;
#endif

}  // namespace tilewalk::gpu
