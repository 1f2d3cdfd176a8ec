// A class without sockets: pages and who teaches are numbers, and what each hears is kept.
#pragma once

#include "core/classroom/room.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace tilewalk::test {

inline constexpr const char* kCode = "k7m-2xq";
inline constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

struct Played {
  std::mt19937_64 random{5};
  Room room{kCode, kSecret, [this] { return random(); }};
  double now = 0;
  std::map<ConnId, std::vector<ToPage>> heard;
  std::map<ConnId, std::vector<std::string>> answers;
  std::map<ConnId, bool> ended;
  ConnId next = 1;

  void deliver() {
    for (const Room::Out& out : room.take_out()) {
      if (out.text->starts_with("{\"type\":\"answer\"")) {
        answers[out.to].push_back(*out.text);
      } else {
        std::string fault;
        const auto read = to_page(*out.text, fault);
        REQUIRE_MESSAGE(read, fault);
        heard[out.to].push_back(*read);
      }
      if (out.close) ended[out.to] = true, room.closed(out.to);
    }
  }
  void say(ConnId conn, const FromPage& message) {
    room.said(conn, line_of(message), now);
    deliver();
  }
  ConnId page(const char* teacher = "", std::string seat = {}) {
    const ConnId conn = next++;
    REQUIRE(room.opened(conn, fmt::format("10.0.0.{}", conn), now));
    say(conn, Join{kCode, teacher, std::move(seat)});
    return conn;
  }
  void pass(double seconds) {
    now += seconds;
    room.tick(now);
    deliver();
  }
  template <class Message>
  const Message* last(ConnId conn) {
    for (auto at = heard[conn].rbegin(); at != heard[conn].rend(); ++at)
      if (const Message* found = std::get_if<Message>(&*at)) return found;
    return nullptr;
  }
};

inline PollAsked question() {
  return {"tilewalk://lesson/6/beat/3", "max", 3, "A max that streams", "", {1}, {}, "running-max", 7};
}

}  // namespace tilewalk::test
