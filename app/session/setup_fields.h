// What a setup consists of, by name: the sizes n_q, n_k, d, br, bc; seed, scale; mask, align, arithmetic, format,
// distribution, fault; direction, schedule, compare, variant, machine. One table for form, links and lessons.
#pragma once

#include "app/state/session.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct SetupField {
  std::string_view name, link;         // of the form, and Fault::field; its key in links, empty without one
  bool always;                         // links say it even where it is what one would find anyway
  std::string (*value)(const Setup&);  // in words, as `put` takes them
  std::string (*put)(Setup&, const SetupField&, std::string_view text);  // the sentence says why not
  int64_t Problem::*size = nullptr;
  std::string_view label = {};  // of a size, in sentences
};
std::span<const SetupField> setup_fields();            // in the order of links: both N before what depends on them
const SetupField* setup_field(std::string_view name);  // or null

// Puts one wish into a setup without building its walk. The number of queries takes the number of keys along while the
// two are equal. Faults: no such field, no such choice, no number.
std::vector<Fault> put_field(Setup& setup, std::string_view name, std::string_view text);

}  // namespace tilewalk
