#include "kernels/ring/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <climits>
#include <cstdlib>
#include <stdexcept>

namespace tilewalk::gpu {
namespace {

// As nccl.h has them; the configuration in its form of version 2.17, which later libraries complete.
struct UniqueId {
  char bytes[128];
};
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21700;
  int blocking = 1;
  int cluster_size = INT_MIN;  // INT_MIN: NCCL's own choice
  int least_blocks = INT_MIN, most_blocks = INT_MIN;
  const char* network = nullptr;
};
constexpr int kSuccess = 0, kUint8 = 1;

}  // namespace

struct NcclRing::Library {
  using Communicator = void*;
  int (*version)(int*) = nullptr;
  const char* (*words)(int) = nullptr;
  int (*unique_id)(UniqueId*) = nullptr;
  int (*join)(Communicator*, int, UniqueId, int, Config*) = nullptr;
  int (*abort)(Communicator) = nullptr;
  int (*state)(Communicator, int*) = nullptr;
  int (*begin)() = nullptr;
  int (*end)() = nullptr;
  int (*send)(const void*, size_t, int, int, Communicator, cudaStream_t) = nullptr;
  int (*receive)(void*, size_t, int, int, Communicator, cudaStream_t) = nullptr;

  explicit Library(const std::string& path) {
    const char* const name = path.empty() ? "libnccl.so.2" : path.c_str();
    setenv("NCCL_NVLS_ENABLE", "0", 1);                        // before it is loaded
    void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);  // stays until the process ends
    if (!handle)
      throw std::runtime_error(
          fmt::format("NCCL cannot be opened: {}; install it (libnccl2), say with --nccl where it "
                      "is, or take --transfer copy-engines",
                      dlerror()));
    const auto find = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
      if (!function) throw std::runtime_error(fmt::format("{} has no {}: NCCL 2.17 or newer is needed", name, symbol));
    };
    find(version, "ncclGetVersion");
    find(words, "ncclGetErrorString");
    find(unique_id, "ncclGetUniqueId");
    find(join, "ncclCommInitRankConfig");
    find(abort, "ncclCommAbort");
    find(state, "ncclCommGetAsyncError");
    find(begin, "ncclGroupStart");
    find(end, "ncclGroupEnd");
    find(send, "ncclSend");
    find(receive, "ncclRecv");
  }
  void must(int result, const char* what) const {
    if (result != kSuccess) throw std::runtime_error(fmt::format("NCCL: {} failed: {}", what, words(result)));
  }
};

NcclRing::NcclRing(int devices, const std::string& library, int most_blocks)
    : library_(std::make_unique<Library>(library)), communicators_(size_t(devices), nullptr) {
  const Library& l = *library_;
  UniqueId id{};
  l.must(l.unique_id(&id), "ncclGetUniqueId");
  Config config;
  if (most_blocks > 0) config.most_blocks = most_blocks;
  l.must(l.begin(), "ncclGroupStart");
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    l.must(l.join(&communicators_[size_t(device)], devices, id, device, &config), "ncclCommInitRankConfig");
  }
  l.must(l.end(), "Joining the GPUs");
}

// Aborted, not destroyed: that waits for nobody, also where a GPU does not answer any more.
NcclRing::~NcclRing() {
  for (void* communicator : communicators_)
    if (communicator) library_->abort(communicator);
}

std::string NcclRing::version() const {
  int code = 0;
  library_->must(library_->version(&code), "ncclGetVersion");
  return fmt::format("{}.{}.{}", code / 10000, code % 10000 / 100, code % 100);
}

void NcclRing::shift(const std::vector<Shift>& each, size_t bytes) {
  const Library& l = *library_;
  const int devices = int(communicators_.size());
  l.must(l.begin(), "ncclGroupStart");
  for (int device = 0; device < devices; ++device) {
    const Shift& s = each[size_t(device)];
    l.must(l.send(s.send, bytes, kUint8, (device + 1) % devices, communicators_[size_t(device)], s.stream), "ncclSend");
    l.must(
        l.receive(s.receive, bytes, kUint8, (device + devices - 1) % devices, communicators_[size_t(device)], s.stream),
        "ncclRecv");
  }
  l.must(l.end(), "A transfer");
}

std::string NcclRing::fault() {
  for (size_t device = 0; device < communicators_.size(); ++device) {
    int state = kSuccess;
    constexpr int kInProgress = 7;
    if (library_->state(communicators_[device], &state) == kSuccess && state != kSuccess && state != kInProgress)
      return fmt::format("NCCL says of GPU {}: {}", device, library_->words(state));
  }
  return {};
}

}  // namespace tilewalk::gpu
