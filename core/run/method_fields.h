// The JSON names of every member in method_run.h, and what must hold between members; see json_fields.h.
#pragma once

#include "core/run/method_run.h"
#include "core/run/run_fields.h"

namespace tilewalk {

template <class Visitor, Like<MethodSpec> T>
void fields(Visitor& visit, T& s) {
  visit("method", s.method);
  visit("problem", s.problem);
  visit.maybe("kv_heads", s.kv_heads);
  visit.maybe("splits", s.splits);
  visit.maybe("by_rule", s.by_rule);
  visit.maybe("tile_scales", s.tile_scales);
  visit.maybe("rotated", s.rotated);
}
void check(const MethodSpec& spec, const std::string& place);

template <class Visitor, Like<RoundingCost> T>
void fields(Visitor& visit, T& r) {
  visit("whole", r.whole);
  visit("rmse", r.rmse);
  visit("lse", r.lse);
  visit.maybe("seconds", r.seconds);
}
void check(const RoundingCost& cost, const std::string& place);

template <class Visitor, Like<MethodResult> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit("errors", r.errors);
  visit.maybe("rounding", r.rounding);
  visit.maybe("timing", r.timing);
  visit("l2_to_sm", r.l2_to_sm);
  visit("sm_to_l2", r.sm_to_l2);
  visit("dram_least", r.dram_least);
  visit.maybe("counters", r.counters);
  visit.maybe("no_counters", r.no_counters);
  visit.maybe("roof", r.roof);
}
void check(const MethodResult& result, const std::string& place);

}  // namespace tilewalk
