// A thread beside the one that draws, for what may take longer than a frame: acting on a key, laying out a picture,
// reading and writing files. One thing at a time; who gave it looks at nothing that it works on until it is done.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tilewalk {

class Aside {
 public:
  // `wake` is called from the thread, after something that somebody has stopped waiting for.
  explicit Aside(std::function<void()> wake = {});
  ~Aside();  // waits for what is being done
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  void begin(std::function<void()> act);  // nothing may be in hand
  bool wait(double seconds);              // so long at most; true once nothing is in hand
  bool busy() { return !wait(0); }
  // A sentence where the last thing ended in an exception, once; else empty.
  std::string take_fault();

 private:
  void run();

  std::function<void()> wake_, act_;
  std::mutex mutex_;
  std::condition_variable given_, done_;
  bool in_hand_ = false, given_up_ = false, quit_ = false;
  std::string fault_;
  std::thread thread_{[this] { run(); }};
};

}  // namespace tilewalk
