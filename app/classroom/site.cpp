#include "app/classroom/site.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript"},
    {".css", "text/css"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".ico", "image/x-icon"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kTwins{{{".br", "br"}, {".gz", "gzip"}}};

std::string_view type_of(std::string_view name) {
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return type;
  return "application/octet-stream";
}

// "tilewalk.0123456789ab.js"
bool named_by_content(std::string_view name) {
  const size_t last = name.rfind('.'), before = last == name.npos ? last : name.rfind('.', last - 1);
  if (before == name.npos || last - before != 13) return false;
  return std::ranges::all_of(name.substr(before + 1, 12), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
  });
}

// "gzip, deflate, br;q=0.9": a coding with q=0 is refused by it.
bool takes(std::string_view accepts, std::string_view coding) {
  while (!accepts.empty()) {
    std::string_view one = accepts.substr(0, accepts.find(','));
    accepts.remove_prefix(std::min(accepts.size(), one.size() + 1));
    while (one.starts_with(' ')) one.remove_prefix(1);
    const std::string_view name = one.substr(0, one.find_first_of("; "));
    if (name == coding) return one.find("q=0") == one.npos || one.find("q=0.") != one.npos;
  }
  return false;
}

}  // namespace

Site::Site(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || !fs::is_regular_file(folder / "index.html", error)) return;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    std::string name = at->path().lexically_relative(folder).generic_string(), encoding;
    const bool lasting = named_by_content(name);
    for (const auto& [ending, coding] : kTwins)
      if (name.ends_with(ending)) name.resize(name.size() - ending.size()), encoding = coding;
    files_["/" + name][encoding] = {at->path(), std::string(type_of(name)), encoding,
                                    lasting || named_by_content(name)};
  }
}

const SiteFile* Site::find(std::string_view path, std::string_view accepts) const {
  std::string name(path.substr(0, path.find_first_of("?#")));
  if (name.ends_with('/')) name += "index.html";
  const auto found = files_.find(name);
  if (found == files_.end()) return nullptr;
  for (const auto& [ending, coding] : kTwins)
    if (const auto twin = found->second.find(coding); twin != found->second.end() && takes(accepts, coding))
      return &twin->second;
  const auto plain = found->second.find("");
  return plain == found->second.end() ? nullptr : &plain->second;
}

}  // namespace tilewalk
