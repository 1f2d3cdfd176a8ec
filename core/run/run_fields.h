// The JSON names of every member in run.h, and what must hold between members; see json_fields.h.
#pragma once

#include "core/run/json_fields.h"

namespace tilewalk {

// The format of a file, under its head: a minor version adds members that may be missing, a major one changes others.
struct Schema {
  int major = 0, minor = 0;
};
template <class Visitor, Like<Schema> T>
void fields(Visitor& visit, T& s) {
  visit("major", s.major);
  visit("minor", s.minor);
}
// The file's format. JsonFault: there is no such head, or a newer program wrote it. `no_such` is for instance "is no
// recording".
Schema check_schema(const Json& json, const char* head, std::string_view no_such, int major, int minor);

template <class Visitor, Like<Problem> T>
void fields(Visitor& visit, T& p) {
  visit("batch", p.batch);
  visit("heads", p.heads);
  visit("n_q", p.n_q);
  visit("n_k", p.n_k);
  visit("d", p.d);
  visit("br", p.br);
  visit("bc", p.bc);
  visit("mask", p.mask);
  visit("align", p.align);
  visit("format", p.format);
  visit("arithmetic", p.arithmetic);
  visit("distribution", p.distribution);
  visit("seed", p.seed);
  visit("scale", p.scale);
}
void check(const Problem& problem, const std::string& place);

template <class Visitor, Like<RunInputs> T>
void fields(Visitor& visit, T& i) {
  visit("kind", i.kind);
  visit.maybe("source", i.source);
  visit.hex("hash", i.hash);
  visit.maybe("q", i.q);
  visit.maybe("k", i.k);
  visit.maybe("v", i.v);
}

template <class Visitor, Like<RunSpec> T>
void fields(Visitor& visit, T& s) {
  visit("problem", s.problem);
  visit("inputs", s.inputs);
  visit("kernels", s.kernels);
  visit.maybe("switches", s.switches);
  visit.maybe("kv_heads", s.kv_heads);
  visit.maybe("splits", s.splits);
  visit("warmups", s.warmups);
  visit("launches", s.launches);
  visit.maybe("flush_l2", s.flush_l2);
  visit.maybe("counters", s.counters);
  visit.maybe("trace", s.trace);
  visit.maybe("trace_head", s.trace_head);
  visit.maybe("trace_rows", s.trace_rows);
  visit.maybe("outputs", s.outputs);
}
void check(const RunSpec& spec, const std::string& place);

template <class Visitor, Like<Provenance> T>
void fields(Visitor& visit, T& p) {
  visit("gpu", p.gpu);
  visit("major", p.major);
  visit("minor", p.minor);
  visit("multiprocessors", p.multiprocessors);
  visit("memory_bytes", p.memory_bytes);
  visit("l2_bytes", p.l2_bytes);
  visit("driver", p.driver);
  visit("cuda", p.cuda);
  visit.maybe("driver_version", p.driver_version);
  visit.maybe("l2_shared", p.l2_shared);
  visit.maybe("l2_dirty", p.l2_dirty);
  visit.maybe("date", p.date);
  visit("program", p.program);
  visit.maybe("note", p.note);
}
void check(const Provenance& provenance, const std::string& place);  // provenance_limits.cpp

template <class Visitor, Like<Timing> T>
void fields(Visitor& visit, T& t) {
  visit("median", t.median);
  visit("p10", t.p10);
  visit("p90", t.p90);
  visit("best", t.best);
  visit("count", t.count);
  visit("warmups", t.warmups);
  visit.maybe("back_to_back", t.back_to_back);
  visit.maybe("queued", t.queued);
  visit.maybe("unheld", t.unheld);
  visit("flushed", t.flushed);
  visit.maybe("clock", t.clock);
  visit.maybe("clock_before", t.clock_before);
  visit.maybe("clock_after", t.clock_after);
}
void check(const Timing& timing, const std::string& place);

template <class Visitor, Like<Counters> T>
void fields(Visitor& visit, T& c) {
  visit.maybe("dram_read", c.dram_read);
  visit.maybe("dram_written", c.dram_written);
  visit.maybe("l2_to_sm", c.l2_to_sm);
  visit.maybe("sm_to_l2", c.sm_to_l2);
  visit.maybe("shared_wavefronts", c.shared_wavefronts);
  visit.maybe("bank_conflicts", c.bank_conflicts);
  visit.maybe("exponentials", c.exponentials);
  visit.maybe("tensor_instructions", c.tensor_instructions);
  visit.maybe("instructions", c.instructions);
}
void check(const Counters& counters, const std::string& place);

template <class Visitor, Like<Errors> T>
void fields(Visitor& visit, T& e) {
  visit("rows", e.rows);
  visit("worst_row", e.worst_row);
  visit("whole", e.whole);
  visit("lse", e.lse);
  visit("passed", e.passed);
}
void check(const Errors& errors, const std::string& place);

template <class Visitor, Like<WrongRow> T>
void fields(Visitor& visit, T& w) {
  visit("head", w.head);
  visit("row", w.row);
  visit("error", w.error);
  visit("lse", w.lse);
  visit("lse_wanted", w.lse_wanted);
  visit("o", w.o);
  visit("o_wanted", w.o_wanted);
}
void check(const WrongRow& wrong, const std::string& place);

template <class Visitor, Like<RowStatistics> T>
void fields(Visitor& visit, T& s) {
  visit("tiles", s.tiles);
  visit("rows", s.rows);
  visit("m", s.m);
  visit("l", s.l);
}
void check(const RowStatistics& statistics, const std::string& place);

template <class Visitor, Like<KernelTrace> T>
void fields(Visitor& visit, T& t) {
  visit("statistics", t.statistics);
  visit.maybe("lanes", t.lanes);
  visit.maybe("stamps", t.stamps);
  visit.maybe("block_row_tile", t.block_row_tile);
  visit("traced_ms", t.traced_ms);
  visit("plain_ms", t.plain_ms);
}
void check(const KernelTrace& trace, const std::string& place);

template <class Visitor, Like<RoundingCost> T>
void fields(Visitor& visit, T& r) {
  visit("whole", r.whole);
  visit("rmse", r.rmse);
  visit("lse", r.lse);
  visit.maybe("seconds", r.seconds);
}
void check(const RoundingCost& cost, const std::string& place);

template <class Visitor, Like<KernelResult> T>
void fields(Visitor& visit, T& r) {
  visit("kernel", r.kernel);
  visit.maybe("switch", r.with);
  visit.maybe("label", r.label);
  visit.maybe("launched", r.launched);
  visit.maybe("refused", r.refused);
  visit.maybe("errors", r.errors);
  visit.maybe("wrong", r.wrong);
  visit.maybe("rounding", r.rounding);
  visit.maybe("splits", r.splits);
  visit.maybe("timing", r.timing);
  visit.maybe("counters", r.counters);
  visit.maybe("no_counters", r.no_counters);
  visit.maybe("trace", r.trace);
  visit.maybe("o", r.o);
  visit.maybe("lse", r.lse);
}

template <class Visitor, Like<RunResult> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit("kernels", r.kernels);
}
void check(const RunResult& result, const std::string& place);
// Lists of one kernel against the problem that was run.
void check_fits(const KernelResult& result, const Problem& problem, const std::string& place);

}  // namespace tilewalk
