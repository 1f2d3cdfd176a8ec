// JSON that strangers wrote: read in one pass, in time that grows with its length alone, under limits of depth and of
// the number of values. (nlohmann's own parser looks through all members for each new one of an ordered object, and,
// where a callback watches, through all of a list or object for each entry that ends.)
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilewalk {

struct JsonLimits {
  int depth = 16;                   // of lists and objects within one another
  size_t values = size_t{1} << 20;  // lists and objects count too
};

// what() is a sentence without its subject and its stop: "is not JSON from byte 12 on; it may be cut off".
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Members keep their order. JsonError: no JSON, beyond a limit, a name twice in one object, a number that no double can
// hold.
nlohmann::ordered_json read_json(std::string_view text, const JsonLimits& limits = {});

// One member more for an object that has none of that name; nobody looks whether it has.
void append_member(nlohmann::ordered_json& object, std::string name, nlohmann::ordered_json value);

}  // namespace tilewalk
