// How long methods take under a GPU's roofs, and where that turns (core/roofline/).
#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/turning.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

std::optional<Method> method_asked(Arguments& a, std::string_view word) {
  const auto method = method_named(word);
  if (!method)
    a.fail(fmt::format("{} is no method; there are eager, standard, fa1, fa2, fa3, fa4.", in_quotes(word, 40)));
  return method;
}

std::optional<Roofs> roofs_asked(Arguments& a, std::string_view word) {
  auto roofs = shipped_roofs(word);
  if (!roofs) a.fail(fmt::format("{} is no GPU of the catalogue.", in_quotes(word, 40)));
  return roofs;
}

// The problem, the roofs, the pass and the levels that every estimate takes.
struct Case {
  Problem problem;
  Roofs roofs;
  Direction direction = Direction::Forward;
  Levels levels = Levels::WithL2;
  std::string words;  // for the source
};
std::optional<Case> case_asked(Arguments& a) {
  const auto problem = problem_asked(a);
  const auto roofs = roofs_asked(a, a.word("gpu", "h100"));
  const std::string_view pass = a.word("pass", "forward"), levels = a.word("levels", "l2");
  if (pass != "forward" && pass != "backward")
    a.fail(fmt::format("pass is {}; it must be forward or backward.", in_quotes(pass, 40)));
  if (levels != "l2" && levels != "two")
    a.fail(fmt::format("levels is {}; it must be l2, or two for the papers' count.", in_quotes(levels, 40)));
  if (problem)
    for (const Fault& fault : validate(*problem)) a.fail(fault.message);
  if (problem && !fault_of(*problem).empty()) a.fail(fault_of(*problem));
  if (!problem || !roofs || a.failed()) return std::nullopt;
  const Problem& p = *problem;
  return Case{p, *roofs, pass == "backward" ? Direction::Backward : Direction::Forward,
              levels == "two" ? Levels::TwoLevel : Levels::WithL2,
              fmt::format("roofs of {} ({}); B {}, H {}, N {}, d {}, {} mask, {}", roofs->title, name_of(roofs->origin),
                          p.batch, p.heads, p.n_k, p.d, name_of(p.mask), pass)};
}

Estimate estimate_of(Method method, const Case& c) {
  const bool few = c.direction == Direction::Forward && c.problem.n_q < 16 && can_split(method) && c.roofs.sms > 0;
  const int64_t splits = few ? decode_splits(method, c.problem, c.roofs.sms) : 1;
  return estimate(work_of(method, c.problem, c.direction, splits), c.roofs, c.levels);
}

Evaluated model(double value, std::string_view unit, std::string source) {
  return {Quantity{value, std::string(unit), Origin::Model, std::move(source)}, {}};
}

constexpr std::string_view kWhat =
    "time, serial, overlapped, a roof, flops, dram_bytes, memory, waves, tail, intensity";

Evaluated of_estimate(std::span<const Argument> all) {
  Arguments a(all);
  const auto method = method_asked(a, a.word(0));
  const auto c = case_asked(a);
  if (!method || !c) return failed(a.fault);
  const Estimate e = estimate_of(*method, *c);
  const std::string_view what = a.word(1);
  const std::string source = fmt::format("{} under the {}", info_of(*method).name, c->words);
  if (what == "time") return model(e.time, "s", source);
  if (what == "serial") return model(e.serial, "s", source);
  if (what == "overlapped") return model(e.overlapped, "s", source);
  if (what == "flops") return model(e.rate, "flop/s", source);
  if (what == "dram_bytes") return model(e.dram_bytes, "byte", source);
  if (what == "memory") return whole_quantity(e.memory_bytes, "byte", source);
  if (what == "waves") return model(double(e.waves), "", source);
  if (what == "tail") return model(e.tail, "", source);
  if (what == "intensity") return model(e.intensity[size_t(Roof::Dram)], "flop/byte", source);
  const auto roof = roof_named(what);
  if (!roof) return failed(fmt::format("{} is none of {}.", in_quotes(what, 40), kWhat));
  if (!c->roofs[*roof])
    return failed(fmt::format("nothing is known of {}'s rate of {}.", c->roofs.title, name_of(*roof)));
  return model(e[*roof], "s", source);
}

Evaluated win_of(std::span<const Argument> all) {
  Arguments a(all);
  const auto slow = method_asked(a, a.word(0)), fast = method_asked(a, a.word(1));
  const auto c = case_asked(a);
  const std::string_view pace = a.word("pace", "schedule");
  if (pace != "schedule" && pace != "serial" && pace != "overlapped")
    a.fail(fmt::format("pace is {}; it must be schedule, serial or overlapped.", in_quotes(pace, 40)));
  if (!slow || !fast || !c || a.failed()) return failed(a.fault);
  const Pace by = pace == "serial" ? Pace::Serial : pace == "overlapped" ? Pace::Overlapped : Pace::Schedule;
  return model(win(estimate_of(*slow, *c), estimate_of(*fast, *c), by), "",
               fmt::format("{}'s time over {}'s, {}", info_of(*slow).name, info_of(*fast).name, c->words));
}

Evaluated turning(std::span<const Argument> all) {
  Arguments a(all);
  const std::string_view what = a.word(0);
  const auto method = method_asked(a, a.word("method", what == "longest" ? "standard" : "fa3"));
  const auto c = case_asked(a);
  const double eta = a.number("eta", 1);
  if (!(eta > 0 && eta <= 1)) a.fail("eta is the share of the peak that is reached: more than 0, at most 1.");
  if (!method || !c || a.failed()) return failed(a.fault);
  const double ridge = c->roofs.ridge();
  if (!(ridge > 0)) return failed(fmt::format("{}'s ridge is not known.", c->roofs.title));
  if (what == "compute_bound") {
    const Bound bound = bound_along(*method, c->problem, c->roofs, c->direction, c->levels);
    return bound.computes ? model(double(*bound.computes), "", c->words)
                          : failed(fmt::format("{} is not compute-bound there from any N up to {} on.",
                                               info_of(*method).name, kLongest));
  }
  if (what == "about") return model(compute_bound_about(ridge, c->problem), "", c->words);
  if (what == "law") return model(law_win(ridge, c->problem, eta), "", c->words);
  if (what == "longest") {
    const auto longest = longest_that_fits(*method, c->problem, c->roofs, c->direction);
    return longest ? model(double(*longest), "", c->words) : failed("the GPU's memory is not known.");
  }
  if (what != "limit" && what != "saturates")
    return failed(
        fmt::format("{} is none of compute_bound, about, law, longest, limit, saturates.", in_quotes(what, 40)));
  const Saturation s = saturation(Method::Standard, *method, c->problem, c->roofs, c->direction, c->levels);
  if (what == "limit") return model(s.limit, "", c->words);
  return s.n ? model(double(*s.n), "", c->words)
             : failed(fmt::format("{}'s win does not stay within 5 % of its limit up to N = {}.", info_of(*method).name,
                                  kLongest));
}

Evaluated roof(std::span<const Argument> all) {
  Arguments a(all);
  const auto roofs = roofs_asked(a, a.word(0));
  if (!roofs) return failed(a.fault);
  const std::string_view name = a.word(1);
  const auto named = roof_named(name);
  if (!named && name != "mma_sync")
    return failed(
        fmt::format("{} is no roof: dram, l2, sram, tensor, mma_sync, exponential or vector.", in_quotes(name, 40)));
  const auto& rate = named ? (*roofs)[*named] : roofs->tensor(Multiply::MmaSync);
  if (!rate) return failed(fmt::format("nothing is known of {}'s rate of {}.", roofs->title, name));
  return {Quantity{rate->value, std::string(named ? unit_of(*named) : "flop/s"), roofs->origin,
                   fmt::format("{}: {}{}", roofs->title, rate->source, rate->verified ? "" : " (not verified)")},
          {}};
}

Evaluated amdahls(std::span<const Argument> all) {
  const Arguments a(all);
  const double f = a.quantity(0).value, s = a.quantity(1).value;
  if (!(f >= 0 && f <= 1) || !(s > 0)) return failed("amdahl takes a share from 0 to 1 and a speed-up above 0.");
  Quantity out{amdahl(f, s), "", std::max(a.quantity(0).origin, a.quantity(1).origin),
               "1 / ((1 - f) + f / s), Amdahl's law"};
  return {out, {}};
}

constexpr QuantityFunction kRooflineFunctions[] = {
    {"estimate",
     "METHOD, WHAT, N=, Nq=, Nk=, d=, B=, H=, mask=WORD, align=WORD, format=WORD, gpu=WORD, pass=WORD, levels=WORD",
     "By the model of eager, standard, fa1, fa2, fa3 or fa4 on a GPU: time (s) as its schedule overlaps, serial and "
     "overlapped; the time under one roof: dram, l2, sram, tensor, exponential, vector; flops, dram_bytes, memory, "
     "waves, "
     "tail, intensity.",
     of_estimate},
    {"win",
     "METHOD, METHOD, N=, Nq=, Nk=, d=, B=, H=, mask=WORD, align=WORD, format=WORD, gpu=WORD, pass=WORD, levels=WORD, "
     "pace=WORD",
     "The first method's time over the second's; pace is schedule, serial or overlapped.", win_of},
    {"turning",
     "WHAT, N=, Nq=, Nk=, d=, B=, H=, mask=WORD, align=WORD, format=WORD, gpu=WORD, pass=WORD, levels=WORD, "
     "method=WORD, "
     "eta=",
     "N from which on the model has a fused method compute-bound (compute_bound; about: the rule of thumb, without "
     "L), the longest N that fits into memory, the win's limit and the N from which it saturates, the law's win at "
     "eta.",
     turning},
    {"roof", "GPU, ROOF", "A rate: dram, l2, sram, tensor, mma_sync, exponential, vector; also of h200-measured.",
     roof},
    {"amdahl", "f, s", "A whole program's speed-up where a share f of its time becomes s times faster.", amdahls},
};

}  // namespace

std::span<const QuantityFunction> roofline_functions() { return kRooflineFunctions; }

}  // namespace tilewalk
