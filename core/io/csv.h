// Tables for other programs: comma-separated values as RFC 4180 has them, with "\n" at the end of a row.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

// In quotes where a comma, a quote or a line end would break the row.
std::string csv_cell(std::string_view text);
std::string csv_row(std::span<const std::string> cells);

}  // namespace tilewalk
