// A person's own GPUs beside the shipped ones; the shipped ceilings; rates that cannot be.
#include "core/io/file.h"
#include "core/roofline/catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include <unistd.h>

namespace tilewalk::test_catalogue {
namespace fs = std::filesystem;

namespace {

// A folder of settings with a gpus.toml, gone afterwards.
struct Config {
  explicit Config(std::string_view toml)
      : folder(fs::temp_directory_path() / ("tilewalk-catalogue-" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    write_file(folder / "gpus.toml", toml);
  }
  ~Config() { fs::remove_all(folder); }
  fs::path folder;
};

constexpr std::string_view kMine = R"([[gpu]]
id = "mine"
title = "My card"
cc = 8.9
tensor_tflops = 100
dram_gb_s = 500
dram_gb = 16
l2_mib = 32
l2_gb_s = 3000
sms = 50
smem_kib = 100
smem_block_kib = 99
clock_mhz = 2000
source = "its box"
)";
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kMine);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("Without a file the catalogue is the shipped one") {
  const Catalogue catalogue = read_catalogue("/nowhere/at/all");
  CHECK(catalogue.entries.size() == gpus().size());
  CHECK(catalogue.faults.empty());
  CHECK(catalogue.file == "/nowhere/at/all/gpus.toml");
  CHECK(read_catalogue({}).file.empty());
}

TEST_CASE("A person's entry is added, and takes the place of a shipped one with its id") {
  const Config config(std::string(kMine) + changed("\"mine\"", "\"h100\""));
  const Catalogue catalogue = read_catalogue(config.folder);
  CHECK(catalogue.faults.empty());
  CHECK(catalogue.entries.size() == gpus().size() + 1);
  REQUIRE(catalogue.find("mine"));
  CHECK(catalogue.find("h100")->tensor_rate == 100e12);
  CHECK(catalogue.entries.back().own);
  CHECK(roofs_of(*catalogue.find("mine"))[Roof::L2]->value == 3e12);
  CHECK(gpu_named("h100")->tensor_rate == 989.4e12);  // lessons keep the shipped one
  CHECK(catalogue.find("nobody") == nullptr);
}

TEST_CASE("A bad entry costs itself, a broken file itself, each with a sentence") {
  for (const auto& [from, to] : {std::pair{"dram_gb_s = 500", "dram_gb_s = nan"},
                                 {"dram_gb_s = 500", "dram_gb_s = inf"},
                                 {"dram_gb_s = 500", "dram_gb_s = -1"},
                                 {"dram_gb_s = 500", "dram_gb_s = 0"},
                                 {"tensor_tflops = 100", "tensor_tflops = 1e30"},
                                 {"sms = 50", ""},
                                 {"l2_gb_s = 3000", "l2_gb_s = -3"}}) {
    CAPTURE(to);
    const Config config(changed(from, to) + changed("\"mine\"", "\"other\""));
    const Catalogue catalogue = read_catalogue(config.folder);
    CHECK(catalogue.faults.size() == 1);
    CHECK(catalogue.faults[0].find("gpus.toml:") != std::string::npos);
    CHECK(catalogue.faults[0].ends_with("."));
    CHECK(!catalogue.find("mine"));
    CHECK(catalogue.find("other"));
  }
  const Config poor(std::string(kMine) + "[[gpu]]\nid = \"poor\"\n");  // eleven fields are missing
  const Catalogue one = read_catalogue(poor.folder);
  REQUIRE(one.faults.size() == 1);
  CHECK(one.faults[0].find("poor: title is missing, and 10 more; the entry is left out") != std::string::npos);
  CHECK(one.find("mine"));

  const Config broken("[[gpu]\nid = ");
  const Catalogue catalogue = read_catalogue(broken.folder);
  REQUIRE(catalogue.faults.size() == 1);
  CHECK(catalogue.faults[0].find("gpus.toml") != std::string::npos);
  CHECK(catalogue.entries.size() == gpus().size());
}

TEST_CASE("The shipped ceilings are roofs of an H200") {
  REQUIRE(shipped_ceilings());
  const Roofs rested = *shipped_roofs(kShippedCeilings);
  const Roofs sustained = roofs_of(*shipped_ceilings(), Origin::Recorded, Clocks::Sustained);
  CHECK(rested.origin == Origin::Recorded);
  CHECK(rested.sms == 132);
  CHECK(rested.cc == 90);
  REQUIRE(rested.mma_sync);
  const Roofs sheet = *shipped_roofs("h200");
  for (int k = 0; k < kRoofCount; ++k) {
    const Roof roof = Roof(k);
    CAPTURE(name_of(roof));
    REQUIRE(rested[roof]);
    // No ceiling is far from the datasheet's; those on chip follow the clock, which may be above the datasheet's.
    CHECK(rested[roof]->value < 1.15 * sheet[roof]->value);
    CHECK(rested[roof]->value > 0.7 * sheet[roof]->value);
    CHECK(sustained[roof]->value < 1.01 * rested[roof]->value);
  }
  CHECK(rested.mma_sync->value < 0.8 * rested[Roof::Tensor]->value);
  CHECK(!shipped_roofs("h300"));
}

TEST_CASE("Rates that cannot be are refused in words") {
  CHECK(fault_of_rate(Roof::Dram, 3.35e12).empty());
  for (const double bad : {0.0, -1.0, 1e3, 1e30, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CAPTURE(bad);
    CHECK(fault_of_rate(Roof::Tensor, bad).ends_with("."));
  }
  CHECK(fault_of_rate(Roof::Tensor, -1).find("tensor cores") != std::string::npos);
  for (int k = 0; k < kRoofCount; ++k) CHECK(roof_named(key_of(Roof(k))) == Roof(k));
  CHECK(!roof_named("attic"));
}

}  // namespace tilewalk::test_catalogue
