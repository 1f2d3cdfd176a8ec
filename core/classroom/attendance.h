// A page's side of a class, as plain data: what it was told, and what it says. Whatever carries lines to the server and
// back (a WebSocket of a browser or of the program) hands them over here; knows no socket and no clock.
//
// A connection that is lost is opened again by itself: after half a second, then after longer ones up to eight, each a
// little different on each page, so that a room does not come back all at once. A vote that may not have arrived and
// runs that were not answered are said again. A page that is told to wait does, and tries again by itself, too.
#pragma once

#include "core/classroom/messages.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class Attendance {
 public:
  enum class State : uint8_t { Joining, In, Lost, Refused, Over };

  // `seat` of an earlier visit, or empty.
  explicit Attendance(Join ticket) : ticket_(std::move(ticket)) {}

  State state() const { return state_; }
  const std::string& why() const { return why_; }  // Refused, Over, or told to wait: one sentence
  bool teacher() const { return !ticket_.teacher.empty(); }
  bool in() const { return state_ == State::In; }
  const Join& ticket() const { return ticket_; }

  // ---- the connection
  bool wants_connection(double now) const;      // none is open or being opened, and it is time
  double seconds_to_connect(double now) const;  // infinity where none is wanted
  void connecting() { connecting_ = true; }
  void opened();                      // says who it is
  void heard(std::string_view line);  // of the server, which says something every ten seconds at least
  void ended(double now);             // the connection is gone, or could not be made
  std::vector<std::string> take_out();

  // ---- what it was told
  const Led& led() const { return led_; }  // step 0: nowhere yet
  const std::optional<PollShown>& poll() const { return poll_; }
  const VoteCount& count() const { return count_; }
  const std::optional<CastVote>& my_vote() const { return vote_; }  // in the round on show
  // A page that was loaded anew behind the end of a round, and cannot know.
  bool may_have_voted() const { return !vote_ && !seen_open_; }
  bool vote_counts() const { return vote_ && vote_known_ && !vote_may_be_lost_; }
  const std::string& vote_fault() const { return vote_fault_; }
  const ClassNow& now() const { return now_; }  // who teaches
  const Welcome& welcome() const { return welcome_; }
  // To who teaches: what pages have locked, by the number of each.
  const std::map<int64_t, LockRoofline>& rooflines() const { return rooflines_; }
  const std::string& gpu() const { return gpu_; }  // the hello of a worker, as it is; empty: there is none
  const std::optional<ClassLeft>& left() const { return left_; }  // to who teaches, once it is over
  int64_t changes() const { return changes_; }

  // ---- what it says
  void vote(int option, std::optional<double> number, Sure sure);
  void stands_at(const std::string& link, bool around = false);  // said once
  bool lock_roofline(LockRoofline drawn);                        // of who learns; false: it was said before
  void at_puzzle(AtPuzzle now);                                  // likewise
  void lead(const std::string& link);                            // likewise; who teaches alone, as all that follow
  void ask(PollAsked asked);
  void move_poll(std::string to);
  void lock_ahead(bool locked);
  void end_class();
  // A run that is longer than a class takes is refused at once.
  void ask_run(int64_t id, RunSpec spec) { ask(id, AskRun{id, std::move(spec)}); }
  void ask_program(int64_t id, ProgramSpec spec) { ask(id, AskProgram{id, std::move(spec)}); }
  void cancel_run(int64_t id);

  // ---- its runs
  struct RunNews {
    int64_t id = 0;
    std::optional<RunWaits> waits;  // else it is over:
    std::string line;               // the worker's, as it is; empty: refused
    std::string refused;
  };
  std::vector<RunNews> take_runs();

 private:
  void say(const FromPage& message);
  void ask(int64_t id, const FromPage& run);
  void refuse_runs(const std::string& why);
  void hear(const Welcome& message);
  void hear(const Refused& message);
  void hear(const Led& message) { led_ = message; }
  void hear(const PollShown& message);
  void hear(const VoteTaken& message);
  void hear(const VoteCount& message) { count_ = message; }
  void hear(const RunWaits& message);
  void hear(const RunRefused& message);
  void hear(const ClassNow& message) { now_ = message; }
  void hear(const RooflineLocked& message) { rooflines_[message.page] = message.drawn; }
  void hear(const ClassEnded& message);
  void hear(const Alive&) { --changes_; }  // nothing to be seen

  Join ticket_;
  State state_ = State::Joining;
  std::string why_;
  bool connecting_ = false;
  int tries_ = 0;                // connections that came to nothing, one after the other
  double again_ = 0, wait_ = 0;  // when it is tried next; how long the class said to wait
  std::vector<std::string> out_;
  Welcome welcome_;
  Led led_;
  std::optional<PollShown> poll_;
  VoteCount count_;
  std::optional<CastVote> vote_;
  bool vote_known_ = false, vote_may_be_lost_ = false;
  bool seen_open_ = false;  // the round on show
  std::string vote_fault_, lead_, gpu_;
  std::optional<Where> where_;
  ClassNow now_;
  std::map<int64_t, LockRoofline> rooflines_;
  std::optional<LockRoofline> locked_;  // this page's own
  std::optional<AtPuzzle> puzzle_;      // likewise
  std::optional<ClassLeft> left_;
  std::map<int64_t, std::string> runs_;  // lines, to be said again
  std::deque<RunNews> news_;
  int64_t changes_ = 0;
};

}  // namespace tilewalk
