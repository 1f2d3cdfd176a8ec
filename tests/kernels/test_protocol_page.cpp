// The page that describes the worker's protocol: every example on it is a message that both sides understand.
#include "core/io/file.h"
#include "core/run/protocol.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>

namespace tilewalk {

TEST_CASE("the examples of PROTOCOL.md are read by the side that they are sent to") {
  std::istringstream page(read_file(TILEWALK_SOURCE_DIR "/kernels/worker/PROTOCOL.md"));
  std::set<size_t> from, to;  // kinds of messages that were met
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) heading = line;
    if (!line.starts_with("{")) continue;
    CAPTURE(line);
    std::string fault;
    if (heading.find("From the app") != std::string::npos) {
      const std::optional<ToWorker> message = to_worker(line, fault);
      REQUIRE_MESSAGE(message, fault);
      to.insert(message->index());
      CHECK(to_worker(line_of(*message), fault));
    } else {
      const std::optional<FromWorker> message = from_worker(line, fault);
      REQUIRE_MESSAGE(message, fault);
      from.insert(message->index());
      CHECK(from_worker(line_of(*message), fault));
    }
  }
  CHECK(to.size() == std::variant_size_v<ToWorker>);
  CHECK(from.size() == std::variant_size_v<FromWorker>);
}

}  // namespace tilewalk
