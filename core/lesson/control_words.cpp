#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 17> kBegins{
    "Press ",          "Drag ",   "Click ",         "Pick ",     "Step ",        "Type ",
    "Glue ",           "Choose ", "Point at ",      "Step on",   "Add a roof",   "Add a ceiling",
    "Add a bandwidth", "Lock it", "Fill the table", "Lift each", "Read the call"};
constexpr std::array<std::string_view, 12> kHolds{"button",
                                                  ": type ",
                                                  "click ",
                                                  "double-click",
                                                  "drag ",
                                                  "press ",
                                                  " knob",
                                                  "slider",
                                                  "Press ",
                                                  "Drag ",
                                                  "until the question is answered",
                                                  "give the answer away"};

bool speaks_of_controls(std::string_view clause) {
  return std::ranges::any_of(kBegins, [&](std::string_view word) { return clause.starts_with(word); }) ||
         std::ranges::any_of(kHolds, [&](std::string_view word) { return clause.find(word) != clause.npos; });
}

// What a sentence or clause begins with that tells to use a control, whatever follows.
constexpr auto kUses = std::to_array<std::string_view>({"press ", "drag ", "click ", "turn ", "switch ", "reverse ",
                                                        "pick ", "type ", "step ", "point at ", "pull ", "lock ",
                                                        "hover ", "toggle ", "scroll ", "try ", "paint ", "glue "});
// What may be asked of a reader, too; with the name of a control it is not.
constexpr auto kMayUse =
    std::to_array<std::string_view>({"change ", "add ", "double ", "halve ", "put ", "take ", "find ", "walk ", "open ",
                                     "select ", "make ", "set ", "choose "});
constexpr std::array<std::string_view, 19> kControls{
    "GPU",    " N",      "threads", " d",   " Br", " Bc",      "year", "order",  "mask",   "alignment",
    "switch", "outside", "keys",    "seed", " on", "tiles of", "→",    "tokens", "release"};

// What only a window has, whatever is said of it.
constexpr auto kWindow = std::to_array<std::string_view>({"the stage", "the board", "switch", "switches", "see above",
                                                          "foot of the", "stepping", "this screen", "last screen"});

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto letter = [&](size_t at) { return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])); };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) return true;
  return false;
}

// "the stage shows it", "the third switch does nothing", "see above, before stepping".
bool speaks_of_window(std::string_view clause) {
  const std::string from = lower(clause);
  return std::ranges::any_of(kWindow, [&](std::string_view words) { return has_word(from, words); });
}

std::string lower_start(std::string_view clause) {
  while (!clause.empty() && (clause[0] == ' ' || clause[0] == '"' || clause[0] == '(' || clause[0] == '*'))
    clause.remove_prefix(1);
  std::string out(clause);
  if (!out.empty()) out[0] = char(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

bool begins_with_any(std::string_view clause, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return clause.starts_with(word); });
}

// Of one clause: "drag the corner there", "halve d", '"L2 serves repeats" off', "Step (→)".
bool tells_to_use(std::string_view clause) {
  std::string from = lower_start(clause);
  for (const std::string_view join : {"then ", "now "})
    if (from.starts_with(join)) from.erase(0, join.size());
  if (begins_with_any(from, kUses) || from.find("→") != from.npos || from.find("button") != from.npos ||
      from.find(" knob") != from.npos)
    return true;
  const size_t quoted = clause.rfind('"');
  if (clause.starts_with('"') && quoted > 0)
    if (const std::string_view behind = clause.substr(quoted + 1);
        behind.starts_with(" on") || behind.starts_with(" off") || behind.starts_with(" to "))
      return true;
  return begins_with_any(from, kMayUse) && std::ranges::any_of(kControls, [&](std::string_view word) {
           const size_t at = from.find(word);
           if (at == from.npos) return false;
           const char next = at + word.size() < from.size() ? from[at + word.size()] : ' ';
           return !std::isalnum(static_cast<unsigned char>(next));
         });
}

// Its clauses: what stands between . ? ! : ; and a blank, and behind ", then".
std::vector<std::string> clauses_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const bool ends = k + 1 < text.size() && (text[k + 1] == ' ' || text[k + 1] == '\n') &&
                      std::string_view(".?!:;").find(c) != std::string_view::npos;
    if (ends || text.substr(k).starts_with(", then ")) {
      out.emplace_back();
      k += ends ? 1 : 6;
    } else {
      out.back() += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

bool blank(char c) { return c == ' ' || c == '\n'; }

// One character of a text, or what stands for one that is no text: a number, code, a break.
struct Letter {
  char c;
  size_t span;
};

std::string words_of(std::span<const Letter> letters) {
  std::string words;
  for (const Letter& letter : letters) words += letter.c;
  return words;
}

void begin_with_capital(std::vector<Letter>& letters, size_t at) {
  if (at < letters.size()) letters[at].c = char(std::toupper(static_cast<unsigned char>(letters[at].c)));
}

// The letters that stay.
std::vector<Letter> kept(const std::vector<Letter>& all) {
  std::vector<Letter> out;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    while (end < all.size() && !((all[end].c == '.' || all[end].c == '?' || all[end].c == '!') &&
                                 (end + 1 == all.size() || blank(all[end + 1].c))))
      ++end;
    end = std::min(all.size(), end + 1);
    size_t next = end;
    while (next < all.size() && blank(all[next].c)) ++next;
    const std::span<const Letter> sentence(all.data() + begin, next - begin);
    const std::string words = words_of(sentence);
    const size_t colon = words.find(": ");
    const auto keep = [&](size_t from) {
      for (size_t k = from; k < sentence.size(); ++k) out.push_back(sentence[k]);
    };
    if (!speaks_of_controls(words)) {
      keep(0);
    } else if (colon != words.npos && speaks_of_controls(words.substr(0, colon)) &&
               !speaks_of_controls(words.substr(colon + 2))) {
      const size_t from = out.size();
      keep(colon + 2);
      begin_with_capital(out, from);
    }
    begin = next;
  }
  while (!out.empty() && blank(out.back().c)) out.pop_back();
  return out;
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::vector<Letter> letters;
  for (const char c : text) letters.push_back({c, 0});
  return words_of(kept(letters));
}

Prose without_controls(const Prose& prose) {
  Prose out;
  for (const Block& block : prose) {
    if (block.kind != Block::Kind::Paragraph && block.kind != Block::Kind::Item) {
      out.push_back(block);
      continue;
    }
    std::vector<Letter> letters;
    bool cut = false;  // what is the window's alone ends here
    for (size_t s = 0; s < block.spans.size(); ++s) {
      const Span& span = block.spans[s];
      if (span.window) {
        cut = true;
        continue;
      }
      if (cut && span.kind == Span::Kind::Text) {
        const auto last = std::ranges::find_if(letters.rbegin(), letters.rend(), [](Letter l) { return !blank(l.c); });
        const bool begins = last == letters.rend() || last->c == '.' || last->c == '?' || last->c == '!';
        const size_t from = span.text.find_first_not_of(" \n");
        const bool apart = letters.empty() || blank(letters.back().c);
        if (from == span.text.npos) {
          if (!apart) letters.push_back({' ', s});
          continue;
        }
        if (begins && !apart && from > 0) letters.push_back({' ', s});
        const size_t first = letters.size();
        for (const char c : std::string_view(span.text).substr(begins || apart ? from : 0)) letters.push_back({c, s});
        if (begins) begin_with_capital(letters, first);
        cut = false;
        continue;
      }
      cut = false;
      if (span.kind != Span::Kind::Text)
        letters.push_back({span.kind == Span::Kind::Break ? '\n' : 'x', s});
      else
        for (const char c : span.text) letters.push_back({c, s});
    }
    Block left = block;
    left.spans.clear();
    size_t last = block.spans.size();
    for (const Letter& letter : kept(letters)) {
      const Span& span = block.spans[letter.span];
      if (letter.span != last) {
        left.spans.push_back(span);
        if (span.kind == Span::Kind::Text) left.spans.back().text.clear();
        last = letter.span;
      }
      if (span.kind == Span::Kind::Text) left.spans.back().text += letter.c;
    }
    if (!left.spans.empty()) out.push_back(std::move(left));
  }
  return out;
}

std::string note_on_paper(std::string_view written) {
  constexpr auto kKeys = std::to_array<std::string_view>(
      {"rrow key", "Tab to", "Space ", "Keys: ", "pressed", " switch ", "foot of the board", "not lift"});
  std::string note(written), out;
  std::ranges::replace(note, '\n', ' ');
  for (size_t begin = 0; begin < note.size();) {
    size_t end = begin;
    while (end < note.size() && !(std::string_view(".?!").find(note[end]) != std::string_view::npos &&
                                  (end + 1 == note.size() || blank(note[end + 1]) || note[end + 1] == '"')))
      ++end;
    while (end < note.size() && !blank(note[end])) ++end;
    const std::string sentence = note.substr(begin, end - begin);
    const std::vector<std::string> clauses = clauses_of(sentence);
    const bool keys =
        std::ranges::any_of(kKeys, [&](std::string_view key) { return sentence.find(key) != sentence.npos; });
    if (!keys && !speaks_of_controls(sentence) && std::ranges::none_of(clauses, tells_to_use))
      out += fmt::format("{}{}", out.empty() ? "" : " ", sentence);
    while (end < note.size() && blank(note[end])) ++end;
    begin = end;
  }
  return out;
}

std::string unmarked_control(const Block& block) {
  if (block.kind != Block::Kind::Paragraph && block.kind != Block::Kind::Item) return {};
  std::string text;
  for (const Span& span : block.spans)
    text += span.window                         ? std::string_view(". ")
            : span.kind == Span::Kind::Text     ? std::string_view(span.text)
            : span.kind == Span::Kind::Code     ? std::string_view("x")
            : span.kind == Span::Kind::Quantity ? std::string_view("0")
                                                : std::string_view(" ");
  for (const Span& span : block.spans)
    if (!span.window && span.target.starts_with("puzzle:")) return span.text;  // it is written in the window
  for (const std::string& clause : clauses_of(text))
    if (tells_to_use(clause) || speaks_of_controls(clause) || speaks_of_window(clause)) return clause;
  return {};
}

std::string unfit_for_speaking(std::string_view note) {
  for (const std::string_view tab :
       {"Problem tab", "Explain tab", "Lesson tab", "GPU tab", "Write tab", "under Explain"})
    if (note.find(tab) != note.npos) return std::string(tab);
  for (const std::string_view place : {"first", "second", "third", "last"})
    for (const std::string_view what : {"question", "option", "one is the", "one asks"})
      for (const std::string_view the : {"The ", "the "})
        if (const std::string words = fmt::format("{}{} {}", the, place, what); note.find(words) != note.npos)
          return words;
  // Below a talk's stage every knob of a board stands at one place, whatever the stop shows first.
  const std::string said = lower(note);
  for (const std::string_view place : {"first", "second", "third", "fourth", "last", "next", "middle"})
    for (const std::string_view what : {"switch", "knob", "slider", "button", "on", "off"})
      for (const std::string_view the : {"the ", "with the "}) {
        if ((what == "on" || what == "off") && the == "the ") continue;  // "the first on the list"
        if (const std::string words = fmt::format("{}{} {}", the, place, what); has_word(said, words)) return words;
      }
  return {};
}

}  // namespace tilewalk
