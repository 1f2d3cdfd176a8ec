// The desk's thread: whatever a task throws becomes a sentence, and the window's end waits for none.
#include "app/gpu/desk_work.h"

#include "core/io/effort.h"

#include <doctest/doctest.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

namespace tilewalk::test_desk_work {

namespace {

using Clock = std::chrono::steady_clock;

template <class Done>
bool soon(DeskWork& work, Done done) {
  for (int turn = 0; turn < 5000; ++turn) {
    {
      const std::lock_guard lock(work.mutex);
      if (done()) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

TEST_CASE("a task that throws leaves a sentence, and the next one is done") {
  DeskWork work;
  bool done = false;
  work.ask("memory", [] { throw std::bad_alloc(); });
  REQUIRE(soon(work, [&] { return work.failed.contains("memory"); }));
  CHECK(work.said == "A part of the GPU's panel could not be worked out: this machine has too little memory for it.");
  work.ask("length", [] { throw std::length_error("too\nmany"); });
  REQUIRE(soon(work, [&] { return work.failed.contains("length"); }));
  CHECK(work.said == "A part of the GPU's panel could not be worked out: too\\x0amany.");
  CHECK(work.version == 2);
  work.ask("good", [&] {
    const std::lock_guard lock(work.mutex);
    done = true;
  });
  CHECK(soon(work, [&] { return done; }));
  CHECK(work.failed.size() == 2);
}

TEST_CASE("a long task is given up when the window ends") {
  auto work = std::make_unique<DeskWork>();
  std::atomic<bool> begun = false;
  work->ask("long", [&] {
    begun = true;
    for (;;) {
      std::this_thread::sleep_for(std::chrono::microseconds(10));
      spend(100);
    }
  });
  while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto begin = Clock::now();
  work.reset();
  CHECK(std::chrono::duration<double>(Clock::now() - begin).count() < 0.3);
}

}  // namespace tilewalk::test_desk_work
