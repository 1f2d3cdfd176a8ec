// The catalogue of GPUs against the figures that papers and lessons print, and what a bad entry gets.
#include "core/machine/gpus.h"

#include "core/io/embedded.h"
#include "core/roofline/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilewalk::test_gpus {

TEST_CASE("the catalogue in the program has no faults and every id once") {
  std::vector<std::string> faults;
  const auto read = read_gpus(embedded_file("assets/gpus.toml"), "assets/gpus.toml", faults);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  REQUIRE(read.size() == 18);
  CHECK(gpus().size() == read.size());
  std::set<std::string> ids;
  for (const GpuSpec& gpu : gpus()) {
    CAPTURE(gpu.id);
    CHECK(ids.insert(gpu.id).second);
    CHECK(gpu_named(gpu.id) == &gpu);
    CHECK(!gpu.source.empty());
    CHECK(gpu.smem_per_block <= gpu.smem_per_sm);
    CHECK(gpu.l2_bytes < gpu.dram_bytes);
  }
  CHECK(gpu_named("a100") == nullptr);
  CHECK(embedded_file("assets/none.toml").empty());
}

TEST_CASE("ridge, SRAM and exponentials of every GPU") {
  struct Row {
    const char* id;
    double ridge, sram, exps;  // FLOP/byte, TB/s, T/s
  };
  // Figures as they are printed, to their last digit.
  const Row rows[] = {{"v100", 139, 15.7, 1.96},    {"t4", 203, 8.1, 1.02},       {"a100-40", 201, 19.5, 2.44},
                      {"a100-80", 153, 19.5, 2.44}, {"rtx3090", 76, 17.8, 2.22},  {"rtx4090", 164, 41.3, 5.16},
                      {"l4", 403, 15.1, 1.89},      {"l40s", 419, 45.3, 5.66},    {"h100-pcie", 378, 23.6, 2.95},
                      {"h100", 295, 30.9, 3.86},    {"h200", 206, 30.9, 3.86},    {"b200", 292, 35.0, 4.38},
                      {"mi300x", 247, 81.7, 10.2},  {"rtx5080", 117, 28.1, 3.52}, {"rtx5090", 117, 52.4, 6.55},
                      {"b300", 281, 35.2, 8.79},    {"mi325x", 218, 81.7, 10.2},  {"mi355x", 315, 78.6, 9.83}};
  CHECK(std::size(rows) == gpus().size());
  for (const Row& row : rows) {
    CAPTURE(row.id);
    const GpuSpec* gpu = gpu_named(row.id);
    REQUIRE(gpu);
    CHECK(std::abs(gpu->ridge() - row.ridge) <= 0.5);
    CHECK(std::abs(gpu->sram_rate() / 1e12 - row.sram) <= 0.06);
    CHECK(std::abs(gpu->exp_rate() / 1e12 - row.exps) <= 0.015);
  }
  CHECK(gpu_named("a100-80")->sram_rate() == doctest::Approx(19.49184e12).epsilon(1e-12));
  CHECK(gpu_named("a100-80")->smem_per_block == 166912);
}

TEST_CASE("peak rates are what the tensor cores do in a clock") {
  // FLOP in a clock and multiprocessor.
  const std::pair<const char*, double> rows[] = {
      {"v100", 1024},   {"t4", 1024},     {"a100-40", 2048}, {"l4", 1024},     {"rtx3090", 512},    {"rtx4090", 512},
      {"h100", 4096},   {"b200", 8192},   {"mi300x", 2048},  {"h200", 4096},   {"h100-pcie", 4096}, {"l40s", 1024},
      {"rtx5080", 512}, {"rtx5090", 512}, {"b300", 8192},    {"mi325x", 2048}, {"mi355x", 4096}};
  CHECK(std::size(rows) == gpus().size() - 1);  // an A100 stands for both
  for (const auto& [id, flops] : rows) {
    CAPTURE(id);
    const GpuSpec* gpu = gpu_named(id);
    REQUIRE(gpu);
    CHECK(gpu->tensor_rate / (gpu->sms * gpu->clock) == doctest::Approx(flops).epsilon(0.006));
  }
}

TEST_CASE("memory is as many bytes as the driver says there are") {
  // MiB of nvidia-smi; of an H200 the bytes of CUDA in the recorded runs, of AMD's GPUs GiB of HIP.
  const std::pair<const char*, double> rows[] = {
      {"v100", 32768},      {"t4", 15360},        {"a100-40", 40960},  {"a100-80", 81920},   {"rtx3090", 24576},
      {"rtx4090", 24564},   {"l4", 23034},        {"l40s", 46068},     {"h100-pcie", 81559}, {"h100", 81559},
      {"b200", 183359},     {"b300", 275040},     {"rtx5090", 32607},  {"rtx5080", 16303},   {"h200", 143156},
      {"mi300x", 196587.5}, {"mi325x", 262123.5}, {"mi355x", 294891.5}};
  CHECK(std::size(rows) == gpus().size());
  for (const auto& [id, mebibytes] : rows) {
    CAPTURE(id);
    REQUIRE(gpu_named(id));
    CHECK(gpu_named(id)->dram_bytes == doctest::Approx(mebibytes * 1024 * 1024).epsilon(2e-5));
  }
}

TEST_CASE("mma.sync: what an H200 did a clock, on the GPUs that have another instruction") {
  const Ceiling& mma = *shipped_ceilings()->find(CeilingId::MmaSync);
  const int sms = shipped_ceilings()->provenance.multiprocessors;
  CHECK(GpuSpec::kHopperMmaSync == doctest::Approx(mma.rested->median / (mma.rested->clock * 1e6 * sms)).epsilon(5e-4));
  CHECK(gpu_named("a100-80")->mma_sync_rate() == gpu_named("a100-80")->tensor_rate);
  CHECK(gpu_named("rtx5090")->mma_sync_rate() == gpu_named("rtx5090")->tensor_rate);
  CHECK(gpu_named("h100")->mma_sync_rate() / 1e12 == doctest::Approx(656.8).epsilon(1e-4));
  CHECK(gpu_named("h100")->mma_sync_known());
  CHECK(gpu_named("b200")->mma_sync_differs());
  CHECK(!gpu_named("b200")->mma_sync_known());
}

TEST_CASE("what could not be checked is marked") {
  const auto marked = [](const char* id, const char* field) {
    const auto& fields = gpu_named(id)->unverified;
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  };
  CHECK(marked("t4", "sram_rate"));
  CHECK(marked("l40s", "l2_bytes"));
  CHECK(!marked("b200", "l2_bytes"));  // its driver tells
  CHECK(marked("b300", "l2_bytes"));
  CHECK(marked("mi355x", "tensor_rate"));
  CHECK(marked("mi300x", "exp_rate"));
  CHECK(marked("l4", "sms"));
  CHECK(!marked("h100", "exp_rate"));
  CHECK(!marked("b200", "exp_rate"));
}

namespace {

std::string entry_with(const std::string& changed, const std::string& key) {
  std::string text = "[[gpu]]\n";
  for (const char* line : {"id = \"x\"", "title = \"X\"", "cc = 8.0", "tensor_tflops = 100", "dram_gb_s = 1000",
                           "dram_gb = 40", "l2_mib = 40", "sms = 100", "smem_kib = 164", "smem_block_kib = 163",
                           "clock_mhz = 1000", "source = \"a page\""})
    if (!std::string(line).starts_with(key + " =")) text += std::string(line) + "\n";
  return text + changed + "\n";
}

}  // namespace

TEST_CASE("a bad entry is left out and says why, with file and line") {
  std::vector<std::string> faults;
  CHECK(read_gpus(entry_with("", ""), "my.toml", faults).size() == 1);
  CHECK(faults.empty());

  struct Bad {
    const char *key, *line, *says;
  };
  const Bad bad[] = {
      {"id", "", "id is missing"},
      {"title", "title = \"\"", "title is empty"},
      {"cc", "cc = \"8.0\"", "cc is not a number"},
      {"dram_gb_s", "dram_gb_s = 0", "dram_gb_s = 0 is not between"},
      {"dram_gb_s", "dram_gb_s = nan", "dram_gb_s = nan is not between"},
      {"tensor_tflops", "tensor_tflops = -5", "is not between"},
      {"clock_mhz", "clock_mhz = inf", "is not between"},
      {"sms", "sms = 1.5", "sms is not a whole number"},
      {"", "exp_per_clock = 16.5", "exp_per_clock is not a whole number"},
      {"", "mma_sync_tflops = 101", "more than tensor_tflops"},
      {"smem_block_kib", "smem_block_kib = 165", "more than smem_kib"},
      {"source", "source = 5", "source is not a text"},
      {"", "unverified = [\"l2\"]", "\"l2\", which is no field"},
      {"", "unverified = \"sms\"", "unverified is not a list"},
      {"", "bandwith = 5", "\"bandwith\" is not a field"},
  };
  for (const Bad& one : bad) {
    CAPTURE(one.says);
    faults.clear();
    // A good entry before and after: they stay.
    std::string good = entry_with("", "");
    std::string after = good;
    after.replace(after.find("\"x\""), 3, "\"z\"");
    std::string middle = entry_with(one.line, one.key);
    if (const size_t at = middle.find("\"x\""); at != std::string::npos) middle.replace(at, 3, "\"y\"");
    CHECK(read_gpus(good + middle + after, "my.toml", faults).size() == 2);
    REQUIRE(!faults.empty());
    CHECK(faults[0].starts_with("my.toml:"));
    CHECK(faults[0].find(one.says) != std::string::npos);
  }

  faults.clear();
  CHECK(read_gpus(entry_with("", "") + entry_with("", ""), "my.toml", faults).size() == 1);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].find("taken") != std::string::npos);

  for (const char* text : {"[[gpu]\nid=", "gpu = 5", "[card]\nid = \"a\"", "\xff\xfe", "a = [1,"}) {
    CAPTURE(text);
    faults.clear();
    CHECK(read_gpus(text, "my.toml", faults).empty());
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("my.toml:"));
  }
}

}  // namespace tilewalk::test_gpus
