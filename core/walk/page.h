// The reference page of the language, made from the statements' table and the vocabulary: docs/walk-language.md.
#pragma once

#include <string>

namespace tilewalk {

std::string walk_language_page();

}  // namespace tilewalk
