// Reads requests on a thread of its own, so that a cancel is heard while a run is on.
#pragma once

#include "core/run/protocol.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

namespace tilewalk::gpu {

class Inbox {
 public:
  explicit Inbox(int file);
  ~Inbox();
  Inbox(const Inbox&) = delete;

  // A request, in the order of their coming; or what was wrong with a line, as one sentence.
  struct Waiting {
    std::variant<RunRequest, CeilingsRequest, ProgramRequest> request;
    bool cancelled = false;  // while it waited
    int64_t id() const {
      return std::visit([](const auto& r) { return r.id; }, request);
    }
  };
  using Item = std::variant<Waiting, std::string>;
  // Waits for the next one. Nothing once quit was said or the other end has gone, and all that waited was handed out.
  std::optional<Item> next();

  // Whether the request that next() gave last is to be given up: cancelled, or nobody is left to hear the answer.
  bool cancelled() const { return cancelled_ || closed_; }

 private:
  void read_lines();
  void take_line(std::string_view line);
  void put(Item item);

  int file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::optional<int64_t> current_;  // id of the request in hand
  std::atomic<bool> cancelled_ = false, closed_ = false, stopping_ = false;
  std::thread reader_;
};

}  // namespace tilewalk::gpu
