#include "core/roofline/own_model.h"

#include "core/machine/words.h"
#include "core/quantity/quantity.h"
#include "core/roofline/rest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

std::string seconds(double value) { return format_quantity({value, "s", Origin::Model, ""}, "time").value_or("?"); }
std::string bytes(double value) {
  return format_quantity({value, "byte", Origin::Computed, ""}, "bytes").value_or("?");
}
std::string times(double ratio) { return fmt::format("{:.2f}", ratio); }
std::string_view word(Method method) { return info_of(method).name; }

// How far two problems are apart, in octaves of N and of the work of all heads; nothing where they are not alike.
std::optional<double> distance(const Problem& a, const Problem& b) {
  if (padded_d(Method::Fa3, a.d) != padded_d(Method::Fa3, b.d) || a.mask != b.mask || b.n_q != b.n_k ||
      b.distribution != Distribution::Normal)
    return std::nullopt;
  const auto octaves = [](double x, double y) { return std::fabs(std::log2(x / y)); };
  const double n = octaves(double(a.n_k), double(b.n_k)),
               work = octaves(double(a.batch * a.heads) * double(a.n_k) * double(a.n_k),
                              double(b.batch * b.heads) * double(b.n_k) * double(b.n_k));
  if (n > 1 || work > 2) return std::nullopt;
  return 2 * n + work;
}

std::string shape(const Problem& p) {
  return fmt::format("B {}, H {}, N {}, d {}", p.batch, p.heads, with_commas(p.n_k), p.d);
}

std::string bound_of(const EstimateSheet& sheet) {
  const Estimate& fused = sheet.of(sheet.fused);
  const std::string_view name = word(sheet.fused), roof = name_of(fused.binds);
  const double bound = fused[fused.binds];
  if (!(bound > 0)) return fmt::format("What {} waits for there is not known: its rates are not.", name);
  const Roof other = fused.binds == Roof::Dram ? Roof::Tensor : Roof::Dram;
  const std::string beside = !(fused[other] > 0) ? std::string()
                             : other == Roof::Tensor
                                 ? fmt::format(", {} times the tensor cores'", times(bound / fused[other]))
                                 : fmt::format(", {} times DRAM's", times(bound / fused[other]));
  const std::string_view kind = is_arithmetic(fused.binds)  ? "compute-bound"
                                : fused.binds == Roof::Dram ? "memory-bound"
                                                            : "bound by bytes on the chip";
  const std::string idle = fused.short_of_blocks() ? fmt::format(" But {:.0f} % of that time is there because {}.",
                                                                 100 * fused.tail, idle_words(fused, sheet.roofs.sms))
                                                   : std::string();
  return fmt::format("{} is {} there: its longest roof is {}, {} of {} by the model{}.{}", name, kind, roof,
                     seconds(bound), seconds(fused.time), beside, idle);
}

std::string turns_of(const EstimateSheet& sheet) {
  const std::string_view name = word(sheet.fused);
  if (sheet.decode())
    return fmt::format(
        "It does not turn: one query does {} FLOP for each byte of K and V at any N, and the ridge is at "
        "{}.",
        number_words(decode_intensity(sheet.problem)), number_words(sheet.roofs.ridge()));
  if (!sheet.square()) return "Where it turns is said of as many queries as keys alone.";
  const auto& [past, computes] = sheet.bound;
  if (computes)
    return fmt::format("It turns at N = {}: from there on, as far as N = {} was looked at, {} is compute-bound.",
                       with_commas(*computes), with_commas(kLongest), name);
  if (past)
    return fmt::format("From N = {} on DRAM is no longer {}'s longest roof, but arithmetic does not become it either.",
                       with_commas(*past), name);
  return fmt::format("It does not turn up to N = {}: DRAM stays {}'s longest roof.", with_commas(kLongest), name);
}

std::string_view word_of_slow(Method slow) { return slow == Method::Eager ? "eager" : "standard attention"; }

std::string win_of(const EstimateSheet& sheet, const std::optional<MeasuredNear>& near) {
  const std::string_view name = word(sheet.fused);
  const auto over = [&](Method slow) {
    const std::string model = win_words(sheet.win_over(slow, sheet.fused));
    const std::optional<Expected> range = expected_win(sheet, slow);
    return range ? fmt::format("{} to {} times over {} ({} by the model alone)", number_words(range->least, 2),
                               number_words(range->most, 2), word_of_slow(slow), model)
                 : fmt::format("{} over {}, by the model alone", model, word_of_slow(slow));
  };
  std::string out = fmt::format("Expect of {} {}, and {}.", name, over(Method::Standard), over(Method::Eager));
  if (!near) return out;
  std::vector<std::string> measured;
  if (near->over_standard) measured.push_back(times(*near->over_standard) + "× over standard");
  if (near->over_eager) measured.push_back(times(*near->over_eager) + "× over eager");
  out += fmt::format(" Measured at {} on an {}: {} took {}{}{}.", shape(near->problem), near->gpu, word(near->fused),
                     seconds(near->time), measured.empty() ? "" : ", ", fmt::join(measured, ", "));
  if (!near->over_standard) return out;
  const double off = *near->over_standard / sheet.win_over(Method::Standard, sheet.fused).most;
  if (off > 1.25 || off < 0.8) out += fmt::format(" That is {} times what the model alone says.", times(off));
  return out;
}

std::string memory_of(const EstimateSheet& sheet) {
  const Estimate &standard = sheet.of(Method::Standard), &fused = sheet.of(sheet.fused);
  std::string out = fmt::format("Standard attention needs {}, {} {}", bytes(standard.memory_bytes), word(sheet.fused),
                                bytes(fused.memory_bytes));
  if (!(sheet.roofs.memory_bytes > 0)) return out + ".";
  out += fmt::format("; the GPU has {}", bytes(sheet.roofs.memory_bytes));
  if (!fused.fits) return out + ": neither fits.";
  if (!standard.fits) out += ", so that standard does not fit";
  const auto& longest = sheet.square() ? sheet.longest[size_t(Method::Standard)] : std::nullopt;
  return out + (longest ? fmt::format(". Standard fits up to N = {}.", with_commas(*longest)) : ".");
}

std::vector<std::string> unknown_of(const EstimateSheet& sheet, bool measured) {
  std::vector<std::string> out;
  const Estimate& fused = sheet.of(sheet.fused);
  const Problem& p = sheet.problem;
  if (!fused.why_not.empty()) out.push_back(fused.why_not + " The numbers are as if it ran.");
  if (!fused.unknown.empty()) {
    std::vector<std::string_view> roofs;
    for (const Roof roof : fused.unknown) roofs.push_back(name_of(roof));
    out.push_back(
        fmt::format("The rate of {} is not known there and left out: times are at least.", fmt::join(roofs, ", ")));
  }
  const Estimate& standard = sheet.of(Method::Standard);
  if (sheet.roofs.l2_bytes > 0 && standard.memory_bytes <= sheet.roofs.l2_bytes && !sheet.decode())
    out.emplace_back(
        "Standard's S and P may stay in L2, which holds them here: then it takes less than this model says.");
  if (!(fused.launch > 0)) out.emplace_back("What a launch takes, some microseconds, is in none of these times.");
  if (const int64_t d = padded_d(Method::Fa3, p.d); p.d < d)
    out.push_back(fmt::format("d = {} is counted as {}, as FA2's and FA3's kernels here compute it.", p.d, d));
  if (sheet.fused == Method::Fa1 && sheet.direction == Direction::Forward)
    out.emplace_back("This FA1 is the released one, whose blocks share a head; Algorithm 1, lesson 10's, is slower.");
  if (sheet.direction == Direction::Backward)
    out.emplace_back("Of a backward pass the model knows a bound more than a time.");
  if (!measured) out.emplace_back("No recording is near: no time here was measured.");
  if (const auto& band = sheet.bands[size_t(sheet.fused)])
    out.push_back(fmt::format("Where {}'s time was measured elsewhere, it was {} times the model's ({}).",
                              word(sheet.fused), times_words(*band), words_of(*band)));
  else
    out.push_back(fmt::format("Of {} there is {}.", word(sheet.fused), kNothingHeld));
  out.emplace_back("Heads of Q that share K and V are counted as if each had its own; other layers are not counted.");
  return out;
}

}  // namespace

std::optional<Expected> expected_win(const EstimateSheet& sheet, Method slow) {
  const auto expected = [&](Method method) -> std::optional<Expected> {
    const auto& band = sheet.bands[size_t(method)];
    if (!band) return std::nullopt;
    return expected_of(*band, sheet.of(method).time, sheet.most[size_t(method)]);
  };
  const auto long_one = expected(slow), short_one = expected(sheet.fused);
  if (!long_one || !short_one) return std::nullopt;
  return Expected{long_one->least / short_one->most, long_one->most / short_one->least};
}

std::optional<MeasuredNear> measured_near(const EstimateSheet& sheet, std::span<const RunResult> runs) {
  const auto time_of = [&](const RunResult& run, Method method) -> std::optional<double> {
    for (const KernelResult& kernel : run.kernels)
      if (kernel.timing && method_of(kernel) == method && kernel.with == Switch::None &&
          schedule_of(kernel.kernel).direction == sheet.direction &&
          (kernel.label.empty() ? kernel.kernel == method || sheet.direction == Direction::Backward
                                : method == Method::Eager))
        return kernel.timing->median * 1e-3;
    return std::nullopt;
  };
  // Recordings of that GPU, whoever's roofs are taken: a datasheet's and a driver's memory differ by a percent or two.
  const auto is_there = [&](const Provenance& ran) {
    return ran.multiprocessors == sheet.roofs.sms && 10 * ran.major + ran.minor == sheet.roofs.cc &&
           std::fabs(double(ran.memory_bytes) - sheet.roofs.memory_bytes) <= 0.1 * double(ran.memory_bytes);
  };
  const RunResult* nearest = nullptr;
  double far = 0;
  if (sheet.square())
    for (const RunResult& run : runs)
      if (const auto off = distance(sheet.problem, run.spec.problem);
          off && is_there(run.provenance) && group_of(run.spec) == 1 && time_of(run, sheet.fused) &&
          (!nearest || *off < far))
        nearest = &run, far = *off;
  if (!nearest) return std::nullopt;
  MeasuredNear out{
      nearest->provenance.gpu, nearest->spec.problem, sheet.fused, *time_of(*nearest, sheet.fused), {}, {}};
  for (const RunResult& run : runs) {
    const Problem &a = run.spec.problem, &b = nearest->spec.problem;
    if (run.provenance.gpu != nearest->provenance.gpu || distance(a, b) != 0 || a.d != b.d || group_of(run.spec) > 1 ||
        a.batch != b.batch)
      continue;
    if (const auto t = time_of(run, Method::Standard); t && !out.over_standard) out.over_standard = *t / out.time;
    if (const auto t = time_of(run, Method::Eager); t && !out.over_eager) out.over_eager = *t / out.time;
  }
  return out;
}

OwnModel own_model(const EstimateSheet& sheet, std::span<const RunResult> runs) {
  const std::optional<MeasuredNear> near = measured_near(sheet, runs);
  return {bound_of(sheet), turns_of(sheet), win_of(sheet, near), memory_of(sheet), unknown_of(sheet, near.has_value())};
}

}  // namespace tilewalk
