// Private parts of the client: sentences, and what the reading thread does with a line of the worker. It reads it and
// holds an answer against what was asked, since float64 takes longer than a frame.
#pragma once

#include "app/gpu/worker_client.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {

constexpr std::string_view kRunAgain = "The lesson goes on; R starts a new worker.";

// Not too long, and with a stop at its end.
inline std::string sentence(std::string text) {
  if (text.size() > 160) text = text.substr(0, 157) + "...";
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

struct WorkerClient::Heard {
  std::optional<FromWorker> message;
  std::string fault;             // the line cannot be used
  std::vector<RunFault> faults;  // of an answer: why not all of it is shown as measured
};

// Whether a line before the hello is a message gone wrong, and not what a login prints.
inline bool means_to_be_message(std::string_view line) {
  return line.starts_with('{') && line.find("\"type\"") != std::string_view::npos;
}

// What was asked, and what the reading thread knows of the worker.
struct WorkerClient::Listening {
  std::mutex mutex;
  int64_t id = 0;
  std::shared_ptr<const RunSpec> asked;  // null: no run is on

  // The reading thread's own.
  bool greeted = false;
  Provenance gpu;       // of the hello
  bool one_gpu = true;  // answers are of that; else of another one, too
  std::shared_ptr<const RunSpec> checking;
  AuditBudget budget;

  void check(Heard& heard) {
    if (const Hello* hello = std::get_if<Hello>(&*heard.message)) {
      if (!greeted) gpu = hello->gpu;
      greeted = true;
    }
    const Done* done = std::get_if<Done>(&*heard.message);
    const Partial* partial = std::get_if<Partial>(&*heard.message);
    if (!done && !partial) return;
    std::shared_ptr<const RunSpec> spec;
    {
      const std::lock_guard lock(mutex);
      if ((done ? done->id : partial->id) == id) spec = asked;
    }
    if (!spec) return;
    if (std::exchange(checking, spec) != spec) budget = {};
    heard.faults = run_faults(done ? done->result : RunResult{gpu, *spec, {partial->result}},
                              {spec.get(), one_gpu ? &gpu : nullptr}, budget);
  }
};

}  // namespace tilewalk
