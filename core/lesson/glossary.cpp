#include "core/lesson/glossary.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/io/printable.h"

#include <algorithm>
#include <set>

namespace tilewalk {
namespace {

constexpr std::string_view kGlossaryFile = "lessons/data/glossary.toml";

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

const Term* term_named(std::string_view id) {
  const std::string key = key_of(id);
  for (const Term& term : glossary())
    if (term.id == key || std::ranges::find(term.aliases, key) != term.aliases.end()) return &term;
  return nullptr;
}

}  // namespace tilewalk
