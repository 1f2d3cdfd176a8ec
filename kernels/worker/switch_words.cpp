#include "kernels/worker/switch_words.h"

#include "core/io/printable.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

std::string names_of(Method kernel) {
  std::string without, with;
  for (const SwitchInfo& info : switches())
    if (info.kernel == kernel)
      (info.with ? with : without) += fmt::format("{}{}", (info.with ? with : without).empty() ? "" : ", ", info.key);
  return fmt::format("{}{}{}", without.empty() ? "" : "--without " + without,
                     without.empty() || with.empty() ? "" : "; ", with.empty() ? "" : "--with " + with);
}

}  // namespace

const SwitchInfo* switch_named(Method kernel, bool with, std::string_view key, int64_t d, bool causal, Format format,
                               std::string& why) {
  const SwitchInfo* other = nullptr;  // of that name, but not here
  const int64_t padded = padded_d(d);
  for (const SwitchInfo& info : switches()) {
    if (info.kernel != kernel || info.key != key) continue;
    other = &info;
    if (info.with != with || (info.d && info.d != padded)) continue;
    if (info.causal && !causal) {
      why = fmt::format("{} changes nothing without a causal mask; add --causal.", option_of(info));
      return nullptr;
    }
    if (padded_d(kernel, d) != padded) {
      why = fmt::format("Switched kernels are built for d = 64 and 128; {} takes d = {} as {}.",
                        info_of(kernel).kernel_name(), d, padded_d(kernel, d));
      return nullptr;
    }
    if (format != Format::Float16 && !is_beside(kernel)) {
      why = "Switched kernels are built for fp16 alone.";
      return nullptr;
    }
    return &info;
  }
  const std::string_view name = info_of(kernel).kernel_name();
  if (std::ranges::none_of(switches(), [&](const SwitchInfo& info) { return info.kernel == kernel; }))
    why = fmt::format("{} has no switches; FA2, FA3, FP8 and split-KV have.", name);
  else if (!other)
    why = fmt::format("{} has no switch {}; it has {}.", name, in_quotes(key, 40), names_of(kernel));
  else if (other->d && other->d != padded)
    why =
        fmt::format("{} changes nothing in {} at d = {}; it is for d = {}.", option_of(*other), name, padded, other->d);
  else
    why = fmt::format("{} is {} for {}.", in_quotes(key, 40), option_of(*other), name);
  return nullptr;
}

std::string switch_names() {
  std::string all;
  for (const Method kernel : {Method::Fa2, Method::Fa3, Method::Fa3Fp8, Method::SplitKv})
    all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", info_of(kernel).key, names_of(kernel));
  return all;
}

}  // namespace tilewalk::gpu
