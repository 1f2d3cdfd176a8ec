// A class's runs against a real GPU: how many come back right, and how fast, through the server and straight from the
// worker. No test of ./test: it needs a GPU.
//
//   class_check PORT CODE PAGES RUNS      so many pages of a server that is there, each asking for so many runs
//   class_check direct RUNS COMMAND...    the same runs, one after the other, from a worker that the command starts
#include "app/gpu/child.h"
#include "core/run/protocol.h"
#include "tests/classroom/page_client.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>

using namespace tilewalk;

namespace {

// The run numbered k of all: no two are the same.
RunSpec spec_of(int k) {
  RunSpec spec;
  Problem& p = spec.problem;
  p.n_q = p.n_k = int64_t{512} << (k % 4);
  p.d = k / 4 % 2 == 0 ? 128 : 64;
  p.heads = 16;
  p.br = p.bc = 64;
  p.seed = uint64_t(1000 + k);
  p.mask = k / 8 % 2 == 0 ? Mask::Full : Mask::Causal;
  spec.kernels = {KernelId::Fa2, KernelId::Fa3};
  return spec;
}

// Every kernel was compared with float64 and timed; times are only given to what is right.
bool is_right(const RunResult& result, const RunSpec& asked) {
  if (result.spec.problem.seed != asked.problem.seed || result.spec.problem.n_q != asked.problem.n_q) return false;
  if (result.kernels.size() != asked.kernels.size()) return false;
  for (const KernelResult& each : result.kernels)
    if (!each.timing || !each.errors || !each.errors->passed) return false;
  return true;
}

int ask_class(int port, const std::string& code, int pages, int runs) {
  std::vector<PageClient> all;
  std::map<std::pair<size_t, int64_t>, double> waiting;
  for (int k = 0; k < pages; ++k) {
    all.emplace_back(port);
    all.back().say(Join{code, "", ""});
  }
  const double began = steady_seconds();
  std::vector<int> asked(all.size(), 0);
  const auto ask = [&](size_t page) {
    const int k = int(page) * runs + asked[page]++;
    all[page].say(AskRun{k, spec_of(k)});
    waiting[{page, k}] = steady_seconds();
  };
  for (size_t page = 0; page < all.size(); ++page) ask(page);
  int right = 0, wrong = 0;
  double longest = 0;
  while (!waiting.empty() && steady_seconds() - began < 500) {
    std::vector<pollfd> ready;
    for (const PageClient& page : all) ready.push_back({page.fd(), POLLIN, 0});
    poll(ready.data(), nfds_t(ready.size()), 200);
    for (size_t page = 0; page < all.size(); ++page) {
      if (ready[page].revents != 0) all[page].read(0);
      for (const std::string& line : std::exchange(all[page].messages, {})) {
        std::string fault;
        constexpr std::string_view kBegin = "{\"type\":\"answer\",\"id\":";
        int64_t id = -1;
        bool good = false;
        if (line.starts_with(kBegin)) {
          id = std::strtoll(line.c_str() + kBegin.size(), nullptr, 10);
          const size_t at = line.find("\"line\":") + 7;
          const auto read = from_worker(std::string_view(line).substr(at, line.size() - at - 1), fault);
          const Done* done = read ? std::get_if<Done>(&*read) : nullptr;
          good = done && is_right(done->result, spec_of(int(id)));
          if (!good) fmt::print("run {}: {}\n", id, fault.empty() ? line.substr(0, 300) : fault);
        } else if (const auto read = to_page(line, fault)) {
          const RunRefused* refused = std::get_if<RunRefused>(&*read);
          if (!refused) continue;
          id = refused->id;
          fmt::print("run {} was refused: {}\n", id, refused->why);
        }
        const auto found = waiting.find({page, id});
        if (found == waiting.end()) continue;
        longest = std::max(longest, steady_seconds() - found->second);
        waiting.erase(found);
        ++(good ? right : wrong);
        if (asked[page] < runs) ask(page);
      }
    }
  }
  const double seconds = steady_seconds() - began;
  fmt::print(
      "{} pages, {} runs each: {} right, {} wrong or refused, {} without an answer; {:.1f} s, {:.2f} runs a second, "
      "{:.1f} s waited at most\n",
      pages, runs, right, wrong, waiting.size(), seconds, double(right) / seconds, longest);
  return wrong == 0 && waiting.empty() ? 0 : 1;
}

int ask_worker(int runs, std::vector<std::string> argv) {
  const auto reader = [](std::string_view line) -> std::shared_ptr<const void> {
    return line.starts_with('{') ? std::make_shared<const std::string>(line) : nullptr;
  };
  Child child(std::move(argv), reader, [] {}, {.line = size_t{8} << 20, .small_line = size_t{8} << 20});
  double began = 0;
  int next = 0, right = 0;
  while (!child.ended()) {
    for (const auto& message : child.take()) {
      std::string fault;
      const auto read = from_worker(*std::static_pointer_cast<const std::string>(message), fault);
      if (!read) return fmt::print("{}\n", fault), 1;
      const bool hello = std::holds_alternative<Hello>(*read);
      if (std::holds_alternative<Failure>(*read)) return fmt::print("{}\n", std::get<Failure>(*read).message), 1;
      if (hello) began = steady_seconds();
      if (const Done* done = std::get_if<Done>(&*read)) right += is_right(done->result, spec_of(next - 1));
      if (!hello && !std::holds_alternative<Done>(*read)) continue;
      if (next == runs) {
        const double seconds = steady_seconds() - began;
        fmt::print("straight from the worker: {} of {} right; {:.1f} s, {:.2f} runs a second\n", right, runs, seconds,
                   double(runs) / seconds);
        return right == runs ? 0 : 1;
      }
      child.send(line_of(ToWorker(RunRequest{next, spec_of(next), true})));
      ++next;
    }
    poll(nullptr, 0, 1);
  }
  return fmt::print("The worker ended: {}\n", child.last_error()), 1;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> args(words + 1, words + count);
  if (args.size() > 2 && args[0] == "direct") return ask_worker(std::stoi(args[1]), {args.begin() + 2, args.end()});
  if (args.size() == 4) return ask_class(std::stoi(args[0]), args[1], std::stoi(args[2]), std::stoi(args[3]));
  fmt::print("usage: class_check PORT CODE PAGES RUNS | class_check direct RUNS COMMAND...\n");
  return 2;
}
