#include "core/classroom/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostLink = 4096;  // bytes, as app/session/link.h reads them
constexpr size_t kMostKnown = 20000;
constexpr int kMostRounds = 8;
constexpr double kLeastWait = 2, kFullWait = 10;  // seconds

}  // namespace

std::string seat_words(uint64_t seat) { return fmt::format("{:016x}", seat); }

uint64_t seat_of(std::string_view words) {
  uint64_t seat = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), seat, 16);
  return words.size() == 16 && error == std::errc{} && end == words.data() + words.size() ? seat : 0;
}

Room::Room(std::string code, std::string teacher, std::function<uint64_t()> random, RoomLimits limits)
    : door_(std::move(code), std::move(teacher)), random_(std::move(random)), limits_(limits), queue_(limits.queue) {}

void Room::send(ConnId to, std::shared_ptr<const std::string> text) { out_.push_back({to, std::move(text), false}); }
void Room::send(ConnId to, const ToPage& message) { send(to, std::make_shared<const std::string>(line_of(message))); }

void Room::send_all(const ToPage& message, bool teachers) {
  const auto text = std::make_shared<const std::string>(line_of(message));
  for (const auto& [conn, page] : pages_)
    if (page.joined && !page.going && (!teachers || page.teacher)) send(conn, text);
}

void Room::let_go(ConnId conn, std::string why, double again) {
  const auto found = pages_.find(conn);
  if (found == pages_.end() || found->second.going) return;
  found->second.going = true;
  out_.push_back({conn, std::make_shared<const std::string>(line_of(ToPage(Refused{std::move(why), again}))), true});
}

bool Room::opened(ConnId conn, std::string address, double now) {
  // Those that say nothing take no place from those who have joined.
  if (pages_.size() - joined_ >= limits_.unjoined || ended_) return false;
  Page page;
  page.address = std::move(address);
  page.opened = page.filled = now;
  page.left = limits_.messages;
  pages_.emplace(conn, std::move(page));
  return true;
}

bool Room::has_joined(ConnId conn) const {
  const auto found = pages_.find(conn);
  return found != pages_.end() && found->second.joined;
}

void Room::closed(ConnId conn) {
  const auto found = pages_.find(conn);
  if (found == pages_.end()) return;
  const Page& page = found->second;
  if (const auto of_seat = conn_of_.find(page.seat); of_seat != conn_of_.end() && of_seat->second == conn) {
    queue_.leave(page.seat);
    puzzles_.left(page.seat);
    conn_of_.erase(of_seat);
    // Who came for the vote alone takes it along, so that a room cannot be counted up by coming and going.
    if (poll_shown_ && !here_.contains(page.seat))
      if (const auto vote = polls_.back().poll.take_back(page.seat)) away_[page.seat] = *vote, ++changes_;
  }
  joined_ -= page.joined ? 1 : 0;
  pages_.erase(found);
  class_changed_ = votes_changed_ = true;
}

size_t Room::learners() const {
  return size_t(std::ranges::count_if(
      pages_, [](const auto& each) { return each.second.joined && !each.second.teacher && !each.second.going; }));
}

bool Room::may_speak(Page& page, double now) const {
  const double most = page.teacher ? limits_.teacher_messages : limits_.messages;
  page.left = std::min(most, page.left + (now - page.filled) * limits_.per_second);
  page.filled = now;
  if (page.left < 1) return false;
  page.left -= 1;
  return true;
}

void Room::said(ConnId conn, std::string_view text, double now) {
  const auto found = pages_.find(conn);
  if (found == pages_.end() || found->second.going) return;
  Page& page = found->second;
  if (!may_speak(page, now)) return let_go(conn, "This page sent more than a class takes; load it anew.");
  std::string fault;
  const std::optional<FromPage> read = from_page(text, fault);
  if (!read) return let_go(conn, fault);
  if (const Join* message = std::get_if<Join>(&*read)) return join(conn, page, *message, now);
  if (!page.joined) return let_go(conn, "A page joins with the class's code before anything else.");
  if (const CastVote* message = std::get_if<CastVote>(&*read)) return vote(conn, page, *message);
  // Who serves a class has given it the GPU, busy or not.
  if (const AskRun* message = std::get_if<AskRun>(&*read))
    return ask_run(conn, page, message->id, RunRequest{0, message->spec, true}, expected_seconds(message->spec), now);
  if (const AskProgram* message = std::get_if<AskProgram>(&*read)) return ask_program(conn, page, *message, now);
  if (const CancelRun* message = std::get_if<CancelRun>(&*read)) {
    queue_.cancel(page.seat, message->id);
    page.told.erase(message->id);
    class_changed_ = true;
    return tell_places(now);
  }
  if (const Where* message = std::get_if<Where>(&*read)) {
    if (message->link.size() > kMostLink) return;
    page.where = beat_of_link(message->link);
    page.around = message->around;
    class_changed_ = true;
    return;
  }
  if (const LockRoofline* message = std::get_if<LockRoofline>(&*read)) return lock_roofline(page, *message);
  if (const AtPuzzle* message = std::get_if<AtPuzzle>(&*read)) {
    if (page.teacher) return;
    puzzles_.take(page.seat, message->puzzle, message->solved, message->meters);
    if (message->solved) ++changes_;
    class_changed_ = true;
    return;
  }
  if (!page.teacher) return let_go(conn, "Only who teaches can do that.");
  if (const Lead* message = std::get_if<Lead>(&*read)) lead(*message);
  if (const OpenPoll* message = std::get_if<OpenPoll>(&*read)) open_poll(*message);
  if (const MovePoll* message = std::get_if<MovePoll>(&*read)) move_poll(message->to);
  if (const LockAhead* message = std::get_if<LockAhead>(&*read)) {
    locked_ = message->locked;
    ++changes_;
    send_all(led(), false);
  }
  if (std::holds_alternative<EndClass>(*read)) end_class();
}

void Room::join(ConnId conn, Page& page, const Join& message, double now) {
  if (page.joined) return let_go(conn, "This page has joined already.");
  const bool knows = seats_.contains(seat_of(message.seat));
  const Door::Answer answer = door_.let_in(page.address, message.code, message.teacher, now, knows);
  switch (answer.who) {
    case Door::Who::Nobody:
      return let_go(conn, message.teacher.empty() ? "This is not the class's code: it stands on the wall."
                                                  : "This is not the secret of who teaches.");
    case Door::Who::TooOften: {
      // Who guesses goes on, so that the shortest of waits would come to nothing.
      const double again = std::max(kLeastWait, std::ceil(answer.again));
      return let_go(conn, fmt::format("Too many wrong codes were tried: this page tries again in {:.0f} s.", again),
                    again);
    }
    case Door::Who::Teacher:
      page.teacher = true;
      page.left = limits_.teacher_messages;
      break;
    case Door::Who::Learner: break;
  }
  if (joined_ >= limits_.connections) return let_go(conn, "The class is full: it takes no more pages.", kFullWait);
  page.joined = true;
  ++joined_;
  page.seat = seat_of(message.seat);
  if (page.seat == 0)
    while (page.seat == 0 || conn_of_.contains(page.seat)) page.seat = random_();
  // Who comes back takes the seat over from the connection that was lost and is not known to be yet.
  if (const auto before = conn_of_.find(page.seat); before != conn_of_.end()) {
    const ConnId old = before->second;
    queue_.leave(page.seat);
    let_go(old, "This page was opened a second time; the other one goes on.");
  }
  conn_of_[page.seat] = conn;
  if (seats_.size() < kMostKnown) seats_.insert(page.seat);
  if (const auto vote = away_.find(page.seat); vote != away_.end()) {
    if (poll_shown_ && polls_.back().poll.vote(page.seat, vote->second).empty()) ++changes_;
    away_.erase(vote);
  }
  class_changed_ = votes_changed_ = true;
  send(conn, Welcome{seat_words(page.seat), page.teacher, int64_t(queue_.workers()),
                     page.teacher ? join_ : std::string(), page.teacher ? qr_ : std::vector<std::string>{}});
  catch_up(conn, page);
}

void Room::catch_up(ConnId conn, const Page& page) {
  if (const std::string gpu = gpu_now(); !gpu.empty()) send(conn, std::make_shared<const std::string>(gpu_line(gpu)));
  if (!steps_.empty() || locked_) send(conn, led());
  if (poll_shown_) {
    PollShown poll = shown(page.teacher);
    if (const auto vote = polls_.back().poll.vote_of(page.seat))
      poll.mine = CastVote{poll.poll, poll.round, vote->option, vote->number, int(vote->sure)};
    send(conn, std::move(poll));
  }
  if (page.teacher)
    for (const auto& [seat, drawn] : rooflines_) send(conn, drawn);
}

void Room::vote(ConnId conn, const Page& page, const CastVote& message) {
  const auto answer = [&](std::string why_not) {
    send(conn, VoteTaken{message.poll, message.round, std::move(why_not)});
  };
  if (page.teacher) return answer("Who teaches does not vote.");
  if (!poll_shown_ || polls_.back().id != message.poll) return answer("This question is not asked any more.");
  Poll& poll = polls_.back().poll;
  if (poll.round() != message.round) return answer("This round is over; the question is asked again.");
  std::string fault = poll.vote(page.seat, {message.option, message.number, Sure(message.sure)});
  if (fault.empty()) votes_changed_ = true, ++changes_;
  answer(std::move(fault));
}

PollShown Room::shown(bool teacher) const {
  if (!poll_shown_) return {};
  const Asked& asked = polls_.back();
  PollShown out;
  out.poll = asked.id;
  out.round = asked.poll.round();
  out.open = asked.poll.open();
  out.counted = asked.poll.counted();
  out.told = asked.poll.told();
  out.asked = asked.poll.asked();
  if (!out.told && !teacher) out.asked.right.clear(), out.asked.answer.reset();
  out.asked.words.clear(), out.asked.said.clear(), out.asked.answer_words.clear();  // for the summary alone
  if (out.counted || (teacher && !out.open)) out.rounds = asked.poll.rounds();
  return out;
}

void Room::show_poll() {
  ++changes_;
  votes_changed_ = true;
  send_all(shown(false), false);
  // Who teaches reads more of it, behind what all read.
  for (const auto& [conn, page] : pages_)
    if (page.joined && page.teacher && !page.going) send(conn, shown(true));
}

void Room::lock_roofline(const Page& page, LockRoofline drawn) {
  if (page.teacher) return;
  if (const RooflineLocked* kept = keep_roofline(page.seat, std::move(drawn))) send_all(*kept, true), ++changes_;
}

// Null where it is more than a class keeps.
const RooflineLocked* Room::keep_roofline(uint64_t seat, LockRoofline drawn) {
  const bool known = rooflines_.contains(seat);
  if (drawn.of.size() + drawn.roofs.size() + drawn.points.size() > limits_.roofline ||
      (!known && rooflines_.size() >= limits_.rooflines))
    return nullptr;
  RooflineLocked& kept = rooflines_[seat];
  if (!known) kept.page = int64_t(rooflines_.size());
  kept.drawn = std::move(drawn);
  return &kept;
}

void Room::lead(const Lead& message) {
  if (message.link.size() > kMostLink || message.link.empty()) return;
  if (!steps_.empty()) {
    const std::string here = beat_of_link(steps_.back().link);
    steps_.back().pages = std::ranges::count_if(pages_, [&](const auto& each) { return each.second.where == here; });
  }
  steps_.push_back({message.link, 0});
  ++changes_;
  class_changed_ = true;
  send_all(led(), false);
}

Led Room::led() const {
  Led out{int64_t(steps_.size()), steps_.empty() ? std::string() : steps_.back().link, locked_, {}};
  const auto is_beat = [](const PlaceLeft& step) { return !beat_of_link(step.link).empty(); };
  const auto last = std::find_if(steps_.rbegin(), steps_.rend(), is_beat);
  if (last != steps_.rend() && last != steps_.rbegin()) out.beat = last->link;
  return out;
}

void Room::begin_round() {
  here_.clear();
  away_.clear();
  for (const auto& [conn, page] : pages_)
    if (page.joined && !page.teacher && !page.going) here_.insert(page.seat);
}

// Before it is closed.
void Room::end_round() {
  if (!poll_shown_ || !polls_.back().poll.open()) return;
  polls_.back().of = pages_asked();
  polls_.back().poll.close();
  away_.clear();
}

int Room::pages_asked() const {
  const Asked& asked = polls_.back();
  if (!asked.poll.open()) return asked.of ? asked.of : std::max(int(learners()), asked.poll.votes());
  // Who has voted and left is one of those who were asked.
  const auto gone =
      std::ranges::count_if(asked.poll.cast(), [&](const auto& vote) { return !conn_of_.contains(vote.first); });
  return int(learners()) + int(gone);
}

void Room::open_poll(const OpenPoll& message) {
  if (int(polls_.size()) >= limits_.most_polls) return;
  end_round();
  polls_.push_back({int64_t(polls_.size()) + 1, Poll(message.asked)});
  poll_shown_ = true;
  begin_round();
  ++moves_;
  show_poll();
}

void Room::move_poll(const std::string& to) {
  if (!poll_shown_) return;
  Poll& poll = polls_.back().poll;
  if (to == "again" && poll.round() >= kMostRounds) return;
  end_round();
  if (to == "show") poll.show();
  if (to == "tell") poll.tell();
  if (to == "again") poll.ask_again(), begin_round();
  if (to == "away") poll_shown_ = false;
  ++moves_;
  show_poll();
}

void Room::end_class() {
  end_round();
  ended_ = true;
  ++changes_;
  const auto of = [](ClassEnded message) { return std::make_shared<const std::string>(line_of(ToPage(message))); };
  const auto text = of({"The class is over. What you did here stays.", {}});
  const auto teachers = of({"The class is over. What it came to stays here.", left()});
  for (auto& [conn, page] : pages_) {
    page.going = true;
    out_.push_back({conn, page.teacher ? teachers : text, true});
  }
}

ClassLeft Room::left() const {
  ClassLeft out{steps_, {}, puzzles_.shipped_counts(), {}, runs_};
  for (const Asked& asked : polls_) out.polls.push_back({asked.poll.asked(), asked.poll.rounds()});
  std::erase_if(out.puzzles, [](const PuzzleCount& each) { return each.solved == 0; });
  std::map<std::string, int64_t> rooflines;
  for (const auto& [seat, locked] : rooflines_) ++rooflines[locked.drawn.of];
  for (const auto& [of, count] : rooflines) out.rooflines.push_back({of, count});
  return out;
}

ClassNow Room::class_now() const {
  ClassNow now;
  now.learners = int64_t(learners());
  now.waiting = int64_t(queue_.waiting());
  now.workers = int64_t(queue_.workers());
  now.steps = int64_t(steps_.size());
  now.answered = runs_;
  std::map<std::string, int64_t> places;
  for (const auto& [conn, page] : pages_)
    if (page.joined && !page.teacher && !page.going) ++(page.around ? places[page.where] : now.following);
  for (const auto& [place, pages] : places) now.places.push_back({place, pages});
  now.puzzles = puzzles_.counts();
  return now;
}

void Room::tick(double now) {
  std::vector<ConnId> late;
  for (const auto& [conn, page] : pages_)
    if (!page.joined && !page.going && now - page.opened > limits_.join_within) late.push_back(conn);
  for (const ConnId conn : late) let_go(conn, "A page joins within ten seconds.");
  if (votes_changed_ && now - counted_ >= limits_.counts_every) {
    votes_changed_ = false;
    counted_ = now;
    if (poll_shown_) tell_votes();
  }
  if (now - places_told_ >= 1) {
    places_told_ = now;
    tell_places(now);
  }
  if (now - alive_told_ >= limits_.alive_every) {
    alive_told_ = now;
    send_all(Alive{}, false);
  }
  if (class_changed_ && now - class_told_ >= limits_.class_every) {
    class_changed_ = false;
    class_told_ = now;
    send_all(class_now(), true);
  }
}

// Who teaches sees the votes as they come; the room only how many there are.
void Room::tell_votes() {
  const Poll& poll = polls_.back().poll;
  VoteCount count{polls_.back().id, poll.votes(), pages_asked(), {}};
  send_all(count, false);
  count.so_far = poll.rounds().back();
  send_all(count, true);
}

std::vector<Room::Out> Room::take_out() { return std::exchange(out_, {}); }

}  // namespace tilewalk
