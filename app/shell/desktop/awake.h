// Keeps the screen from going dark while somebody presents: by the desktop's own programs (systemd-inhibit,
// gnome-session-inhibit, kde-inhibit), each of which holds its lock for as long as a command runs. The command is `cat`
// at the end of a pipe of ours, so that the lock goes with this process however it ends. Where none of them is
// installed, or none is let do it, nothing happens and nothing is said.
#pragma once

#include "app/gpu/process.h"

#include <vector>

namespace tilewalk {

class Awake {
 public:
  Awake() = default;
  ~Awake() { hold(false); }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

  // Starts them, or ends and reaps them. What is as it should be stays so.
  void hold(bool on);
  bool held() const { return on_; }

 private:
  bool on_ = false;
  std::vector<Spawned> holders_;
};

}  // namespace tilewalk
