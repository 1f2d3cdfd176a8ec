// When and where blocks run, by the models of core/timing and core/model: whole ticks and visits, never seconds.
#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/model/occupancy.h"
#include "core/timing/steady.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr int64_t kMostVisits = 4096;  // of the block that is laid out

Evaluated timing(std::span<const Argument> all) {
  Arguments a(all);
  auto asked = shape_asked(a);
  const std::string_view what = a.word(1), id = a.word("machine", "h100");
  const MachineSpec* machine = machine_named(id);
  const auto rates = machine && asked ? rates_of(*machine, asked->problem.format) : std::nullopt;
  if (asked && !rates) a.fail(fmt::format("{} has no published rates for this format.", in_quotes(id, 40)));
  Overlap overlap;
  overlap.warp_specialized = a.whole("producer", 1, 0, 1) == 1;
  overlap.ping_pong = a.whole("pingpong", 1, 0, 1) == 1;
  overlap.products_run_on = a.whole("overlap", 1, 0, 1) == 1;
  overlap.stages = int(a.whole("stages", 2, 1, 8));
  overlap.warpgroups = int(a.whole("warpgroups", 2, 1, 4));
  if (!asked || a.failed()) return failed(a.fault);
  const Plan plan = asked->plan();
  if (plan.tiling.tc > kMostVisits) return failed("this block has more visits than are laid out; take a smaller N.");
  const auto rhythm = steady(lay(*asked->schedule, plan, 0, *rates, overlap));
  if (!rhythm) return failed("a block with fewer than eight visits has no rhythm; take a larger N.");
  const auto model = [&](double value, const char* of) {
    return Evaluated{Quantity{value, "", Origin::Model,
                              fmt::format("{} of {} on {}, laid out tick by tick", of, asked->schedule->name,
                                          machine->title)},
                     {}};
  };
  if (what == "units") return model(rhythm->units(), "time over that of the matrix products alone,");
  if (what == "idle") return model(rhythm->idle(Lane::Tensor), "share of the time in which the tensor cores wait,");
  if (what == "ticks") return model(rhythm->ticks_per_visit(), "clock cycles a visit");
  return failed(fmt::format("{} is not laid out: units, idle or ticks.", in_quotes(what, 40)));
}

Evaluated occupancy(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  const std::string_view what = a.word(1), order = a.word("order", "launch");
  const auto sms = int(a.whole("sms", 108, 1, 100'000)), resident = int(a.whole("resident", 1, 1, 32));
  if (order != "launch" && order != "longest")
    a.fail(fmt::format("order is {}; it must be launch or longest.", in_quotes(order, 40)));
  if (!asked || a.failed()) return failed(a.fault);
  const Plan plan = asked->plan();
  const int64_t blocks = (asked->schedule->section_is_block ? plan.tiling.tr : 1) * asked->heads();
  if (asked->schedule->scores_in_memory) return failed("standard attention is three kernels with blocks of their own.");
  if (blocks > kMostBlocks) return failed("this launch has more blocks than are laid out.");
  const Occupancy o = occupy(block_lengths(*asked->schedule, plan), sms, resident,
                             order == "longest" ? BlockOrder::LongestFirst : BlockOrder::Launch);
  const std::pair<std::string_view, double> values[] = {
      {"blocks", double(o.blocks())}, {"used", double(o.used)}, {"used_share", o.used_share()},
      {"busy_share", o.busy_share()}, {"waves", double(o.waves())}, {"span", o.span}, {"tail", o.tail}};
  for (const auto& [name, value] : values)
    if (name == what)
      return {Quantity{value, "", Origin::Model,
                       fmt::format("{} of {} multiprocessors, every visit as long as the other", name, sms)},
              {}};
  return failed(fmt::format("{} is not known: blocks, used, used_share, busy_share, waves, span or tail.",
                            in_quotes(what, 40)));
}

constexpr QuantityFunction kFunctions[] = {
    {"timing",
     "SCHEDULE, WHAT, N=, d=, Br=, Bc=, mask=WORD, format=WORD, variant=WORD, machine=WORD, producer=, pingpong=, "
     "overlap=, stages=, warpgroups=",
     "The rhythm of one thread block, a model: units (time over that of the matrix products), idle (share of the "
     "tensor "
     "cores), ticks (clock cycles a visit); switches are 0 or 1.",
     timing},
    {"occupancy",
     "SCHEDULE, WHAT, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, variant=WORD, sms=, resident=, order=WORD",
     "A launch on `sms` multiprocessors, a model: blocks, used (multiprocessors with work), used_share, busy_share, "
     "waves, "
     "span and tail (in visits).",
     occupancy},
};

}  // namespace

std::span<const QuantityFunction> timing_functions() { return kFunctions; }

}  // namespace tilewalk
