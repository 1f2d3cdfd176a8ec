// Runs that a room asks of a few workers, in a fair order. Everybody's first run comes before anybody's second; of runs
// that were asked in the same second the smaller comes first. The same problem is run once for all who ask it, and its
// answer is kept for who asks it later. A worker that dies gives its run back, once; a run that takes a second worker
// with it is refused. Knows no clock and no worker: times are given, in seconds from any beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

using AskerId = uint64_t;
using WorkerId = uint64_t;
using JobId = uint64_t;  // 0: none

struct QueueLimits {
  size_t waiting_of_one = 2;     // runs of one asker that are not answered yet
  size_t waiting = 4000;         // of all
  double longest = 60;           // seconds that a run may be expected to take
  size_t kept = 64;              // answers, of the problems that were run last
  size_t kept_bytes = 32 << 20;  // of all of them
};

// What an asker is told: the answer of a run, or why there is none.
struct RunAnswer {
  AskerId asker = 0;
  int64_t request = 0;  // the asker's own number of it
  std::shared_ptr<const std::string> answer;
  std::string refused;  // one sentence; then there is no answer
};

struct RunPlace {
  size_t ahead = 0;    // runs that come first, those under way included
  double seconds = 0;  // until its own is expected to begin
  bool running = false;
  bool starting = false;  // no worker is there; one is expected
  bool operator==(const RunPlace&) const = default;
};

struct RunStart {
  WorkerId worker = 0;
  JobId job = 0;
  std::string problem;
};

class RunQueue {
 public:
  explicit RunQueue(QueueLimits limits = {}) : limits_(limits) {}

  // `problem` says all that the answer depends on; `seconds` is what it is expected to take. Answers at once where the
  // problem was run lately, or where the run is refused; else the answer comes by done() or died().
  std::optional<RunAnswer> ask(AskerId asker, int64_t request, std::string problem, double seconds, double now);
  void cancel(AskerId asker, int64_t request);
  void leave(AskerId asker);  // all of its runs

  // Runs are taken while no worker is there, since one is being started.
  void expect_workers(bool expected) { expected_ = expected; }
  bool expects_workers() const { return expected_; }
  void worker_came(WorkerId worker);
  // Of no use any more; its run goes to another. Whom nobody can answer now is told.
  std::vector<RunAnswer> worker_gone(WorkerId worker);
  size_t workers() const { return workers_.size(); }
  // No worker will come any more: all who wait are told why.
  std::vector<RunAnswer> give_up(const std::string& why);

  // The runs to begin now, for workers that have none.
  std::vector<RunStart> start(double now);
  // The worker's run is answered; a failure is an answer that is not kept. Nothing where the worker has none.
  std::vector<RunAnswer> done(WorkerId worker, std::string answer, bool keep);
  // Runs that nobody waits for any more: their workers can be told to stop.
  std::vector<RunStart> unwanted() const;

  std::optional<RunPlace> place(AskerId asker, int64_t request, double now) const;
  struct Waiting {
    AskerId asker;
    int64_t request;
    RunPlace place;
  };
  std::vector<Waiting> places(double now) const;  // of all runs that are not answered
  size_t waiting() const;                         // jobs that no worker has

 private:
  struct Ask {
    AskerId asker;
    int64_t request;
  };
  struct Job {
    std::string problem;
    double seconds = 0, asked = 0, begun = 0;
    uint64_t turn = 0;  // how many runs its first asker had asked before
    int deaths = 0;
    WorkerId worker = 0;
    bool running = false;
    std::vector<Ask> asks;
  };
  struct Kept {
    std::string problem;
    std::shared_ptr<const std::string> answer;
  };

  bool earlier(JobId a, JobId b) const;
  std::vector<JobId> in_order() const;    // those that wait
  void forget(JobId id, const Job& job);  // nobody joins it any more
  std::vector<RunAnswer> answer(Job&& job, std::shared_ptr<const std::string> text, const std::string& refused) const;
  void keep(std::string problem, std::shared_ptr<const std::string> answer);

  QueueLimits limits_;
  JobId next_ = 1;
  std::map<JobId, Job> jobs_;
  std::map<std::string, JobId, std::less<>> by_problem_;
  std::map<AskerId, uint64_t> asked_;  // runs of each so far
  std::map<WorkerId, JobId> workers_;  // what each works on; 0: nothing
  std::deque<Kept> kept_;
  size_t kept_bytes_ = 0;
  bool expected_ = false;
};

}  // namespace tilewalk
