#include "core/classroom/invitation.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::string_view kPlace = "#class/";
constexpr size_t kLongest = 512;  // bytes

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

// Letters, digits and what else stands in names of computers and in codes.
bool plain(std::string_view words, std::string_view besides) {
  return !words.empty() && std::ranges::all_of(words, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           besides.find(c) != besides.npos;
  });
}

bool is_half(std::string_view word) { return word.size() == 3 && plain(word, ""); }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = size_t(std::ranges::find_if(text, is_blank) - text.begin());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

bool means_address(std::string_view word) {
  return word.find("://") != word.npos || word.find(':') != word.npos || word.find('.') != word.npos ||
         word.starts_with("localhost");
}

}  // namespace

ReadInvitation read_invitation(std::string_view typed, std::string_view here) {
  constexpr const char* kAsk = "Type the address and the code that stand on the wall, as in 10.0.0.5:8660 k7m-2xq.";
  if (typed.size() > kLongest) return {{}, kAsk};
  std::string_view address, code;
  std::vector<std::string_view> rest;
  for (const std::string_view word : words_of(typed)) {
    if (address.empty() && means_address(word))
      address = word;
    else
      rest.push_back(word);
  }
  // A code that is read out is often typed in its two halves: "C6K B75".
  std::string halves;
  if (rest.size() == 3 && rest[1] == "-") rest.erase(rest.begin() + 1);
  if (rest.size() == 2 && is_half(rest[0]) && is_half(rest[1])) {
    halves = fmt::format("{}-{}", rest[0], rest[1]);
    rest = {halves};
  }
  if (rest.size() > 1) return {{}, kAsk};
  if (!rest.empty()) code = rest[0];
  ReadInvitation out;
  Invitation& to = out.invitation;
  if (const size_t place = address.find(kPlace); place != address.npos) {
    if (!code.empty()) return {{}, kAsk};
    code = address.substr(place + kPlace.size());
    address = address.substr(0, place);
  }
  if (code.starts_with(kPlace)) code.remove_prefix(kPlace.size());
  // A browser writes a blank in its address as %20.
  if (const size_t blank = code.find("%20");
      blank != code.npos && is_half(code.substr(0, blank)) && is_half(code.substr(blank + 3))) {
    halves = fmt::format("{}-{}", code.substr(0, blank), code.substr(blank + 3));
    code = halves;
  }
  const size_t slash = code.find('/');
  to.code = code.substr(0, slash);
  if (slash != code.npos) to.teacher = code.substr(slash + 1);
  if (address.empty()) address = here;
  if (!plain(to.code, "-") || (!to.teacher.empty() && !plain(to.teacher, "-"))) return {{}, kAsk};
  if (address.empty()) return {{}, kAsk};
  const bool safe = address.starts_with("https://");
  if (safe || address.starts_with("http://")) address.remove_prefix(safe ? 8 : 7);
  const size_t path = address.find_first_of("/?#");
  const std::string_view host = address.substr(0, path);
  if (!plain(host, "-.:[]_")) return {{}, kAsk};
  // Behind a proxy a class may lie below a folder.
  std::string folder(path == address.npos ? std::string_view("/") : address.substr(path));
  folder = folder.substr(0, folder.find_first_of("?#"));
  if (folder.empty()) folder = "/";
  folder.resize(folder.rfind('/') + 1);
  if (!plain(folder, "/-._~")) return {{}, kAsk};
  to.socket = fmt::format("{}://{}{}class", safe ? "wss" : "ws", host, folder);
  to.page = fmt::format("{}://{}{}", safe ? "https" : "http", host, folder);
  return out;
}

std::string invitation_text(const Invitation& invitation) {
  return fmt::format("{}{}{}{}{}", invitation.page, kPlace, invitation.code, invitation.teacher.empty() ? "" : "/",
                     invitation.teacher);
}

}  // namespace tilewalk
