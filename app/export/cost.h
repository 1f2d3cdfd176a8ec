// What a picture of pixels takes before it is made: memory, so that one that this machine cannot hold is refused with a
// sentence and not by the system; and the time, so that nobody waits without a word.
#pragma once

#include "app/state/export_order.h"

#include <cstdint>
#include <string>

namespace tilewalk {

// Bytes at the height of painting and encoding one picture; 0 of formats without pixels.
int64_t picture_memory(const ExportOrder& order);

// Bytes that this process may still take: by the system's count of what is available, the limit of its control group
// and its own. Source: proc(5), MemAvailable; cgroup v2, memory.max and memory.current.
int64_t free_memory();

// Empty, or one sentence: how much it takes, how much there is, what to do.
std::string too_much_memory(const ExportOrder& order, int64_t free);

// One that takes long enough to be told of: its sizes, a guess of its seconds and its memory.
constexpr int64_t kLargePicture = 32'000'000;  // pixels
int64_t pixels_of(const ExportOrder& order);
// The same picture in so many fewer pixels that trying it takes little; `by` is how many times fewer they are.
ExportOrder small_sample(const ExportOrder& order, double& by);

}  // namespace tilewalk
