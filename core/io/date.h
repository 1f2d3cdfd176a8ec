// Dates of papers and releases, as data files write them: "2022", "2022-05", "2022-05-27".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

struct CalendarDate {
  int year = 0, month = 0, day = 0;  // 0 is not known
};

std::optional<CalendarDate> read_date(std::string_view text);  // nothing where it is none of the three
std::string date_words(const CalendarDate& date);              // "2022", "May 2022", "27 May 2022"

}  // namespace tilewalk
