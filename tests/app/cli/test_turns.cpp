// What `tilewalk predict --gpu` says of other N than the one that was asked holds when the command is run there: for
// random calls, every "from N = ...", every limit, every longest N. TILEWALK_PREDICT_CALLS=2000 for more of them,
// TILEWALK_PREDICT_SEED for others; a call that fails is printed as it can be typed.
#include "core/roofline/catalogue.h"
#include "core/roofline/turning.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace tilewalk::test_turns {
using test::contains;
using test::run;

namespace {

constexpr int64_t kMostN = int64_t{1} << 24;  // that --n takes

int64_t number_from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

struct Call {
  std::string options;  // without --n
  Problem problem;
  Roofs roofs;
  Direction direction = Direction::Forward;
  Levels levels = Levels::WithL2;

  std::string at(int64_t n) const { return fmt::format("predict --n {} {}", n, options); }
  Estimate estimated(Method method, int64_t n) const {
    Problem p = problem;
    p.n_q = p.n_k = n;
    return estimate(method, p, roofs, direction, levels);
  }
};

Call random_call(std::mt19937& random) {
  const auto one_of = [&](const auto& all) { return all[random() % std::size(all)]; };
  Call out;
  std::vector<std::string> ids{std::string(kShippedCeilings), std::string(kShippedCeilings)};
  for (const GpuSpec& gpu : gpus()) ids.push_back(gpu.id);
  const std::string id = one_of(ids);
  out.roofs = *shipped_roofs(id);
  Problem& p = out.problem;
  p.batch = one_of(std::vector{1, 1, 2, 3, 16, 64, 1000});
  p.heads = one_of(std::vector{1, 4, 7, 8, 16, 32, 128, 4096});
  p.d = one_of(std::vector{16, 40, 64, 64, 80, 96, 128, 128, 192, 256});
  const bool causal = random() % 2, backward = random() % 3 == 0, two = random() % 4 == 0, bf16 = random() % 4 == 0;
  p.mask = causal ? Mask::Causal : Mask::Full;
  p.format = bf16 ? Format::BFloat16 : Format::Float16;
  out.direction = backward ? Direction::Backward : Direction::Forward;
  out.levels = two ? Levels::TwoLevel : Levels::WithL2;
  out.options =
      fmt::format("--gpu {} --d {} --batch {} --heads {}{}{}{}{}", id, p.d, p.batch, p.heads, causal ? " --causal" : "",
                  backward ? " --direction backward" : "", two ? " --levels two" : "", bf16 ? " --format bf16" : "");
  return out;
}

// What the command prints: rows of its table by their label, and its sentences on one line.
struct Said {
  std::map<std::string, std::vector<std::string>> rows;  // by Method
  std::string sentences;
  const std::string& cell(const std::string& row, Method method) const { return rows.at(row).at(size_t(method)); }
};

Said said(const std::string& command) {
  const test::Ran ran = run(command);
  INFO("tilewalk " << command << "\n" << ran.err);
  REQUIRE(ran.code == 0);
  Said out;
  static const std::regex apart(" {2,}"), blanks("\\s+");
  const size_t turns = ran.out.find("Where it turns");
  REQUIRE(turns != std::string::npos);
  std::istringstream table(ran.out.substr(0, turns));
  for (std::string line; std::getline(table, line);) {
    if (!line.starts_with("  ")) continue;
    std::vector<std::string> cells;
    for (std::sregex_token_iterator it(line.begin() + 2, line.end(), apart, -1), end; it != end; ++it)
      cells.push_back(*it);
    if (cells.size() == size_t(kEstimatedMethods) + 1)
      out.rows[cells.front()] = std::vector<std::string>(cells.begin() + 1, cells.end());
  }
  out.sentences = std::regex_replace(ran.out.substr(turns), blanks, " ");
  // No rate, time or number of bytes is below zero.
  for (const char* minus : {"−", " -0", " -1", " -2", " -3", " -4", " -5", " -6", " -7", " -8", " -9", "nan", "inf "})
    CHECK_MESSAGE(!contains(ran.out, minus), minus);
  return out;
}

double number_in(std::string text) {
  std::erase(text, ',');
  return std::atof(text.c_str());
}
// The larger end, where a rate that is not known leaves a range: limits leave that rate out, too.
double win_in(const std::string& cell) {
  for (const char* lead : {"–", "≤ "})
    if (const size_t at = cell.find(lead); at != std::string::npos)
      return number_in(cell.substr(at + std::string(lead).size()));
  return number_in(cell);
}
// By how much a win in the table, and what a sentence says, are off by rounding: ranges have one place less, also where
// both ends are one figure.
double rounded(const std::string& cell) {
  const size_t point = cell.rfind('.');
  const bool two_places =
      point != std::string::npos && point + 2 < cell.size() && std::isdigit(uint8_t(cell[point + 2]));
  return two_places ? 0.011 : 0.06;
}
bool arithmetic(const std::string& roof) { return roof == "tensor" || roof == "exp" || roof == "fp32"; }

struct Checked {
  int computes = 0, past_dram = 0, never = 0, settles = 0, wanders = 0, fits = 0;
};

class Checking {
 public:
  Checking(const Call& call, std::mt19937& random, Checked& count) : call_(call), random_(random), count_(count) {}

  void check(int64_t n) {
    INFO("tilewalk " << call_.at(n));
    const Said here = said(call_.at(n));
    std::string rest = here.sentences;
    const auto take = [&](const char* pattern, auto&& then) {
      const std::regex words(pattern);
      for (std::smatch found; std::regex_search(rest, found, words);) {
        then(found);
        rest = std::string(found.prefix()) + std::string(found.suffix());
      }
    };
    take(R"((FA\d)'s longest roof is not DRAM from N = ([\d,]+) on, )"
         R"(and FA\d is compute-bound from N = ([\d,]+) on \(up to ([\d,]+))",
         [&](const std::smatch& m) {
           past_dram(m[1], int64_t(number_in(m[2])), int64_t(number_in(m[4])));
           computes(m[1], int64_t(number_in(m[3])), int64_t(number_in(m[4])));
         });
    take(R"((FA\d)'s longest roof is not DRAM from N = ([\d,]+) on \(up to ([\d,]+))",
         [&](const std::smatch& m) { past_dram(m[1], int64_t(number_in(m[2])), int64_t(number_in(m[3]))); });
    take(R"((FA\d) is compute-bound from N = ([\d,]+) on \(up to ([\d,]+))",
         [&](const std::smatch& m) { computes(m[1], int64_t(number_in(m[2])), int64_t(number_in(m[3]))); });
    take(R"(At N = ([\d,]+), as far as was looked, DRAM is (FA\d)'s longest roof)", [&](const std::smatch& m) {
      ++count_.never;
      const int64_t at = int64_t(number_in(m[1]));
      CHECK_MESSAGE(said(call_.at(at)).cell("binds", named(m[2])) == "DRAM", "at N = ", at);
    });
    take(R"((FA\d|Standard|Eager)'s win over standard stays within 5 % of its limit, )"
         R"(([\d.]+)×, from N = ([\d,]+) on \(up to ([\d,]+))",
         [&](const std::smatch& m) {
           ++count_.settles;
           const double limit = number_in(m[2]);
           const Method method = named(m[1]);
           const int64_t from = int64_t(number_in(m[3])), to = int64_t(number_in(m[4]));
           // Both numbers are rounded to two places.
           const auto near = [&](double win, double rounded) {
             return std::abs(win - limit) <= kSettled * limit + rounded;
           };
           everywhere(
               from, to, "wins over standard", method,
               [&](const std::string& cell) { return near(win_in(cell), rounded(cell)); },
               [&](int64_t at) { return near(win_at(method, at), 0.011); });
         });
    take(R"((FA\d)'s win over standard would be ([\d.]+)× .*?: )"
         R"(from N = ([\d,]+) to ([\d,]+) it is ([\d.]+)×(?: to ([\d.]+)×)?)",
         [&](const std::smatch& m) {
           ++count_.wanders;
           const Method method = named(m[1]);
           const double least = number_in(m[5]), most = m[6].matched ? number_in(m[6]) : least;
           const auto between = [&](double win, double rounded) {
             return win >= least - rounded && win <= most + rounded;
           };
           everywhere(
               int64_t(number_in(m[3])), int64_t(number_in(m[4])), "wins over standard", method,
               [&](const std::string& cell) { return between(win_in(cell), rounded(cell)); },
               [&](int64_t at) { return between(win_at(method, at), 0.011); });
         });
    // A sentence that is not known here is not checked here.
    CHECK_MESSAGE(!contains(rest, "from N ="), rest);
    if (here.rows.contains("longest N that fits")) longest(here, n);
  }

 private:
  static Method named(const std::string& name) {
    for (const MethodInfo& info : estimated_methods())
      if (info.name == name) return info.id;
    FAIL("no method " << name);
    return {};
  }
  double win_at(Method method, int64_t n) const {
    return win(call_.estimated(Method::Standard, n), call_.estimated(method, n));
  }

  // The command itself where the sentence begins, and somewhere behind; the same estimates at further N, most of them
  // just past a tile's edge or just before it.
  template <class OfCell, class OfN>
  void everywhere(int64_t from, int64_t to, const std::string& row, Method method, OfCell&& of_cell, OfN&& of_n) {
    REQUIRE(from <= to);
    const auto somewhere = [&] {
      const double share = double(random_() % 10000) / 10000;
      return std::clamp(int64_t(double(from) * std::pow(double(to) / double(from), share)), from, to);
    };
    for (const int64_t at : {from, somewhere()}) {
      const std::string cell = said(call_.at(at)).cell(row, method);
      CHECK_MESSAGE(of_cell(cell), row, " at N = ", at, ": ", cell);
    }
    for (int look = 0; look < 12; ++look) {
      int64_t at = somewhere();
      if (look % 3) at = std::clamp(at / 64 * 64 + int64_t(look % 3 == 1), from, to);
      CHECK_MESSAGE(of_n(at), row, " at N = ", at);
    }
  }
  void computes(const std::string& name, int64_t from, int64_t to) {
    ++count_.computes;
    const Method method = named(name);
    everywhere(from, to, "binds", method, arithmetic,
               [&](int64_t at) { return !is_bandwidth(call_.estimated(method, at).binds); });
  }
  void past_dram(const std::string& name, int64_t from, int64_t to) {
    ++count_.past_dram;
    const Method method = named(name);
    everywhere(
        from, to, "binds", method, [](const std::string& roof) { return roof != "DRAM"; },
        [&](int64_t at) { return call_.estimated(method, at).binds != Roof::Dram; });
  }
  void longest(const Said& here, int64_t) {
    const Method method = Method(random_() % kEstimatedMethods);
    const int64_t most = int64_t(number_in(here.cell("longest N that fits", method)));
    if (most < 2 || most >= kMostN) return;
    ++count_.fits;
    CHECK(said(call_.at(most)).cell("fits", method) == "yes");
    CHECK(said(call_.at(most + 1)).cell("fits", method) == "no");
  }

  const Call& call_;
  std::mt19937& random_;
  Checked& count_;
};

}  // namespace

TEST_CASE("what is said of other N holds when the command is run there") {
  const int64_t calls = number_from_environment("TILEWALK_PREDICT_CALLS", 30);
  std::mt19937 random(uint32_t(number_from_environment("TILEWALK_PREDICT_SEED", 3)));
  Checked count;
  for (int64_t k = 0; k < calls; ++k) {
    const Call call = random_call(random);
    const int64_t n = 2 + int64_t(std::exp2(double(random() % 20000) / 1000));
    Checking(call, random, count).check(n);
  }
  MESSAGE(
      fmt::format("{} calls: {} compute-bound from, {} past DRAM from, {} never, {} settle, {} do not, {} fit up to",
                  calls, count.computes, count.past_dram, count.never, count.settles, count.wanders, count.fits));
  CHECK(count.computes > calls / 5);
  CHECK(count.settles > calls / 5);
  CHECK(count.wanders > 0);
  CHECK(count.never > 0);
  CHECK(count.fits > calls / 10);
}

TEST_CASE("three calls that promised too much") {
  struct Row {
    const char* options;
    Method method;
  };
  for (const Row& row : {Row{"--gpu a100-80 --d 64 --batch 16 --heads 8", Method::Fa2},
                         Row{"--gpu h100 --d 128 --batch 2 --heads 16", Method::Fa3}}) {
    const std::string command = fmt::format("predict --n 8192 {}", row.options);
    const std::string words = said(command).sentences;
    INFO(words);
    std::smatch found;
    REQUIRE(std::regex_search(words, found, std::regex(R"(its limit, ([\d.]+)×, from N = ([\d,]+) on)")));
    const double limit = number_in(found[1]);
    const int64_t from = int64_t(number_in(found[2]));
    const auto share = [&](int64_t n) {
      return win_in(said(fmt::format("predict --n {} {}", n, row.options)).cell("wins over standard", row.method)) /
             limit;
    };
    CHECK(share(from) >= 0.945);
    CHECK(share(from - 1) < 0.955);
    for (const int64_t n : {78, 129, 700, 1761})
      if (share(n) < 0.94) CHECK(n < from);
  }
  // One head leaves most of a B200 idle at any length.
  const std::string words = said("predict --gpu b200 --n 4096 --d 128").sentences;
  CHECK(contains(words, "keep it from settling"));
}

TEST_CASE("without L2 nothing is said that only L2 makes true") {
  const Said two = said("predict --gpu h100 --n 4096 --d 128 --levels two");
  CHECK(two.cell("binds", Method::Fa3) == "DRAM");
  CHECK(!contains(two.sentences, "compute-bound from"));
  CHECK(!contains(two.sentences, "limit, 4.61×"));
  CHECK(contains(two.sentences, "does not stay compute-bound"));
}

TEST_CASE("the largest calls have times and rates above zero, as text and as JSON") {
  for (const char* options : {"--n 1048576 --batch 128 --heads 128", "--n 16777216 --batch 65535 --heads 65535 --d 256",
                              "--n 16777216 --batch 65535 --heads 65535 --d 256 --causal --direction backward",
                              "--n 16777216 --batch 65535 --heads 65535 --d 256 --decode"}) {
    CAPTURE(options);
    for (const char* gpu : {"h100", "h200-measured", "l40s"}) {
      const std::string command = fmt::format("predict --gpu {} {}", gpu, options);
      said(command);  // looks for what is below zero
      const test::Ran json = run(command + " --json");
      CHECK(json.code == 0);
      CHECK_MESSAGE(!contains(json.out, ": -"), json.out);
    }
  }
}

}  // namespace tilewalk::test_turns
