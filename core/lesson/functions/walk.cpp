// A value out of the simulator: what a row's m, l, alpha, O ... are at a step of a walk.
#include "core/io/number.h"
#include "core/lesson/functions/arguments.h"

#include "core/attention/presets.h"
#include "core/io/effort.h"
#include "core/io/printable.h"
#include "core/playback/query.h"
#include "core/playback/replay.h"
#include "core/playback/row_view.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct AskedWalk {
  const Schedule* schedule = nullptr;
  const MachineSpec* machine = nullptr;
  const Preset* preset = nullptr;
  Problem problem;
  VariantId variant = VariantId::Paper;
  int64_t row = 0;  // over all of Q, from 0
};

std::optional<AskedWalk> walk_asked(Arguments& a) {
  AskedWalk out;
  out.preset = preset_named(a.word(0));
  if (!out.preset) {
    a.fail(fmt::format("{} is no preset.", in_quotes(a.word(0), 40)));
    return std::nullopt;
  }
  Problem& p = out.problem = out.preset->problem;
  if (p.distribution == Distribution::Custom && (a.has("N") || a.has("d") || a.has("seed")))
    a.fail(fmt::format("N, d and seed cannot be chosen: the numbers of {} are written down.", out.preset->id));
  p.n_q = p.n_k == p.n_q || a.has("N") ? a.whole("N", p.n_q, 1, 1 << 20) : p.n_q;
  p.n_k = a.whole("N", p.n_k, 1, 1 << 20);
  p.d = a.whole("d", p.d, 1, 1024);
  p.br = a.whole("Br", p.br, 1, 1024);
  p.bc = a.whole("Bc", p.bc, 1, 1024);
  p.seed = uint64_t(a.whole("seed", int64_t(p.seed), 0, int64_t{1} << 53));
  if (const auto mask = mask_named(a.word("mask", name_of(p.mask))))
    p.mask = *mask;
  else
    a.fail("mask must be full or causal.");
  if (const auto variant = variant_named(a.word("variant", "paper")))
    out.variant = *variant;
  else
    a.fail("variant must be paper or kernel.");
  if (const auto mistake = mistake_named(a.word("fault", "none")))
    p.mistake = *mistake;
  else
    a.fail(fmt::format("{} is no mistake of the walk.", in_quotes(a.word("fault"), 40)));
  out.schedule = schedule_named(a.word("schedule", "fa2"));
  if (!out.schedule) a.fail(fmt::format("{} is no schedule.", in_quotes(a.word("schedule"), 40)));
  out.machine = machine_named(a.word("machine", default_machine().id));
  if (!out.machine) a.fail(fmt::format("{} is no machine of the walk.", in_quotes(a.word("machine"), 40)));
  out.row = a.whole("row", 1, 1, p.n_q) - 1;
  if (a.failed()) return std::nullopt;
  for (const Fault& fault : validate(p)) a.fail(fault.message);
  if (a.failed()) return std::nullopt;
  for (const Fault& fault : animation_faults(*out.schedule, make_plan(*out.schedule, p, out.variant), *out.machine))
    a.fail(fault.message);
  if (a.failed()) return std::nullopt;
  const Meters total = count(*out.schedule, make_plan(*out.schedule, p, out.variant)).total;
  spend(30 * total.steps + total.matrix_flop / 16);
  return out;
}

// "m", or of a row of numbers its second one: "o2".
std::optional<double> value_of(std::string_view name, const RowView& row) {
  const size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  const std::string_view letters = name.substr(0, digits);
  if (digits == name.size()) {
    const std::pair<std::string_view, const std::optional<double>&> numbers[] = {
        {"m", row.m}, {"l", row.l}, {"alpha", row.alpha}, {"L", row.lse}, {"D", row.d}};
    for (const auto& [known, value] : numbers)
      if (known == letters) return value;
    return std::nullopt;
  }
  const std::pair<std::string_view, const std::vector<double>&> rows[] = {
      {"q", row.q},    {"o", row.o},   {"s", row.s},   {"p", row.p},
      {"do", row.d_o}, {"dq", row.dq}, {"dp", row.dp}, {"ds", row.ds}};
  for (const auto& [known, values] : rows) {
    if (known != letters) continue;
    const auto place = number_of<size_t>(name.substr(digits));
    return place && *place >= 1 && *place <= values.size() ? std::optional(values[*place - 1]) : std::nullopt;
  }
  return std::nullopt;
}

Evaluated walk(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = walk_asked(a);
  if (!asked) return failed(a.fault);
  const Plan plan = make_plan(*asked->schedule, asked->problem, asked->variant);
  Inputs inputs =
      asked->problem.distribution == Distribution::Custom ? inputs_of(*asked->preset) : generate_inputs(asked->problem);
  round_inputs(inputs, asked->problem.format);
  try {
    Replay replay(*asked->schedule, plan, *asked->machine, inputs);
    const int32_t i = int32_t(asked->row / plan.tiling.br);
    const std::string at(a.word("at", "end"));
    int64_t playhead = replay.length();
    if (at != "end") {
      ParsedQuery query = parse_query(at);
      if (!query.query) return failed(query.fault);
      if (!query.query->i) query.query->i = i;  // of the row's own tile
      const auto found = find(replay.steps(), *query.query);
      if (!found) return failed(fmt::format("no step of this walk is {}.", in_quotes(at, 60)));
      playhead = *found;
    }
    const MachineState& state = replay.at(playhead);
    const int32_t j = playhead ? replay.steps()[size_t(playhead - 1)].j : 0;
    const int64_t row = asked->row % plan.tiling.br;
    std::optional<double> value = value_of(a.word(1), view_row(state, i, j, row));
    if (!value) value = value_of(a.word(1), view_row_in_memory(state, plan, i, j, row));
    if (!value)
      return failed(
          fmt::format("{} has no value there; known are m, l, alpha, L, D, and rows as o1, s1, p1, q1, dp1, ds1.",
                      in_quotes(a.word(1), 20)));
    return whole_quantity(*value, "",
                          fmt::format("{} of row {} in the walk of {}, {}, at {}", a.word(1), asked->row + 1,
                                      asked->schedule->name, asked->preset->title, at));
  } catch (const MachineFault& fault) {
    return failed(fault.what());
  }
}

constexpr QuantityFunction kWalkFunctions[] = {
    {"walk",
     "PRESET, VALUE, at=WORD, row=, schedule=WORD, N=, d=, Br=, Bc=, mask=WORD, seed=, variant=WORD, machine=WORD, "
     "fault=WORD",
     "A value in a walk at a step, by query: m, l, alpha, L, D, or the numbers of a row: o1, s1, p1, q1, do1, "
     "dp1, ds1, dq1 and on; "
     "at='row sum of K tile 2', the end unless given; fault=no-rescale and others make a mistake on purpose.",
     walk},
};

}  // namespace

std::span<const QuantityFunction> walk_functions() { return kWalkFunctions; }

}  // namespace tilewalk
