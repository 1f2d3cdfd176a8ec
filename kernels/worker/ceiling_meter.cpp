#include "kernels/worker/ceiling_meter.h"

#include "kernels/worker/device.h"
#include "kernels/worker/timing.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

constexpr double kRestedSettleMs = 50, kRestedMs = 300;
constexpr double kSustainedSettleMs = 500, kSustainedMs = 500;  // the power limit acts within some 100 ms
constexpr int kRow = 300;  // launches of an empty kernel between two events, where they are to follow each other

CeilingRate rate_of(double amount, const EachTime& times) {
  const auto rate = [&](double q) { return 1e3 * amount / quantile(times.ms, q); };
  return {rate(0.5), rate(0.9), rate(0.1), int(times.ms.size()), times.clock};
}

}  // namespace

CeilingMeter::CeilingMeter(const Provenance& gpu, cudaStream_t stream) : gpu_(gpu), stream_(stream) {
  sink_.hold(sizeof(uint32_t));
}

std::optional<Ceiling> CeilingMeter::measure(CeilingId id, const std::function<bool()>& going) {
  Ceiling ceiling;
  ceiling.id = id;
  const CeilingInfo& info = info_of(id);
  if (const int at = gpu_.major * 10 + gpu_.minor, least = info.least_major * 10 + info.least_minor;
      info.exact_capability ? at != least : at < least) {
    ceiling.unavailable =
        fmt::format("Measured on compute capability {}.{}{}; this GPU has {}.{}.", info.least_major, info.least_minor,
                    info.exact_capability ? " alone" : " and later", gpu_.major, gpu_.minor);
    return ceiling;
  }
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "Asking for free GPU memory");
  Roof roof;
  roof.multiprocessors = gpu_.multiprocessors;
  roof.sink = sink_.as<uint32_t>();
  roof.bytes = roof_bytes(id, gpu_.multiprocessors, gpu_.l2_bytes, int64_t(free + data_.bytes()));
  roof.data = data_.hold(size_t(roof.bytes));
  const std::string what = fmt::format("Measuring {}", info.name);
  check(fill_normal(roof.data, roof.bytes, stream_), what);

  for (const bool rest : {true, false}) {
    const int each = id == CeilingId::Launch && !rest ? kRow : 1;
    const auto launch = [&] {
      for (int k = 0; k < each; ++k) check(launch_roof(id, roof, stream_), what);
    };
    const TimingHooks hooks{launch, [&](int, int) { return going(); }, each};
    const EachTime times =
        time_each(rest ? kRestedSettleMs : kSustainedSettleMs, rest ? kRestedMs : kSustainedMs, rest, hooks, stream_);
    if (times.ms.empty()) return std::nullopt;
    (rest ? ceiling.rested : ceiling.sustained) = rate_of(each * roof_amount(id, roof), times);
  }
  return ceiling;
}

}  // namespace tilewalk::gpu
