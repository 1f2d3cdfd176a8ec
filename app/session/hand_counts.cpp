#include "app/session/hand_counts.h"

#include "app/session/commands.h"
#include "app/session/set_stops.h"
#include "core/io/number.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr int kMostHands = 9999;

// Another go at the question has its options in another order.
std::string key_of(const ViewState& view, const AskedQuestion& asked) {
  return fmt::format("{}#{}", asked.key, question_view(view, asked).seed);
}

}  // namespace

std::vector<int> hands_for(const ViewState& view, const AskedQuestion& asked) {
  if (!asked.question) return {};
  const auto found = view.present.hands.find(key_of(view, asked));
  return found == view.present.hands.end() ? std::vector<int>{} : found->second;
}

bool can_count_hands(const ViewState& view) {
  const Presentation& p = view.present;
  const AskedQuestion asked = asked_now(view);
  return p.on && p.question && asked.question && !asked.question->options.empty() && !slide_on_show(view);
}

std::string why_no_hands(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.on) return fmt::format("{} counts hands while you present: {} begins.", keys_of("hands"), key_of("present"));
  const AskedQuestion asked = slide_on_show(view) ? AskedQuestion{} : asked_now(view);
  if (!asked.question) return "No question belongs to this stop: there are no hands to count.";
  if (asked.question->options.empty()) return "This question asks for a number: hands are counted for options alone.";
  return fmt::format("The room sees no question with options: {} shows it.", keys_of("poll"));
}

void begin_hands(ViewState& view) {
  std::string text;
  for (const int count : hands_for(view, asked_now(view))) text += fmt::format("{}{}", text.empty() ? "" : " ", count);
  view.present.hands_text = text;
  view.editing = "field:hands";
  view.typing_begun = false;
}

std::string keep_hands(ViewState& view) {
  Presentation& p = view.present;
  const AskedQuestion asked = asked_now(view);
  if (!can_count_hands(view)) return view.editing.clear(), why_no_hands(view);
  const size_t options = asked.question->options.size();
  std::vector<int> counts;
  std::string_view rest = p.hands_text;
  while (true) {
    const size_t begin = rest.find_first_not_of(" ,;\t");
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    const std::string_view word = rest.substr(0, rest.find_first_of(" ,;\t"));
    rest.remove_prefix(word.size());
    const auto count = number_of<int>(word);
    if (!count || *count < 0 || *count > kMostHands)
      return fmt::format("\"{}\" is no count of hands: type a number for each option, as in 12 5 0.",
                         word.substr(0, 20));
    counts.push_back(*count);
  }
  if (counts.size() > options)
    return fmt::format("These are {} numbers, and the question has {} options: type one for each, A first.",
                       counts.size(), options);
  if (!counts.empty()) counts.resize(options);  // nobody is for what is not said
  if (counts.empty())
    p.hands.erase(key_of(view, asked));
  else
    p.hands[key_of(view, asked)] = counts;
  p.hands_text.clear();
  view.editing.clear();
  return {};
}

std::string hands_words(const ViewState& view, const AskedQuestion& asked) {
  std::string words;
  char letter = 'A';
  for (const int count : hands_for(view, asked))
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", letter++, count);
  return words;
}

}  // namespace tilewalk
