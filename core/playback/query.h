// Finding steps by what they do rather than by number: "first rescale of Q tile 1", "last store O", "score of Q tile 2,
// K tile 3", "3rd row max". Lessons, the go-to field and the command line use the same words.
#pragma once

#include "core/machine/step.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

struct Query {
  StepKind kind{};
  bool any_store = false;       // "store" alone: any of the store steps
  bool any_load = false;        // "load" alone
  std::optional<int32_t> i, j;  // Q tile, K/V tile, from 0
  int64_t ordinal = 0;          // 0 first, 1 second ...; -1 last
};

// The words of a query, or a sentence that says what was not understood.
struct ParsedQuery {
  std::optional<Query> query;
  std::string fault;
};
ParsedQuery parse_query(std::string_view words);

// The playhead at which the step has just been taken (its index + 1), or nothing where no step matches.
std::optional<int64_t> find(std::span<const Step> steps, const Query& query);

}  // namespace tilewalk
