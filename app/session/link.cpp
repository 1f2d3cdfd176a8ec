#include "app/session/link.h"

#include "core/io/letters.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace tilewalk {
namespace {

constexpr std::string_view kScheme = "tilewalk:";

int hex_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = lowered(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

// "%20" and "+" as a blank; an escape that is none stays as it is.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    const bool escape = text[k] == '%' && k + 2 < text.size() && hex_of(text[k + 1]) >= 0 && hex_of(text[k + 2]) >= 0;
    if (escape) {
      out += char(hex_of(text[k + 1]) * 16 + hex_of(text[k + 2]));
      k += 2;
    } else {
      out += text[k] == '+' ? ' ' : text[k];
    }
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~,").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Takes the text up to the mark off, mark included.
std::string_view take(std::string_view& rest, char mark) {
  const std::string_view part = rest.substr(0, rest.find(mark));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

// Any number of digits; one that is too long for the type is as large as it can be.
std::optional<int64_t> whole_number(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) {
    if (value > (std::numeric_limits<int64_t>::max() - 9) / 10) return minus ? 0 : std::numeric_limits<int64_t>::max();
    value = value * 10 + (c - '0');
  }
  return minus ? -value : value;
}

constexpr std::string_view kShape = "A link looks like tilewalk://lesson/6/beat/2 or tilewalk://walk/step/37?N=64.";

}  // namespace

const std::string* Link::find(std::string_view key) const {
  const auto found = std::find_if(keys.rbegin(), keys.rend(), [&](const auto& pair) { return pair.first == key; });
  return found == keys.rend() ? nullptr : &found->second;
}

std::string Link::repeated() const {
  std::vector<std::string> twice;
  for (auto each = keys.begin(); each != keys.end(); ++each) {
    const auto same = [&](const auto& other) { return other.first == each->first; };
    if (std::none_of(keys.begin(), each, same) && std::any_of(each + 1, keys.end(), same)) twice.push_back(each->first);
  }
  if (twice.empty()) return {};
  return fmt::format("{} more than once in the link: the last counts.",
                     some_of(twice) + (twice.size() == 1 ? " stands" : " stand"));
}

bool is_link(std::string_view text) { return same_letters(trimmed(text).substr(0, kScheme.size()), kScheme); }

ReadLink read_link(std::string_view text) {
  ReadLink out;
  text = trimmed(text);
  if (!is_link(text)) {
    out.fault = fmt::format("{} is no link. {}", in_quotes(text, 60), kShape);
    return out;
  }
  if (text.size() > kLongestLink) {
    out.fault = fmt::format("This link is {} long; links have {} at most.", byte_count(text.size()), kLongestLink);
    return out;
  }
  text.remove_prefix(kScheme.size());
  while (text.starts_with('/')) text.remove_prefix(1);
  const size_t fragment = std::min(text.find('#'), text.size());
  std::string_view query = text.substr(0, fragment);
  std::string_view path = take(query, '?');
  if (fragment + 1 < text.size()) out.link.unknown.emplace_back(text.substr(fragment));

  Link& link = out.link;
  const std::string place = unescaped(take(path, '/'));
  if (place == "lesson" || place == "board") {
    link.place = place == "lesson" ? Link::Place::Lesson : Link::Place::Board;
    link.name = unescaped(take(path, '/'));
    if (link.name.empty()) out.fault = fmt::format("The link does not say which {}. {}", place, kShape);
  } else if (place == "write") {
    link.place = Link::Place::Write;
  } else if (place != "walk") {
    out.fault = fmt::format("The link leads to {}, which is no place here: lesson, walk, board and write are. {}",
                            in_quotes(place, 40), kShape);
  }
  if (!out.fault.empty()) return out;
  while (!path.empty()) {
    const std::string what = unescaped(take(path, '/')), which = unescaped(take(path, '/'));
    if (what != "beat" && what != "step") {  // of another version: as keys that are not known
      link.unknown.push_back(which.empty() ? what : what + "/" + which);
      continue;
    }
    if (what == "beat" ? link.beat : link.step) link.unknown.push_back(what + "/" + which);  // once is all that it says
    const std::optional<int64_t> number = whole_number(which);
    if (!number) {
      out.fault = fmt::format("The link's {} is {}; it must be a whole number.", what, in_quotes(which, 40));
      return out;
    }
    (what == "beat" ? link.beat : link.step) = number;
  }
  while (!query.empty()) {
    std::string_view value = take(query, '&');
    const std::string key = unescaped(take(value, '='));
    if (key == "step" && !link.step && whole_number(value))
      link.step = whole_number(value);
    else if (key == "v")
      link.version = whole_number(value).value_or(kLinkVersion);
    else if (!key.empty())
      link.keys.emplace_back(key, unescaped(value));
    else if (!value.empty())
      link.unknown.push_back("=" + unescaped(value));
  }
  return out;
}

std::string link_text(const Link& link) {
  std::string out(kScheme);
  out += link.place == Link::Place::Lesson  ? "//lesson/"
         : link.place == Link::Place::Board ? "//board/"
         : link.place == Link::Place::Write ? "//write"
                                            : "//walk";
  out += escaped(link.name);
  if (link.beat) out += fmt::format("/beat/{}", *link.beat);
  if (link.step) out += fmt::format("/step/{}", *link.step);
  char mark = '?';
  for (const auto& [key, value] : link.keys) {
    out += fmt::format("{}{}={}", mark, escaped(key), escaped(value));
    mark = '&';
  }
  return fmt::format("{}{}v={}", out, mark, link.version);
}

}  // namespace tilewalk
