#include "core/classroom/messages.h"

#include "core/classroom/class_fields.h"
#include "core/classroom/stranger_words.h"
#include "core/io/number.h"
#include "core/run/message_lines.h"
#include "core/run/program_fields.h"

#include <fmt/format.h>

namespace tilewalk {

template <class Visitor, Like<Join> T>
void fields(Visitor& visit, T& m) {
  visit("code", m.code);
  visit.maybe("teacher", m.teacher);
  visit.maybe("seat", m.seat);
}
template <class Visitor, Like<CastVote> T>
void fields(Visitor& visit, T& m) {
  visit("poll", m.poll);
  visit("round", m.round);
  visit("option", m.option);
  visit.maybe("number", m.number);
  visit("sure", m.sure);
}
inline void check(const CastVote& m, const std::string&) {
  if (m.sure < 0 || m.sure >= kSureLevels) throw JsonFault("sure", fmt::format("must be 0, 1 or 2, and is {}", m.sure));
}
template <class Visitor, Like<AskRun> T>
void fields(Visitor& visit, T& m) {
  visit("id", m.id);
  visit("spec", m.spec);
}
template <class Visitor, Like<AskProgram> T>
void fields(Visitor& visit, T& m) {
  visit("id", m.id);
  visit("spec", m.spec);
}
template <class Visitor, Like<CancelRun> T>
void fields(Visitor& visit, T& m) {
  visit("id", m.id);
}
template <class Visitor, Like<Where> T>
void fields(Visitor& visit, T& m) {
  visit("link", m.link);
  visit.maybe("around", m.around);
}
template <class Visitor, Like<LockRoofline> T>
void fields(Visitor& visit, T& m) {
  visit("of", m.of);
  visit.maybe("roofs", m.roofs);
  visit.maybe("points", m.points);
}
inline void check(const LockRoofline& m, const std::string&) {
  if (!is_roofline_key(m.of) || !are_roofs(m.roofs) || !are_points(m.points))
    throw JsonFault("of", "names a roofline that the drawing board does not draw");
}
template <class Visitor, Like<AtPuzzle> T>
void fields(Visitor& visit, T& m) {
  visit("puzzle", m.puzzle);
  visit.maybe("solved", m.solved);
  visit.maybe("meters", m.meters);
}
inline void check(const AtPuzzle& m, const std::string&) {
  if (!m.puzzle.empty() && !is_puzzle_id(m.puzzle)) throw JsonFault("puzzle", "is not the id of one");
}
template <class Visitor, Like<Lead> T>
void fields(Visitor& visit, T& m) {
  visit("link", m.link);
}
template <class Visitor, Like<OpenPoll> T>
void fields(Visitor& visit, T& m) {
  visit("asked", m.asked);
}
template <class Visitor, Like<MovePoll> T>
void fields(Visitor& visit, T& m) {
  visit("to", m.to);
}
template <class Visitor, Like<LockAhead> T>
void fields(Visitor& visit, T& m) {
  visit("locked", m.locked);
}
template <class Visitor, Like<EndClass> T>
void fields(Visitor&, T&) {}
template <class Visitor, Like<Alive> T>
void fields(Visitor&, T&) {}

template <class Visitor, Like<Welcome> T>
void fields(Visitor& visit, T& m) {
  visit("seat", m.seat);
  visit.maybe("teacher", m.teacher);
  visit("workers", m.workers);
  visit.maybe("join", m.join);
  visit.maybe("qr", m.qr);
}
template <class Visitor, Like<Refused> T>
void fields(Visitor& visit, T& m) {
  visit("why", m.why);
  visit.maybe("again", m.again);
}
template <class Visitor, Like<Led> T>
void fields(Visitor& visit, T& m) {
  visit("step", m.step);
  visit("link", m.link);
  visit.maybe("locked", m.locked);
  visit.maybe("beat", m.beat);
}
template <class Visitor, Like<PollShown> T>
void fields(Visitor& visit, T& m) {
  visit("poll", m.poll);
  visit("round", m.round);
  visit.maybe("open", m.open);
  visit.maybe("counted", m.counted);
  visit.maybe("told", m.told);
  visit("asked", m.asked);
  visit.maybe("rounds", m.rounds);
  visit.maybe("mine", m.mine);
}
template <class Visitor, Like<VoteTaken> T>
void fields(Visitor& visit, T& m) {
  visit("poll", m.poll);
  visit("round", m.round);
  visit.maybe("why_not", m.why_not);
}
template <class Visitor, Like<VoteCount> T>
void fields(Visitor& visit, T& m) {
  visit("poll", m.poll);
  visit("votes", m.votes);
  visit("of", m.of);
  visit.maybe("so_far", m.so_far);
}
template <class Visitor, Like<RunWaits> T>
void fields(Visitor& visit, T& m) {
  visit("id", m.id);
  visit("ahead", m.ahead);
  visit("seconds", m.seconds);
  visit.maybe("running", m.running);
  visit.maybe("starting", m.starting);
}
template <class Visitor, Like<RunRefused> T>
void fields(Visitor& visit, T& m) {
  visit("id", m.id);
  visit("why", m.why);
}
template <class Visitor, Like<PlaceCount> T>
void fields(Visitor& visit, T& m) {
  visit("place", m.place);
  visit("pages", m.pages);
}
template <class Visitor, Like<ClassNow> T>
void fields(Visitor& visit, T& m) {
  visit("learners", m.learners);
  visit("waiting", m.waiting);
  visit("workers", m.workers);
  visit("steps", m.steps);
  visit.maybe("answered", m.answered);
  visit.maybe("following", m.following);
  visit.maybe("places", m.places);
  visit.maybe("puzzles", m.puzzles);
}
template <class Visitor, Like<RooflineLocked> T>
void fields(Visitor& visit, T& m) {
  visit("page", m.page);
  visit("drawn", m.drawn);
}
template <class Visitor, Like<ClassEnded> T>
void fields(Visitor& visit, T& m) {
  visit("why", m.why);
  visit.maybe("left", m.left);
}

namespace {

constexpr const char* kFromPage[] = {"join",   "vote", "run", "program", "cancel", "where", "roofline",
                                     "puzzle", "lead", "ask", "poll",    "lock",   "end"};
constexpr const char* kToPage[] = {"welcome", "refused",     "led",   "poll",     "voted", "count",
                                   "waits",   "refused-run", "class", "roofline", "ended", "alive"};

template <class Variant, size_t Count>
std::optional<Variant> message_of(std::string_view line, const char* const (&names)[Count], size_t most,
                                  std::string_view from, std::string& fault) {
  try {
    return message_of_line<Variant>(line, names, most);
  } catch (const JsonFault& error) {
    fault = fmt::format("A message from {} cannot be used: {}.", from, error.what());
    return std::nullopt;
  }
}

}  // namespace

std::string line_of(const FromPage& message) { return line_of_json(json_of_message(message, kFromPage)); }
std::string line_of(const ToPage& message) { return line_of_json(json_of_message(message, kToPage)); }

// Large lines are handed on without being read: their beginning says what they are, and is always the same.
constexpr std::string_view kAnswer = R"({"type":"answer","id":)", kAnswerLine = R"(,"line":)";
constexpr std::string_view kGpu = R"({"type":"gpu","line":)", kNone = "{}";

std::string answer_line(int64_t id, std::string_view workers_line) {
  return fmt::format("{}{}{}{}}}", kAnswer, id, kAnswerLine, workers_line);
}

std::optional<AnswerLine> answer_of(std::string_view line) {
  if (!line.starts_with(kAnswer) || !line.ends_with('}')) return std::nullopt;
  line.remove_prefix(kAnswer.size());
  line.remove_suffix(1);
  const size_t comma = line.find(kAnswerLine);
  const auto id = number_of<int64_t>(line.substr(0, comma));
  if (comma == line.npos || !id) return std::nullopt;
  return AnswerLine{*id, line.substr(comma + kAnswerLine.size())};
}

std::string gpu_line(std::string_view workers_hello) {
  return fmt::format("{}{}}}", kGpu, workers_hello.empty() ? kNone : workers_hello);
}

std::optional<std::string_view> gpu_of(std::string_view line) {
  if (!line.starts_with(kGpu) || !line.ends_with('}')) return std::nullopt;
  line.remove_prefix(kGpu.size());
  line.remove_suffix(1);
  return line == kNone ? std::string_view() : line;
}

std::optional<FromPage> from_page(std::string_view line, std::string& fault) {
  return message_of<FromPage>(line, kFromPage, kMostFromPage, "a page", fault);
}

std::optional<ToPage> to_page(std::string_view line, std::string& fault) {
  return message_of<ToPage>(line, kToPage, kMostLine, "the class", fault);
}

}  // namespace tilewalk
