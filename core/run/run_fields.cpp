#include "core/run/run_fields.h"

#include "core/attention/tiling.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <utility>

namespace tilewalk {
namespace {

using Named = std::pair<const char*, double>;

// Times, bytes and counts: finite and not negative.
void check_amounts(const std::string& place, std::initializer_list<Named> amounts) {
  for (const auto& [name, amount] : amounts)
    if (!(amount >= 0) || std::isinf(amount))
      throw JsonFault(place + "." + name, fmt::format("must be finite and not below zero, and is {}", amount));
}

void check_size(const std::string& place, size_t found, int64_t expected, std::string_view shape) {
  if (found != size_t(expected))
    throw JsonFault(place, fmt::format("must hold {} floats, {}, and holds {}", expected, shape, found));
}

void check_optional_size(const std::string& place, size_t found, int64_t expected, std::string_view shape) {
  if (found) check_size(place, found, expected, shape);
}

}  // namespace

double kv_bytes(const RunSpec& s) {
  const Problem& p = s.problem;
  return 4.0 * double(p.batch * (p.heads / group_of(s))) * double(p.n_k) * double(p.d);
}

std::vector<Answer> answers_of(const RunSpec& spec) {
  std::vector<Answer> answers;
  for (const Method kernel : spec.kernels) {
    answers.push_back({kernel});
    for (const Switch with : spec.switches)
      if (switch_of(kernel, with, spec.problem.d, spec.problem.mask == Mask::Causal)) answers.push_back({kernel, with});
  }
  return answers;
}

Schema check_schema(const Json& json, const char* head, std::string_view no_such, int major, int minor) {
  if (!json.contains(head)) throw JsonFault("", fmt::format("{}: it has no \"{}\"", no_such, head));
  Schema schema;
  FieldReader::read(json[head], head, schema);
  if (schema.major < 1) throw JsonFault(std::string(head) + ".major", "must be 1 or more");
  if (schema.major > major)
    throw JsonFault("", fmt::format("was recorded by a newer Tilewalk: its format is {}.{}, and this program reads up "
                                    "to {}.{}",
                                    schema.major, schema.minor, major, minor));
  return schema;
}

void check(const Problem& p, const std::string& place) {
  for (const Fault& fault : validate(p)) {
    std::string words = fault.message;
    if (words.ends_with('.')) words.pop_back();
    throw JsonFault(place + "." + fault.field, "cannot be used: " + words);
  }
}

void check(const RunSpec& s, const std::string& place) {
  const Problem& p = s.problem;
  check_amounts(place, {{"warmups", s.warmups}, {"launches", s.launches}, {"splits", double(s.splits)}});
  if (s.kv_heads < 0 || (s.kv_heads > 0 && p.heads % s.kv_heads))
    throw JsonFault(place + ".kv_heads", fmt::format("must divide the {} heads, and is {}", p.heads, s.kv_heads));
  if (s.trace_head < 0 || s.trace_head >= p.batch * p.heads)
    throw JsonFault(place + ".trace_head",
                    fmt::format("must lie from 0 to {}, and is {}", p.batch * p.heads - 1, s.trace_head));
  for (size_t k = 0; k < s.trace_rows.size(); ++k)
    if (s.trace_rows[k] < (k ? s.trace_rows[k - 1] + 1 : 0) || s.trace_rows[k] >= p.n_q)
      throw JsonFault(fmt::format("{}.trace_rows[{}]", place, k),
                      fmt::format("must be above the one before and below {}, and is {}", p.n_q, s.trace_rows[k]));
  const bool values = s.inputs.kind == RunInputs::Kind::Values;
  check_size(place + ".inputs.q", s.inputs.q.size(), values ? p.n_q * p.d : 0, "[N_q, d] for typed or opened values");
  check_size(place + ".inputs.k", s.inputs.k.size(), values ? p.n_k * p.d : 0, "[N_k, d] for typed or opened values");
  check_size(place + ".inputs.v", s.inputs.v.size(), values ? p.n_k * p.d : 0, "[N_k, d] for typed or opened values");
}

void check(const Timing& t, const std::string& place) {
  check_amounts(place, {{"median", t.median},
                        {"p10", t.p10},
                        {"p90", t.p90},
                        {"best", t.best},
                        {"count", t.count},
                        {"warmups", t.warmups},
                        {"back_to_back", t.back_to_back},
                        {"clock", t.clock},
                        {"clock_before", t.clock_before},
                        {"clock_after", t.clock_after}});
  if (t.median <= 0 || t.count < 1)
    throw JsonFault(place, fmt::format("says {} ms from {} launches, which cannot be", t.median, t.count));
}

void check(const Counters& c, const std::string& place) {
  check_amounts(place, {{"dram_read", c.dram_read.value_or(0)},
                        {"dram_written", c.dram_written.value_or(0)},
                        {"l2_to_sm", c.l2_to_sm.value_or(0)},
                        {"sm_to_l2", c.sm_to_l2.value_or(0)},
                        {"shared_wavefronts", c.shared_wavefronts.value_or(0)},
                        {"bank_conflicts", c.bank_conflicts.value_or(0)},
                        {"exponentials", c.exponentials.value_or(0)},
                        {"tensor_instructions", c.tensor_instructions.value_or(0)},
                        {"instructions", c.instructions.value_or(0)}});
}

void check(const Errors& e, const std::string& place) {
  check_amounts(place, {{"rows", double(e.rows)}});
  if (e.passed && (e.rows < 1 || !std::isfinite(e.worst_row) || !std::isfinite(e.whole)))
    throw JsonFault(place, "says that it passed, with errors that are no numbers or of no row");
}

void check(const RoundingCost& r, const std::string& place) {
  check_amounts(place, {{"whole", r.whole}, {"rmse", r.rmse}, {"lse", r.lse}, {"seconds", r.seconds}});
}

void check(const WrongRow& w, const std::string& place) {
  check_amounts(place, {{"head", double(w.head)}, {"row", double(w.row)}});
  if (w.o.empty() || w.o.size() != w.o_wanted.size() || w.o.size() > size_t(widest_d(kMostKernelD + 1)))
    throw JsonFault(place, fmt::format("has {} numbers of O and {} wanted ones", w.o.size(), w.o_wanted.size()));
}

void check(const RowStatistics& s, const std::string& place) {
  const int64_t most = int64_t(kMostFloats);
  if (s.tiles < 0 || s.rows < 0 || s.tiles > most || s.rows > most || s.tiles * s.rows > most)
    throw JsonFault(place, fmt::format("is of {} tiles and {} rows; up to {} values are read", s.tiles, s.rows, most));
  check_size(place + ".m", s.m.size(), s.tiles * s.rows, "[tiles, rows]");
  check_size(place + ".l", s.l.size(), s.tiles * s.rows, "[tiles, rows]");
}

void check(const KernelTrace& t, const std::string& place) {
  check_amounts(place,
                {{"block_row_tile", double(t.block_row_tile)}, {"traced_ms", t.traced_ms}, {"plain_ms", t.plain_ms}});
  for (const Stamp& stamp : t.stamps)  // tile -1: a step of no tile, after the loop
    if (stamp.lane < 0 || size_t(stamp.lane) >= t.lanes.size() || stamp.tile < -1 || stamp.end < stamp.begin)
      throw JsonFault(place + ".stamps",
                      fmt::format("has a stamp of lane {} of {}, tile {}, from {} to {}, which cannot be", stamp.lane,
                                  t.lanes.size(), stamp.tile, stamp.begin, stamp.end));
}

void check(const RunResult& r, const std::string& place) {
  for (size_t k = 0; k < r.kernels.size(); ++k)
    check_fits(r.kernels[k], r.spec.problem, fmt::format("{}kernels[{}]", place.empty() ? "" : place + ".", k));
}

void check_fits(const KernelResult& result, const Problem& p, const std::string& place) {
  check_optional_size(place + ".o", result.o.size(), p.n_q * p.d, "[N_q, d]");
  check_optional_size(place + ".lse", result.lse.size(), p.n_q, "[N_q]");
  if (!result.trace || result.trace->statistics.m.empty()) return;
  const RowStatistics& s = result.trace->statistics;
  const int64_t tiles = Tiling(kernel_problem(p, result.kernel)).tc;
  if (s.rows != p.n_q || s.tiles != tiles)
    throw JsonFault(place + ".trace.statistics",
                    fmt::format("must be of {} tiles and {} rows, and is of {} and {}", tiles, p.n_q, s.tiles, s.rows));
}

}  // namespace tilewalk
