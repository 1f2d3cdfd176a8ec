// The folder that `./run --web` builds, as a list of what it serves: a path that is not in the list is not there, so
// that no request reaches another file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tilewalk {

struct SiteFile {
  std::filesystem::path file;
  std::string type;      // "text/html; charset=utf-8"
  std::string encoding;  // "br", "gzip"; empty: as it is
  bool lasting = false;  // named by its content: kept for ever by who has it
};

class Site {
 public:
  // Empty where the folder is not there or has no index.html.
  explicit Site(const std::filesystem::path& folder);
  bool empty() const { return files_.empty(); }
  // By the path of a request, "/tilewalk.0123456789ab.js", in the smallest form that `accepts` (the header
  // Accept-Encoding) names; null where there is none.
  const SiteFile* find(std::string_view path, std::string_view accepts) const;

 private:
  std::map<std::string, std::map<std::string, SiteFile, std::less<>>, std::less<>> files_;  // by path and encoding
};

}  // namespace tilewalk
