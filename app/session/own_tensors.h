// The lines of Python that take Q, K and V out of a PyTorch model: scripts/own-tensors.py without its comment.
#pragma once

#include <string_view>

namespace tilewalk {

// From the first import to the end, with line ends.
std::string_view own_tensors_code();

// What ViewState::selection is while they are shown in the tab Problem.
constexpr std::string_view kOwnTensorsShown = "own-tensors";

}  // namespace tilewalk
