#include "app/window/run_marker.h"

#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/paths.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = 16 << 10;

// What a signal's handler may touch: plain bytes, written before it is set.
std::array<char, 4096> marked{};

void on_end(int signal) {
  if (marked[0]) unlink(marked.data());
  raise(signal);  // the usual end: the handler was for once
}

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_end;
  action.sa_flags = int(SA_RESETHAND | SA_NODEFER);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

bool is_gone(pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; }

}  // namespace

RunMarker::RunMarker(fs::path folder) {
  if (folder.empty()) return;
  file_ = folder / std::to_string(getpid());
  if (file_.native().size() >= marked.size()) file_.clear();
}

RunMarker& RunMarker::operator=(RunMarker&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(written_, other.written_);
  std::swap(any_, other.any_);
  return *this;
}

void RunMarker::end() {
  if (!std::exchange(any_, false)) return;
  marked[0] = 0;
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void RunMarker::note(const std::string& link) {
  if (file_.empty() || (any_ && link == written_)) return;
  try {
    if (!any_) {
      make_folder(file_.parent_path());
      std::memcpy(marked.data() + 1, file_.c_str() + 1, file_.native().size());
      marked[0] = file_.c_str()[0];
      watch_signals();
      any_ = true;
    }
    write_file(file_, link + "\n");
    written_ = link;
  } catch (const IoError&) {
    file_.clear();
  }
}

std::optional<std::string> take_left_over(const fs::path& folder) {
  std::optional<std::string> link;
  fs::file_time_type newest{};
  std::error_code fault;
  if (folder.empty()) return link;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename();
    const auto pid = number_of<pid_t>(name);
    if (!pid || *pid <= 0 || !is_gone(*pid)) continue;
    std::error_code ignored;
    const fs::file_time_type when = fs::last_write_time(at->path(), ignored);
    try {
      std::string text = read_file(at->path(), kMostBytes);
      text.erase(std::min(text.size(), text.find('\n')));
      if (!link || when > newest) link = std::move(text), newest = when;
    } catch (const IoError&) {
      if (!link) link.emplace();
    }
    fs::remove(at->path(), ignored);
  }
  return link;
}

}  // namespace tilewalk
