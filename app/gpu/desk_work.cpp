#include "app/gpu/desk_work.h"

#include "core/io/effort.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <new>

namespace tilewalk {

DeskWork::~DeskWork() {
  const std::lock_guard lock(mutex);
  quit = true;
  tasks.clear();
}

std::string DeskWork::fault_of(const Task& task) const {
  constexpr std::string_view kPart = "A part of the GPU's panel could not be worked out";
  try {
    const Effort effort(Effort::kUnbounded, &quit);
    task.act();
    return {};
  } catch (const Effort::Stopped&) {
    return {};  // nobody is left to hear
  } catch (const std::bad_alloc&) {
    return fmt::format("{}: this machine has too little memory for it.", kPart);
  } catch (const std::exception& error) {
    return fmt::format("{}: {}.", kPart, printable(error.what()));
  }
}

bool DeskWork::do_one() {
  std::unique_lock lock(mutex);
  if (quit || tasks.empty()) return false;
  const Task task = std::move(tasks.front());
  tasks.pop_front();
  working = true;
  lock.unlock();
  const std::string fault = fault_of(task);
  if (wake && !quit) wake();
  lock.lock();
  working = false;
  if (fault.empty()) return true;
  failed.insert(task.key);
  said = fault;
  ++version;
  return true;
}

void DeskWork::ask(std::string key, std::function<void()> act) {
  {
    const std::lock_guard lock(mutex);
    if (!asked.insert(key).second) return;
    tasks.push_back({std::move(key), std::move(act)});
  }
  background_.wake();
}

void DeskWork::drop_rest() {
  const std::lock_guard lock(mutex);
  std::erase_if(tasks, [this](const Task& task) {
    if (task.key == "recordings" || task.key == "shipped" || task.key == "open" || task.key.starts_with("hash ") ||
        task.key.starts_with("program "))
      return false;
    asked.erase(task.key);
    return true;
  });
}

}  // namespace tilewalk
