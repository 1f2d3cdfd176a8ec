// The JSON names of every member in ring_run.h, and what must hold between members; see json_fields.h.
#pragma once

#include "core/run/ring_run.h"
#include "core/run/run_fields.h"

namespace tilewalk {

template <class Visitor, Like<RingSpec> T>
void fields(Visitor& visit, T& s) {
  visit("problem", s.problem);
  visit("gpus", s.gpus);
  visit("split", s.split);
  visit("kernel", s.kernel);
  visit("transfer", s.transfer);
  visit.maybe("spare", s.spare);
  visit("rounds", s.rounds);
}
void check(const RingSpec& spec, const std::string& place);

template <class Visitor, Like<Spread> T>
void fields(Visitor& visit, T& s) {
  visit("median", s.median);
  visit("p10", s.p10);
  visit("p90", s.p90);
  visit("count", s.count);
}
void check(const Spread& spread, const std::string& place);

template <class Visitor, Like<RingStep> T>
void fields(Visitor& visit, T& s) {
  visit("attention", s.attention);
  visit("together", s.together);
  visit("waited", s.waited);
  visit("transfer", s.transfer);
  visit("beside", s.beside);
}

template <class Visitor, Like<RingLink> T>
void fields(Visitor& visit, T& l) {
  visit("links", l.links);
  visit.maybe("rate", l.rate);
  visit("rings", l.rings);
  visit("sent", l.sent);
  visit("received", l.received);
}

template <class Visitor, Like<RingAlone> T>
void fields(Visitor& visit, T& a) {
  visit("time", a.time);
  visit("errors", a.errors);
  visit("difference", a.difference);
  visit("largest", a.largest);
}

template <class Visitor, Like<RingTimes> T>
void fields(Visitor& visit, T& t) {
  visit("together", t.together);
  visit("attention", t.attention);
  visit("transfer", t.transfer);
  visit("exposed", t.exposed);
  visit.maybe("together_clock", t.together_clock);
  visit.maybe("attention_clock", t.attention_clock);
  visit("steps", t.steps);
}

template <class Visitor, Like<RingResult> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit.hex("hash", r.hash);
  visit("transport", r.transport);
  visit("peer", r.peer);
  visit("errors", r.errors);
  visit.maybe("alone", r.alone);
  visit.maybe("times", r.times);
  visit.maybe("link", r.link);
  visit.maybe("no_link", r.no_link);
}
void check(const RingResult& result, const std::string& place);

}  // namespace tilewalk
