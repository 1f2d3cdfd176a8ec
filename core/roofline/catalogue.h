// The GPUs a person can choose: the shipped catalogue (core/machine/gpus.h), then gpus.toml in the folder of settings,
// which is written the same way. An entry there with the id of a shipped one takes its place. A fault in that file
// costs its entry alone; a file that is no TOML costs the file.
#pragma once

#include "core/machine/gpus.h"
#include "core/roofline/roofs.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Catalogue {
  struct Entry {
    GpuSpec gpu;
    bool own = false;  // from the person's file
  };
  std::vector<Entry> entries;
  std::vector<std::string> faults;  // a sentence each: file, line, what is wrong
  std::filesystem::path file;       // the person's, whether or not it is there; empty: there is no place for one

  const GpuSpec* find(std::string_view id) const;  // or null
};

// `config` is Folders::config (core/io/paths.h); empty: the shipped ones alone. Never throws.
Catalogue read_catalogue(const std::filesystem::path& config);

// The ceilings that are part of the program, as GPUs are named: those of an H200 unless another is asked for
// ("h100-measured"); nothing where they are not.
constexpr std::string_view kShippedCeilings = "h200-measured";
constexpr std::array<std::string_view, 2> kAllShippedCeilings{kShippedCeilings, "h100-measured"};
const std::optional<Ceilings>& shipped_ceilings(std::string_view id = kShippedCeilings);

// Of a shipped GPU or of shipped ceilings; nothing where there is none of that name.
std::optional<Roofs> shipped_roofs(std::string_view id);

}  // namespace tilewalk
