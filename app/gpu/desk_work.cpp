#include "app/gpu/desk_work.h"

namespace tilewalk {

DeskWork::~DeskWork() {
  {
    const std::lock_guard lock(mutex);
    quit = true;
    tasks.clear();
  }
  ready.notify_all();
  thread.join();
}

void DeskWork::run() {
  std::unique_lock lock(mutex);
  while (true) {
    ready.wait(lock, [this] { return quit || !tasks.empty(); });
    if (quit) return;
    const Task task = std::move(tasks.front());
    tasks.pop_front();
    working = true;
    lock.unlock();
    task.act();
    if (wake) wake();
    lock.lock();
    working = false;
  }
}

void DeskWork::ask(std::string key, std::function<void()> act) {
  const std::lock_guard lock(mutex);
  if (!asked.insert(key).second) return;
  tasks.push_back({std::move(key), std::move(act)});
  ready.notify_one();
}

void DeskWork::drop_rest() {
  const std::lock_guard lock(mutex);
  std::erase_if(tasks, [this](const Task& task) {
    if (task.key == "recordings" || task.key == "shipped" || task.key == "open" || task.key.starts_with("hash "))
      return false;
    asked.erase(task.key);
    return true;
  });
}

}  // namespace tilewalk
