#include "core/roofline/catalogue.h"

#include "core/io/embedded.h"
#include "core/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 20;

// One sentence for each entry, however many of its fields are at fault: "<file>:<line>: [[gpu]] <id>: <what>".
std::vector<std::string> one_each(std::vector<std::string> faults) {
  const auto entry_of = [](const std::string& fault) {
    const size_t begin = fault.find("[[gpu]] "), end = fault.find(": ", begin);
    return begin == std::string::npos || end == std::string::npos ? std::string() : fault.substr(begin, end - begin);
  };
  std::vector<std::string> out;
  for (size_t k = 0; k < faults.size();) {
    const std::string entry = entry_of(faults[k]);
    size_t end = k + 1;
    while (end < faults.size() && !entry.empty() && entry_of(faults[end]) == entry) ++end;
    std::string& fault = faults[k];
    if (!fault.empty() && fault.back() == '.') fault.pop_back();
    if (end - k > 1) fault += fmt::format(", and {} more", end - k - 1);
    out.push_back(fault + (entry.empty() ? "; the shipped GPUs are there all the same."
                                         : "; the entry is left out until it is put right."));
    k = end;
  }
  return out;
}

}  // namespace

const GpuSpec* Catalogue::find(std::string_view id) const {
  for (const Entry& entry : entries)
    if (entry.gpu.id == id) return &entry.gpu;
  return nullptr;
}

Catalogue read_catalogue(const std::filesystem::path& config) {
  Catalogue out;
  for (const GpuSpec& gpu : gpus()) out.entries.push_back({gpu, false});
  if (config.empty()) return out;
  out.file = config / "gpus.toml";
  std::error_code error;
  if (!std::filesystem::exists(out.file, error)) return out;
  try {
    for (GpuSpec& gpu : read_gpus(read_file(out.file, kMostBytes), out.file.string(), out.faults)) {
      const auto same = std::ranges::find(out.entries, gpu.id, [](const Catalogue::Entry& e) { return e.gpu.id; });
      if (same != out.entries.end())
        *same = {std::move(gpu), true};
      else
        out.entries.push_back({std::move(gpu), true});
    }
    out.faults = one_each(std::move(out.faults));
  } catch (const IoError& fault) {
    out.faults.emplace_back(fault.what());
  }
  return out;
}

const std::optional<Ceilings>& shipped_ceilings(std::string_view id) {
  struct Shipped {
    std::string_view id, path;
    std::optional<Ceilings> ceilings{};
  };
  static const std::array all = [] {
    std::array files{Shipped{kShippedCeilings, "assets/recordings/h200-ceilings.json"},
                     Shipped{"h100-measured", "assets/recordings/h100-ceilings.json"}};
    for (Shipped& file : files) {
      std::string fault;  // of our own file: a test says that there is none
      const std::string_view text = embedded_file(file.path);
      if (!text.empty()) file.ceilings = read_ceilings(text, fault);
    }
    return files;
  }();
  static const std::optional<Ceilings> none;
  const auto found = std::ranges::find(all, id, &Shipped::id);
  return found == all.end() ? none : found->ceilings;
}

std::optional<Roofs> shipped_roofs(std::string_view id) {
  if (const auto& measured = shipped_ceilings(id)) return roofs_of(*measured);
  const GpuSpec* gpu = gpu_named(id);
  return gpu ? std::optional(roofs_of(*gpu)) : std::nullopt;
}

}  // namespace tilewalk
