// Pictures on a page that is light or dark as its reader likes: the same picture in both palettes becomes one, whose
// colours are names that the page's style gives two meanings.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tilewalk {

class PageColors {
 public:
  // "var(--c3)" for a colour that is one thing on a light page and another on a dark one, both "#rrggbb".
  std::string name(std::string_view light, std::string_view dark);

  // Two SVGs of one scene, by palette, as one; the light one where they differ in more than their colours.
  std::string merge(std::string_view light, std::string_view dark);

  std::string style() const;  // the rules that give the names their meanings; of print the light ones

 private:
  std::map<std::pair<std::string, std::string>, int> names_;
};

}  // namespace tilewalk
