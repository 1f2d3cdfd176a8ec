// Where libwebsockets was not there when this was built.
#include "app/classroom/server.h"

#include <stdexcept>

namespace tilewalk {

struct ClassServer::Loop {
  Room room{"", "", [] { return uint64_t{1}; }};
};

ClassServer::ClassServer(ServerSettings, std::string, std::string, std::function<void(const std::string&)>) {
  throw std::runtime_error("This build has no server: install libwebsockets-dev and build again.");
}
ClassServer::~ClassServer() = default;
int ClassServer::port() const { return 0; }
const Room& ClassServer::room() const { return loop_->room; }
void ClassServer::run() {}
void ClassServer::stop() {}
bool can_serve_classes() { return false; }

}  // namespace tilewalk
