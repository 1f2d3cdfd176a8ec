// How a term of the glossary stands in a text.
#pragma once

#include "core/lesson/glossary.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// By what it goes: its name, and what stands in parentheses behind it; without names that are words of every day, too.
std::vector<std::string> forms_of(const Term& term);

// Whether the words stand in the text by themselves, alone or with an s. An abbreviation is looked for as it is
// written; other words also where a sentence begins with them.
bool stands_in(std::string_view text, std::string_view words);

}  // namespace tilewalk
