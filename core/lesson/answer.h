// Asking and judging: one instance of a question, its right answer, and what an answer is worth. An instance comes from
// a seed, so that "another one" is another and the same seed is the same.
#pragma once

#include "core/lesson/lesson.h"
#include "core/quantity/quantity.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Instance {
  std::map<std::string, Quantity, std::less<>> variables;  // picked values
  std::vector<int> order;                                  // of the options as shown
  std::vector<bool> right;                                 // per option, in the lesson's order
  std::optional<Quantity> answer;                          // of a number
  std::string fault;                                       // an expression that could not be evaluated
};

// Names of the front matter and of the variables are looked up first, then through `lookup`.
Instance instance_of(const Lesson& lesson, const Question& question, uint64_t seed, const Lookup& lookup = {});

// The first seed from `seed` on that picks other values than the question's first one did where it was asked as
// `before`; `seed` where nothing varies.
uint64_t seed_of_other_numbers(const Question& question, std::string_view before, uint64_t seed);

// A lookup that knows the instance's variables, then the lesson's named quantities, which may be made of those, then
// `outer`. A name that is made of itself, or of more than 256 others in a row, is not known. Keeps references.
Lookup names_of(const Lesson& lesson, const Instance* instance, Lookup outer);

// What was typed, read in the question's unit and given in the answer's: "66.9" in µs is 66.9e-6 (seconds). Also "1e3",
// "2^20", "2,048", and with a unit of its own, "2 GiB". A comma may be a point: "2,62" is 2.62, and "2,617" what is
// closer to the answer, where that is known, else 2617. Nothing where it is no number.
std::optional<double> typed_number(std::string_view text, const Question& question, std::optional<double> answer = {});

bool is_unit(std::string_view unit);  // one that a typed number can have: "MB", "µs", "%"
// An answer in the unit that it is asked in, to three digits or to the whole: "1,057 µs", never "1.06 ms". Nothing
// where the question's unit is none of those.
std::optional<std::string> answer_in_unit(double answer, const Question& question);

// Of a number typed under that unit (core/quantity/closeness.h); says also where it was counted in GB and GiB were
// asked.
std::string score_words(double typed, double answer, std::string_view unit);

}  // namespace tilewalk
