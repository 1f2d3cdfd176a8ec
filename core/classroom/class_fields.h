// What becomes JSON of polls, puzzles and what a class leaves: for messages and for the file of a class.
#pragma once

#include "core/classroom/class_left.h"
#include "core/run/json_fields.h"

#include <algorithm>
#include <string_view>

namespace tilewalk {

template <>
inline constexpr size_t kMostListed<Tally> = 64;

template <class Visitor, Like<PollAsked> T>
void fields(Visitor& visit, T& p) {
  visit("place", p.place);
  visit("question", p.question);
  visit("options", p.options);
  visit.maybe("title", p.title);
  visit.maybe("unit", p.unit);
  visit.maybe("right", p.right);
  visit.maybe("answer", p.answer);
  visit.maybe("lesson", p.lesson);
  visit("seed", p.seed);
  visit.maybe("order", p.order);
  visit.maybe("words", p.words);
  visit.maybe("said", p.said);
  visit.maybe("answer_words", p.answer_words);
  visit.maybe("one_unit", p.one_unit);
}
inline void check(const PollAsked& p, const std::string& place) {
  if (p.options < 0 || p.options > kMostOptions)
    throw JsonFault(place.empty() ? "options" : place + ".options",
                    fmt::format("must be from 0 to {}, and is {}", kMostOptions, p.options));
  for (const int right : p.right)
    if (right < 0 || right >= p.options)
      throw JsonFault(place.empty() ? "right" : place + ".right", fmt::format("names option {}, which is none", right));
  const auto wrong = [&](std::string_view field, const char* why) {
    throw JsonFault(place.empty() ? std::string(field) : fmt::format("{}.{}", place, field), why);
  };
  std::vector<int> sorted = p.order;
  std::ranges::sort(sorted);
  for (size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] != int(k)) wrong("order", "must name each option once");
  if (!p.order.empty() && int(p.order.size()) != p.options) wrong("order", "must name each option once");
  if (!p.said.empty() && int(p.said.size()) != p.options) wrong("said", "must be as many as there are options");
  const auto is_long = [](const std::string& words) { return words.size() > kMostAskedWords; };
  if (is_long(p.words) || is_long(p.answer_words)) wrong("words", "are too long");
  if (std::ranges::any_of(p.said, is_long)) wrong("said", "are too long");
}

// Votes for each option, three numbers each, one after the other.
template <class Visitor, Like<Tally> T>
void fields(Visitor& visit, T& t) {
  visit("votes", t.votes);
  std::vector<int> flat;
  for (const auto& option : t.options) flat.insert(flat.end(), option.begin(), option.end());
  visit.maybe("options", flat);
  visit.maybe("numbers", t.numbers);
  if constexpr (!std::is_const_v<T>) {
    if (flat.size() % kSureLevels != 0 || flat.size() > size_t(kMostOptions * kSureLevels))
      throw JsonFault("options", "must hold three numbers for each option");
    t.options.assign(flat.size() / kSureLevels, {});
    for (size_t k = 0; k < flat.size(); ++k) t.options[k / kSureLevels][k % kSureLevels] = flat[k];
  }
}

template <class Visitor, Like<MeterSaid> T>
void fields(Visitor& visit, T& m) {
  visit("key", m.key);
  visit("value", m.value);
}
template <class Visitor, Like<PuzzleCount> T>
void fields(Visitor& visit, T& p) {
  visit("puzzle", p.puzzle);
  visit("at", p.at);
  visit("solved", p.solved);
  visit.maybe("best", p.best);
}
template <class Visitor, Like<PlaceLeft> T>
void fields(Visitor& visit, T& p) {
  visit("link", p.link);
  visit.maybe("pages", p.pages);
}
template <class Visitor, Like<PollLeft> T>
void fields(Visitor& visit, T& p) {
  visit("asked", p.asked);
  visit("rounds", p.rounds);
}
template <class Visitor, Like<RooflineCount> T>
void fields(Visitor& visit, T& r) {
  visit("of", r.of);
  visit("locked", r.locked);
}
template <class Visitor, Like<ClassLeft> T>
void fields(Visitor& visit, T& c) {
  visit("places", c.places);
  visit("polls", c.polls);
  visit.maybe("puzzles", c.puzzles);
  visit.maybe("rooflines", c.rooflines);
  visit.maybe("runs", c.runs);
}

}  // namespace tilewalk
