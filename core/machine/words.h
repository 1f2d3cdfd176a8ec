// How tiles, bytes and steps are said in words: one place, so that faults, captions and printed walks agree. Tiles and
// rows count from 1, as in the papers.
#pragma once

#include "core/machine/step.h"

#include <cstdint>
#include <string>

namespace tilewalk {

struct Problem;

std::string subscript(int64_t number);                        // 12 -> "₁₂"
std::string tile_name(Tensor tensor, int64_t i, int64_t j);   // "K₃", "S₂,₃", "m"
std::string tile_words(Tensor tensor, int64_t i, int64_t j);  // "K tile 3", "S tile (2, 3)", "m of Q tile 2"

// Exact below a million: "1,536 bytes", "64 KB" (of 1024, where it comes out whole); above in three digits: "4.36 GB"
// (of 10^9).
std::string bytes_words(int64_t bytes);
std::string with_commas(int64_t number);               // "4,362,076,160"
std::string queries_and_keys(const Problem& problem);  // "1 query, 4,096 keys"

// A value for a person: three significant digits, fixed notation where it is short; "−∞" for minus infinity.
std::string number_words(double value, int digits = 3);
// "1.17× as long", "3.8 % faster", "as long": within half a percent.
std::string times_as_long(double times);
std::string num(double value);  // the same, with whole numbers below 1,000 as they are: "7", "0.125"

}  // namespace tilewalk
