// What estimated times are held against: which cells there are, the bands that they span, and what a wrong cell gets.
#include "core/roofline/held.h"

#include "core/quantity/published.h"
#include "core/machine/words.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/rest.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace tilewalk::test_held {

namespace {

std::string words_of_cells(const std::vector<const HeldCell*>& cells, bool ceilings) {
  std::string out;
  for (const HeldCell* cell : cells) out += cell->key + " (" + std::to_string(held_ratio(*cell, ceilings)) + ") ";
  return out;
}

Problem usual(int64_t n, int64_t d) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d = d;
  p.batch = std::max<int64_t>(1, 16384 / n);
  p.heads = 2048 / d;
  return p;
}

}  // namespace

TEST_CASE("the recordings and the papers' tables are cells, each with its source") {
  std::map<std::string, size_t> by_source;
  std::map<Method, size_t> by_method;
  for (const HeldCell& cell : held_cells()) {
    CAPTURE(cell.key);
    CHECK(cell.seconds > 0);
    CHECK(!cell.source.empty());
    CHECK(gpu_named(cell.gpu));
    CHECK(validate(cell.problem).empty());
    CHECK(fault_of(cell.problem).empty());
    CHECK((cell.origin == Origin::Published || cell.origin == Origin::Recorded));
    ++by_source[cell.source];
    ++by_method[cell.method];
  }
  for (const MethodInfo& info : estimated_methods()) {
    CAPTURE(info.name);
    CHECK(by_method[info.id] >= 5);
  }
  CHECK(held_cells().size() > 350);
  CHECK(by_source.size() >= 12);
  // 648 TFLOP/s of 4 B H N^2 d: 3.39 ms.
  const auto fa3 = std::ranges::find(held_cells(), "fa3_h100_fwd_d128_16k", &HeldCell::key);
  REQUIRE(fa3 != held_cells().end());
  CHECK(fa3->seconds == doctest::Approx(4.0 * 16 * 16384 * 16384 * 128 / 648e12));
  CHECK(fa3->problem.heads == 16);
  const auto both = std::ranges::find(held_cells(), "fa1_a100_fwdbwd_time_2k", &HeldCell::key);
  REQUIRE(both != held_cells().end());
  CHECK(both->seconds == doctest::Approx(7.64e-3));
  CHECK(both->problem.batch * both->problem.heads == 128);
  // Other programs' kernels, and fp8, are none of these methods.
  for (const char* key : {"cudnn_h100_fwd_d64_1k", "fa3_fp8_h100_fwd_d64_1k", "triton_h100_fwd_d64_1k"})
    CHECK(std::ranges::find(held_cells(), key, &HeldCell::key) == held_cells().end());
}

TEST_CASE("every recording and every table lies within the band that an estimate of it shows") {
  size_t held = 0;
  for (const HeldCell& cell : held_cells()) {
    if (cell.pass == HeldPass::Both) continue;
    const Direction direction = cell.pass == HeldPass::Forward ? Direction::Forward : Direction::Backward;
    for (const bool ceilings : {false, true}) {
      if (ceilings && !cell.under_ceilings) continue;
      CAPTURE(cell.key);
      CAPTURE(ceilings);
      const auto roofs = shipped_roofs(ceilings ? kShippedCeilings : std::string_view(cell.gpu));
      REQUIRE(roofs);
      const auto band = band_of(cell.method, cell.problem, direction, *roofs);
      REQUIRE(band);
      const double time = estimate(cell.method, cell.problem, *roofs, direction, Levels::WithL2, cell.version).time;
      CHECK(cell.seconds >= band->least * time * (1 - 1e-9));
      CHECK(cell.seconds <= band->most * time * (1 + 1e-9));
      ++held;
    }
  }
  CHECK(held > 350);
}

TEST_CASE("no cell stands apart from the others of its class; a misread one does") {
  CHECK_MESSAGE(far_off(held_cells(), false).empty(), words_of_cells(far_off(held_cells(), false), false));
  CHECK_MESSAGE(far_off(held_cells(), true).empty(), words_of_cells(far_off(held_cells(), true), true));
  std::vector<HeldCell> planted(held_cells().begin(), held_cells().end());
  const auto at = std::ranges::find(planted, "fa3_h100_fwd_d128_16k", &HeldCell::key);
  REQUIRE(at != planted.end());
  at->seconds *= 648.0 / 248;  // 248 for 648
  const auto found = far_off(planted, false);
  REQUIRE(found.size() == 1);
  CHECK(found.front()->key == "fa3_h100_fwd_d128_16k");
}

TEST_CASE("bands are by method, pass, head dimension, family and kind of roofs; where nothing is known there is none") {
  const Roofs h100 = *shipped_roofs("h100"), measured = *shipped_roofs(kShippedCeilings),
              a100 = *shipped_roofs("a100-80");
  const auto fa3 = band_of(Method::Fa3, usual(4096, 128), Direction::Forward, h100);
  REQUIRE(fa3);
  CHECK(fa3->of == HeldClass{Method::Fa3, HeldPass::Forward, 128, 90, false});
  CHECK(fa3->least_n == 512);
  CHECK(fa3->sources.size() >= 2);
  CHECK(fa3->least > 0.9);
  // By its ceilings the H200's own recordings alone are told, and nearer.
  const auto near = band_of(Method::Fa3, usual(4096, 128), Direction::Forward, measured);
  REQUIRE(near);
  CHECK(near->of.ceilings);
  CHECK(near->cells < fa3->cells);
  // Forward alone nobody has told of FA2 on an A100, nor backward; forward and backward together are a band of their
  // own, which says nothing of either.
  for (const Direction direction : {Direction::Forward, Direction::Backward})
    for (const Method method : {Method::Fa1, Method::Fa2}) CHECK(!band_of(method, usual(4096, 128), direction, a100));

  Problem decode = usual(4096, 128);
  decode.n_q = 1;
  CHECK(!band_of(Method::Fa2, decode, Direction::Forward, h100));
  CHECK(!band_of(Method::Fa2, usual(128, 128), Direction::Forward, h100));  // shorter than any that was timed
  CHECK(!band_of(Method::Fa2, usual(4096, 128), Direction::Forward, *shipped_roofs("mi300x")));
  CHECK(!band_of(Method::Fa2, usual(4096, 128), Direction::Forward, *shipped_roofs("l40s")));
  CHECK(!band_of(Method::Fa4, usual(4096, 128), Direction::Backward, *shipped_roofs("b200")));
  CHECK(band_of(Method::Fa4, usual(4096, 128), Direction::Forward, *shipped_roofs("b200")));
}

TEST_CASE("a backward time is a bound: nobody measured less than the model's") {
  for (const HeldCell& cell : held_cells())
    if (cell.pass == HeldPass::Backward) CHECK_MESSAGE(held_ratio(cell, false) > 1, cell.key);
}

TEST_CASE("bands in words are rounded outwards") {
  Band band;
  band.least = 1.16, band.most = 1.41;
  CHECK(times_words(band) == "1.1 to 1.5");
  band.least = 0.31, band.most = 11.2;
  CHECK(times_words(band) == "0.3 to 12");
  band.least = 1.2, band.most = 1.2;
  CHECK(times_words(band) == "1.2");
  CHECK(family_of(80) != family_of(89));
  CHECK(family_of(86) == family_of(89));
  CHECK(family_of(100) == family_of(103));
  CHECK(family_of(70) != family_of(75));
}

TEST_CASE("docs/measurements.md says of the recordings what the model's ratios are") {
  std::ifstream file(TILEWALK_SOURCE_DIR "/docs/measurements.md");
  std::string page((std::istreambuf_iterator<char>(file)), {});
  std::ranges::replace(page, '\n', ' ');
  struct Span {
    double least = 10, most = 0;
  };
  std::map<Method, Span> long_ones, widths, backward;
  std::map<Method, double> alone;
  std::vector<RunResult> runs = shipped_recordings();
  std::ranges::copy(shipped_lesson_runs(), std::back_inserter(runs));
  for (const Compared& row : compare(runs, *shipped_roofs(kShippedCeilings))) {
    const Problem& p = row.run->spec.problem;
    if (row.direction == Direction::Backward && row.kernel->label.empty() && p.n_k >= 2048) {
      Span& span = backward[row.method];
      span.least = std::min(span.least, row.ratio()), span.most = std::max(span.most, row.ratio());
    }
    if (!row.kernel->label.empty() || row.kernel->kernel != row.method || p.n_q != p.n_k) continue;
    if (p.batch * p.heads == 1 && p.n_k == 2048) alone[row.method] = row.ratio();
    if (p.batch * p.n_k != 16384 || p.n_k < 2048) continue;
    Span& span = (p.d == 64 || p.d == 128 ? long_ones : widths)[row.method];
    span.least = std::min(span.least, row.ratio()), span.most = std::max(span.most, row.ratio());
  }
  const auto below = [](double ratio) { return fmt::format("{:.0f}", 100 * (1 - ratio)); };
  const auto span = [&](const Span& of) { return below(of.most) + " to " + below(of.least) + " %"; };
  const auto range = [&](Method m) { return span(long_ones.at(m)); };
  const auto around = [&](const Span& of) {
    return fmt::format("{} % below to {:.0f} % above", below(of.least), 100 * (of.most - 1));
  };
  for (const std::string& says :
       {range(Method::Standard) + " below what was measured for standard", range(Method::Fa1) + " below for FA1",
        range(Method::Fa3) + " below for FA3",
        "Backward it lies further off: " + span(backward.at(Method::Standard)) + " below for standard, " +
            span(backward.at(Method::Fa2)) + " for FA2, " + span(backward.at(Method::Fa3)) + " for FA3",
        around(long_ones.at(Method::Fa2)) + " for FA2",
        "At d = 96 and 256 it lies " + span(widths.at(Method::Standard)) + " below for standard, " +
            around(widths.at(Method::Fa2)) + " for FA2, " + span(widths.at(Method::Fa3)) + " below for FA3",
        fmt::format("FA1 {:.2f}, FA2 {:.2f}, FA3 {:.2f}", alone.at(Method::Fa1), alone.at(Method::Fa2),
                    alone.at(Method::Fa3))})
    CHECK_MESSAGE(page.find(says) != std::string::npos, says);
  // The roofs' own page is as old as it says, beside the recordings'.
  CHECK(shipped_ceilings()->provenance.date.starts_with("2026-11-21T23"));
  CHECK(runs.front().provenance.date.starts_with("2026-11-29T00"));
  CHECK(page.find("a week before the recordings of the kernels") != std::string::npos);
  CHECK(page.find("116 of them") != std::string::npos);
}

TEST_CASE("The table of bands in docs/measurements.md is what the cells give") {
  std::ifstream file(TILEWALK_SOURCE_DIR "/docs/measurements.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(!page.empty());
  const std::string calls = fmt::format("{} calls of the papers' tables", held_cells().size());
  CHECK_MESSAGE(page.find(calls) != std::string::npos, calls);
  struct Row {
    const char* name;
    Method method;
    HeldPass pass;
    int family;
  };
  for (const Row& row : {Row{"FA2, forward, Hopper", Method::Fa2, HeldPass::Forward, 90},
                         {"FA2, backward, Hopper", Method::Fa2, HeldPass::Backward, 90},
                         {"FA2, forward and backward, A100", Method::Fa2, HeldPass::Both, 80},
                         {"FA2, forward, B200", Method::Fa2, HeldPass::Forward, 100},
                         {"FA3, forward, Hopper", Method::Fa3, HeldPass::Forward, 90},
                         {"FA3, backward, Hopper", Method::Fa3, HeldPass::Backward, 90},
                         {"FA4, forward, B200", Method::Fa4, HeldPass::Forward, 100}}) {
    std::string line = fmt::format("| {} |", row.name);
    for (const int64_t d : {64, 96, 128, 256}) {
      const auto band = band_of(HeldClass{row.method, row.pass, d, row.family, false}, held_cells());
      line += band ? fmt::format(" {} |", times_words(*band)) : " |";
    }
    CHECK_MESSAGE(page.find(line) != std::string::npos, line);
  }
}

TEST_CASE("The H100's table in docs/measurements.md is what was recorded there") {
  std::ifstream file(TILEWALK_SOURCE_DIR "/docs/measurements.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const auto rate = [](int64_t d, Mask mask, int64_t n, Method kernel, double flop) {
    for (const RunResult& run : shipped_recordings(RecordedGpu::H100)) {
      const Problem& p = run.spec.problem;
      if (p.batch * p.n_q != 16384 || p.n_q != n || p.d != d || p.mask != mask) continue;
      for (const KernelResult& k : run.kernels)
        if (k.kernel == kernel && k.timing)
          return flop * double(p.batch * p.heads * n * n * d) / (mask == Mask::Causal ? 2 : 1) / k.timing->median / 1e9;
    }
    return 0.0;
  };
  for (const int64_t d : {128, 64})
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t n : {1024, 4096, 16384}) {
        std::string line = fmt::format("| {}, {}, {} |", d, name_of(mask), with_commas(n));
        for (const Method kernel : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3})
          line += fmt::format(" {:.0f} |", rate(d, mask, n, kernel, 4));
        for (const Method kernel : {Method::StandardBackward, Method::Fa2Backward, Method::Fa3Backward})
          line += fmt::format(" {:.0f} |", rate(d, mask, n, kernel, 10));
        CHECK_MESSAGE(page.find(line) != std::string::npos, line);
      }
}

}  // namespace tilewalk::test_held
