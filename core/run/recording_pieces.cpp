#include "core/run/recording_pieces.h"

#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// Every run's head, and each of its kernels, has lines of its own.
constexpr std::string_view kRun = "{\"provenance\"", kKernel = " {\"kernel\"";

}  // namespace

RecordingPieces::RecordingPieces(std::string_view text) : rest_(text) { head_ = line(), head_ += line(); }

std::string_view RecordingPieces::line() {
  const std::string_view out = rest_.substr(0, rest_.find('\n') + 1);
  rest_.remove_prefix(out.empty() ? rest_.size() : out.size());
  return out;
}

bool RecordingPieces::next(std::vector<RunResult>& runs) {
  while (!rest_.empty()) {
    const std::string_view now = line();
    if (now.starts_with(kKernel)) {
      add(now, runs);
      return true;
    }
    if (now.starts_with(kRun)) run_.clear();
    run_ += now;
  }
  return false;
}

void RecordingPieces::add(std::string_view kernel, std::vector<RunResult>& runs) {
  // Behind a kernel stands a comma, or the end of its run, or with it that of the file.
  const bool more = rest_.starts_with(kKernel);
  const std::string_view behind = more ? ",\n" : rest_.empty() ? "]}]}\n" : "]},\n";
  kernel.remove_suffix(std::min(kernel.size(), behind.size()));
  const bool same_run = same_run_ && !runs.empty();
  same_run_ = more;
  std::string fault;
  auto read = read_recording(fmt::format("{}{}{}]}}]}}", head_, run_, kernel), fault);
  if (!read || read->empty()) return;
  if (same_run)
    std::ranges::move(read->front().kernels, std::back_inserter(runs.back().kernels));
  else
    runs.push_back(std::move(read->front()));
}

}  // namespace tilewalk
