// Terms that lessons link to, one plain sentence each. Read from lessons/data/glossary.toml, which is
// embedded in the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Term {
  std::string id;                    // "online-softmax": in links, term:online-softmax
  std::string name;                  // "online softmax"
  std::string meaning;               // one sentence
  std::vector<std::string> aliases;  // other ids for the same: "running-max"
  int lesson = 0;                    // where it is explained, 1..14; 0 nowhere in particular
};

std::span<const Term> glossary();  // by name
// By id or alias, in any case, with spaces for hyphens: "Online softmax". Or null.
const Term* term_named(std::string_view id);

// Whether what somebody typed names what is called so: its letters, four at least, stand in the name, or each of its
// words begins one of the name's, in whatever form ("rescaling": "Skip the rescale"). Shorter words are whole ones, and
// name something by themselves where they are its abbreviation: "FA3", "MLA".
bool names_it(std::string_view typed, std::string_view name);
// The same of a text, in which what stands within another word is noise: each word begins one of its own.
bool has_words(std::string_view typed, std::string_view text);
// Those whose name or alias has what was typed, then those whose meaning has it; where nothing was typed, all.
std::vector<const Term*> terms_with(std::string_view typed);

// Entries that are at fault are left out; each leaves a sentence in `faults`.
std::vector<Term> read_glossary(std::string_view toml, std::string_view file, std::vector<std::string>& faults);

}  // namespace tilewalk
