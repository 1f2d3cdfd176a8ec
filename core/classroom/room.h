// A class as plain data: who is connected, where it is, the question that is asked, the runs that wait. It takes
// messages of pages (core/classroom/messages.h) and gives those that go back; a server carries them, and workers'
// lines. Knows no socket, no clock and no process: connections are numbers, times are seconds given by the caller.
//
// What a stranger sends costs little: a connection that has not joined may say nothing else, messages have a size and
// a rate, and a page that says what cannot be read is told once and let go.
#pragma once

#include "core/classroom/door.h"
#include "core/classroom/messages.h"
#include "core/classroom/puzzle_board.h"
#include "core/classroom/run_queue.h"
#include "core/run/protocol.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

using ConnId = uint64_t;

struct RoomLimits {
  size_t connections = 2000;                    // that have joined
  size_t unjoined = 2000;                       // that have not yet
  double join_within = 10;                      // seconds that a connection may take to join
  double messages = 60, per_second = 20;        // of a page: so many at once, then so many a second
  double teacher_messages = 400;                // at once
  double counts_every = 0.25, class_every = 1;  // seconds between what is told of votes and of the class
  double alive_every = 10;                      // and between two signs of life
  int most_polls = 500;
  size_t rooflines = 2000, roofline = 2048;  // of all pages; bytes of what one is drawn of
  QueueLimits queue;
};

class Room {
 public:
  // `random` gives 64 bits for each seat.
  Room(std::string code, std::string teacher, std::function<uint64_t()> random, RoomLimits limits = {});

  // What stands on the wall of it: see Welcome.
  void invite(std::string join, std::vector<std::string> qr) { join_ = std::move(join), qr_ = std::move(qr); }

  struct Out {
    ConnId to = 0;
    std::shared_ptr<const std::string> text;
    bool close = false;  // the connection ends behind it
  };

  bool has_joined(ConnId conn) const;
  bool opened(ConnId conn, std::string address, double now);  // false: the room is full, and nothing is kept of it
  void said(ConnId conn, std::string_view message, double now);
  void closed(ConnId conn);
  void tick(double now);  // what goes by the clock: late joins, counts
  std::vector<Out> take_out();

  // ---- runs
  struct Begin {
    WorkerId worker = 0;
    JobId job = 0;
    std::string line;  // for the worker
  };
  void worker_came(WorkerId worker, double now, std::string hello = {});  // its line, for pages
  void worker_gone(WorkerId worker, double now);
  // Whether one is at work or will be: until it is, runs wait for it.
  void expect_workers(bool expected, double now);
  void no_more_workers(const std::string& why, double now);  // none will come: who waits is told why
  std::vector<Begin> begin_runs(double now);
  // A worker's line that ends its run: kept for who asks the same later where it is an answer and no failure.
  void run_ended(WorkerId worker, std::string line, bool answered, double now);
  std::vector<RunStart> unwanted() const { return queue_.unwanted(); }

  // ---- what a class leaves
  std::string file() const;  // JSON, with the votes of the open round
  // Goes on with a file; the sentence says why not, and the room stays as it was.
  std::string resume(std::string_view file);
  ClassLeft left() const;
  uint64_t changes() const { return changes_; }  // rises whenever the file is another one
  uint64_t moves() const { return moves_; }      // of its questions: what no page says again after the server was ended

  const std::string& code() const { return door_.code(); }
  const std::string& secret() const { return door_.teacher(); }
  size_t learners() const;
  bool ended() const { return ended_; }

 private:
  struct Page {
    std::string address;
    double opened = 0, left = 0, filled = 0;  // messages that it may send, and when they were counted
    bool joined = false, teacher = false, going = false;
    uint64_t seat = 0;
    std::string where;
    bool around = false;
    struct Told {
      RunPlace place;
      double at = -1000;
    };
    std::map<int64_t, Told> told;  // places of its runs, as it was told
  };
  struct Asked {
    int64_t id = 0;
    Poll poll;
    int of = 0;  // pages that were asked, once the round is closed
  };

  void send(ConnId to, const ToPage& message);
  void send(ConnId to, std::shared_ptr<const std::string> text);
  void send_all(const ToPage& message, bool teachers);
  void let_go(ConnId conn, std::string why, double again = 0);
  bool may_speak(Page& page, double now) const;
  void join(ConnId conn, Page& page, const Join& message, double now);
  void vote(ConnId conn, const Page& page, const CastVote& message);
  void ask_program(ConnId conn, Page& page, const AskProgram& message, double now);
  // `request` is the worker's, of number 0: one for all who ask the same.
  void ask_run(ConnId conn, Page& page, int64_t id, const ToWorker& request, double seconds, double now);
  void lock_roofline(const Page& page, LockRoofline drawn);
  const RooflineLocked* keep_roofline(uint64_t seat, LockRoofline drawn);
  void lead(const Lead& message);
  Led led() const;
  void open_poll(const OpenPoll& message);
  void move_poll(const std::string& to);
  void end_class();
  void catch_up(ConnId conn, const Page& page);
  PollShown shown(bool teacher) const;
  void begin_round();
  void end_round();
  int pages_asked() const;
  void show_poll();
  void tell_answers(const std::vector<RunAnswer>& answers);
  void tell_places(double now);
  void tell_place(ConnId conn, Page& page, int64_t request, const RunPlace& place, double now);
  void tell_votes();
  std::string gpu_now() const;
  void tell_gpu(const std::string& before);
  ClassNow class_now() const;

  Door door_;
  std::string join_;
  std::vector<std::string> qr_;
  std::function<uint64_t()> random_;
  RoomLimits limits_;
  RunQueue queue_;
  std::map<ConnId, Page> pages_;
  std::map<WorkerId, std::string> hellos_;
  std::string last_hello_;             // of the one that was there last, while another is expected
  std::map<AskerId, ConnId> conn_of_;  // of a seat that is connected: it asks for its runs
  std::set<uint64_t> seats_;           // that have joined once
  size_t joined_ = 0;                  // connections
  std::vector<Out> out_;
  std::vector<PlaceLeft> steps_;                  // of the class; the last one is where it is
  std::vector<Asked> polls_;                      // the last one is on show unless it was put away
  std::set<uint64_t> here_;                       // when the round on show was asked: their votes stay when they go
  std::map<uint64_t, Vote> away_;                 // votes of others that went; they count again when those are back
  std::map<uint64_t, RooflineLocked> rooflines_;  // of a seat the last one
  PuzzleBoard puzzles_;
  bool locked_ = false;  // beats that the class has not come to
  bool poll_shown_ = false, votes_changed_ = false, class_changed_ = true, ended_ = false;
  double counted_ = -1000, class_told_ = -1000, places_told_ = -1000, alive_told_ = -1000;
  uint64_t changes_ = 0, moves_ = 0;
  int64_t runs_ = 0;  // answered
};

// A seat as it is written: 16 hexadecimal digits; 0 where it is none.
std::string seat_words(uint64_t seat);
uint64_t seat_of(std::string_view words);

// Seconds that a run, or a program, may be expected to take on a GPU as fast as an H100, checks and warm-ups included:
// what a queue goes by, no measurement.
double expected_seconds(const RunSpec& spec);
double expected_seconds(const ProgramSpec& spec);

}  // namespace tilewalk
