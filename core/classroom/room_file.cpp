// The file of a class:
//
//   {"tilewalk_class": 1, "code": "k7m-2xq", "teacher": "...", "steps": [{"link": "...", "pages": 28}, ...],
//    "polls": [{"asked": {...}, "rounds": [...], "open": true, "votes": [{"seat": "...", "option": 1, ...}]}, ...],
//    "shown": true, "solved": [{"seat": "...", "puzzle": "fuse-all", "meters": [...]}, ...],
//    "rooflines": [{"seat": "...", "of": "8192.128.h100", "roofs": "...", "points": "..."}, ...], "runs": 29}
//
// Seats stand in it only while the class goes on, and votes by seat only of a round that is open, so that a server that
// was ended goes on with them.
#include "core/classroom/class_fields.h"
#include "core/classroom/room.h"
#include "core/classroom/stranger_words.h"
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
struct KeptSolved {
  std::string seat, puzzle;
  std::vector<MeterSaid> meters;
};
struct KeptRoofline {
  std::string seat, of, roofs, points;
};
struct KeptClass {
  int version = kVersion;
  std::string code, teacher;
  std::vector<PlaceLeft> steps;
  std::vector<KeptPoll> polls;
  std::vector<KeptSolved> solved;
  std::vector<KeptRoofline> rooflines;
  int64_t runs = 0;
  bool shown = false, locked = false, ended = false;
};

}  // namespace

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
template <class Visitor, Like<KeptSolved> T>
void fields(Visitor& visit, T& s) {
  visit("seat", s.seat);
  visit("puzzle", s.puzzle);
  visit.maybe("meters", s.meters);
}
template <class Visitor, Like<KeptRoofline> T>
void fields(Visitor& visit, T& r) {
  visit("seat", r.seat);
  visit("of", r.of);
  visit.maybe("roofs", r.roofs);
  visit.maybe("points", r.points);
}
template <class Visitor, Like<KeptClass> T>
void fields(Visitor& visit, T& c) {
  visit("tilewalk_class", c.version);
  visit("code", c.code);
  visit("teacher", c.teacher);
  visit("steps", c.steps);
  visit("polls", c.polls);
  visit.maybe("solved", c.solved);
  visit.maybe("rooflines", c.rooflines);
  visit.maybe("runs", c.runs);
  visit.maybe("shown", c.shown);
  visit.maybe("locked", c.locked);
  visit.maybe("ended", c.ended);
}

std::string Room::file() const {
  KeptClass out;
  out.code = door_.code();
  out.teacher = door_.teacher();
  out.steps = steps_;
  for (const Asked& asked : polls_) {
    const Poll::Kept kept = asked.poll.kept();
    KeptPoll poll{kept.asked, kept.rounds, {}, kept.open, kept.counted, kept.told};
    for (const auto& [seat, vote] : kept.votes)
      poll.votes.push_back({seat_words(seat), vote.option, int(vote.sure), vote.number});
    out.polls.push_back(std::move(poll));
  }
  if (!ended_) {
    for (PuzzleBoard::Solved& each : puzzles_.solved())
      out.solved.push_back({seat_words(each.seat), std::move(each.puzzle), std::move(each.meters)});
    for (const auto& [seat, locked] : rooflines_)
      out.rooflines.push_back({seat_words(seat), locked.drawn.of, locked.drawn.roofs, locked.drawn.points});
  }
  out.runs = runs_;
  out.shown = poll_shown_;
  out.locked = locked_;
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
  steps_ = std::move(in.steps);
  puzzles_ = {};
  for (const KeptSolved& each : in.solved)
    if (const uint64_t seat = seat_of(each.seat); seat != 0 && is_puzzle_id(each.puzzle))
      puzzles_.restore({seat, each.puzzle, each.meters});
  rooflines_.clear();
  for (KeptRoofline& each : in.rooflines)
    if (const uint64_t seat = seat_of(each.seat);
        seat != 0 && is_roofline_key(each.of) && are_roofs(each.roofs) && are_points(each.points))
      keep_roofline(seat, {std::move(each.of), std::move(each.roofs), std::move(each.points)});
  runs_ = std::max<int64_t>(0, in.runs);
  locked_ = in.locked;
  polls_ = std::move(polls);
  poll_shown_ = in.shown && !polls_.empty();
  here_.clear();
  if (poll_shown_)
    for (const auto& [seat, vote] : polls_.back().poll.cast()) here_.insert(seat);
  return {};
}

}  // namespace tilewalk
