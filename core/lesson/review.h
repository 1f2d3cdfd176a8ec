// The cards of the review page, read from lessons/data/review.toml, which is embedded in the program and whose head
// says what the fields mean.
#pragma once

#include "core/lesson/prose.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class CardKind : uint8_t { Faq, Quick, Recap, Interview };
constexpr int kCardKindCount = 4;
std::string_view name_of(CardKind kind);   // "faq": as in the file
std::string_view title_of(CardKind kind);  // "Questions everybody asks"

struct ReviewCard {
  std::string id;
  CardKind kind = CardKind::Faq;
  int lesson = 0;                   // where it is taught, 1..14
  std::string level;                // of an interview: "junior", "mid", "senior"
  std::vector<std::string> at;      // of an interview: kinds of company
  Prose question, answer;           // with quantities
  std::vector<std::string> listen;  // of an interview: what a good answer has in it
};

// What is to be shown; empty is all. Level and company leave out what is no interview question.
struct CardFilter {
  std::string kind, level, at;
};

std::span<const ReviewCard> review_cards();   // in the file's order
std::vector<std::string> review_levels();     // that occur, junior first
std::vector<std::string> review_companies();  // kinds that occur, by name
bool passes(const ReviewCard& card, const CardFilter& filter);

// A card with a missing or impossible field is left out and leaves a sentence in `faults`.
std::vector<ReviewCard> read_review(std::string_view toml, std::string_view file, std::vector<std::string>& faults);

}  // namespace tilewalk
