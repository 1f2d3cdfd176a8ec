// The words of a .walk text: a line cut into tokens in which every way to type a sign is the same one, and the
// statements that there are, found by their tokens, summands and factors in any order.
#pragma once

#include "core/machine/step.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct WalkToken {
  std::string text;   // "m'", "e^", "^T", "alpha", "-inf", ".*", "(": typed as "exp", "α", "−∞" or "∘" alike
  int column = 1;     // in characters, from 1
  std::string index;  // "i", "j", "i,j", "j-1", "i,j-1", "i,s" where it stands in brackets behind a tensor
};

// Up to a comment or the end. Products' signs ("*", "·") are left out, and brackets round one word: "rowmax(S)" is
// "rowmax S". A sign that there is not becomes a token of its own.
std::vector<WalkToken> walk_tokens(std::string_view line);

std::string trimmed_words(std::string_view text);  // one blank where there are several, none at the ends

// A line with its glyphs, up to a comment or the end: "m' = max(m, rowmax(S))" as "m′ = max(m, rowmax S)".
struct ShownWalk {
  std::string text;
  std::vector<size_t> typed;  // of each byte of the text: the byte of the line that it was made from
};
ShownWalk walk_with_glyphs(std::string_view line);
std::string walk_shown(std::string_view line);

struct WalkForm {
  std::string_view typed;  // as a person types it
  StepKind kind;
  uint8_t flags = 0;
  // Some statements are two steps ("O = alpha O + P V[j]"), and some steps are two statements ("m = -inf", "l = 0").
  std::optional<StepKind> then{};
  std::string_view with{};  // the other half that must stand beside it, as typed
  std::string_view note{};  // for the reference
};
std::span<const WalkForm> walk_forms();
const WalkForm* walk_form(std::span<const WalkToken> statement);  // or null
// Of those that make the same tensor, if there are any: fewest words changed, then letters. A max of another name,
// "m_new", is taken for m'.
const WalkForm& nearest_walk_form(std::span<const WalkToken> statement);
// Of a statement that people write in the belief that it is one: a sentence on why it is not; empty where none is
// known.
std::string_view why_no_statement(std::span<const WalkToken> statement);
size_t letters_apart(std::string_view a, std::string_view b);  // to put in, leave out or change

// "load K[j]", "store L[i]".
std::optional<Tensor> walk_tensor(std::string_view name);
std::string_view walk_name(Tensor tensor);   // "K", "alpha", "dQ"
std::string_view walk_index(Tensor tensor);  // "i", "j", "i,j"

}  // namespace tilewalk
