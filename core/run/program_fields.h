// The JSON names of every member in program_run.h, and what must hold between members; see json_fields.h.
#pragma once

#include "core/run/program_run.h"
#include "core/run/run_fields.h"
#include "core/walk/reader.h"

namespace tilewalk {

inline Json json_value(const ProgramText& value) { return value.words; }
inline void read_value(const Json& in, const std::string& place, ProgramText& value) {
  if (!in.is_string()) wrong(place, "a text", in);
  value.words = in.get<std::string>();
  if (value.words.size() > kMostWalkBytes)
    throw JsonFault(place, fmt::format("is longer than {} bytes", kMostWalkBytes));
}

template <class Visitor, Like<ProgramSpec> T>
void fields(Visitor& visit, T& s) {
  visit.maybe("name", s.name);
  visit("text", s.text);
  visit("problem", s.problem);
  visit.maybe("counters", s.counters);
}
template <class Visitor, Like<ProgramTensor> T>
void fields(Visitor& visit, T& t) {
  visit("tensor", t.tensor);
  visit("worst_row", t.worst_row);
  visit("wrong_rows", t.wrong_rows);
  visit.maybe("head", t.head);
  visit.maybe("first", t.first);
}
inline void check(const ProgramTensor& t, const std::string& place) {
  if (t.wrong_rows < 0 || t.head < 0 || t.first < 0) throw JsonFault(place, "counts below zero");
}

template <class Visitor, Like<ProgramRun> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit.maybe("refused", r.refused);
  visit.maybe("tensors", r.tensors);
  visit.maybe("heads_checked", r.heads_checked);
  visit.maybe("timing", r.timing);
  visit.maybe("counters", r.counters);
  visit.maybe("no_counters", r.no_counters);
}
inline void check(const ProgramRun& r, const std::string& place) {
  const auto at = [&](const char* member) { return (place.empty() ? "" : place + ".") + member; };
  const Problem& p = r.spec.problem;
  if (!r.refused.empty() && !r.tensors.empty()) throw JsonFault(at("tensors"), "are there, and it was refused");
  if (r.timing && !r.right()) throw JsonFault(at("timing"), "is there, and the answer was wrong");
  if (r.heads_checked < 0 || r.heads_checked > p.batch * p.heads)
    throw JsonFault(at("heads_checked"), fmt::format("cannot be {} of {}", r.heads_checked, p.batch * p.heads));
  for (const ProgramTensor& t : r.tensors)
    if (t.head >= p.batch * p.heads || t.first >= std::max(p.n_q, p.n_k))
      throw JsonFault(at("tensors"), fmt::format("tell of row {} of head {}", t.first + 1, t.head + 1));
}

}  // namespace tilewalk
