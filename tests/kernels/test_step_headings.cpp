// The STEP headings of each kernel, in order, are the steps of its schedule in the kernel's variant, so that what is
// animated and what runs cannot drift apart unseen.
//
// Between steps that do not wait for each other a kernel may choose: it loads ahead, and O is divided before or after L
// is made. So the order is held chain by chain: each chain names steps of which every one needs one before it, and
// whatever follows whatever in the source must do so in the schedule.
#include "core/io/file.h"
#include "core/machine/step.h"
#include "core/kernel/kernel_shapes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

using Steps = std::vector<std::string>;
using Pairs = std::set<std::pair<std::string, std::string>>;

// The end of the block whose brace opens at `open`.
size_t closing(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '{';
    depth -= text[at] == '}';
    if (depth == 0) return at;
  }
  return text.size();
}

// The text with every lambda's body where the lambda is called, in the order in which it runs.
std::string with_calls_filled_in(std::string text) {
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  const std::regex lambda(R"(auto (\w+) = \[&\])");
  for (std::smatch found; std::regex_search(text, found, lambda);) {
    const std::string name = found[1];
    const size_t begin = size_t(found.position()), open = text.find('{', begin), close = closing(text, open);
    const std::string body = text.substr(open, close - open + 1);
    text.erase(begin, close - begin + 1);
    const std::regex call("\\b" + name + R"(\()");
    std::string filled;
    size_t from = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
      filled += text.substr(from, size_t(it->position()) - from) + body;
      from = size_t(it->position() + it->length());
    }
    text = filled + text.substr(from);
  }
  return text;
}

// Of two branches the first: they do the same in two ways.
std::string without_else(std::string text) {
  for (size_t at; (at = text.find("else {")) != std::string::npos;)
    text.erase(at, closing(text, text.find('{', at)) - at + 1);
  return text;
}

enum class Branches { All, First };
Steps headings(const std::string& source, Branches branches) {
  std::string text = with_calls_filled_in(source);
  if (branches == Branches::First) text = without_else(text);
  const std::regex heading(R"(\bSTEP(?:_BEGIN)?\((\w+),)");
  Steps out;
  for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it)
    if ((*it)[1] != "Wait") out.push_back((*it)[1]);
  return out;
}

class Names : public StepSink {
 public:
  void take(const Step& step) override { steps.emplace_back(info_of(step.kind).name); }
  Steps steps;
};

// All sections of a problem whose Q tiles meet several K/V tiles, cut and whole ones.
Steps steps_of(Method kernel) {
  Problem p{.n_q = 1000, .n_k = 1000, .d = 64, .mask = Mask::Causal};
  p = padded_problem(p, kernel);
  if (kernel == Method::Standard) p.br = p.bc = 128;
  const Schedule& schedule = schedule_of(kernel);
  const Plan plan = kernel_plan(p, kernel);
  Names names;
  for (int64_t section = 0; section < schedule.sections(plan); ++section) schedule.emit(plan, section, names);
  return names.steps;
}

// In each, every step needs what one before it has made.
const std::vector<Steps> kChains{
    {"LoadQ", "Score"},
    {"LoadK", "Score"},
    {"LoadV", "Accumulate"},
    {"Score", "Mask", "RowMax", "Exponentiate", "Accumulate"},
    {"RowMax", "Exponentiate", "RowSum"},
    {"RowMax", "Rescale", "Accumulate"},
    {"InitStats", "RowMax", "RowSum", "StoreStats"},
    {"RowSum", "LogSumExp", "StoreLse"},
    {"InitO", "Denormalize", "Rescale", "Accumulate", "Normalize", "StoreO"},
    {"LoadS", "RowMax", "Exponentiate", "RowSum", "NormalizeP", "StoreP"},
};

// What follows what in `steps`, of those in the chain. To start O, m and l and to load them is one place in it.
Pairs pairs_of(const Steps& steps, const Steps& chain) {
  Pairs out;
  std::string last;
  for (std::string step : steps) {
    if (step == "LoadO") step = "InitO";
    if (step == "LoadStats") step = "InitStats";
    if (std::ranges::find(chain, step) == chain.end()) continue;
    if (!last.empty() && last != step) out.emplace(last, step);
    last = step;
  }
  return out;
}

// A kernel shrinks O at a Q tile's first visit too, when it is still zero; the schedule leaves that out.
Pairs allowed_pairs(const Steps& steps, const Steps& chain) {
  Pairs out = pairs_of(steps, chain);
  out.emplace("InitO", "Rescale");
  return out;
}

const std::map<std::string, std::vector<Method>> kFiles{
    {"naive.cu", {Method::Naive}}, {"tiled.cu", {Method::Tiled}}, {"fa1.cu", {Method::Fa1}},
    {"fa2.cu", {Method::Fa2}},     {"fa3.cu", {Method::Fa3}},     {"standard.cu", {Method::Standard}},
};

}  // namespace

TEST_CASE("the STEP headings of each kernel are the steps of its schedule, in order") {
  for (const auto& [file, kernels] : kFiles) {
    CAPTURE(file);
    const std::string text = read_file(std::string(TILEWALK_SOURCE_DIR "/kernels/") + file);
    const Steps all = headings(text, Branches::All), source = headings(text, Branches::First);
    for (const Method kernel : kernels) {
      const Steps steps = steps_of(kernel);
      std::set<std::string> written(all.begin(), all.end()), known(steps.begin(), steps.end());
      written.erase("Convert");  // FA3 rounds O for TMA: on chip, and the schedule's StoreO does it
      if (kernel == Method::Standard) {
        // Its products are cuBLAS's; the softmax pass alone is written here, and makes L.
        for (const std::string& step : written)
          if (step != "LogSumExp") CHECK_MESSAGE(known.contains(step), step);
        continue;
      }
      // A naive row stops at its last key; no mask cuts it.
      if (kernel == Method::Naive) known.erase("Mask");
      for (const std::string& step : known) CHECK_MESSAGE(written.contains(step), "not in the kernel: ", step);
      for (const std::string& step : written) CHECK_MESSAGE(known.contains(step), "not in the schedule: ", step);
      for (const Steps& chain : kChains) {
        const Pairs allowed = allowed_pairs(steps, chain);
        for (const auto& [first, second] : pairs_of(source, chain))
          CHECK_MESSAGE(allowed.contains({first, second}), first, " is followed by ", second);
      }
    }
  }
}

TEST_CASE("two headings that changed places are found") {
  const std::string text = read_file(TILEWALK_SOURCE_DIR "/kernels/fa2.cu");
  const auto fault_of = [&](const std::string& source) {
    const Steps steps = steps_of(Method::Fa2);
    for (const Steps& chain : kChains) {
      const Pairs allowed = allowed_pairs(steps, chain);
      for (const auto& pair : pairs_of(headings(source, Branches::First), chain))
        if (!allowed.contains(pair)) return true;
    }
    return false;
  };
  const auto swapped = [&](const std::string& a, const std::string& b) {
    std::string out = text;
    const size_t at_a = out.find("STEP(" + a), at_b = out.find("STEP(" + b);
    REQUIRE(at_a < at_b);
    REQUIRE(at_b < out.size());
    out.replace(at_b + 5, b.size(), a);
    out.replace(at_a + 5, a.size(), b);
    return out;
  };
  CHECK_FALSE(fault_of(text));
  CHECK(fault_of(swapped("RowMax", "Exponentiate")));
  CHECK(fault_of(swapped("Rescale", "Accumulate")));
  CHECK(fault_of(swapped("Score", "Mask")));
  CHECK(fault_of(swapped("LogSumExp", "StoreLse")));
}

}  // namespace tilewalk
