// The GPUs of a class: processes that speak core/run/protocol.h, each started by a command of the operator's, started
// again where they end, and ended where a run takes too long. What they say goes to the room.
#pragma once

#include "core/classroom/room.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

struct WorkersSettings {
  std::vector<std::vector<std::string>> commands;  // argv of each
  double hello = 30;                               // seconds that a worker may take to say what it is
  double run = 180;                                // that a run may take
  double stop = 5;                                 // that a worker may take to stop a run that nobody waits for
  // To start a worker, one after the other, until all who wait for it are told; it is tried once a minute then.
  int attempts = 5;
};

class Workers {
 public:
  // `wake` is called in other threads whenever poll() has something to do; `say` in this one, with a sentence.
  Workers(WorkersSettings settings, Room& room, std::function<void()> wake,
          std::function<void(const std::string&)> say);
  ~Workers();

  // Takes what workers said, starts and ends them, begins runs. To be called when woken, and twice a second.
  void poll(double now);

 private:
  struct Worker;
  void start(Worker& worker, double now);
  void lost(Worker& worker, double now, const std::string& why);
  void heard(Worker& worker, const std::string& line, double now);

  WorkersSettings settings_;
  Room& room_;
  std::function<void()> wake_;
  std::function<void(const std::string&)> say_;
  std::vector<std::unique_ptr<Worker>> workers_;
  WorkerId next_ = 1;
  bool told_none_ = false;
};

}  // namespace tilewalk
