// A page without a browser: a WebSocket over loopback, as well behaved or as badly as a test wants. Blocks in nothing
// but wait(). Source: RFC 6455.
#pragma once

#include "core/classroom/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What a plain request is answered with, header and all.
std::string http_answer(int port, std::string_view request);

class PageClient {
 public:
  struct Opening {
    std::string origin = {};                  // empty: none is named
    std::string protocol = "tilewalk-class";  // empty: none
  };
  explicit PageClient(int port) : PageClient(port, Opening{}) {}
  PageClient(int port, const Opening& opening);
  PageClient(PageClient&& other) noexcept;
  PageClient(const PageClient&) = delete;
  PageClient& operator=(PageClient&&) = delete;
  ~PageClient();

  bool open() const { return fd_ >= 0; }  // the server has not ended it
  bool upgraded() const { return upgraded_; }
  void say(const FromPage& message) { send_text(line_of(message)); }
  void send_text(std::string_view text);
  void send_raw(std::string_view bytes);
  void vanish();  // without a goodbye

  // Reads what is there, waiting up to so many milliseconds for the first of it.
  void read(int milliseconds);
  // Until such a message has come, or the time is over; messages before it are kept in `messages`.
  template <class Message>
  std::optional<Message> wait(int milliseconds = 5000);

  int fd() const { return fd_; }
  std::vector<std::string> messages;  // as they came, and were not taken yet

 private:
  void take_frames();
  int fd_ = -1;
  bool upgraded_ = false;
  std::string bytes_;
};

// A connection that is opened and says so much; closed by who asked for it.
int raw_connection(int port, std::string_view begins);

double steady_seconds();

// Reads from all pages until each has had a message that holds `words`: when it came, by page; -1 where it did not
// within so many seconds.
std::vector<double> await_all(std::vector<PageClient>& pages, std::string_view words, double seconds);

template <class Message>
std::optional<Message> PageClient::wait(int milliseconds) {
  const double until = steady_seconds() + milliseconds / 1000.0;
  while (true) {
    while (!messages.empty()) {
      std::string fault;
      const auto read = to_page(messages.front(), fault);
      messages.erase(messages.begin());
      if (!read) continue;
      if (const Message* found = std::get_if<Message>(&*read)) return *found;
    }
    const double left = until - steady_seconds();
    if (left <= 0 || !open()) return std::nullopt;
    read(int(left * 1000) + 1);
  }
}

}  // namespace tilewalk
