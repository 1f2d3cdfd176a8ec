// The reference of the language, made from the statements' table and the vocabulary: what Write lists (F1), and the
// page docs/walk-language.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// The head of a loop or condition, as it is typed, or how one goes on: "..., in parallel".
struct WalkHeader {
  std::string_view typed, meaning, also{};  // `also`: its counterpart
};
std::span<const WalkHeader> walk_headers();

struct WalkStatement {
  std::string typed, steps, meaning, note;  // steps: names of StepKind; note: a condition, in Markdown
  std::string with;                         // the other half that must stand beside it
};
// Words that stand in neither and by which people look for a line: "causal", "new max".
std::string_view looked_for_as(std::string_view typed);
std::vector<WalkStatement> walk_statements();

std::string walk_language_page();

}  // namespace tilewalk
