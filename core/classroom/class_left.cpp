#include "core/classroom/class_left.h"

#include "core/classroom/stranger_words.h"
#include "core/io/printable.h"
#include "core/machine/words.h"
#include "core/model/program_meters.h"
#include "core/puzzle/puzzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace tilewalk {
namespace {

constexpr size_t kLongLink = 240;  // of which the place alone is written

int votes_for(const Tally& tally, size_t option) {
  int votes = 0;
  for (const int each : tally.options[option]) votes += each;
  return votes;
}

// Words of a lesson as they may stand in a line or a cell of Markdown.
std::string in_a_line(std::string_view words) {
  std::string out;
  for (const char c : printable(words, "\n")) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string off_words(double middle, double right) {
  if (middle == right) return "exactly right";
  const double factor = right > 0 && middle > 0 ? middle / right : 0;
  if (factor == 0) return fmt::format("off by {:.4g}", middle - right);
  return fmt::format("{:.3g}× too {}", factor > 1 ? factor : 1 / factor, factor > 1 ? "high" : "low");
}

// In the unit that the question asked in; how far the class was from the right one, and how many were near.
std::string numbers_words(const Tally& tally, const PollAsked& what) {
  if (tally.numbers.empty()) return "no vote";
  const auto at = [&](double share) { return tally.numbers[size_t(share * double(tally.numbers.size() - 1) + 0.5)]; };
  const double one = what.one_unit && *what.one_unit > 0 ? *what.one_unit : 1;
  std::string out = fmt::format("{} {}, middle {:.4g}{}{}, half of them {:.4g} to {:.4g}", tally.votes,
                                tally.votes == 1 ? "vote" : "votes", at(0.5) / one, what.unit.empty() ? "" : " ",
                                in_a_line(what.unit), at(0.25) / one, at(0.75) / one);
  if (!what.answer) return out;
  const auto near = std::ranges::count_if(
      tally.numbers, [right = *what.answer](double n) { return std::abs(n - right) <= 0.25 * std::abs(right); });
  return out + fmt::format("; the middle is {}, {} of {} within a quarter of the right one",
                           off_words(at(0.5), *what.answer), near, tally.numbers.size());
}

std::string round_words(size_t round, size_t rounds) {
  if (rounds == 1) return "votes";
  if (rounds == 2) return round == 0 ? "before" : "after talking it over";
  return fmt::format("round {}", round + 1);
}

std::string poll_words(const PollLeft& poll) {
  const PollAsked& what = poll.asked;
  std::string out = fmt::format("\n### {}\n\n<{}>, {}\n\n", in_a_line(what.title.empty() ? what.question : what.title),
                                what.place, in_a_line(what.question));
  if (!what.words.empty()) out += in_a_line(what.words) + "\n\n";
  const std::vector<Tally>& rounds = poll.rounds;
  if (what.options == 0) {
    if (!what.answer_words.empty()) out += fmt::format("- right: {}\n", in_a_line(what.answer_words));
    for (size_t k = 0; k < rounds.size(); ++k)
      out += fmt::format("- {}: {}\n", round_words(k, rounds.size()), numbers_words(rounds[k], what));
    return out;
  }
  out += "| option |";
  for (size_t k = 0; k < rounds.size(); ++k) out += fmt::format(" {} | of them sure |", round_words(k, rounds.size()));
  out += "\n| --- |";
  for (size_t k = 0; k < rounds.size(); ++k) out += " ---: | ---: |";
  out += "\n";
  for (int place = 0; place < what.options; ++place) {
    // Of a file that does not say the wall's letters there are none, rather than other ones.
    const bool lettered = !what.order.empty();
    const int option = lettered ? what.order[size_t(place)] : place;
    const bool right = std::ranges::find(what.right, option) != what.right.end();
    out += lettered ? fmt::format("| {}", char('A' + place)) : fmt::format("| the lesson's {}.", option + 1);
    if (size_t(option) < what.said.size()) out += fmt::format(" {}", in_a_line(what.said[size_t(option)]));
    out += right ? " (right) |" : " |";
    for (const Tally& round : rounds)
      out += size_t(option) < round.options.size() ? fmt::format(" {} | {} |", votes_for(round, size_t(option)),
                                                                 round.options[size_t(option)][size_t(Sure::Sure)])
                                                   : std::string(" | |");
    out += "\n";
  }
  return out;
}

// "6.2", "walk", "board": what stands on one line, however many steps were taken there.
std::string place_words(std::string_view link) {
  if (std::string beat = beat_of_link(link); !beat.empty()) return beat;
  constexpr std::string_view kScheme = "tilewalk://";
  const std::string_view rest = link.starts_with(kScheme) ? link.substr(kScheme.size()) : std::string_view();
  const std::string kind(rest.substr(0, rest.find_first_of("/?")));
  return is_puzzle_id(kind) ? kind : std::string("elsewhere");
}

std::string puzzle_words(const Puzzle& puzzle, const PuzzleCount& count) {
  std::string out = fmt::format("- {}: {} solved it", puzzle.title, count.solved);
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
  if (!is_puzzle_id(words)) return {};  // lessons are called as puzzles are; it stands on the desk
  if (const size_t beat = link.find("/beat/"); beat != link.npos) {
    const std::string_view number = link.substr(beat + 6);
    const std::string_view digits = number.substr(0, number.find_first_of("/?")).substr(0, 4);
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return {};
    words.append(".").append(digits);
  }
  return words;
}

std::string summary_text(const ClassLeft& left) {
  std::string out = "# A class with Tilewalk\n\n## Places\n\n";
  if (left.places.empty()) out += "None was led to.\n";
  for (size_t k = 0; k < left.places.size();) {
    const size_t first = k;
    const std::string place = place_words(left.places[k].link);
    while (k < left.places.size() && place_words(left.places[k].link) == place) ++k;
    const std::string& last = left.places[k - 1].link;
    out += fmt::format("- {}{}: <{}>\n", place, k - first > 1 ? fmt::format(", {} steps", k - first) : "",
                       last.size() <= kLongLink ? last : last.substr(0, last.find('?')));
  }
  out += "\n## Questions\n";
  if (left.polls.empty()) out += "\nNone was asked.\n";
  for (const PollLeft& poll : left.polls) out += poll_words(poll);
  if (!left.puzzles.empty()) out += "\n## Puzzles\n\n";
  int64_t own = 0;  // what a puzzle of one's own is called is nothing that the program wrote
  for (const PuzzleCount& puzzle : left.puzzles)
    if (const auto known = puzzle_named(puzzle.puzzle))
      out += puzzle_words(*known, puzzle);
    else
      own += puzzle.solved;
  if (own > 0) out += fmt::format("- puzzles of one's own: {} solved one\n", own);
  if (left.runs > 0) out += fmt::format("\n## GPU\n\n- runs that were answered: {}\n", left.runs);
  if (!left.rooflines.empty())
    out += "\n## Rooflines\n\nPages that drew and locked one, the last of each, by N, d and GPU.\n\n";
  for (const RooflineCount& each : left.rooflines)
    if (is_roofline_key(each.of)) out += fmt::format("- {}: {}\n", each.of, each.locked);
  return out;
}

}  // namespace tilewalk
