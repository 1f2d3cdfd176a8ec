// Work that takes longer than a frame, beside whoever wants it done. Where the system has threads, by another one;
// where it has none, as in a page of a browser, a piece at a time between two frames.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

namespace tilewalk {

class Background {
 public:
  // `piece` does one piece of work, elsewhere than wake(); false: there was none.
  explicit Background(std::function<bool()> piece);
  ~Background();  // waits for the piece that is being done; no other one is begun
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void wake();  // there may be work

  struct Worker;

 private:
  std::unique_ptr<Worker> worker_;
};

// One piece, where no thread does them: whether there was one. To be called between two frames.
bool background_turn();

// One piece with a result: begun now, or, where no thread does it, done by whoever asks for the result.
std::future<std::string> beside(std::function<std::string()> work);

}  // namespace tilewalk
