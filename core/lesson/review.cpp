// Reads the cards of the review page. See review.h.
#include "core/lesson/review.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/io/printable.h"
#include "core/lesson/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tilewalk {
namespace {

constexpr std::string_view kReviewFile = "lessons/data/review.toml";
constexpr std::array<std::string_view, kCardKindCount> kCardKinds{"faq", "quick", "recap", "interview"};
constexpr std::array<std::string_view, kCardKindCount> kTitles{"Questions everybody asks", "Quick checks", "Recap quiz",
                                                               "Interview questions"};
constexpr std::array<std::string_view, 3> kLevels{"junior", "mid", "senior"};

ReviewCard card_of(const toml::table& table, DataEntry& entry) {
  const auto prose = [&](std::string_view key) {
    const std::string text = entry.text(key);
    const toml::node* node = table.get(key);
    return read_prose(text, node ? int(node->source().begin.line) : 1);
  };
  ReviewCard card;
  card.id = entry.text("id");
  const std::string kind = entry.text("kind");
  const auto found = std::ranges::find(kCardKinds, kind);
  if (found == kCardKinds.end())
    entry.fault("kind is none of faq, quick, recap, interview.");
  else
    card.kind = CardKind(found - kCardKinds.begin());
  const double lesson = entry.number("lesson", 1, kLastOfPath);
  if (lesson != std::floor(lesson)) entry.fault("lesson is not a whole number.");
  card.lesson = int(lesson);
  card.question = prose("question");
  card.answer = prose("answer");
  card.level = entry.text_or("level", "");
  card.at = entry.texts("at");
  card.listen = entry.texts("listen");
  if (card.kind == CardKind::Interview) {
    if (std::ranges::find(kLevels, card.level) == kLevels.end()) entry.fault("level is none of junior, mid, senior.");
    if (card.at.empty()) entry.fault("at is missing.");
    if (card.listen.empty()) entry.fault("listen is missing.");
  } else if (!card.level.empty() || !card.at.empty() || !card.listen.empty()) {
    entry.fault("level, at and listen are for interview questions.");
  }
  return card;
}

}  // namespace

std::string_view name_of(CardKind kind) { return kCardKinds[size_t(kind)]; }
std::string_view title_of(CardKind kind) { return kTitles[size_t(kind)]; }

std::vector<ReviewCard> read_review(std::string_view toml, std::string_view file, std::vector<std::string>& faults) {
  std::vector<ReviewCard> cards;
  for_each_entry(toml, file, {"card"}, faults, [&](std::string_view, const toml::table& table) {
    DataEntry entry(table, file, "[[card]] " + printable(table["id"].value_or(std::string_view("without id"))), faults);
    ReviewCard card = card_of(table, entry);
    if (std::ranges::find(cards, card.id, &ReviewCard::id) != cards.end())
      entry.fault("the id is taken by an entry before.");
    if (entry.finish()) cards.push_back(std::move(card));
  });
  return cards;
}

std::span<const ReviewCard> review_cards() {
  static const std::vector<ReviewCard> cards = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return read_review(embedded_file(kReviewFile), kReviewFile, faults);
  }();
  return cards;
}

std::vector<std::string> review_levels() {
  std::vector<std::string> out;
  for (const std::string_view level : kLevels)
    if (std::ranges::any_of(review_cards(), [&](const ReviewCard& card) { return card.level == level; }))
      out.emplace_back(level);
  return out;
}

std::vector<std::string> review_companies() {
  std::set<std::string> names;
  for (const ReviewCard& card : review_cards()) names.insert(card.at.begin(), card.at.end());
  return {names.begin(), names.end()};
}

bool passes(const ReviewCard& card, const CardFilter& filter) {
  if (!filter.kind.empty() && filter.kind != name_of(card.kind)) return false;
  if (!filter.level.empty() && filter.level != card.level) return false;
  return filter.at.empty() || std::ranges::find(card.at, filter.at) != card.at.end();
}

}  // namespace tilewalk
