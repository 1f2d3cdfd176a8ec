// The problems that every kernel must solve: each N at the edges of its tiles, every d, both masks, both formats, and
// unequal N_q and N_k, with B, H and the inputs varied along the way.
#pragma once

#include "tests/gpu/setup.h"

#include <vector>

namespace tilewalk::gpu::check {

std::vector<Case> sweep();  // more than 200
// For the kernels that take d = 96 and 256 as they are: those two, and what is padded to them; and a few small ones.
std::vector<Case> width_sweep();
std::vector<Case> small_width_sweep();
std::vector<Case> grouped_sweep();   // heads of Q in groups of 2, 3, 4 and 8 over those of K and V: more than 100
std::vector<Case> gradient_sweep();  // the backward kernels': more than 150
std::vector<Case> small_gradient_sweep();
// `fewer`: of one head and few tiles, for a kernel whose every number passes through shared memory by itself.
std::vector<Case> small_sweep(
    bool fewer = false);  // a few small ones, for tools that slow a kernel down a thousandfold

}  // namespace tilewalk::gpu::check
