#include "core/run/json_values.h"
#include "kernels/worker/device.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/l2_probe.h"

#include <fmt/format.h>

#include <cstdio>

namespace tilewalk::gpu {
namespace {

double mib(int64_t bytes) { return double(bytes) / (1 << 20); }

std::string size_words(int64_t bytes) { return bytes ? fmt::format("{:.1f} MiB", mib(bytes)) : "more than was tried"; }

void print_words(const L2Found& found, const Provenance& gpu) {
  fmt::print("{}, driver {}: L2 of {:.1f} MiB by the driver\n\n", gpu.gpu, gpu.driver_version, mib(gpu.l2_bytes));
  fmt::print("Read again, each line by    size  from DRAM    to DRAM\n");
  for (const auto& [who, points] : {std::pair("all multiprocessors", &found.all),
                                    {"one", &found.one},
                                    {"one, and written", &found.changed},
                                    {"all, at random", &found.random}})
    for (const L2Found::Point& point : *points)
      fmt::print("{:<20} {:7.1f} MiB  {:7.1f} %  {:7.1f} %\n", who, mib(point.bytes), point.missed * 100,
                 point.written * 100);
  fmt::print("\nHalf is missed of what all read at {}, of what one reads at {}.\n", size_words(found.all_bytes),
             size_words(found.one_bytes));
  fmt::print("Of a long write {} had not reached DRAM when it ended.\n", size_words(found.dirty_bytes));
}

void print_json(const L2Found& found, const Provenance& gpu) {
  const auto points = [](const std::vector<L2Found::Point>& curve) {
    Json out = Json::array();
    for (const L2Found::Point& point : curve)
      out.push_back({{"bytes", point.bytes}, {"missed", point.missed}, {"written", point.written}});
    return out;
  };
  fmt::print("{}\n", Json{{"gpu", gpu.gpu},
                          {"driver_version", gpu.driver_version},
                          {"date", utc_now()},
                          {"l2_bytes", gpu.l2_bytes},
                          {"read_by_all", points(found.all)},
                          {"read_by_one", points(found.one)},
                          {"read_and_written_by_one", points(found.changed)},
                          {"read_at_random", points(found.random)},
                          {"l2_shared", found.all_bytes},
                          {"l2_private", found.one_bytes},
                          {"l2_dirty", found.dirty_bytes}}
                         .dump(1));
}

}  // namespace

int l2_command(bool json) {
  const Found gpus = find_gpus();
  if (gpus.trouble != GpuTrouble::None) return fail("l2", kNoGpu, gpus.reason);
  const Provenance& gpu = gpus.gpus.front().what;
  try {
    Traffic traffic;
    L2Flush flush;
    flush.prepare(gpu.l2_bytes);
    std::string fault;
    const std::optional<L2Found> found = probe_l2(traffic, flush, gpu, nullptr, fault);
    if (!found) return fail("l2", kFailure, fault.empty() ? "This GPU has no counters of DRAM." : fault);
    json ? print_json(*found, gpu) : print_words(*found, gpu);
    return kOk;
  } catch (const CudaError& error) {
    return fail("l2", kFailure, std::string(error.what()) + ".");
  }
}

}  // namespace tilewalk::gpu
