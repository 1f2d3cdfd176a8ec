// What a provenance may say: each number as large as hardware and drivers can be, with room for some years, and no
// larger. A recording or a worker's hello that says more is refused; what is predicted for its GPU is sized by them.
#include "core/run/run_fields.h"

#include <fmt/format.h>

#include <string_view>

namespace tilewalk {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

// 0 is "not known" for all of them.
struct NumberLimit {
  const char* name;
  int64_t (*of)(const Provenance&);
  int64_t most;
};
constexpr NumberLimit kNumbers[] = {
    {"major", [](const Provenance& p) -> int64_t { return p.major; }, 99},
    {"minor", [](const Provenance& p) -> int64_t { return p.minor; }, 99},
    {"multiprocessors", [](const Provenance& p) -> int64_t { return p.multiprocessors; }, 1024},  // B200: 148
    {"memory_bytes", [](const Provenance& p) { return p.memory_bytes; }, 8192 * kGiB},            // B300: 288 GB
    {"l2_bytes", [](const Provenance& p) { return p.l2_bytes; }, 4 * kGiB},                       // MI300X: 256 MiB
    {"l2_shared", [](const Provenance& p) { return p.l2_shared; }, 4 * kGiB},
    {"l2_dirty", [](const Provenance& p) { return p.l2_dirty; }, 4 * kGiB},
    {"driver", [](const Provenance& p) -> int64_t { return p.driver; }, 99'990},  // 99.9
    {"cuda", [](const Provenance& p) -> int64_t { return p.cuda; }, 99'990},
};

struct TextLimit {
  const char* name;
  const std::string& (*of)(const Provenance&);
  size_t most;  // bytes
};
constexpr TextLimit kTexts[] = {
    {"gpu", [](const Provenance& p) -> const std::string& { return p.gpu; }, 256},
    {"driver_version", [](const Provenance& p) -> const std::string& { return p.driver_version; }, 64},
    {"date", [](const Provenance& p) -> const std::string& { return p.date; }, 64},
    {"program", [](const Provenance& p) -> const std::string& { return p.program; }, 64},
    {"note", [](const Provenance& p) -> const std::string& { return p.note; }, 2048},
};

}  // namespace

void check(const Provenance& p, const std::string& place) {
  for (const NumberLimit& limit : kNumbers)
    if (const int64_t value = limit.of(p); value < 0 || value > limit.most)
      throw JsonFault(
          fmt::format("{}.{}", place, limit.name),
          fmt::format("must lie from 0 to {}, which is more than any GPU has, and is {}", limit.most, value));
  for (const TextLimit& limit : kTexts)
    if (const size_t size = limit.of(p).size(); size > limit.most)
      throw JsonFault(fmt::format("{}.{}", place, limit.name),
                      fmt::format("must be a text of at most {} bytes, and is of {}", limit.most, size));
}

}  // namespace tilewalk
