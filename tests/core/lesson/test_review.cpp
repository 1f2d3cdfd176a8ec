// The cards of the review page: whole, every number known, filters, and what a bad card gets.
#include "core/lesson/review.h"

#include "core/io/embedded.h"
#include "core/lesson/figures.h"
#include "core/quantity/quantity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace tilewalk::test_review {

namespace {

// Every quantity of the text, as it is shown; a fault of an expression fails the test.
std::vector<std::string> numbers_of(const Prose& prose) {
  std::vector<std::string> out;
  for (const Block& block : prose)
    for (const Span& span : block.spans) {
      if (span.kind != Span::Kind::Quantity) continue;
      CAPTURE(span.text);
      const Evaluated value = evaluate(span.text);
      if (!value.quantity) {
        FAIL_CHECK(value.fault);
        continue;
      }
      const auto shown = format_quantity(*value.quantity, span.format);
      CHECK(shown);
      out.push_back(shown.value_or(""));
    }
  return out;
}

const ReviewCard& card(std::string_view id) {
  const auto found = std::ranges::find(review_cards(), id, &ReviewCard::id);
  REQUIRE(found != review_cards().end());
  return *found;
}

}  // namespace

TEST_CASE("the review page in the program has no faults and every number is known") {
  std::vector<std::string> faults;
  read_review(embedded_file("lessons/data/review.toml"), "review.toml", faults);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  std::map<CardKind, int> kinds;
  for (const ReviewCard& each : review_cards()) {
    CAPTURE(each.id);
    ++kinds[each.kind];
    numbers_of(each.question);
    numbers_of(each.answer);
    for (const Prose* prose : {&each.question, &each.answer})
      for (const BareFigure& figure : bare_figures(*prose)) FAIL_CHECK("digits that are no quantity: ", figure.text);
    CHECK(count_words(each.answer) <= 100);
  }
  CHECK(kinds[CardKind::Faq] == 5);
  CHECK(kinds[CardKind::Quick] == 5);
  CHECK(kinds[CardKind::Recap] == 6);
  CHECK(kinds[CardKind::Interview] == 5);
}

TEST_CASE("numbers of the answers") {
  using Words = std::vector<std::string>;
  CHECK(numbers_of(card("theta").question)[0] == "6.2×");
  CHECK(numbers_of(card("theta").answer)[2] == "1.90");
  CHECK(numbers_of(card("recap-memory").answer) == Words{"32 GiB", "512 KiB", "32 MiB"});
  CHECK(numbers_of(card("recap-rescale").answer) == Words{"1.0", "0.5", "1.205", "0.676"});
  CHECK(numbers_of(card("recap-decode").answer).back() == "641 µs");
  const Words shares = numbers_of(card("recap-intensity").answer);
  CHECK(shares[0].starts_with("20.9"));
  CHECK(shares[2].starts_with("41.8"));
}

TEST_CASE("filters") {
  const auto count = [](const CardFilter& filter) {
    return std::ranges::count_if(review_cards(), [&](const ReviewCard& each) { return passes(each, filter); });
  };
  CHECK(count({}) == 21);
  CHECK(count({"recap", "", ""}) == 6);
  CHECK(count({"interview", "", ""}) == 5);
  CHECK(count({"", "junior", ""}) == 1);
  CHECK(count({"", "mid", "research"}) == 1);
  CHECK(count({"faq", "mid", ""}) == 0);
  CHECK(count({"", "", "nowhere"}) == 0);
  CHECK(review_levels() == std::vector<std::string>{"junior", "mid", "senior"});
  CHECK(review_companies() == std::vector<std::string>{"ML systems", "kernels", "product", "research"});
}

TEST_CASE("a bad card is left out and says why") {
  const std::string good = "[[card]]\nid = \"a\"\nkind = \"faq\"\nlesson = 1\nquestion = \"Q?\"\nanswer = \"A.\"\n";
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find("\"a\""), 3, "\"b\"");
    text.replace(text.find(from), from.size(), to);
    return good + text;
  };
  const std::pair<std::string, const char*> bad[] = {
      {changed("\"faq\"", "\"fun\""), "kind is none"},
      {changed("lesson = 1", "lesson = 15"), "not between 1 and 14"},
      {changed("lesson = 1", "lesson = 1.5"), "not a whole number"},
      {changed("answer = \"A.\"", ""), "answer is missing"},
      {changed("\"faq\"", "\"interview\""), "level is none"},
      {changed("lesson = 1", "lesson = 1\nlevel = \"mid\""), "for interview questions"},
      {changed("lesson = 1", "lesson = 1\nhint = \"\""), "\"hint\" is not a field"},
      {good + good, "taken"},
  };
  for (const auto& [text, says] : bad) {
    CAPTURE(text);
    std::vector<std::string> faults;
    CHECK(read_review(text, "my.toml", faults).size() == 1);
    REQUIRE(!faults.empty());
    CHECK(faults[0].starts_with("my.toml:"));
    CHECK(faults[0].find(says) != std::string::npos);
  }
}

}  // namespace tilewalk::test_review
