#include "core/run/ceilings.h"

#include "core/roofline/roofs.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

namespace tilewalk::test_ceilings {
using Json = nlohmann::ordered_json;

namespace {

std::string fault_of(const std::string& text) {
  std::string fault;
  CHECK_FALSE(read_ceilings(text, fault));
  CHECK(fault == printable(fault));
  CHECK_FALSE(fault.empty());
  CHECK_FALSE(fault.ends_with('.'));
  return fault;
}

std::string with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(ceilings_text(sample_ceilings()));
  json[Json::json_pointer(pointer)] = value;
  return json.dump();
}

}  // namespace

TEST_CASE("ceilings come back as they were written") {
  const std::string text = ceilings_text(sample_ceilings());
  std::string fault;
  const auto read = read_ceilings(text, fault);
  REQUIRE_MESSAGE(read, fault);
  CHECK(ceilings_text(*read) == text);
  const Ceiling* copy = read->find(CeilingId::DramCopy);
  REQUIRE(copy);
  CHECK(copy->rested->median == 4.25e12);
  CHECK(copy->sustained->clock == 1979.5);
  CHECK(read->find(CeilingId::Wgmma)->unavailable.ends_with("8.9."));
  CHECK(read->find(CeilingId::Fp32) == nullptr);
  CHECK(per_clock(*copy->rested, read->provenance) == doctest::Approx(4.25e12 / 1979.5e6 / 132));
  CHECK(per_clock({1, 1, 1, 1, 0}, read->provenance) == 0);
}

TEST_CASE("every place of a file of ceilings is checked") {
  const Json good = Json::parse(ceilings_text(sample_ceilings()));
  each_place(good, [&](const std::string& pointer) {
    CAPTURE(pointer);
    const std::string name = pointer.substr(pointer.rfind('/') + 1);
    const std::string fault = fault_of(with(pointer, nullptr));
    if (!std::isdigit(name[0])) check_words(fault, {name});
  });
  check_words(fault_of(with("/ceilings/0/rested/median", -1)), {"ceilings[0].rested.median", "below zero"});
  check_words(fault_of(with("/ceilings/0/rested/median", "inf")), {"ceilings[0].rested.median", "finite"});
  check_words(fault_of(with("/ceilings/0/rested/p90", 1e12)), {"ceilings[0].rested", "p10", "p90"});
  check_words(fault_of(with("/ceilings/0/rested/count", 0)), {"ceilings[0].rested", "0 launches"});
  check_words(fault_of(with("/ceilings/0/ceiling", "warp-speed")), {"ceilings[0].ceiling", "\"dram-copy\""});
  check_words(fault_of(with("/ceilings/1/unavailable", "")), {"ceilings[1]", "unavailable"});
  check_words(fault_of(with("/ceilings/1/ceiling", "dram-copy")), {"ceilings[1]", "once more"});
  check_words(fault_of(with("/tilewalk_ceilings/major", 2)), {"newer Tilewalk", "2.1"});
  check_words(fault_of("{}"), {"is no file of ceilings"});
  check_words(fault_of("no"), {"not JSON"});
  const std::string text = good.dump();
  for (size_t length = 0; length < text.size(); ++length) fault_of(text.substr(0, length));
  std::string fault;
  CHECK(read_ceilings(with("/tilewalk_ceilings/minor", 9), fault));
  CHECK(read_ceilings(with("/ceilings/0/colour", "red"), fault));
}

TEST_CASE("a file of ceilings from before launches were measured still opens, without them") {
  Json json = Json::parse(ceilings_text(sample_ceilings()));
  json["tilewalk_ceilings"]["minor"] = 0;
  std::string fault;
  const auto old = read_ceilings(json.dump(), fault);
  REQUIRE_MESSAGE(old, fault);
  CHECK(old->find(CeilingId::Launch) == nullptr);
  const Roofs roofs = roofs_of(*old);
  CHECK(roofs[Roof::Dram]);
  CHECK(!roofs.launch);
  CHECK(roofs.launch_time(3) == 0);
}

// Bounds of the hardware: a rate above them means that a kernel did less than it is counted for.
TEST_CASE("the recorded ceilings of the H200 are what such a GPU can do") {
  const Ceilings h200 = load_ceilings(TILEWALK_SOURCE_DIR "/assets/recordings/h200-ceilings.json");
  CHECK(h200.provenance.gpu == "NVIDIA H200");
  CHECK(h200.provenance.date.size() == 20);
  const struct {
    CeilingId id;
    double least, most;  // a second for DRAM and L2, a clock and SM for the others
  } bounds[] = {{CeilingId::DramCopy, 4.0e12, 4.8e12}, {CeilingId::DramRead, 4.3e12, 4.8e12},
                {CeilingId::L2Read, 7e12, 10.6e12},    {CeilingId::SharedRead, 125, 128.1},
                {CeilingId::Wgmma, 4000, 4100},        {CeilingId::MmaSync, 0.6 * 4096, 0.7 * 4096},
                {CeilingId::Exponential, 15.7, 16.02}, {CeilingId::Fp32, 245, 256.2},
                {CeilingId::Launch, 2e5, 1e6}};
  CHECK(h200.ceilings.size() == std::size(bounds));
  for (const auto& [id, least, most] : bounds) {
    CAPTURE(info_of(id).key);
    const Ceiling* ceiling = h200.find(id);
    REQUIRE(ceiling);
    for (const auto& rate : {ceiling->rested, ceiling->sustained}) {
      REQUIRE(rate);
      CHECK(rate->count >= 100);
      CHECK(rate->clock >= 1000);
      CHECK(rate->clock <= 1990);
      const double value = info_of(id).on_chip ? per_clock(*rate, h200.provenance) : rate->median;
      CHECK(value >= least);
      CHECK(value <= most);
    }
  }
}

}  // namespace tilewalk::test_ceilings
