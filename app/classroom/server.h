// A class's server: the page for browsers, its WebSocket (core/classroom/messages.h at /class), and the workers behind
// it, in one thread and one process.
//
// The library is libwebsockets: HTTP, WebSocket and TLS in one event loop, no thread of its own, memory that is bounded
// for each connection, and it is in the packages of every system. (Boost.Beast would be as sound; it leaves the loop,
// the serving of files and every limit to its user.)
#pragma once

#include "core/classroom/room.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

struct ServerSettings {
  std::string address = "127.0.0.1";                 // an IPv4 or IPv6 address of this computer; "0.0.0.0": all
  int port = 8660;                                   // 0: any that is free
  std::filesystem::path site = {};                   // build-web/site; empty or not there: a page that says so
  std::filesystem::path certificate = {}, key = {};  // both, for TLS
  std::vector<std::vector<std::string>> workers = {};
  std::filesystem::path keep = {};  // the file of the class; empty: nothing is kept
  bool log_addresses = false;
  RoomLimits limits = {};
};

class ClassServer {
 public:
  // Throws std::runtime_error with one sentence: the port is taken, the certificate cannot be read, the file of the
  // class is damaged. `say` gets a sentence for what the operator should know.
  ClassServer(ServerSettings settings, std::string code, std::string teacher,
              std::function<void(const std::string&)> say);
  ~ClassServer();

  int port() const;
  const Room& room() const;
  void run();   // until the class is ended or stop() was called
  void stop();  // from any thread, or a signal's handler

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

// Whether this build has one; where not, what to install.
bool can_serve_classes();

}  // namespace tilewalk
