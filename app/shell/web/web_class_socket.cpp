#include "app/shell/web/web_class_socket.h"

#include "app/shell/web/page.h"

namespace tilewalk {

void WebClassSocket::open(const std::string& address) { page_wire_open(address); }
void WebClassSocket::close() { page_wire_close(); }
void WebClassSocket::send(const std::string& line) { page_wire_send(line); }

std::vector<ClassEvent> WebClassSocket::take() {
  std::vector<ClassEvent> all;
  for (std::string heard = page_wire_take(); !heard.empty(); heard = page_wire_take()) {
    const ClassEvent::Kind kind = heard[0] == '>'   ? ClassEvent::Kind::Opened
                                  : heard[0] == '<' ? ClassEvent::Kind::Ended
                                                    : ClassEvent::Kind::Line;
    all.push_back({kind, heard.substr(1)});
  }
  return all;
}

}  // namespace tilewalk
