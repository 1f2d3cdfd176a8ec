// What the timing pass, the occupancy of multiprocessors and the study of FP8 come to.
#include "core/lesson/functions/arguments.h"

#include "core/attention/fp8.h"
#include "core/io/effort.h"
#include "core/io/printable.h"
#include "core/machine/machine_spec.h"
#include "core/model/occupancy.h"
#include "core/schedules/count.h"
#include "core/timing/laid_block.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct Part {
  std::string_view name;
  double value;
};

Evaluated one_of(std::span<const Part> parts, std::string_view wanted, Origin origin, std::string source) {
  std::string known;
  for (const Part& part : parts) {
    if (part.name == wanted) return {Quantity{part.value, "", origin, std::move(source)}, {}};
    known += fmt::format("{}{}", known.empty() ? "" : ", ", part.name);
  }
  return failed(fmt::format("{} is none of {}.", in_quotes(wanted, 40), known));
}

bool switched_on(Arguments& a, std::string_view name, std::string_view otherwise) {
  const std::string_view word = a.word(name, otherwise);
  if (word != "on" && word != "off") a.fail(fmt::format("{} is {}; write on or off.", name, in_quotes(word, 20)));
  return word == "on";
}

Evaluated overlap(std::span<const Argument> all) {
  Arguments a(all);
  const Schedule* schedule = schedule_named(a.word(0));
  if (!schedule || (schedule->id != Method::Fa2 && schedule->id != Method::Fa3))
    return failed("overlap lays fa2 or fa3.");
  const auto d = int(a.whole("d", 128, 64, 128));
  if (d != 64 && d != 128) a.fail("d is 64 or 128.");
  const auto format = format_named(a.word("format", "fp16"));
  if (!format || bytes_of(*format) > 2) a.fail("format is fp16, bf16 or e4m3.");
  const Overlap switches{switched_on(a, "producer", "on"), switched_on(a, "pingpong", "on"),
                         switched_on(a, "pipeline", "on"), int(a.whole("stages", 2, 1, 8))};
  const bool vector = switched_on(a, "vector", "off");
  if (a.failed()) return failed(a.fault);
  spend(20'000);
  const LaidBlock block = lay_fa3_block(schedule->id, d, *format, switches, vector);
  const Part parts[] = {{"idle", block.middle.idle(Lane::Tensor)}, {"units", block.middle.units()},
                        {"exp_share", block.exp_share()},          {"ticks", double(block.timeline.ticks)},
                        {"products", double(block.products)},      {"exponentials", double(block.exponents)}};
  return one_of(parts, a.word(1), Origin::Model, "timing pass on H100's units; rates of arXiv:2407.08608");
}

Evaluated occupancy(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  const MachineSpec* machine = machine_named(a.word("gpu", "a100"));
  if (!machine) a.fail(fmt::format("{} is no machine of the walk.", in_quotes(a.word("gpu"), 40)));
  const std::string_view order = a.word("order", "launch");
  if (order != "launch" && order != "longest") a.fail("order is launch or longest.");
  if (!asked || a.failed()) return failed(a.fault);
  if (asked->schedule->scores_in_memory || asked->heads() > kMostBlocks / std::max<int64_t>(1, asked->plan().tiling.tr))
    return failed("occupancy lays fused schedules of up to 200,000 thread blocks.");
  spend(10 * asked->heads() * asked->plan().tiling.tr);
  const Occupancy o = occupy(block_lengths(*asked->schedule, asked->plan()), machine->multiprocessors, 1,
                             order == "longest" ? BlockOrder::LongestFirst : BlockOrder::Launch);
  const Part parts[] = {{"used", double(o.used)},
                        {"share", o.used_share()},
                        {"span", o.span},
                        {"busy", o.busy_share()},
                        {"waves", double(o.waves())}};
  const std::string_view what = a.word(1);
  const bool counted = what == "used" || what == "share" || what == "waves";
  return one_of(parts, what, counted ? Origin::Computed : Origin::Model,
                fmt::format("thread blocks on {} multiprocessors; every visit of a tile counts the same",
                            machine->multiprocessors));
}

Evaluated step_count(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  if (!asked) return failed(a.fault);
  const auto kind = step_named(a.word(1));
  if (!kind) return failed(fmt::format("{} is no step.", in_quotes(a.word(1), 40)));
  return whole_quantity(double(count_kinds(*asked->schedule, asked->plan())[size_t(*kind)]), "",
                        fmt::format("{} steps of one head's program", info_of(*kind).name));
}

Evaluated fp8_error(std::span<const Argument> all) {
  Arguments a(all);
  const int64_t seed = a.whole("seed", 4, 0, 1'000'000);
  const auto distribution = distribution_named(a.word("inputs", "outliers"));
  if (!distribution || *distribution == Distribution::Custom) a.fail("inputs is outliers or normal.");
  if (a.failed()) return failed(a.fault);
  spend(6'000'000);
  const auto study = fp8_study(*distribution, uint64_t(seed));
  std::vector<Part> parts;
  for (size_t k = 0; k < study->rmse.size(); ++k) parts.push_back({fp8_methods()[k].id, study->rmse[k]});
  return one_of(parts, a.word(0), Origin::Computed,
                fmt::format("O in e4m3 against float64, root mean square; N = 512, d = 64, {}", study->inputs.source));
}

constexpr QuantityFunction kTimingFunctions[] = {
    {"overlap", "SCHEDULE, WHAT, d=, format=WORD, producer=WORD, pingpong=WORD, pipeline=WORD, stages=, vector=WORD",
     "Of a thread block of fa2 or fa3 in the timing pass: idle share of the tensor cores, units (time over the "
     "products' time), exp_share, ticks; products and exponentials of a K/V tile, in ticks.",
     overlap},
    {"occupancy",
     "SCHEDULE, WHAT, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD, gpu=WORD, "
     "order=WORD",
     "Of a launch on the walk's machine gpu: used multiprocessors, their share, waves; span in visits, busy share of "
     "the time; order is launch or longest.",
     occupancy},
    {"step_count",
     "SCHEDULE, STEP, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD",
     "How often one head's program takes a step: LoadO, StoreO, Normalize ...", step_count},
    {"fp8_error", "METHOD, inputs=WORD, seed=",
     "Root mean square error of attention in e4m3: tensor, tile, incoherent or both; inputs are outliers or normal.",
     fp8_error},
};

}  // namespace

std::span<const QuantityFunction> timing_functions() { return kTimingFunctions; }

}  // namespace tilewalk
