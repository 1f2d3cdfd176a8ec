#include "core/io/date.h"

#include <fmt/format.h>

#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

int number_at(std::string_view text, size_t at, size_t count) {
  int value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::optional<CalendarDate> read_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return std::nullopt;
  if ((text.size() > 4 && text[4] != '-') || (text.size() > 7 && text[7] != '-')) return std::nullopt;
  CalendarDate date;
  date.year = number_at(text, 0, 4);
  if (date.year < 0) return std::nullopt;
  if (text.size() > 4 && ((date.month = number_at(text, 5, 2)) < 1 || date.month > 12)) return std::nullopt;
  if (text.size() > 7 && ((date.day = number_at(text, 8, 2)) < 1 || date.day > 31)) return std::nullopt;
  return date;
}

std::string date_words(const CalendarDate& date) {
  if (date.month == 0) return fmt::format("{}", date.year);
  const std::string words = fmt::format("{} {}", kMonths[size_t(date.month - 1)], date.year);
  return date.day == 0 ? words : fmt::format("{} {}", date.day, words);
}

}  // namespace tilewalk
