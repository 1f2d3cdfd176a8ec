// What a page and the class's server say to each other: one JSON object a WebSocket message, UTF-8. A page says Join
// first, and again after a lost connection, with the seat that it was given; then it is told where the class is.
// Numbers of options, rounds and steps are from 0 but for rounds, which are from 1.
#pragma once

#include "core/classroom/class_left.h"
#include "core/run/program_run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewalk {

constexpr size_t kMostFromPage = size_t{16} << 10;  // bytes of one message

// ---- from a page

struct Join {
  std::string code;
  std::string teacher;  // the second secret; empty: a learner
  std::string seat;     // of before; empty: a new one
};
struct CastVote {
  int64_t poll = 0;
  int round = 1;
  int option = -1;
  std::optional<double> number;
  int sure = int(Sure::Rather);
};
struct AskRun {
  int64_t id = 0;  // the page's own number
  RunSpec spec;
};
struct AskProgram {  // likewise
  int64_t id = 0;
  ProgramSpec spec;
};
struct CancelRun {
  int64_t id = 0;
};
struct Where {
  std::string link;     // that the page stands at
  bool around = false;  // and does not follow: it looks around by itself
};
struct LockRoofline {
  std::string of;             // what it is drawn for, "8192.128.h100": others of the same lie beside it
  std::string roofs, points;  // as core/roofline/drawing.h writes them
  bool operator==(const LockRoofline&) const = default;
};
struct AtPuzzle {
  std::string puzzle;  // of Write, its id; empty: at none
  bool solved = false;
  std::vector<MeterSaid> meters;  // of what solved it, those that its goals are about
  bool operator==(const AtPuzzle&) const = default;
};
// Of who teaches alone:
struct Lead {
  std::string link;  // everybody is there from now on
};
struct OpenPoll {
  PollAsked asked;
};
struct MovePoll {
  std::string to;  // "close", "show" what it came to, "tell" the answer too, ask "again", "away"
};
struct LockAhead {
  bool locked = false;  // beats behind the class's own are not open to pages
};
struct EndClass {};

using FromPage = std::variant<Join, CastVote, AskRun, AskProgram, CancelRun, Where, LockRoofline, AtPuzzle, Lead,
                              OpenPoll, MovePoll, LockAhead, EndClass>;

// ---- to a page

struct Welcome {
  std::string seat;
  bool teacher = false;
  int64_t workers = 0;  // GPUs at work; 0: recordings alone
  std::string join;     // to who teaches: the address and the code, for the wall: "http://10.0.0.5:8660/ k7m-2xq"
  std::vector<std::string> qr;  // and as a QR code, a row of '#' and ' ' each; empty where none can be made
};
struct Refused {
  std::string why;   // one sentence; the connection ends behind it
  double again = 0;  // seconds until the page may try once more; 0: it need not
};
struct Led {
  int64_t step = 0;  // rises with every step of the class; 0: nowhere yet
  std::string link;
  bool locked = false;  // beats behind `beat` are not open
  std::string beat;     // the last place that was a lesson's; empty: `link`, or none was
};
// The question that is asked; `poll` 0: none is. `rounds` only once they are shown, or to who teaches.
struct PollShown {
  int64_t poll = 0;
  int round = 1;
  bool open = false, counted = false, told = false;
  PollAsked asked;  // without the answer until it is told
  std::vector<Tally> rounds;
  std::optional<CastVote> mine;  // to a page that comes back while it is open
};
struct VoteTaken {
  int64_t poll = 0;
  int round = 1;
  std::string why_not;  // empty: it counts
};
struct VoteCount {
  int64_t poll = 0;
  int votes = 0, of = 0;
  std::optional<Tally> so_far;  // to who teaches
};
struct RunWaits {
  int64_t id = 0;
  int64_t ahead = 0;
  double seconds = 0;
  bool running = false;
  bool starting = false;  // no worker is there; one is being started
};
struct RunRefused {
  int64_t id = 0;
  std::string why;
};
struct PlaceCount {
  std::string place;  // "6.3"; empty: elsewhere
  int64_t pages = 0;
};
struct ClassNow {  // to who teaches, at most once a second
  int64_t learners = 0, waiting = 0, workers = 0, steps = 0;
  int64_t answered = 0;            // runs so far
  int64_t following = 0;           // learners that are where the class is,
  std::vector<PlaceCount> places;  // and where the others are
  std::vector<PuzzleCount> puzzles;
};
struct RooflineLocked {  // likewise; a later one of the same page takes its place
  int64_t page = 0;
  LockRoofline drawn;
};
struct ClassEnded {
  std::string why;
  std::optional<ClassLeft> left;  // to who teaches
};

struct Alive {};  // now and then, so that a page notices a connection that is dead and does not say so

using ToPage = std::variant<Welcome, Refused, Led, PollShown, VoteTaken, VoteCount, RunWaits, RunRefused, ClassNow,
                            RooflineLocked, ClassEnded, Alive>;

std::string line_of(const FromPage& message);
std::string line_of(const ToPage& message);
// Lines of a worker that pages are given as they are: the answer of a run, behind the page's number of the run, and
// what a worker said of its GPU when it came (core/run/protocol.h); without one nothing.
struct AnswerLine {
  int64_t id = 0;
  std::string_view line;
};
std::string answer_line(int64_t id, std::string_view workers_line);
std::optional<AnswerLine> answer_of(std::string_view line);
std::string gpu_line(std::string_view workers_hello);
std::optional<std::string_view> gpu_of(std::string_view line);

// Or what is wrong with the message, as one sentence in `fault`.
std::optional<FromPage> from_page(std::string_view line, std::string& fault);
std::optional<ToPage> to_page(std::string_view line, std::string& fault);

}  // namespace tilewalk
