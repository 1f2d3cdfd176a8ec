// The JSON names of every member in ceilings.h, and what must hold between members; see json_fields.h.
#pragma once

#include "core/run/ceilings.h"
#include "core/run/run_fields.h"

namespace tilewalk {

template <class Visitor, Like<CeilingRate> T>
void fields(Visitor& visit, T& r) {
  visit("median", r.median);
  visit("p10", r.p10);
  visit("p90", r.p90);
  visit("count", r.count);
  visit("clock", r.clock);
}
void check(const CeilingRate& rate, const std::string& place);

template <class Visitor, Like<Ceiling> T>
void fields(Visitor& visit, T& c) {
  visit("ceiling", c.id);
  visit.maybe("unavailable", c.unavailable);
  visit.maybe("rested", c.rested);
  visit.maybe("sustained", c.sustained);
}
void check(const Ceiling& ceiling, const std::string& place);

template <class Visitor, Like<Ceilings> T>
void fields(Visitor& visit, T& c) {
  visit("provenance", c.provenance);
  visit("ceilings", c.ceilings);
}
void check(const Ceilings& ceilings, const std::string& place);

}  // namespace tilewalk
