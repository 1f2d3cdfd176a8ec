// The text of a lesson as HTML, well-formed as XML too: paragraphs, lists, tables, code, numbers with where they come
// from, links to the words that are explained at the end of the page.
#pragma once

#include "app/panels/prose_text.h"
#include "core/lesson/prose.h"

#include <set>
#include <span>
#include <string>

namespace tilewalk {

// What was linked to, to be explained once: "term:ridge", "step:Rescale".
using WordsUsed = std::set<std::string>;

// Headings in it become <h{heading}>.
std::string page_prose(std::span<const Block> prose, const ProseWords& words, int heading, WordsUsed& used);
std::string page_spans(std::span<const Span> spans, const ProseWords& words, WordsUsed& used);

// The list of the words that were used, each with its meaning; empty without one.
std::string page_words(const WordsUsed& used);

}  // namespace tilewalk
