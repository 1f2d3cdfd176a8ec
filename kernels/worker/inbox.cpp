#include "kernels/worker/inbox.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tilewalk::gpu {
namespace {

constexpr size_t kMostWaiting = 1024;  // items; then the other end waits until some are answered

}  // namespace

Inbox::Inbox(int file) : file_(file), reader_([this] { read_lines(); }) {}

Inbox::~Inbox() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  reader_.join();
}

std::optional<Inbox::Item> Inbox::next() {
  std::unique_lock lock(mutex_);
  current_.reset();
  cancelled_ = false;
  changed_.wait(lock, [&] { return !items_.empty() || closed_; });
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  if (const auto* waiting = std::get_if<Waiting>(&item)) {
    current_ = waiting->id();
    cancelled_ = waiting->cancelled;
  }
  changed_.notify_all();
  return item;
}

void Inbox::put(Item item) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return items_.size() < kMostWaiting || stopping_; });
  items_.push_back(std::move(item));
  changed_.notify_all();
}

void Inbox::take_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  std::string fault;
  const std::optional<ToWorker> message = to_worker(line, fault);
  if (!message) return put(std::move(fault));
  if (const auto* run = std::get_if<RunRequest>(&*message)) return put(Waiting{*run});
  if (const auto* ceilings = std::get_if<CeilingsRequest>(&*message)) return put(Waiting{*ceilings});
  if (const auto* program = std::get_if<ProgramRequest>(&*message)) return put(Waiting{*program});
  const std::lock_guard lock(mutex_);
  if (const auto* cancel = std::get_if<CancelRequest>(&*message)) {
    if (current_ == cancel->id) cancelled_ = true;
    for (Item& item : items_)  // one that still waits is answered in its turn
      if (auto* one = std::get_if<Waiting>(&item); one && one->id() == cancel->id) one->cancelled = true;
  } else {
    closed_ = true;
  }
}

void Inbox::read_lines() {
  std::string line, chunk(1 << 16, '\0');
  bool too_long = false;
  while (!stopping_ && !closed_) {
    pollfd ready{file_, POLLIN, 0};
    if (poll(&ready, 1, 100) <= 0) continue;  // wakes up to see whether it should stop
    const ssize_t count = read(file_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (std::string_view rest(chunk.data(), size_t(count)); !rest.empty() && !closed_;) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      too_long = too_long || line.size() + end > kMostLine;
      if (!too_long) line += rest.substr(0, end);
      if (end == rest.size()) break;
      if (too_long)
        put("A line was longer than " + std::to_string(kMostLine) + " bytes and was passed over.");
      else
        take_line(line);
      line.clear();
      too_long = false;
      rest.remove_prefix(end + 1);
    }
    if (too_long) line.clear();
  }
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace tilewalk::gpu
