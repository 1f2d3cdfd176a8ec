// A class that is there, asked from outside. Its runs, on a real GPU: how many come back right, and how fast, through
// the server and straight from the worker. And its pages: how long a step takes to all of them while others misbehave.
//
//   class_check PORT CODE PAGES RUNS      so many pages of a server that is there, each asking for so many runs
//   class_check follow PORT CODE SECRET PAGES STEPS   so many pages follow so many steps, one in half a second, and
//   vote
//   class_check clients PORT CODE PAGES   so many pages run by the client that a window has
//   class_check learners PORT CODE PAGES SECONDS      so many pages learn while somebody teaches
//   class_check direct RUNS COMMAND...    the same runs, one after the other, from a worker that the command starts
#include "app/gpu/child.h"
#include "core/run/protocol.h"
#include "tests/classroom/class_clients.h"
#include "tests/classroom/class_learners.h"
#include "tests/classroom/page_client.h"

#include <fmt/format.h>

#include <algorithm>
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
  spec.kernels = {Method::Fa2, Method::Fa3};
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

// Pages that nobody wants, one of each kind.
void misbehave(int port, const std::string& code, int kind, std::vector<PageClient>& kept) {
  PageClient stranger(port);
  switch (kind % 5) {
    case 0: stranger.say(Join{"aaa-aaa", "", ""}); break;
    case 1: stranger.send_raw(std::string(5000, '\xc1')); break;
    case 2:
      stranger.say(Join{code, "", ""});
      for (int k = 0; k < 300; ++k) stranger.say(Where{"tilewalk://lesson/1"});
      break;
    case 3: stranger.send_raw(std::string("\x81\xfe\x00", 3)); break;  // the beginning of a frame
    default: stranger.send_text(std::string(size_t{1} << 17, 'x')); break;
  }
  if (kind % 2 == 0) kept.push_back(std::move(stranger));  // it stays, frozen; the others vanish
}

int follow(int port, const std::string& code, const std::string& secret, int count, int steps) {
  PageClient teacher(port);
  teacher.say(Join{code, secret, ""});
  if (!teacher.wait<Welcome>()) return fmt::print("Who teaches is not let in.\n"), 1;
  const double began = steady_seconds();
  std::vector<PageClient> pages, strangers;
  for (int k = 0; k < count; ++k) {
    pages.emplace_back(port);
    pages.back().say(Join{code, "", ""});
  }
  double last = 0;
  for (const double when : await_all(pages, "\"welcome\"", 60)) last = when < 0 ? 1e9 : std::max(last, when);
  fmt::print("{} pages joined in {:.2f} s\n", count, last - began);
  for (const bool storm : {false, true}) {
    std::vector<double> delays;
    int lost = 0;
    for (int step = 0; step < steps; ++step) {
      if (storm) misbehave(port, code, step, strangers);
      const double pressed = steady_seconds();
      const std::string link = fmt::format("tilewalk://lesson/6/beat/{}{}", storm ? "9" : "", step);
      teacher.say(Lead{link});
      for (const double when : await_all(pages, link + "\"", 10))
        when < 0 ? void(++lost) : delays.push_back(when - pressed);
      teacher.read(0);
      teacher.messages.clear();
      poll(nullptr, 0, 500);
    }
    std::ranges::sort(delays);
    if (delays.empty()) return fmt::print("Nobody followed.\n"), 1;
    fmt::print("{} steps{}: median {:.1f} ms, worst {:.1f} ms, {} lost\n", steps,
               storm ? " while others guess, flood, freeze, send garbage and vanish" : "",
               1e3 * delays[delays.size() / 2], 1e3 * delays.back(), lost);
  }
  teacher.say(OpenPoll{{"tilewalk://lesson/6/beat/3", "max", 4, "", "", {1}}});
  await_all(pages, "\"open\":true", 10);
  for (size_t k = 0; k < pages.size(); ++k) pages[k].say(CastVote{1, 1, int(k % 4), std::nullopt, 1});
  await_all(pages, "\"voted\"", 20);
  const double voted = steady_seconds();
  std::optional<VoteCount> counted;
  do counted = teacher.wait<VoteCount>(5000);
  while (counted && counted->votes < count);
  fmt::print("{} votes counted {:.2f} s behind the last\n", counted ? counted->votes : 0, steady_seconds() - voted);
  return 0;
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
  if (args.size() == 6 && args[0] == "follow")
    return follow(std::stoi(args[1]), args[2], args[3], std::stoi(args[4]), std::stoi(args[5]));
  if (args.size() == 5 && args[0] == "learners")
    return play_learners(std::stoi(args[1]), args[2], std::stoi(args[3]), std::stod(args[4]));
  if (args.size() == 4 && args[0] == "clients") return run_clients(std::stoi(args[1]), args[2], std::stoi(args[3]));
  if (args.size() == 4) return ask_class(std::stoi(args[0]), args[1], std::stoi(args[2]), std::stoi(args[3]));
  fmt::print(
      "usage: class_check PORT CODE PAGES RUNS | follow PORT CODE SECRET PAGES STEPS | clients PORT CODE PAGES | "
      "learners PORT CODE PAGES SECONDS | direct RUNS COMMAND...\n");
  return 2;
}
