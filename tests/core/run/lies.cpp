#include "tests/core/run/lies.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

KernelResult& fa2(RunResult& run) {
  for (KernelResult& kernel : run.kernels)
    if (kernel.kernel == Method::Fa2) return kernel;
  return run.kernels.front();
}

// Lists that would not fit another problem go with it, so that it is not their sizes that give it away.
void strip(RunResult& run) {
  for (KernelResult& kernel : run.kernels) {
    kernel.o.clear();
    kernel.lse.clear();
    kernel.trace.reset();
  }
}

template <class T>
Lie problem(std::string name, T Problem::*member, T value) {
  return {"problem: " + name, true, true, [=](RunResult& run) {
            strip(run);
            run.spec.problem.*member = value;
          }};
}
Lie whole(std::string name, bool needs_asking, std::function<void(RunResult&)> tell) {
  return {std::move(name), true, needs_asking, std::move(tell)};
}
Lie gpu(std::string name, std::function<void(Provenance&)> tell, bool needs_asking = true) {
  return whole("GPU: " + name, needs_asking, [tell = std::move(tell)](RunResult& run) { tell(run.provenance); });
}
Lie kernel(std::string name, std::function<void(KernelResult&)> tell, bool needs_asking = false) {
  return {std::move(name), false, needs_asking, [tell = std::move(tell)](RunResult& run) { tell(fa2(run)); }};
}
template <class T, class V>
Lie timing(std::string name, T Timing::*member, V value) {
  return kernel("timing: " + name, [=](KernelResult& k) { (*k.timing).*member = T(value); });
}
Lie times(std::string name, double factor, bool needs_asking = false) {
  return kernel(
      "timing: " + name,
      [=](KernelResult& k) {
        for (double Timing::*each : {&Timing::best, &Timing::p10, &Timing::median, &Timing::p90, &Timing::back_to_back})
          (*k.timing).*each *= factor;
      },
      needs_asking);
}
template <class T, class V>
Lie errors(std::string name, T Errors::*member, V value) {
  return kernel("errors: " + name, [=](KernelResult& k) { (*k.errors).*member = T(value); });
}
Lie bytes(std::string name, std::optional<double> Counters::*member, double value) {
  return kernel("bytes: " + name, [=](KernelResult& k) { (*k.counters).*member = value; });
}
Lie o(std::string name, std::function<void(std::vector<float>&)> tell) {
  return kernel("O: " + name, [=](KernelResult& k) { tell(k.o); });
}
Lie lse(std::string name, std::function<void(std::vector<float>&)> tell) {
  return kernel("L: " + name, [=](KernelResult& k) { tell(k.lse); });
}
Lie m(std::string name, std::function<float(float)> change) {
  return kernel("m: " + name, [=](KernelResult& k) {
    std::ranges::transform(k.trace->statistics.m, k.trace->statistics.m.begin(), change);
  });
}
Lie l(std::string name, std::function<float(float)> change) {
  return kernel("l: " + name, [=](KernelResult& k) {
    std::ranges::transform(k.trace->statistics.l, k.trace->statistics.l.begin(), change);
  });
}
Lie trace(std::string name, std::function<void(KernelTrace&)> tell) {
  return kernel("trace: " + name, [=](KernelResult& k) { tell(*k.trace); });
}

std::function<void(std::vector<float>&)> filled(float value) {
  return [=](std::vector<float>& list) { std::ranges::fill(list, value); };
}
std::function<void(std::vector<float>&)> one(size_t at, float value) {
  return [=](std::vector<float>& list) { list[at % list.size()] = value; };
}
std::function<void(std::vector<float>&)> times_by(float factor) {
  return [=](std::vector<float>& list) {
    for (float& x : list) x *= factor;
  };
}
std::function<float(float)> always(float value) {
  return [=](float) { return value; };
}

std::vector<Lie> all() {
  std::vector<Lie> out;
  const auto add = [&](Lie lie) { out.push_back(std::move(lie)); };
  // Another problem than was asked for.
  add(whole("problem: N 4096", true,
            [](RunResult& run) { strip(run), run.spec.problem.n_q = run.spec.problem.n_k = 4096; }));
  add(problem("N_q", &Problem::n_q, int64_t{128}));
  add(problem("N_k", &Problem::n_k, int64_t{32}));
  add(problem("d", &Problem::d, int64_t{128}));
  add(problem("B", &Problem::batch, int64_t{8}));
  add(problem("H", &Problem::heads, int64_t{16}));
  add(problem("mask", &Problem::mask, Mask::Causal));
  add(problem("alignment", &Problem::align, CausalAlign::TopLeft));
  add(problem("format", &Problem::format, Format::BFloat16));
  add(problem("distribution", &Problem::distribution, Distribution::Outliers));
  add(problem("seed", &Problem::seed, uint64_t{12345}));
  add(problem("scale", &Problem::scale, 0.0625));
  add(problem("Br", &Problem::br, int64_t{32}));
  add(problem("Bc", &Problem::bc, int64_t{8}));
  add(whole("problem: arithmetic", true, [](RunResult& run) {
    Arithmetic& a = run.spec.problem.arithmetic;
    a = a == Arithmetic::Exact ? Arithmetic::Kernel : Arithmetic::Exact;
  }));
  add(whole("inputs: another hash", false, [](RunResult& run) { run.spec.inputs.hash ^= 1; }));
  add(whole("inputs: no hash", true, [](RunResult& run) { run.spec.inputs.hash = 0; }));
  add(whole("inputs: values", true, [](RunResult& run) {
    const Problem& p = run.spec.problem;
    run.spec.inputs.kind = RunInputs::Kind::Values;
    run.spec.inputs.q.assign(size_t(p.n_q * p.d), 1);
    run.spec.inputs.k = run.spec.inputs.v = std::vector<float>(size_t(p.n_k * p.d), 1.0f);
  }));
  add(whole("run: L2 emptied", false, [](RunResult& run) { run.spec.flush_l2 = true; }));
  add(whole("run: other rows traced", true, [](RunResult& run) { run.spec.trace_rows = {1, 2}; }));
  // Another GPU than said hello.
  add(gpu("name", [](Provenance& p) { p.gpu = "NVIDIA GB300"; }));
  add(gpu(
      "no name", [](Provenance& p) { p.gpu.clear(); }, false));
  add(gpu("major", [](Provenance& p) { p.major = 12; }));
  add(gpu("minor", [](Provenance& p) { p.minor = 7; }));
  add(gpu("multiprocessors", [](Provenance& p) { p.multiprocessors = 999; }));
  add(gpu("memory", [](Provenance& p) { p.memory_bytes *= 2; }));
  add(gpu("L2", [](Provenance& p) { p.l2_bytes *= 2; }));
  // Times.
  add(timing("median, smallest number", &Timing::median, 5e-324));
  add(timing("median 1e-300", &Timing::median, 1e-300));
  add(timing("median 1e308", &Timing::median, 1e308));
  add(timing("median over p90", &Timing::median, 1.0));
  add(timing("p10 over p90", &Timing::p10, 2.0));
  add(timing("p10 none", &Timing::p10, 0.0));
  add(timing("p10 smallest number", &Timing::p10, 5e-324));
  add(timing("p90 under the median", &Timing::p90, 1e-3));
  add(timing("p90 1e308", &Timing::p90, 1e308));
  add(timing("shortest none", &Timing::best, 0.0));
  add(timing("shortest over the median", &Timing::best, 3.0));
  add(timing("two thousand million launches", &Timing::count, 2'000'000'000));
  add(timing("more not held than timed", &Timing::unheld, 2'000'000));
  add(timing("fewer than none not held", &Timing::unheld, -1));
  add(timing("queued fewer than none", &Timing::queued, -5));
  add(timing("queued a thousand million", &Timing::queued, 1'000'000'000));
  add(timing("none queued and a mean", &Timing::queued, 0));
  add(timing("warmed up a thousand million times", &Timing::warmups, 1'000'000'000));
  add(timing("back to back 1e-300", &Timing::back_to_back, 1e-300));
  add(timing("back to back 1e308", &Timing::back_to_back, 1e308));
  add(timing("clock 1e9", &Timing::clock, 1e9));
  add(timing("clock 1", &Timing::clock, 1.0));
  add(timing("clock before", &Timing::clock_before, 1'000'000));
  add(timing("clock after", &Timing::clock_after, 2));
  add(timing("L2 emptied", &Timing::flushed, true));
  add(times("a thousandth", 1e-3));
  add(times("a millionth", 1e-6));
  add(times("a hundred thousand times", 1e5, true));
  add(times("a thousand million times", 1e9));
  // What the worker says of its answer.
  add(errors("worst row 1e6", &Errors::worst_row, 1e6));
  add(errors("worst row -1", &Errors::worst_row, -1));
  add(errors("worst row just too far off", &Errors::worst_row, 2.1e-3));
  add(errors("worst row perfect", &Errors::worst_row, 0));
  add(kernel("errors: a tenth of what they are",
             [](KernelResult& k) { k.errors->worst_row *= 0.1, k.errors->whole *= 0.1; }));
  add(errors("all 1", &Errors::whole, 1));
  add(errors("all -1", &Errors::whole, -1));
  add(kernel("errors: all more than the worst", [](KernelResult& k) { k.errors->whole = 1.5 * k.errors->worst_row; }));
  add(errors("L 1", &Errors::lse, 1));
  add(errors("L -1", &Errors::lse, -1));
  add(errors("L no number", &Errors::lse, kNan));
  add(errors("L infinite", &Errors::lse, kInf));
  add(errors("one row", &Errors::rows, 1));
  add(errors("a row less than all", &Errors::rows, 63));
  add(errors("more rows than there are", &Errors::rows, 65));
  add(errors("a million million rows", &Errors::rows, 1'000'000'000'000));
  add(kernel("errors: none said", [](KernelResult& k) { k.errors.reset(); }));
  // Whose it is.
  add(kernel(
      "label: another program's", [](KernelResult& k) { k.label = "PyTorch cuDNN"; }, true));
  add(kernel(
      "label: its own", [](KernelResult& k) { k.label = "FA2"; }, true));
  add({"kernel: twice", false, false, [](RunResult& run) {
         run.kernels.front() = fa2(run);
         std::swap(run.kernels.front(), run.kernels.back());
       }});
  add(kernel("kernel: refused and measured", [](KernelResult& k) { k.refused = "Its library is missing."; }));
  // O and L.
  add(o("no number", filled(kNan)));
  add(o("one no number", one(77, kNan)));
  add(o("one infinite", one(500, kInf)));
  add(o("all 0", filled(0)));
  add(o("all 1", filled(1)));
  add(o("all smallest numbers", filled(1e-45f)));
  add(o("largest numbers", filled(3e38f)));
  add(o("turned round", times_by(-1)));
  add(o("a tenth too long", times_by(1.1f)));
  add(o("a hundredth too long", times_by(1.01f)));
  add(o("backwards", [](std::vector<float>& list) { std::ranges::reverse(list); }));
  add(o("a row late",
        [](std::vector<float>& list) { std::ranges::rotate(list, list.end() - std::ptrdiff_t(list.size() / 64)); }));
  add(o("one element off", one(300, 5)));
  add(lse("no number", filled(kNan)));
  add(lse("one no number", one(9, kNan)));
  add(lse("no key seen", filled(-kInf)));
  add(lse("infinite", filled(kInf)));
  add(lse("0", filled(0)));
  add(lse("twice", times_by(2)));
  add(lse("one off by 1", one(3, 12.5f)));
  // m and l, stamps, what tracing cost.
  add(m("no number", always(kNan)));
  add(m("infinite", always(kInf)));
  add(m("no key seen", always(-kInf)));
  add(m("1e30", always(1e30f)));
  add(m("1 more", [](float x) { return x + 1; }));
  add(l("no number", always(kNan)));
  add(l("less than none", [](float x) { return -x; }));
  add(l("none", always(0)));
  add(l("1e30", always(1e30f)));
  add(l("a tenth", [](float x) { return x * 0.1f; }));
  add(trace("traced in no time", [](KernelTrace& t) { t.traced_ms = 5e-324; }));
  add(trace("traced for ever", [](KernelTrace& t) { t.traced_ms = 1e308; }));
  add(trace("plain in no time", [](KernelTrace& t) { t.plain_ms = 1e-300; }));
  add(trace("plain for ever", [](KernelTrace& t) { t.plain_ms = 1e308; }));
  add(trace("a million times slower", [](KernelTrace& t) { t.traced_ms = 1e6 * t.plain_ms; }));
  add(trace("stamps of years", [](KernelTrace& t) { t.stamps.back().end = int64_t{1} << 52; }));
  add(trace("stamps of a second", [](KernelTrace& t) { t.stamps.back().end = 2'000'000'000; }));
  // Bytes.
  add(bytes("none from L2", &Counters::l2_to_sm, 0));
  add(bytes("one from L2", &Counters::l2_to_sm, 1));
  add(bytes("1e18 from L2", &Counters::l2_to_sm, 1e18));
  add(bytes("1e308 from L2", &Counters::l2_to_sm, 1e308));
  add(bytes("none to L2", &Counters::sm_to_l2, 0));
  add(bytes("1e18 to L2", &Counters::sm_to_l2, 1e18));
  add(bytes("none read from DRAM", &Counters::dram_read, 0));
  add(bytes("1e15 read from DRAM", &Counters::dram_read, 1e15));
  add(bytes("1e18 written to DRAM", &Counters::dram_written, 1e18));
  return out;
}

}  // namespace

const std::vector<Lie>& lies() {
  static const std::vector<Lie> told = all();
  return told;
}

}  // namespace tilewalk
