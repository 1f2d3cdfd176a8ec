// The wire to a class's server in a browser: the page's own WebSocket (page/class.js).
#pragma once

#include "app/window/class_socket.h"

namespace tilewalk {

class WebClassSocket : public ClassSocket {
 public:
  void open(const std::string& address) override;
  void close() override;
  void send(const std::string& line) override;
  std::vector<ClassEvent> take() override;
};

}  // namespace tilewalk
