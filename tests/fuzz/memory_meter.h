// What operator new has given out and not taken back, in this process: replaced for the fuzzers alone.
#pragma once

#include <cstddef>

namespace tilewalk {

size_t memory_in_use();   // bytes
void start_peak();        // from now on
size_t peak_of_memory();  // bytes in use at most since then

}  // namespace tilewalk
