// The file of a class:
//
//   {"tilewalk_class": 1, "code": "k7m-2xq", "teacher": "...", "steps": [{"link": "...", "pages": 28}, ...],
//    "polls": [{"asked": {...}, "rounds": [...], "open": true, "votes": [{"seat": "...", "option": 1, ...}]}, ...],
//    "shown": true}
//
// Votes by seat stand in it only of a round that is open, so that a server that was ended goes on with them.
#include "core/classroom/poll_fields.h"
#include "core/classroom/room.h"
#include "core/run/message_lines.h"

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

constexpr int kVersion = 1;
constexpr size_t kMostFile = size_t{64} << 20;

struct KeptVote {
  std::string seat;
  int option = -1, sure = 0;
  std::optional<double> number;
};
struct KeptPoll {
  PollAsked asked;
  std::vector<Tally> rounds;
  std::vector<KeptVote> votes;
  bool open = false, counted = false, told = false;
};
struct KeptStep {
  std::string link;
  int64_t pages = 0;
};
struct KeptClass {
  int version = kVersion;
  std::string code, teacher;
  std::vector<KeptStep> steps;
  std::vector<KeptPoll> polls;
  bool shown = false, ended = false;
};

}  // namespace

template <>
inline constexpr size_t kMostListed<KeptVote> = 4096;

template <class Visitor, Like<KeptVote> T>
void fields(Visitor& visit, T& v) {
  visit("seat", v.seat);
  visit("option", v.option);
  visit.maybe("number", v.number);
  visit("sure", v.sure);
}
template <class Visitor, Like<KeptPoll> T>
void fields(Visitor& visit, T& p) {
  visit("asked", p.asked);
  visit("rounds", p.rounds);
  visit.maybe("votes", p.votes);
  visit.maybe("open", p.open);
  visit.maybe("counted", p.counted);
  visit.maybe("told", p.told);
}
template <class Visitor, Like<KeptStep> T>
void fields(Visitor& visit, T& s) {
  visit("link", s.link);
  visit.maybe("pages", s.pages);
}
template <class Visitor, Like<KeptClass> T>
void fields(Visitor& visit, T& c) {
  visit("tilewalk_class", c.version);
  visit("code", c.code);
  visit("teacher", c.teacher);
  visit("steps", c.steps);
  visit("polls", c.polls);
  visit.maybe("shown", c.shown);
  visit.maybe("ended", c.ended);
}

std::string Room::file() const {
  KeptClass out;
  out.code = door_.code();
  out.teacher = door_.teacher();
  for (const Step& step : steps_) out.steps.push_back({step.link, int64_t(step.pages)});
  for (const Asked& asked : polls_) {
    const Poll::Kept kept = asked.poll.kept();
    KeptPoll poll{kept.asked, kept.rounds, {}, kept.open, kept.counted, kept.told};
    for (const auto& [seat, vote] : kept.votes)
      poll.votes.push_back({seat_words(seat), vote.option, int(vote.sure), vote.number});
    out.polls.push_back(std::move(poll));
  }
  out.shown = poll_shown_;
  out.ended = ended_;
  return line_of_json(FieldWriter::write(out)) + "\n";
}

std::string Room::resume(std::string_view file) {
  KeptClass in;
  std::vector<Asked> polls;
  try {
    if (file.size() > kMostFile) throw JsonFault("", "is too long");
    const Json json = parse_limited(file);
    FieldReader::read(json, "", in);
    if (in.version != kVersion) throw JsonFault("", "was written by another Tilewalk");
    if (in.code.empty() || in.teacher.empty()) throw JsonFault("", "names no code");
    for (KeptPoll& kept : in.polls) {
      const std::string place = fmt::format("polls[{}]", polls.size());
      if (kept.rounds.empty()) throw JsonFault(place, "has no round");
      for (const Tally& round : kept.rounds)
        if (!round.options.empty() && round.options.size() != size_t(kept.asked.options))
          throw JsonFault(place, "counts other options than it has");
      Poll::Kept poll{kept.asked, std::move(kept.rounds), {}, kept.open, kept.counted, kept.told};
      for (const KeptVote& vote : kept.votes) {
        const uint64_t seat = seat_of(vote.seat);
        const bool counts =
            kept.asked.options > 0 ? vote.option >= 0 && vote.option < kept.asked.options : vote.number.has_value();
        if (seat == 0 || !counts || vote.sure < 0 || vote.sure >= kSureLevels)
          throw JsonFault(place, "has a vote that is none");
        poll.votes[seat] = {vote.option, vote.number, Sure(vote.sure)};
      }
      polls.push_back({int64_t(polls.size()) + 1, Poll(std::move(poll))});
    }
    if (int(polls.size()) > limits_.most_polls) throw JsonFault("polls", "are too many");
  } catch (const JsonFault& fault) {
    return fmt::format("The file of a class cannot be used: {}.", fault.what());
  }
  if (in.ended) return "The file is of a class that was ended.";
  door_ = Door(in.code, in.teacher);
  steps_.clear();
  for (KeptStep& step : in.steps) steps_.push_back({std::move(step.link), size_t(std::max<int64_t>(0, step.pages))});
  polls_ = std::move(polls);
  poll_shown_ = in.shown && !polls_.empty();
  return {};
}

// ---- the summary

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

}  // namespace

std::string Room::summary() const {
  std::string out = "# A class with Tilewalk\n\n## Places\n\n";
  if (steps_.empty()) out += "None was led to.\n";
  for (const Step& step : steps_) out += fmt::format("- <{}>\n", step.link);
  out += "\n## Questions\n";
  if (polls_.empty()) out += "\nNone was asked.\n";
  for (const Asked& asked : polls_) {
    const PollAsked& what = asked.poll.asked();
    out += fmt::format("\n### {}\n\n<{}>, {}\n\n", what.title.empty() ? what.question : what.title, what.place,
                       what.question);
    const std::vector<Tally> rounds = asked.poll.rounds();
    if (what.options == 0) {
      for (size_t k = 0; k < rounds.size(); ++k)
        out += fmt::format("- round {}: {}\n", k + 1, numbers_words(rounds[k], what.unit));
      continue;
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
  }
  std::map<std::string, int> rooflines;
  for (const auto& [seat, locked] : rooflines_) ++rooflines[locked.drawn.of];
  if (!rooflines.empty()) out += "\n## Rooflines\n\nDrawn and locked, by N, d and GPU.\n\n";
  for (const auto& [of, count] : rooflines) out += fmt::format("- {}: {}\n", of, count);
  return out;
}

}  // namespace tilewalk
