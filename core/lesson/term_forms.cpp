#include "core/lesson/term_forms.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tilewalk {
namespace {

// Names that the texts also use as the words of every day.
constexpr std::array<std::string_view, 3> kOrdinary = {"math", "latent", "schedule"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (uint8_t(c) & 0x80); }
bool is_word_part(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

}  // namespace

bool stands_in(std::string_view text, std::string_view words) {
  std::string capital(words);
  if (capital.size() > 3 && capital[0] >= 'a' && capital[0] <= 'z') capital[0] = char(capital[0] - 0x20);
  for (const std::string_view each : {words, std::string_view(capital)})
    for (size_t at = text.find(each); at != std::string_view::npos; at = text.find(each, at + 1)) {
      size_t end = at + each.size();
      if (end < text.size() && text[end] == 's') ++end;
      if ((at == 0 || !is_word_part(text[at - 1])) && (end == text.size() || !is_word_part(text[end]))) return true;
    }
  return false;
}

std::vector<std::string> forms_of(const Term& term) {
  std::vector<std::string> out;
  const size_t open = term.name.find(" (");
  out.push_back(term.name.substr(0, open));
  if (open != std::string::npos) out.push_back(term.name.substr(open + 2, term.name.size() - open - 3));
  std::erase_if(out, [](const std::string& form) { return std::ranges::find(kOrdinary, form) != kOrdinary.end(); });
  return out;
}

}  // namespace tilewalk
