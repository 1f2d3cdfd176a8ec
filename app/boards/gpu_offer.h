// The GPUs whose roofs boards offer: those of the shipped catalogue, the ones that were measured and are part of the
// program, this computer's as its worker measured it, and a person's own of gpus.toml. What is shipped keeps its place
// among them for good, and what a person calls like a shipped one stands beside it: a lesson's board agrees with its
// text.
//
// One list for the whole program, as knobs are; only the thread of the window changes it.
#pragma once

#include "app/boards/board.h"
#include "app/gpu/gpu_status.h"
#include "core/roofline/catalogue.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

struct OfferedGpu {
  std::string id, word;        // "h200-measured", "H200 SXM, measured"
  std::optional<Roofs> roofs;  // nothing: nobody has measured it yet, or its entry could not be read
  std::string fault;           // of an entry that could not be read: a sentence
};

constexpr std::string_view kThisGpu = "this";

// For a knob's `offered`: words and ids of all. Both live as long as the program, whatever is offered later.
const Choices& offered_gpus();
size_t offered_count();
const OfferedGpu& offered_gpu(size_t choice);
std::optional<size_t> offered_named(std::string_view id);

// A person's own, in place of those that were offered before.
void offer_own_gpus(const Catalogue& catalogue);
// This computer's, once all its roofs are measured; true where that changed what is offered.
bool offer_this_gpu(const GpuStatus& status);

}  // namespace tilewalk
