#include "app/shell/desktop/awake.h"

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <sys/wait.h>

namespace tilewalk {
namespace {

constexpr std::string_view kWhy = "A lesson is being presented";
constexpr auto kGrace = std::chrono::milliseconds(500);

std::vector<std::vector<std::string>> commands() {
  const std::string why(kWhy);
  return {{"systemd-inhibit", "--what=idle:sleep", "--who=Tilewalk", "--why=" + why, "--mode=block", "cat"},
          {"gnome-session-inhibit", "--app-id", "tilewalk", "--reason", why, "--inhibit", "idle:suspend", "cat"},
          {"kde-inhibit", "--power", "--screenSaver", "cat"}};
}

// Ends with its input; whatever does not is made to.
void reap(Spawned& holder) {
  holder.in.close();
  const auto until = std::chrono::steady_clock::now() + kGrace;
  while (waitpid(holder.pid, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) {
      kill(-holder.pid, SIGKILL);  // it leads a group of its own
      waitpid(holder.pid, nullptr, 0);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

void Awake::hold(bool on) {
  if (on == on_) return;
  on_ = on;
  if (on) {
    for (const std::vector<std::string>& command : commands())
      if (Spawned holder = spawn(command); holder.fault == 0) holders_.push_back(std::move(holder));
    return;
  }
  for (Spawned& holder : holders_) reap(holder);
  holders_.clear();
}

}  // namespace tilewalk
