// The wire to a class's server: a WebSocket of the protocol "tilewalk-class", in a browser or of the program itself.
// Nothing here waits.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct ClassEvent {
  enum class Kind : uint8_t { Opened, Line, Ended } kind = Kind::Line;
  std::string line;  // of the server, whole
};

class ClassSocket {
 public:
  virtual ~ClassSocket() = default;
  virtual void open(const std::string& address) = 0;  // "ws://10.0.0.5:8660/class"; one that was open is closed
  virtual void close() = 0;                           // an Ended comes of it no more
  virtual void send(const std::string& line) = 0;     // once it is open
  virtual std::vector<ClassEvent> take() = 0;         // what has come since
};

}  // namespace tilewalk
