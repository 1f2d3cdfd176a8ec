#include "core/classroom/class_left.h"

#include "core/machine/words.h"
#include "core/model/program_meters.h"
#include "core/puzzle/puzzle.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

int votes_for(const Tally& tally, size_t option) {
  int votes = 0;
  for (const int each : tally.options[option]) votes += each;
  return votes;
}

std::string numbers_words(const Tally& tally, const std::string& unit) {
  if (tally.numbers.empty()) return "no vote";
  const auto at = [&](double share) { return tally.numbers[size_t(share * double(tally.numbers.size() - 1) + 0.5)]; };
  return fmt::format("{} votes, middle {:.4g}{}{}, half of them {:.4g} to {:.4g}", tally.votes, at(0.5),
                     unit.empty() ? "" : " ", unit, at(0.25), at(0.75));
}

std::string poll_words(const PollLeft& poll) {
  const PollAsked& what = poll.asked;
  std::string out = fmt::format("\n### {}\n\n<{}>, {}\n\n", what.title.empty() ? what.question : what.title, what.place,
                                what.question);
  const std::vector<Tally>& rounds = poll.rounds;
  if (what.options == 0) {
    for (size_t k = 0; k < rounds.size(); ++k)
      out += fmt::format("- round {}: {}\n", k + 1, numbers_words(rounds[k], what.unit));
    return out;
  }
  out += "| option |";
  for (size_t k = 0; k < rounds.size(); ++k) out += fmt::format(" round {} | of them sure |", k + 1);
  out += "\n| --- |";
  for (size_t k = 0; k < rounds.size(); ++k) out += " ---: | ---: |";
  out += "\n";
  for (int option = 0; option < what.options; ++option) {
    const bool right = std::ranges::find(what.right, option) != what.right.end();
    out += fmt::format("| {}{} |", char('A' + option), right ? " (right)" : "");
    for (const Tally& round : rounds)
      out += size_t(option) < round.options.size() ? fmt::format(" {} | {} |", votes_for(round, size_t(option)),
                                                                 round.options[size_t(option)][size_t(Sure::Sure)])
                                                   : std::string(" | |");
    out += "\n";
  }
  return out;
}

std::string puzzle_words(const PuzzleCount& count) {
  const auto known = puzzle_named(count.puzzle);
  std::string out = fmt::format("- {}: {} solved it", known ? known->title : count.puzzle, count.solved);
  for (const MeterSaid& each : count.best)
    if (const Measure* measure = measure_named(each.key))
      out += fmt::format("; best {} {}{}", measure->title, with_commas(each.value), measure->bytes ? " B" : "");
  return out + "\n";
}

}  // namespace

std::string beat_of_link(std::string_view link) {
  constexpr std::string_view kLesson = "tilewalk://lesson/";
  if (!link.starts_with(kLesson)) return {};
  link.remove_prefix(kLesson.size());
  std::string words(link.substr(0, link.find_first_of("/?")).substr(0, 32));
  if (const size_t beat = link.find("/beat/"); beat != link.npos) {
    const std::string_view number = link.substr(beat + 6);
    words += "." + std::string(number.substr(0, number.find_first_of("/?")).substr(0, 4));
  }
  return words;
}

std::string summary_text(const ClassLeft& left) {
  std::string out = "# A class with Tilewalk\n\n## Places\n\n";
  if (left.places.empty()) out += "None was led to.\n";
  for (const PlaceLeft& place : left.places) out += fmt::format("- <{}>\n", place.link);
  out += "\n## Questions\n";
  if (left.polls.empty()) out += "\nNone was asked.\n";
  for (const PollLeft& poll : left.polls) out += poll_words(poll);
  if (!left.puzzles.empty()) out += "\n## Puzzles\n\n";
  for (const PuzzleCount& puzzle : left.puzzles) out += puzzle_words(puzzle);
  if (!left.rooflines.empty()) out += "\n## Rooflines\n\nDrawn and locked, by N, d and GPU.\n\n";
  for (const RooflineCount& each : left.rooflines) out += fmt::format("- {}: {}\n", each.of, each.locked);
  return out;
}

}  // namespace tilewalk
