#include "core/run/run_json.h"

#include "core/run/ceilings.h"
#include "core/run/protocol.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

#include <bit>
#include <cmath>

namespace tilewalk::test_run_json {
using Json = nlohmann::ordered_json;

namespace {

std::string fault_of(const std::string& text) {
  std::string fault;
  CHECK_FALSE(read_recording(text, fault));
  CHECK_FALSE(fault.empty());
  CHECK(fault == printable(fault));
  CHECK_FALSE(fault.ends_with('.'));
  CHECK(fault.size() < 600);
  return fault;
}

std::string sample_text() { return recording_text({sample_result(), sample_result()}); }

void check_bits(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t k = 0; k < a.size(); ++k) CHECK(std::bit_cast<uint32_t>(a[k]) == std::bit_cast<uint32_t>(b[k]));
}

// With `value` put at, or taken from, a place of the sample recording.
std::string with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(sample_text());
  json.at(Json::json_pointer(pointer)) = value;
  return json.dump();
}
std::string without(const std::string& pointer) {
  Json json = Json::parse(sample_text());
  const size_t slash = pointer.rfind('/');
  json.at(Json::json_pointer(pointer.substr(0, slash))).erase(pointer.substr(slash + 1));
  return json.dump();
}

// Members that are left out while they are empty.
const std::set<std::string> kMaybe{"source",
                                   "switch",
                                   "switches",
                                   "wrong",
                                   "kv_heads",
                                   "splits",
                                   "rounding",
                                   "seconds",
                                   "q",
                                   "k",
                                   "v",
                                   "flush_l2",
                                   "counters",
                                   "trace",
                                   "trace_head",
                                   "trace_rows",
                                   "outputs",
                                   "date",
                                   "note",
                                   "driver_version",
                                   "l2_shared",
                                   "l2_dirty",
                                   "back_to_back",
                                   "queued",
                                   "unheld",
                                   "clock",
                                   "clock_before",
                                   "clock_after",
                                   "dram_read",
                                   "dram_written",
                                   "l2_to_sm",
                                   "sm_to_l2",
                                   "shared_wavefronts",
                                   "bank_conflicts",
                                   "exponentials",
                                   "tensor_instructions",
                                   "instructions",
                                   "lanes",
                                   "stamps",
                                   "block_row_tile",
                                   "label",
                                   "launched",
                                   "refused",
                                   "errors",
                                   "timing",
                                   "no_counters",
                                   "o",
                                   "lse"};

}  // namespace

TEST_CASE("a recording comes back with every member") {
  std::string fault;
  const auto read = read_recording(sample_text(), fault);
  CHECK(fault == "");
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK(recording_text(*read) == sample_text());
  const RunResult a = sample_result(), &b = (*read)[1];
  CHECK(b.provenance.gpu == a.provenance.gpu);
  CHECK(b.provenance.memory_bytes == a.provenance.memory_bytes);
  CHECK(b.provenance.cuda == 13010);
  CHECK(b.provenance.date == a.provenance.date);
  CHECK(b.spec.problem == a.spec.problem);
  CHECK(b.spec.inputs.hash == a.spec.inputs.hash);
  check_bits(b.spec.inputs.q, a.spec.inputs.q);
  check_bits(b.spec.inputs.v, a.spec.inputs.v);
  CHECK(b.spec.kernels == a.spec.kernels);
  CHECK(b.spec.trace_head == 5);
  REQUIRE(b.kernels.size() == 3);
  const KernelResult &x = b.kernels[0], &y = a.kernels[0];
  CHECK(x.kernel == Method::Fa3);
  CHECK(x.launched == y.launched);
  CHECK(x.errors->whole == 5e-4);
  CHECK(std::isnan(x.errors->lse));
  CHECK(x.timing->median == 0.1);
  CHECK(x.timing->clock_after == 1755);
  CHECK(x.counters->l2_to_sm == 4362076160.0);
  check_bits(x.trace->statistics.m, y.trace->statistics.m);
  check_bits(x.trace->statistics.l, y.trace->statistics.l);
  CHECK(x.trace->lanes == y.trace->lanes);
  REQUIRE(x.trace->stamps.size() == 2);
  CHECK(x.trace->stamps[0].step == "LoadK");
  CHECK(x.trace->stamps[0].begin == -5);
  CHECK(x.trace->stamps[1].end == 100);
  check_bits(x.o, y.o);
  check_bits(x.lse, y.lse);
  CHECK(b.kernels[1].refused == "cuBLAS is missing.");
  CHECK_FALSE(b.kernels[1].timing);
  const KernelResult& mistake = b.kernels[2];
  CHECK(mistake.with == Switch::NoRescale);
  REQUIRE(mistake.wrong);
  CHECK((mistake.wrong->head == 1 && mistake.wrong->row == 2));
  CHECK(std::isinf(mistake.wrong->error));
  CHECK((mistake.wrong->lse == 9.25 && mistake.wrong->lse_wanted == 8.5));
  check_bits(mistake.wrong->o, a.kernels[2].wrong->o);
  check_bits(mistake.wrong->o_wanted, a.kernels[2].wrong->o_wanted);
}

TEST_CASE("an empty result, and lists of every length, come back") {
  std::string fault;
  REQUIRE(read_recording(recording_text({}), fault));
  RunResult r;
  REQUIRE(read_recording(recording_text({r}), fault));
  for (int64_t n = 1; n < 40; ++n) {
    r.spec.problem.n_q = n;
    r.kernels.assign(1, {});
    for (int64_t k = 0; k < n; ++k) r.kernels[0].lse.push_back(std::bit_cast<float>(uint32_t(k * 2654435761u + 77)));
    const auto read = read_recording(recording_text({r}), fault);
    REQUIRE(read);
    check_bits((*read)[0].kernels[0].lse, r.kernels[0].lse);
  }
}

TEST_CASE("kernels and problems are a line each") {
  const std::string text = sample_text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 2 * 6);
  CHECK(text.find("\n {\"kernel\":\"fa3\"") != text.npos);
}

TEST_CASE("a member that is missing or of another kind is named") {
  int places = 0;
  each_place(Json::parse(sample_text()), [&](const std::string& pointer) {
    CAPTURE(pointer);
    ++places;
    const std::string name = pointer.substr(pointer.rfind('/') + 1);
    const bool entry = std::isdigit(name[0]);
    // Each of these is another kind of value than any member wants.
    const std::string fault = fault_of(with(pointer, nullptr));
    if (!entry && name != "results" && name != "tilewalk_recording") check_words(fault, {name, "must be "});
    if (entry) return;
    if (!kMaybe.contains(name) || pointer.starts_with("/results/0/spec/inputs/q")) {
      check_words(fault_of(without(pointer)), {name});
    }
  });
  CHECK(places > 150);
  check_words(fault_of(without("/results/1/kernels/0/timing/median")),
              {"results[1].kernels[0].timing.median is missing"});
}

TEST_CASE("values that cannot be are named") {
  const std::string spec = "/results/0/spec", kernel = "/results/1/kernels/0";
  const std::vector<std::pair<std::string, Json>> bad{
      {spec + "/problem/d", 0},
      {spec + "/problem/n_q", 1 << 25},
      {spec + "/problem/n_q", 1.5},
      {spec + "/problem/n_q", 1e300},
      {spec + "/problem/n_q", 18446744073709551615u},
      {spec + "/problem/scale", "inf"},
      {spec + "/problem/mask", "none"},
      {spec + "/problem/seed", -1},
      {spec + "/inputs/hash", "0123"},
      {spec + "/inputs/hash", "0123456789ABCDEF"},
      {spec + "/inputs/q", "AAAA"},
      {spec + "/inputs/v", "AAAAAA=="},
      {spec + "/inputs/q", "!!!!"},
      {spec + "/inputs/q", "AAAAAAA="},
      {spec + "/inputs/k", ""},
      {spec + "/kernels/0", "fa9"},
      {spec + "/launches", -1},
      {spec + "/launches", 3000000000},
      {spec + "/trace_head", 6},
      {kernel + "/timing/median", -1},
      {kernel + "/timing/best", "nan"},
      {kernel + "/counters/dram_read", -2},
      {kernel + "/trace/statistics/tiles", 3},
      {kernel + "/trace/statistics/tiles", int64_t{1} << 52},
      {kernel + "/trace/stamps/0/0", 2},
      {kernel + "/trace/stamps/0/4", -6},
      {kernel + "/trace/stamps/0", Json::array({0, "LoadK", 1, 2})},
      {kernel + "/o", "AACAPw=="},
      {kernel + "/label", std::string(70000, 'x')},
  };
  for (const auto& [pointer, value] : bad) {
    CAPTURE(pointer);
    std::string place = pointer.substr(pointer.rfind('/') + 1);
    if (std::isdigit(place[0]) || place == "tiles") place = "";
    check_words(fault_of(with(pointer, value)), {place, pointer.starts_with(spec) ? "results[0].spec" : "results[1]"});
  }
}

TEST_CASE("lists of a kernel's result fit the problem, in recordings and apart from them") {
  const RunResult good = sample_result();
  CHECK(size_fault(good.kernels[0], good.spec.problem) == "");
  CHECK(size_fault(good.kernels[1], good.spec.problem) == "");
  const auto bad = [&](auto&& change) {
    RunResult r = good;
    change(r.kernels[0]);
    const std::string fault = size_fault(r.kernels[0], r.spec.problem);
    CHECK(fault_of(recording_text({r})).find(fault.substr(fault.find('.'))) != std::string::npos);
    return fault;
  };
  check_words(bad([](KernelResult& k) { k.o.pop_back(); }), {"result.o", "6 floats", "[N_q, d]"});
  check_words(bad([](KernelResult& k) { k.lse.push_back(0); }), {"result.lse", "3 floats"});
  check_words(bad([](KernelResult& k) {
                RowStatistics& s = k.trace->statistics;
                std::swap(s.tiles, s.rows);
              }),
              {"trace.statistics", "2 tiles and 3 rows"});  // N_k = 200 in tiles of 128
}

TEST_CASE("versions") {
  check_words(fault_of(with("/tilewalk_recording/major", 2)), {"newer Tilewalk", "2.6", "1.6"});
  check_words(fault_of(with("/tilewalk_recording/major", 0)), {"major"});
  std::string fault;
  Json newer = Json::parse(with("/tilewalk_recording/minor", 7));
  newer["results"][0]["kernels"][0]["something_new"] = {{"a", 1}};
  CHECK(read_recording(newer.dump(), fault));
  check_words(fault_of("{}"), {"is no recording", "tilewalk_recording"});
  check_words(fault_of("[]"), {"is not a JSON object"});
}

TEST_CASE("files") {
  const ScratchFolder folder;
  save_recording(folder / "good.json", {sample_result()});
  CHECK(recording_text(load_recording(folder / "good.json")) == recording_text({sample_result()}));
  for (const std::string& text :
       {std::string("{"), std::string(), without("/results/0/spec/problem/d"), with("/tilewalk_recording/major", 12)}) {
    const auto path = put(folder / "bad.json", text);
    sentence_of(path, [&] { load_recording(path); });
  }
  const auto path = put(folder / "deep.json", without("/results/0/spec/problem/d"));
  check_words(sentence_of(path, [&] { load_recording(path); }), {"deep.json: results[0].spec.problem.d is missing."});
  sentence_of(folder / "none.json", [&] { load_recording(folder / "none.json"); });
}

TEST_CASE("hostile texts are refused soon") {
  check_words(fault_of(std::string(2'000'000, '[')), {"deeper than 16"});
  std::string many = "{\"results\": [";
  for (int k = 0; k < 2'000'000; ++k) many += "[],";
  check_words(fault_of(many + "[]]}"), {"more than 1048576 values"});
  check_words(fault_of("{\"a\": 1e999}"), {"no double"});
  check_words(fault_of("{\"a\": \"\xFF\"}"), {"is not JSON from byte"});
}

TEST_CASE("mutated recordings never crash") {
  std::mt19937 random(7);
  const std::string good = sample_text();
  int accepted = 0;
  for (int k = 0; k < 4000; ++k) {
    std::string fault;
    const std::string text = mutated(good, random);
    if (const auto read = read_recording(text, fault))
      ++accepted, recording_text(*read);
    else
      CHECK_FALSE(fault.empty());
  }
  CHECK(accepted < 3900);
}

TEST_CASE("A time of nothing, and an answer that passed without having been compared, are refused") {
  const auto fault_of = [](const RunResult& result) {
    std::string fault;
    CHECK_FALSE(read_recording(recording_text({result}), fault));
    return fault;
  };
  RunResult result = sample_result();
  REQUIRE(result.kernels[0].timing);
  result.kernels[0].timing->median = 0;
  CHECK(fault_of(result).find("which cannot be") != std::string::npos);
  result = sample_result();
  REQUIRE(result.kernels[0].errors);
  result.kernels[0].errors->whole = std::numeric_limits<double>::quiet_NaN();
  CHECK(fault_of(result).find("no numbers") != std::string::npos);
  result.kernels[0].errors->passed = false;
  std::string fault;
  CHECK(read_recording(recording_text({result}), fault));
}

TEST_CASE("what hardware cannot be is refused, in recordings, hellos and files of ceilings") {
  struct Beyond {
    const char* name;
    int64_t most;
  };
  const Beyond all[] = {{"major", 99},
                        {"minor", 99},
                        {"multiprocessors", 1024},
                        {"memory_bytes", int64_t{8192} << 30},
                        {"l2_bytes", int64_t{4} << 30},
                        {"l2_shared", int64_t{4} << 30},
                        {"l2_dirty", int64_t{4} << 30},
                        {"driver", 99'990},
                        {"cuda", 99'990}};
  const Json recording = Json::parse(recording_text({sample_result()}));
  const Json hello = Json::parse(line_of(FromWorker{sample_hello()}));
  const Json ceilings = Json::parse(ceilings_text(sample_ceilings()));
  for (const Beyond& each : all) {
    CAPTURE(each.name);
    for (const int64_t value : {each.most + 1, int64_t{9007199254740992}, int64_t{-1}}) {
      const std::string words = fmt::format("{} must", each.name);
      Json changed = recording;
      changed["results"][0]["provenance"][each.name] = value;
      check_words(fault_of(changed.dump()), {"results[0].provenance.", each.name, "must"});
      std::string fault;
      changed = hello;
      changed["gpu"][each.name] = value;
      CHECK(!from_worker(changed.dump(), fault));
      check_words(fault, {"gpu.", each.name, "must"});
      changed = ceilings;
      changed["provenance"][each.name] = value;
      CHECK(!read_ceilings(changed.dump(), fault));
      check_words(fault, {"provenance.", each.name, "must"});
    }
    Json right = recording;
    right["results"][0]["provenance"][each.name] = each.most;
    std::string fault;
    CHECK(read_recording(right.dump(), fault));
  }
  Json named = recording;
  named["results"][0]["provenance"]["gpu"] = std::string(300, 'x');
  check_words(fault_of(named.dump()), {"provenance.gpu", "at most 256 bytes"});
}

TEST_CASE("no more clock stamps, lanes and results are read than a chart can show") {
  const auto with = [](const char* what, Json entry, size_t count) {
    Json json = Json::parse(recording_text({sample_result()}));
    json["results"][0]["kernels"][0]["trace"][what] = Json::array_t(count, std::move(entry));
    std::string fault;
    read_recording(json.dump(), fault);
    return fault;
  };
  const Json stamp = {1, "Score", 0, 5, 10};
  CHECK(with("stamps", stamp, 16384).empty());
  check_words(with("lanes", "a lane", 100), {"trace.lanes holds 100 entries; at most 64 are read"});
}

TEST_CASE("a recording with more clock stamps than are shown opens without the lanes that are too many") {
  const auto read = [](const std::vector<size_t>& stamps, std::string& left_out, std::string& fault) {
    Json json = Json::parse(recording_text({sample_result()}));
    Json& trace = json["results"][0]["kernels"][0]["trace"];
    trace["lanes"] = Json::array();
    trace["stamps"] = Json::array();
    for (size_t lane = 0; lane < stamps.size(); ++lane) {
      trace["lanes"].push_back("lane " + std::to_string(lane));
      for (size_t k = 0; k < stamps[lane]; ++k) trace["stamps"].push_back({lane, "Score", 0, 5, 10});
    }
    return read_recording(json.dump(), fault, &left_out);
  };
  std::string left_out, fault;
  auto all = read({10'000, 6'384}, left_out, fault);
  REQUIRE(all);
  CHECK(left_out.empty());
  CHECK(all->front().kernels[0].trace->stamps.size() == 16'384);

  auto some = read({9'000, 7'000, 20'000, 3}, left_out, fault);
  REQUIRE(some);
  CHECK(left_out == "It holds more than the 16384 clock stamps of a launch that are shown: 2 lanes are left out.");
  const KernelTrace& trace = *some->front().kernels[0].trace;
  CHECK(trace.stamps.size() == 16'000);
  CHECK(trace.lanes == std::vector<std::string>{"lane 0", "lane 1", "lane 2, left out", "lane 3, left out"});

  auto none = read({170'000}, left_out, fault);
  REQUIRE(none);
  CHECK(left_out.ends_with("1 lane is left out."));
  CHECK(none->front().kernels[0].trace->stamps.empty());

  // What is no stamp of a lane is still refused, and many of them quickly.
  Json json = Json::parse(recording_text({sample_result()}));
  json["results"][0]["kernels"][0]["trace"]["stamps"] = Json::array_t(170'000, Json{99, "Score", 0, 5, 10});
  CHECK_FALSE(read_recording(json.dump(), fault));
  CHECK(fault == "results[0].kernels[0].trace.stamps holds 170000 entries; at most 16384 are read");
}

TEST_CASE("What recordings of format 1.2 and older call fa1 is the kernel that it was") {
  RunResult result = sample_result();
  result.spec.problem = {.n_q = 256, .n_k = 256, .d = 64};
  result.spec.inputs = {};
  result.spec.kernels = {Method::Fa1First, Method::Fa2};
  result.spec.trace_head = 0;
  result.spec.trace_rows.clear();
  KernelResult old;
  old.kernel = Method::Fa1First;
  old.trace.emplace();  // its tiles had 128 keys; the kernel that is called fa1 now has 256
  old.trace->statistics = {2, 256, std::vector<float>(512), std::vector<float>(512)};
  result.kernels = {old};
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
    return text;
  };
  const std::string now = replaced(recording_text({result}), "fa1-0.1", "fa1");
  std::string fault;
  const auto read = read_recording(replaced(now, "\"minor\":6}", "\"minor\":2}"), fault);
  REQUIRE_MESSAGE(read, fault);
  CHECK(read->front().kernels[0].kernel == Method::Fa1First);
  CHECK(read->front().spec.kernels == std::vector{Method::Fa1First, Method::Fa2});
  CHECK_FALSE(read_recording(now, fault));  // of today's format: tiles that fa1 has not
  CHECK(fault.find("tiles") != std::string::npos);
}

}  // namespace tilewalk::test_run_json
