#include "kernels/worker/switch_words.h"

#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

std::string names_of(KernelId kernel) {
  std::string without, with;
  for (const SwitchInfo& info : switches())
    if (info.kernel == kernel)
      (info.with ? with : without) += fmt::format("{}{}", (info.with ? with : without).empty() ? "" : ", ", info.key);
  return fmt::format("--without {}; --with {}", without, with);
}

}  // namespace

const SwitchInfo* switch_named(KernelId kernel, bool with, std::string_view key, int d, bool causal, Format format,
                               std::string& why) {
  const SwitchInfo* other = nullptr;  // of that name, but not here
  for (const SwitchInfo& info : switches()) {
    if (info.kernel != kernel || info.key != key) continue;
    other = &info;
    if (info.with != with || (info.d && info.d != d)) continue;
    if (info.causal && !causal) {
      why = fmt::format("{} changes nothing without a causal mask; add --causal.", option_of(info));
      return nullptr;
    }
    if (format != Format::Float16) {
      why = "Switched kernels are built for fp16 alone.";
      return nullptr;
    }
    return &info;
  }
  const std::string_view name = info_of(kernel).name;
  if (std::ranges::none_of(switches(), [&](const SwitchInfo& info) { return info.kernel == kernel; }))
    why = fmt::format("{} has no switches; FA2 and FA3 have.", name);
  else if (!other)
    why = fmt::format("{} has no switch {}; it has {}.", name, in_quotes(key, 40), names_of(kernel));
  else if (other->d && other->d != d)
    why = fmt::format("{} changes nothing in {} at d = {}; it is for d = {}.", option_of(*other), name, d, other->d);
  else
    why = fmt::format("{} is {} for {}.", in_quotes(key, 40), option_of(*other), name);
  return nullptr;
}

std::string switch_names() { return fmt::format("fa2: {}\nfa3: {}", names_of(KernelId::Fa2), names_of(KernelId::Fa3)); }

}  // namespace tilewalk::gpu
