// A class's server in a thread of its own, on a port that is free.
#pragma once

#include "app/classroom/server.h"
#include "tests/classroom/page_client.h"

#include <doctest/doctest.h>

#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tilewalk {

constexpr const char* kCode = "k7m-2xq";
constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

struct Served {
  std::mutex lock;
  std::vector<std::string> said;
  ClassServer server;
  std::thread thread;

  explicit Served(ServerSettings settings = {})
      : server(at_any_port(std::move(settings)), kCode, kSecret,
               [this](const std::string& words) {
                 const std::lock_guard guard(lock);
                 said.push_back(words);
               }),
        thread([this] { server.run(); }) {}
  ~Served() {
    server.stop();
    thread.join();
  }
  static ServerSettings at_any_port(ServerSettings settings) {
    settings.port = 0;
    return settings;
  }
  std::string all_said() {
    const std::lock_guard guard(lock);
    std::string all;
    for (const std::string& words : said) all += words + "\n";
    return all;
  }
  PageClient page(const char* teacher = "", std::string seat = {}) {
    PageClient page(server.port());
    page.say(Join{kCode, teacher, std::move(seat)});
    return page;
  }
};

}  // namespace tilewalk
