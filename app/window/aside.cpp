#include "app/window/aside.h"

#include "core/io/printable.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace tilewalk {
namespace {

std::string fault_of(const std::function<void()>& act) {
  try {
    act();
    return {};
  } catch (const std::bad_alloc&) {
    return "This machine has too little memory for that.";
  } catch (const std::exception& error) {
    return fmt::format("That could not be done: {}.", printable(error.what()));
  }
}

}  // namespace

Aside::Aside(std::function<void()> wake) : wake_(std::move(wake)) {}

Aside::~Aside() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  given_.notify_one();
  thread_.join();
}

void Aside::begin(std::function<void()> act) {
  {
    const std::lock_guard lock(mutex_);
    act_ = std::move(act);
    in_hand_ = true;
    given_up_ = false;
  }
  given_.notify_one();
}

bool Aside::wait(double seconds) {
  std::unique_lock lock(mutex_);
  given_up_ = !done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !in_hand_; });
  return !given_up_;
}

std::string Aside::take_fault() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fault_, {});
}

void Aside::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    given_.wait(lock, [this] { return quit_ || (in_hand_ && act_); });
    if (!act_) return;
    const std::function<void()> act = std::exchange(act_, nullptr);
    lock.unlock();
    std::string fault = fault_of(act);
    lock.lock();
    fault_ = std::move(fault);
    in_hand_ = false;
    done_.notify_one();
    if (given_up_ && wake_ && !quit_) wake_();
  }
}

}  // namespace tilewalk
