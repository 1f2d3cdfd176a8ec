#include "tests/fuzz/memory_meter.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::atomic<size_t> in_use{0}, peak{0};

void* give(size_t size) {
  void* const at = std::malloc(size ? size : 1);
  if (!at) throw std::bad_alloc();
  const size_t now = in_use += malloc_usable_size(at);
  size_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return at;
}

void take_back(void* at) {
  if (!at) return;
  in_use -= malloc_usable_size(at);
  std::free(at);
}

}  // namespace

void* operator new(size_t size) { return give(size); }
void* operator new[](size_t size) { return give(size); }
void operator delete(void* at) noexcept { take_back(at); }
void operator delete[](void* at) noexcept { take_back(at); }
void operator delete(void* at, size_t) noexcept { take_back(at); }
void operator delete[](void* at, size_t) noexcept { take_back(at); }

namespace tilewalk {

size_t memory_in_use() { return in_use; }
void start_peak() { peak = in_use.load(); }
size_t peak_of_memory() { return peak; }

}  // namespace tilewalk
