#include "core/classroom/attendance.h"

#include "core/classroom/stranger_words.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace tilewalk {
namespace {

constexpr const char* kOwnPuzzle = "own";                                   // of a file whose name is no id
constexpr double kFirstPause = 0.5, kLongestPause = 8, kLongestWait = 120;  // seconds

}  // namespace

bool Attendance::wants_connection(double now) const { return seconds_to_connect(now) <= 0; }

double Attendance::seconds_to_connect(double now) const {
  if (connecting_ || (state_ != State::Joining && state_ != State::Lost))
    return std::numeric_limits<double>::infinity();
  return std::max(0.0, again_ - now);
}

void Attendance::say(const FromPage& message) { out_.push_back(line_of(message)); }

void Attendance::opened() {
  out_.clear();  // what was said to a connection that is gone is said again where it still holds
  say(ticket_);
}

void Attendance::ended(double now) {
  connecting_ = false;
  if (state_ == State::Refused || state_ == State::Over) return;
  state_ = state_ == State::In ? State::Lost : state_;
  const double pause = std::min(kLongestPause, kFirstPause * double(1 << std::min(tries_, 10)));
  const double share = double(std::hash<std::string>{}(ticket_.seat) % 1024) / 1024;
  // The seat is a random number: from half of the pause to one and a half; what the class said, and a little more.
  again_ = now + (wait_ > 0 ? wait_ + share : pause * (0.5 + share));
  if (std::exchange(wait_, 0) == 0) ++tries_;
  ++changes_;
}

void Attendance::heard(std::string_view line) {
  ++changes_;
  if (const auto answer = answer_of(line)) {
    if (runs_.erase(answer->id) > 0) news_.push_back({answer->id, std::nullopt, std::string(answer->line), {}});
    return;
  }
  if (const auto hello = gpu_of(line)) {
    gpu_ = *hello;
    return;
  }
  std::string fault;
  if (const auto message = to_page(line, fault))
    std::visit([&](const auto& each) { hear(each); }, *message);
  else
    hear(Refused{fault + " The class is of another Tilewalk: load the page anew."});
}

void Attendance::hear(const Welcome& message) {
  welcome_ = message;
  ticket_.seat = message.seat;
  state_ = State::In;
  why_.clear();
  tries_ = 0;
  if (message.workers == 0) gpu_.clear();  // else it is told behind this
  poll_.reset();
  where_.reset();
  lead_.clear();
  led_ = {};
  rooflines_.clear();
  vote_may_be_lost_ = vote_.has_value();
  count_ = {};  // of a server that may have been ended meanwhile
  if (locked_) say(*locked_);
  if (puzzle_) say(*puzzle_);
  for (const auto& [id, line] : runs_) out_.push_back(line);
}

void Attendance::hear(const Refused& message) {
  why_ = message.why;
  if (message.again > 0) {  // as a connection that is lost: it is no page's fault
    wait_ = std::min(message.again, kLongestWait);
    return;
  }
  state_ = State::Refused;
  refuse_runs(why_);
}

void Attendance::hear(const ClassEnded& message) {
  state_ = State::Over;
  why_ = message.why;
  left_ = message.left;
  refuse_runs(why_);
  poll_.reset();
}

void Attendance::hear(const PollShown& message) {
  if (vote_ && (vote_->poll != message.poll || vote_->round != message.round)) vote_.reset();
  vote_fault_.clear();
  if (std::exchange(vote_may_be_lost_, false) && vote_ && message.open) say(*vote_), vote_known_ = false;
  if (!vote_ && message.mine) vote_ = message.mine, vote_known_ = true;  // of the page before it was loaded anew
  seen_open_ = message.open || (seen_open_ && poll_ && poll_->poll == message.poll && poll_->round == message.round);
  poll_ = message.poll > 0 ? std::optional(message) : std::nullopt;
  if (count_.poll != message.poll) count_ = {message.poll, 0, 0, {}};
}

void Attendance::hear(const VoteTaken& message) {
  if (!vote_ || vote_->poll != message.poll || vote_->round != message.round) return;
  vote_known_ = message.why_not.empty();
  vote_fault_ = message.why_not;
  if (!vote_known_) vote_.reset();
}

void Attendance::hear(const RunWaits& message) {
  if (runs_.contains(message.id)) news_.push_back({message.id, message, {}, {}});
}

void Attendance::hear(const RunRefused& message) {
  if (runs_.erase(message.id) > 0) news_.push_back({message.id, std::nullopt, {}, message.why});
}

std::vector<std::string> Attendance::take_out() { return std::exchange(out_, {}); }

std::vector<Attendance::RunNews> Attendance::take_runs() {
  std::vector<RunNews> all(std::make_move_iterator(news_.begin()), std::make_move_iterator(news_.end()));
  news_.clear();
  return all;
}

void Attendance::vote(int option, std::optional<double> number, Sure sure) {
  if (!in() || teacher() || !poll_ || !poll_->open) return;
  vote_ = CastVote{poll_->poll, poll_->round, option, number, int(sure)};
  vote_known_ = false;
  vote_fault_.clear();
  say(*vote_);
  ++changes_;
}

void Attendance::stands_at(const std::string& link, bool around) {
  if (!in() || (where_ && where_->link == link && where_->around == around)) return;
  where_ = Where{link, around};
  say(*where_);
}

bool Attendance::lock_roofline(LockRoofline drawn) {
  if (!in() || teacher() || locked_ == drawn) return false;
  // Of a GPU with a name that a class does not take, it stays here.
  if (!is_roofline_key(drawn.of) || !are_roofs(drawn.roofs) || !are_points(drawn.points)) return false;
  locked_ = std::move(drawn);
  say(*locked_);
  return true;
}

void Attendance::at_puzzle(AtPuzzle now) {
  if (!now.puzzle.empty() && !is_puzzle_id(now.puzzle)) now.puzzle = kOwnPuzzle;
  if (!in() || teacher() || (puzzle_ ? *puzzle_ == now : now.puzzle.empty())) return;
  puzzle_ = std::move(now);
  say(*puzzle_);
}

void Attendance::lock_ahead(bool locked) {
  if (!in() || !teacher()) return;
  led_.locked = locked;  // who says it twice means two things
  say(LockAhead{locked});
}

void Attendance::lead(const std::string& link) {
  if (!in() || !teacher() || lead_ == link) return;
  const bool there = lead_.empty() && led_.link == link;  // who came back finds the class where it was
  lead_ = link;
  if (!there) say(Lead{link});
}

void Attendance::ask(PollAsked asked) {
  if (!in() || !teacher()) return;
  std::string line = line_of(FromPage(OpenPoll{asked}));
  if (line.size() > kMostFromPage) {  // the summary can do without
    asked.words.clear(), asked.said.clear();
    line = line_of(FromPage(OpenPoll{std::move(asked)}));
  }
  out_.push_back(std::move(line));
}
void Attendance::move_poll(std::string to) {
  if (in() && teacher() && poll_) say(MovePoll{std::move(to)});
}
void Attendance::end_class() {
  if (in() && teacher()) say(EndClass{});
}

void Attendance::ask(int64_t id, const FromPage& run) {
  std::string line = line_of(run);
  if (line.size() > kMostFromPage) {
    news_.push_back({id, std::nullopt, {}, "A class's GPU takes no inputs as long as these, or texts."});
    return;
  }
  if (in()) out_.push_back(line);
  runs_[id] = std::move(line);
}

void Attendance::refuse_runs(const std::string& why) {
  for (const auto& [id, line] : runs_) news_.push_back({id, std::nullopt, {}, why});
  runs_.clear();
}

void Attendance::cancel_run(int64_t id) {
  if (runs_.erase(id) > 0 && in()) say(CancelRun{id});
}

}  // namespace tilewalk
