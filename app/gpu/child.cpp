#include "app/gpu/child.h"

#include "app/gpu/last_lines.h"
#include "app/gpu/process.h"
#include "core/io/effort.h"
#include "core/io/printable.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMostRubbishShown = 200;  // bytes
constexpr int kUnended = 300;              // milliseconds after which a line without its end is shown
constexpr int kLook = 100;  // milliseconds between looks at a process, where the system cannot tell its end

std::chrono::milliseconds milliseconds_of(double seconds) { return std::chrono::milliseconds(int(seconds * 1000)); }

}  // namespace

struct Child::Shared {
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<const void>> waiting;
  std::string outgoing;
  LastLines errors;     // of standard error
  std::string rubbish;  // the last line of standard output that is no message, its beginning
  std::optional<ChildEnd> end;
  std::atomic<bool> ending = false;  // what is being read is given up soon
  bool hurry = false, large = false, reaped = false;
  pid_t pid = -1;
  Fd nudge_read, nudge_write;  // wakes the thread

  void nudge() const {
    const char byte = 0;
    if (nudge_write) (void)!::write(nudge_write.get(), &byte, 1);
  }
};

// The reading and writing thread and what is its own.
struct Child::Thread {
  std::shared_ptr<Shared> shared;
  Reader reader;
  std::function<void()> wake;
  ChildLimits limits;
  Fd in, out, err, pidfd;
  std::string line;
  std::optional<Clock::time_point> show_at;  // when a line of standard error is shown without its end
  bool skipping = false;                     // the rest of a line that is no message
  size_t rubbish = 0;
  std::optional<ChildEnd::Why> why;  // we ended it, and for what
  std::optional<Clock::time_point> kill_at;
  bool killed = false;
  std::thread thread;

  bool start(const std::vector<std::string>& argv) {
    int fault = make_pipe(shared->nudge_read, shared->nudge_write) ? 0 : errno;
    if (!fault) {
      set_nonblocking(shared->nudge_read);
      set_nonblocking(shared->nudge_write);
      Spawned process = spawn(argv);
      shared->pid = process.pid;
      in = std::move(process.in);
      out = std::move(process.out);
      err = std::move(process.err);
      pidfd = std::move(process.pidfd);
      fault = process.fault;
    }
    if (!fault) return true;
    shared->errors.put(std::strerror(fault));
    shared->end = ChildEnd{ChildEnd::Why::NotStarted, fault};
    shared->reaped = true;
    return false;
  }

  // Without a thread of its own nothing can be heard: the process goes at once.
  void give_up(int fault) {
    kill(-shared->pid, SIGKILL);
    waitpid(shared->pid, nullptr, 0);
    shared->errors.put(std::strerror(fault));
    shared->end = ChildEnd{ChildEnd::Why::NotStarted, fault};
    shared->reaped = true;
  }

  void run() {
    sigset_t pipe_signal;  // a pipe whose reader is gone answers EPIPE and no more
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
    for (bool reaped = false; !reaped;) {
      try {
        reaped = look();
      } catch (const std::exception&) {  // for want of memory, most likely: the process goes, this thread stays
        blame(ChildEnd::Why::Unread);
      }
    }
  }

  // One turn of the loop; true when the process is reaped.
  bool look() {
    bool want_write, full, ending, hurry;
    {
      const std::lock_guard lock(shared->mutex);
      want_write = !shared->outgoing.empty() && in;
      full = shared->waiting.size() >= kMostWaiting;
      ending = shared->ending;
      hurry = shared->hurry;
    }
    if (ending) terminate();
    if (hurry && kill_at) kill_at = std::min(*kill_at, Clock::now() + milliseconds_of(kHurry));
    std::array<pollfd, 5> polls{{{shared->nudge_read.get(), POLLIN, 0},
                                 {want_write ? in.get() : -1, POLLOUT, 0},
                                 {full ? -1 : out.get(), POLLIN, 0},
                                 {err.get(), POLLIN, 0},
                                 {pidfd.get(), POLLIN, 0}}};
    poll(polls.data(), polls.size(), patience());
    if (polls[0].revents) {
      char bytes[64];
      while (read(shared->nudge_read.get(), bytes, sizeof bytes) > 0) {
      }
    }
    if (polls[1].revents) write_some();
    if (polls[2].revents) read_lines();
    if (polls[3].revents) read_errors();
    if (show_at && Clock::now() >= *show_at) show_unended();
    if (kill_at && Clock::now() >= *kill_at && !killed) {
      kill(-shared->pid, SIGKILL);
      killed = true;
    }
    siginfo_t info{};
    if (waitid(P_PID, id_t(shared->pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != shared->pid)
      return false;
    kill(-shared->pid, SIGKILL);  // what it started goes with it; its number is still its own
    int status = 0;
    waitpid(shared->pid, &status, 0);
    finish(status);
    return true;
  }

  int patience() const {
    int least = pidfd ? -1 : kLook;
    const auto until = [&](Clock::time_point at) {
      const int left =
          std::max(0, int(std::chrono::duration_cast<std::chrono::milliseconds>(at - Clock::now()).count()) + 1);
      least = least < 0 ? left : std::min(least, left);
    };
    if (kill_at && !killed) until(*kill_at);
    if (show_at) until(*show_at);
    return least;
  }

  void terminate() {
    if (kill_at) return;
    kill(-shared->pid, SIGTERM);
    kill_at = Clock::now() + milliseconds_of(limits.grace);
    in.close();
  }

  void blame(ChildEnd::Why reason) {
    if (!why) why = reason;
    out.close();
    line = {};
    terminate();
  }

  void write_some() {
    std::string text;
    {
      const std::lock_guard lock(shared->mutex);
      text = std::move(shared->outgoing);
      shared->outgoing.clear();
    }
    const ssize_t wrote = write(in.get(), text.data(), text.size());
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) {
      in.close();  // its end will be seen soon
      return;
    }
    text.erase(0, size_t(std::max<ssize_t>(wrote, 0)));
    const std::lock_guard lock(shared->mutex);
    shared->outgoing.insert(0, text);
  }

  void read_lines() {
    static thread_local std::array<char, 1 << 16> bytes;
    const ssize_t got = read(out.get(), bytes.data(), bytes.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return out.close();
    if (got < 0) return;
    bool said = false;
    std::string_view rest(bytes.data(), size_t(got));
    while (!rest.empty() && out) {
      const size_t end = rest.find('\n');
      const std::string_view piece = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (line.empty() && !skipping && !piece.empty() && piece[0] != '{') {
        skipping = true;
        keep_rubbish(piece);
      }
      if (skipping) {
        if (waste(piece.size() + 1)) break;
      } else {
        bool large;
        {
          const std::lock_guard lock(shared->mutex);
          large = shared->large;
        }
        if (line.size() + piece.size() > (large ? limits.line : limits.small_line)) {
          blame(ChildEnd::Why::LongLine);
          break;
        }
        line += piece;
      }
      if (end == std::string_view::npos) break;
      if (!skipping && !line.empty()) said = hear() || said;
      skipping = false;
      if (line.capacity() > (1 << 20)) line = {};
      line.clear();
    }
    if (said && wake) wake();
  }

  bool hear() {
    std::shared_ptr<const void> message;
    try {
      const Effort effort(Effort::kUnbounded, &shared->ending);
      message = reader(line);
    } catch (const std::exception&) {
      blame(ChildEnd::Why::Unread);
      return false;
    }
    if (!message) return keep_rubbish(line), waste(line.size() + 1), false;
    const std::lock_guard lock(shared->mutex);
    shared->waiting.push_back(std::move(message));
    return true;
  }

  void keep_rubbish(std::string_view said) {
    const std::lock_guard lock(shared->mutex);
    shared->rubbish = said.substr(0, kMostRubbishShown);
  }

  bool waste(size_t count) {
    rubbish += count;
    if (rubbish > limits.rubbish) blame(ChildEnd::Why::Rubbish);
    return rubbish > limits.rubbish;
  }

  void read_errors() {
    std::array<char, 4096> bytes;
    const ssize_t got = read(err.get(), bytes.data(), bytes.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return err.close();
    if (got < 0) return;
    const std::lock_guard lock(shared->mutex);
    shared->errors.add({bytes.data(), size_t(got)});
    show_at.reset();
    if (shared->errors.waits_for_end()) show_at = Clock::now() + std::chrono::milliseconds(kUnended);
  }

  void show_unended() {
    show_at.reset();
    {
      const std::lock_guard lock(shared->mutex);
      shared->errors.show_unended();
    }
    if (wake) wake();
  }

  // What it said before it ended is still in the pipes.
  void finish(int status) {
    for (int turn = 0; err && turn < 64; ++turn) {
      pollfd ready{err.get(), POLLIN, 0};
      if (poll(&ready, 1, 0) <= 0) break;
      read_errors();
    }
    {
      const std::lock_guard lock(shared->mutex);
      shared->errors.end_line();
    }
    const auto until = Clock::now() + std::chrono::seconds(2);
    while (out && Clock::now() < until) {
      bool full, ending;
      {
        const std::lock_guard lock(shared->mutex);
        full = shared->waiting.size() >= kMostWaiting;
        ending = shared->ending;
      }
      if (ending) break;
      if (full) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        continue;
      }
      pollfd ready{out.get(), POLLIN, 0};
      if (poll(&ready, 1, 0) <= 0) break;
      read_lines();
    }
    {
      const std::lock_guard lock(shared->mutex);
      ChildEnd end{ChildEnd::Why::Exited, WIFEXITED(status) ? WEXITSTATUS(status) : 0};
      if (WIFSIGNALED(status)) end = {ChildEnd::Why::Signalled, WTERMSIG(status)};
      if (why) end.why = *why;
      shared->end = end;
      shared->reaped = true;
    }
    if (wake) wake();
  }
};

Child::Child(std::vector<std::string> argv, Reader reader, std::function<void()> wake, ChildLimits limits)
    : shared_(std::make_shared<Shared>()), thread_(std::make_unique<Thread>()) {
  thread_->shared = shared_;
  thread_->reader = std::move(reader);
  thread_->wake = std::move(wake);
  thread_->limits = limits;
  if (!thread_->start(argv)) return;
  try {
    thread_->thread = std::thread([this] { thread_->run(); });
  } catch (const std::system_error& error) {
    thread_->give_up(error.code().value());
  }
}

Child::~Child() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->hurry = true;
  }
  end();
  if (thread_->thread.joinable()) thread_->thread.join();
}

void Child::send(std::string line) {
  const std::lock_guard lock(shared_->mutex);
  shared_->outgoing += line;
  shared_->outgoing += '\n';
  shared_->nudge();
}

void Child::expect_large(bool large) {
  const std::lock_guard lock(shared_->mutex);
  shared_->large = large;
}

std::vector<std::shared_ptr<const void>> Child::take() {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->waiting.size() >= kMostWaiting) shared_->nudge();
  return std::exchange(shared_->waiting, {});
}

std::optional<ChildEnd> Child::ended() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->waiting.empty() ? shared_->end : std::nullopt;
}

std::string Child::last_rubbish() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->rubbish.empty() ? "" : in_quotes(shared_->rubbish, 60);
}

std::string Child::last_error() const {
  const std::vector<std::string> lines = last_errors();
  return lines.empty() ? "" : lines.back();
}

std::vector<std::string> Child::last_errors() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->errors.lines();
}

void Child::end() {
  const std::lock_guard lock(shared_->mutex);
  shared_->ending = true;
  shared_->nudge();
}

bool Child::reaped() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->reaped;
}

int Child::pid() const { return shared_->pid; }

}  // namespace tilewalk
