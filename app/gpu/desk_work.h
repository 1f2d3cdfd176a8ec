// What would take the desk longer than a frame, done in the background, and what was found so far, each under its key.
#pragma once

#include "app/gpu/recordings.h"
#include "core/io/background.h"
#include "core/roofline/switch_price.h"
#include "core/run/prediction.h"
#include "core/run/run.h"
#include "core/run/simulated.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tilewalk {

struct ProgramCard;  // app/gpu/program_card.h

struct DeskWork {
  struct Task {
    std::string key;
    std::function<void()> act;
  };
  std::mutex mutex;  // of all that follows, up to the desk's own
  std::deque<Task> tasks;
  std::set<std::string> asked;
  std::atomic<bool> quit = false;  // what is being done is given up soon
  bool working = false;
  int64_t version = 0;
  std::function<void()> wake;

  std::map<std::string, RunPrediction> counted, with_dram;
  std::map<std::string, std::shared_ptr<const SimulatedRun>> simulated;  // null: it cannot be
  std::map<std::string, SwitchPrice> prices;
  std::map<std::string, uint64_t> hashes;
  std::shared_ptr<const Recordings> recordings;
  std::shared_ptr<const ProgramCard> program;  // the last that was made, and for what
  std::string program_key;
  std::string unread;            // why a recording could not be opened, which is said, too
  std::string said;              // about a recording that was opened, or about a task that could not be done
  std::set<std::string> failed;  // keys of tasks that could not be done

  // The desk's own: not shared with the background.
  int64_t seen = 0;
  std::optional<RunSpec> prepared;  // goes out when its hash is known
  bool prepared_anyway = false;

  ~DeskWork();

  // Once for each key. What it throws is kept as a failed key and a sentence, and ends nothing.
  void ask(std::string key, std::function<void()> act);
  // Forgets what was asked for and has not been begun; the recordings and hashes that a run waits for stay.
  void drop_rest();

  template <class Map, class Value>
  void publish(Map& map, const std::string& key, Value value) {
    const std::lock_guard lock(mutex);
    map[key] = std::move(value);
    ++version;
  }

 private:
  bool do_one();                                 // task; false: there was none
  std::string fault_of(const Task& task) const;  // does it; empty: it was done

  Background background_{[this] { return do_one(); }};  // ends first
};

}  // namespace tilewalk
