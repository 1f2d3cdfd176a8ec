#include "core/io/read_double.h"

namespace tilewalk {

std::from_chars_result read_double(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

}  // namespace tilewalk
