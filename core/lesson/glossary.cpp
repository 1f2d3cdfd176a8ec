#include "core/lesson/glossary.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/io/letters.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"

#include <algorithm>
#include <set>

namespace tilewalk {
namespace {

constexpr std::string_view kGlossaryFile = "lessons/data/glossary.toml";
constexpr size_t kTelling = 4;  // letters that name something by themselves

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool in_word(char c) { return is_small(lowered(c)) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

// "Flash-Decoding", "FlashDecoding": two each.
std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); ++k) {
    const bool ends = k == text.size() || !in_word(text[k]);
    const bool turns = !ends && k > begin && is_capital(text[k]) && is_small(text[k - 1]);
    if ((ends || turns) && k > begin) words.push_back(text.substr(begin, k - begin));
    if (ends || turns) begin = ends ? k + 1 : k;
  }
  return words;
}

// What the forms of a word have in common: "rescal" of rescale, rescaled, rescaling.
std::string stem_of(std::string_view word) {
  for (const std::string_view ending : {"ing", "ed", "es", "s", "e"})
    if (word.size() >= kTelling + ending.size() && same_letters(word.substr(word.size() - ending.size()), ending))
      return lowered(word.substr(0, word.size() - ending.size()));
  return lowered(word);
}

bool is_abbreviation(std::string_view word) {
  return word.size() > 1 && std::ranges::any_of(word, is_capital) && std::ranges::none_of(word, is_small);
}

std::string key_of(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == ' ' || c == '_' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::vector<Term> read_glossary(std::string_view toml, std::string_view file, std::vector<std::string>& faults) {
  std::vector<Term> terms;
  std::set<std::string> taken;
  for_each_entry(toml, file, {"term"}, faults, [&](std::string_view, const toml::table& table) {
    DataEntry entry(table, file, "[[term]] " + printable(table["id"].value_or(std::string_view("without id"))), faults);
    Term term;
    term.id = entry.text("id");
    term.name = entry.text("name");
    term.meaning = entry.text("meaning");
    term.aliases = entry.texts("aliases");
    term.lesson = int(entry.number_or("lesson", 0, 14, 0));
    if (term.id != key_of(term.id)) entry.fault("id takes small letters, digits and -.");
    if (!term.meaning.empty() && !term.meaning.ends_with('.')) entry.fault("meaning is one sentence with its stop.");
    for (const std::string& alias : term.aliases)
      if (!taken.insert(alias).second) entry.fault("the alias " + in_quotes(alias) + " is taken.");
    if (!taken.insert(term.id).second) entry.fault("the id is taken.");
    if (entry.finish()) terms.push_back(std::move(term));
  });
  std::ranges::stable_sort(terms, {}, [](const Term& term) { return key_of(term.name); });
  return terms;
}

std::span<const Term> glossary() {
  static const std::vector<Term> terms = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return read_glossary(embedded_file(kGlossaryFile), kGlossaryFile, faults);
  }();
  return terms;
}

bool names_it(std::string_view typed, std::string_view name) {
  typed = trimmed(typed);
  return (typed.size() >= kTelling && has_letters(name, typed)) || has_words(typed, name);
}

bool has_words(std::string_view typed, std::string_view text) {
  const std::vector<std::string_view> words = words_in(typed);
  // Most texts have not even the letters.
  if (std::ranges::any_of(words, [&](std::string_view word) {
        return !has_letters(text, word.size() >= kTelling ? stem_of(word) : std::string(word));
      }))
    return false;
  const std::vector<std::string_view> of_text = words_in(text);
  bool telling = false;
  const auto found = [&](std::string_view word) {
    return std::ranges::any_of(of_text, [&](std::string_view each) {
      const bool is_long = word.size() >= kTelling;
      if (is_long ? !lowered(each).starts_with(stem_of(word)) : !same_letters(each, word)) return false;
      telling |= is_long || is_abbreviation(each);
      return true;
    });
  };
  return std::ranges::all_of(words, found) && telling;
}

std::vector<const Term*> terms_with(std::string_view typed) {
  std::vector<const Term*> named, meant;
  const auto has = [&](std::string_view text) { return has_letters(text, typed) || names_it(typed, text); };
  for (const Term& term : glossary()) {
    if (has(term.name) || std::ranges::any_of(term.aliases, has))
      named.push_back(&term);
    else if (has(term.meaning))
      meant.push_back(&term);
  }
  named.insert(named.end(), meant.begin(), meant.end());
  return named;
}

const Term* term_named(std::string_view id) {
  const std::string key = key_of(id);
  for (const Term& term : glossary())
    if (term.id == key || std::ranges::find(term.aliases, key) != term.aliases.end()) return &term;
  return nullptr;
}

}  // namespace tilewalk
