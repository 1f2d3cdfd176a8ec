// How close a number that somebody typed or drew is to the right one: a score, and words.
#pragma once

#include <string>

namespace tilewalk {

// 100 within a factor of 1.1 of the answer, 80 within 1.25, 60 within 1.5, 30 within 2, else 0; an answer of 0 or below
// asks for the same value to three digits. `exact`: 100 within half a percent, else 0.
int score_of(double typed, double answer, bool exact = false);
std::string score_words(double typed, double answer);  // "1.32× too high", "right within half a percent"

}  // namespace tilewalk
