// The FLOP that benchmarks of attention count, as a double: exact to 2^53, where whole numbers of 64 bits end long
// before the largest call that validate() lets pass, of 2^90. nominal_flop_of() of prediction.h is the same as a whole
// number.
#pragma once

#include "core/attention/problem.h"

namespace tilewalk {

// All heads: 4 N_q N_k d; under a causal mask half of that where N_q = N_k, as is the custom, else 4 d for every
// visible pair of query and key.
double nominal_flop(const Problem& problem);

}  // namespace tilewalk
