// std::from_chars of a double. Some standard libraries (libc++ before version 20) have none of their own.
#pragma once

#include <charconv>

namespace tilewalk {

std::from_chars_result read_double(const char* first, const char* last, double& value);

}  // namespace tilewalk
