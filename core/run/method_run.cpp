#include "core/run/method_run.h"

#include "core/run/run_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

namespace methods {

constexpr const char* kHead = "tilewalk_methods";

struct Spec {
  std::string method;
  Problem problem{};
  int64_t kv_heads = 0, splits = 0;  // splits: as many as were made
  bool by_rule = false, tile_scales = false, rotated = false;
};
struct Result {
  Provenance provenance;
  Spec spec;
  Errors errors;
  std::optional<RoundingCost> rounding;
  std::optional<Timing> timing;
  std::optional<Counters> counters;
  std::string no_counters;
};

template <class Visitor, Like<Spec> T>
void fields(Visitor& visit, T& s) {
  visit("method", s.method);
  visit("problem", s.problem);
  visit.maybe("kv_heads", s.kv_heads);
  visit.maybe("splits", s.splits);
  visit.maybe("by_rule", s.by_rule);
  visit.maybe("tile_scales", s.tile_scales);
  visit.maybe("rotated", s.rotated);
}
void check(const Spec& s, const std::string& place) {
  const std::optional<Method> kernel = kernel_named(s.method);
  if (!kernel || !(is_beside(*kernel) || *kernel == Method::Fa2 || *kernel == Method::Fa3))
    throw JsonFault(place + ".method",
                    fmt::format("must be one of split-kv, fa3-fp8, fa2, fa3, and is \"{}\"", s.method));
  if (s.kv_heads < 0 || (s.kv_heads > 0 && s.problem.heads % s.kv_heads))
    throw JsonFault(place + ".kv_heads",
                    fmt::format("must divide the {} heads, and is {}", s.problem.heads, s.kv_heads));
  if (s.splits < 0) throw JsonFault(place + ".splits", fmt::format("must not be below zero, and is {}", s.splits));
}

template <class Visitor, Like<Result> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit("errors", r.errors);
  visit.maybe("rounding", r.rounding);
  visit.maybe("timing", r.timing);
  visit.maybe("counters", r.counters);
  visit.maybe("no_counters", r.no_counters);
}
void check(const Result& r, const std::string& place) {
  if (r.timing && !r.errors.passed)
    throw JsonFault((place.empty() ? "" : place + ".") + "timing", "is there, and the answer was wrong");
}

namespace {

Switch switch_of(Method kernel, const Spec& s) {
  if (kernel == Method::SplitKv) return !s.by_rule && s.splits == 1 ? Switch::Splitting : Switch::None;
  if (kernel != Method::Fa3Fp8) return Switch::None;
  if (s.rotated) return s.tile_scales ? Switch::Rotation : Switch::RotationAlone;
  return s.tile_scales ? Switch::None : Switch::TileScales;
}

RunSpec run_of(const Result& r) {
  RunSpec spec;
  spec.problem = r.spec.problem;
  spec.kv_heads = r.spec.kv_heads == spec.problem.heads ? 0 : r.spec.kv_heads;
  if (r.spec.method == "split-kv" && !r.spec.by_rule && r.spec.splits > 1) spec.splits = r.spec.splits;
  spec.counters = true;
  if (r.timing) spec.flush_l2 = r.timing->flushed, spec.warmups = r.timing->warmups;
  return spec;
}

template <class T>
void add_once(std::vector<T>& list, T value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

}  // namespace
}  // namespace methods

bool holds_methods(const Json& json) { return json.is_object() && json.contains(methods::kHead); }

std::vector<RunResult> runs_of_methods(const Json& json) {
  check_schema(json, methods::kHead, "is no file of methods", 1, 0);
  if (!json.contains("results")) throw JsonFault("results", "is missing");
  std::vector<methods::Result> results;
  FieldReader::read(json["results"], "results", results);
  std::vector<RunResult> runs;
  for (methods::Result& r : results) {
    const Method kernel = *kernel_named(r.spec.method);
    const RunSpec spec = methods::run_of(r);
    auto run = std::ranges::find_if(runs, [&](const RunResult& each) {
      return each.spec.problem == spec.problem && each.spec.kv_heads == spec.kv_heads &&
             each.spec.splits == spec.splits && each.provenance.gpu == r.provenance.gpu;
    });
    if (run == runs.end()) run = runs.insert(runs.end(), {r.provenance, spec, {}});
    const Switch with = methods::switch_of(kernel, r.spec);
    const auto same = [&](const KernelResult& k) { return k.kernel == kernel && k.with == with; };
    if (std::ranges::any_of(run->kernels, same)) continue;  // measured twice
    methods::add_once(run->spec.kernels, kernel);
    if (with != Switch::None) methods::add_once(run->spec.switches, with);
    KernelResult& k = run->kernels.emplace_back();
    k.kernel = kernel, k.with = with;
    k.errors = r.errors;
    k.rounding = r.rounding;
    k.splits = kernel == Method::SplitKv ? r.spec.splits : 0;
    k.timing = r.timing;
    k.counters = r.counters;
    k.no_counters = std::move(r.no_counters);
  }
  return runs;
}

}  // namespace tilewalk
