// Tiles: how many of which kind, how many thread blocks, what they hold on chip, and how large whole tensors are.
#include "core/lesson/functions/arguments.h"

#include "core/attention/tile_counts.h"
#include "core/io/effort.h"
#include "core/io/printable.h"
#include "core/schedules/footprint.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::string_view kGrid = "WHICH, N=, Nq=, Nk=, Br=, Bc=, mask=WORD, align=WORD";

Evaluated tiles(std::span<const Argument> all) {
  Arguments a(all);
  auto p = problem_asked(a);
  if (!p) return failed(a.fault);
  if (!a.has("Br") || !a.has("Bc")) return failed("Br and Bc are needed.");
  for (const Fault& fault : validate(*p)) return failed(fault.message);
  const Tiling tiling(*p);
  spend(tiling.tr + (tiling.causal ? tiling.n_q / 8 : 0));
  const TileCounts c = count_tiles(tiling);
  const std::pair<std::string_view, int64_t> kinds[] = {
      {"all", c.tiles},       {"visited", c.visited()},     {"masked", c.masked},         {"full", c.full},
      {"skipped", c.skipped}, {"cells", c.computed_scores}, {"visible", c.visible_scores}};
  for (const auto& [name, number] : kinds)
    if (a.word(0) == name)
      return whole_quantity(
          double(number), "",
          fmt::format("{} of S in tiles of {} by {}, N = {}", name == "cells" || name == "visible" ? "scores" : "tiles",
                      p->br, p->bc, p->n_q));
  return failed(fmt::format("{} is no kind of tile: all, visited, masked, full, skipped, cells or visible.",
                            in_quotes(a.word(0), 40)));
}

Evaluated blocks(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  if (!asked) return failed(a.fault);
  if (asked->schedule->scores_in_memory) return failed("standard attention is three kernels with blocks of their own.");
  const Plan plan = asked->plan();
  const Schedule& schedule = *asked->schedule;
  const int64_t a_head = !schedule.section_is_block ? 1 : schedule.keys_outside ? plan.tiling.tc : plan.tiling.tr;
  return whole_quantity(double(a_head * asked->heads()), "",
                        !schedule.section_is_block ? "one thread block for each head"
                        : schedule.keys_outside    ? "one thread block for each K/V tile of each head"
                                                   : "one thread block for each Q tile of each head");
}

// Of one thread block at its fullest, on a machine that keeps accumulators in registers.
std::optional<Footprint> footprint_asked(Arguments& a) {
  const auto asked = shape_asked(a);
  const std::string_view id = a.word("machine", "h200");
  const MachineSpec* machine = machine_named(id);
  if (!machine) a.fail(fmt::format("{} is no machine of the walk.", in_quotes(id, 40)));
  if (!asked || a.failed()) return std::nullopt;
  return footprint(*asked->schedule, asked->plan(), *machine);
}

Evaluated smem(std::span<const Argument> all) {
  Arguments a(all);
  const auto held = footprint_asked(a);
  if (!held) return failed(a.fault);
  return whole_quantity(double(held->sram_bytes), "byte", "tiles that a thread block holds in SRAM at its fullest");
}
Evaluated registers(std::span<const Argument> all) {
  Arguments a(all);
  const auto held = footprint_asked(a);
  if (!held) return failed(a.fault);
  return whole_quantity(double(held->register_bytes), "byte",
                        "S, O and the statistics that a thread block holds in registers at its fullest, fp32");
}

Evaluated accumulators(std::span<const Argument> all) {
  Arguments a(all);
  const int64_t br = a.whole("Br", 128, 1, 1024), bc = a.whole("Bc", 64, 1, 1024), d = a.whole("d", 128, 1, 1024);
  const int64_t threads = a.whole("threads", 128, 1, 1024);
  if (a.failed()) return failed(a.fault);
  return whole_quantity(double(br * bc + br * d) / double(threads), "",
                        "fp32 registers a thread for S and O: (Br Bc + Br d) / threads");
}

Evaluated fa1_tile(std::span<const Argument> all) {
  Arguments a(all);
  const int64_t m = a.whole("M", paper_sram_bytes() / 2, 1, int64_t{1} << 30), d = a.whole("d", 64, 1, 1024);
  if (a.failed()) return failed(a.fault);
  const Tiles tiles = fa1_tiles(d, m);
  if (a.word(0) == "Br")
    return whole_quantity(double(tiles.br), "", "min(ceil(M / 4d), d), arXiv:2205.14135 Algorithm 1");
  if (a.word(0) == "Bc") return whole_quantity(double(tiles.bc), "", "ceil(M / 4d), arXiv:2205.14135 Algorithm 1");
  return failed("fa1_tiles gives Br or Bc.");
}

// Forward tiles of released kernels, Br and Bc (Dao-AILab/flash-attention:
// csrc/flash_attn/src/flash_fwd_launch_template.h of FA2, hopper/tile_size.h of FA3).
constexpr Tiles kReleasedTiles[] = {
    {128, 128}, {128, 64},  {128, 32},  {64, 64},                                       // FA2, d 32 to 256
    {192, 192}, {192, 128}, {192, 144}, {128, 176}, {128, 128}, {128, 112}, {128, 80},  // FA3, fp16
    {192, 160}, {128, 224}, {128, 128},                                                 // FA3, FP8
};

Evaluated released_tiles(std::span<const Argument> all) {
  Arguments a(all);
  const std::string_view which = a.word(0), end = a.word(1);
  if (which != "Br" && which != "Bc") return failed("released_tiles gives Br or Bc.");
  if (end != "least" && end != "most") return failed("released_tiles gives the least or the most.");
  const auto rows = [&](const Tiles& tiles) { return which == "Br" ? tiles.br : tiles.bc; };
  const auto [least, most] = std::ranges::minmax(kReleasedTiles, {}, rows);
  Evaluated out = whole_quantity(double(rows(end == "least" ? least : most)), "",
                                 "forward kernels of the flash-attention repository, FA2 and FA3");
  out.quantity->origin = Origin::Published;
  return out;
}

Evaluated mem(std::span<const Argument> all) {
  Arguments a(all);
  const auto p = problem_asked(a);
  if (!p) return failed(a.fault);
  const double n_q = double(p->n_q), n_k = double(p->n_k), d = double(p->d), b = bytes_of(p->format);
  const std::pair<std::string_view, double> sizes[] = {{"Q", n_q * d * b}, {"K", n_k * d * b},   {"V", n_k * d * b},
                                                       {"O", n_q * d * b}, {"S", n_q * n_k * b}, {"P", n_q * n_k * b},
                                                       {"L", 4 * n_q},     {"m", 4 * n_q},       {"l", 4 * n_q}};
  for (const auto& [name, bytes] : sizes)
    if (a.word(0) == name)
      return whole_quantity(bytes * double(p->batch * p->heads), "byte",
                            fmt::format("{} of {} heads", name, p->batch * p->heads));
  return failed(fmt::format("{} is no tensor; write Q, K, V, S, P, O, m, l or L.", in_quotes(a.word(0), 20)));
}

constexpr std::string_view kHeld =
    "SCHEDULE, N=, Nq=, Nk=, d=, Br=, Bc=, mask=WORD, format=WORD, variant=WORD, machine=WORD";

constexpr QuantityFunction kTileFunctions[] = {
    {"tiles", kGrid,
     "Tiles of S: all, visited, masked, full or skipped; or scores: cells of visited tiles, visible ones.", tiles},
    {"blocks", kShapeArguments, "Thread blocks of a launch, B * H heads.", blocks},
    {"smem", kHeld, "Bytes of SRAM that one thread block's tiles fill.", smem},
    {"registers", kHeld, "Bytes of registers for S, O and the statistics of one thread block.", registers},
    {"accumulators", "Br=, Bc=, d=, threads=", "fp32 registers a thread for S and O.", accumulators},
    {"fa1_tiles", "WHICH, d=, M=", "Br or Bc by FA1's rule; M in elements, 98,304 unless given.", fa1_tile},
    {"released_tiles", "WHICH, END", "Br or Bc of released forward kernels of FA2 and FA3: least or most.",
     released_tiles},
    {"mem", "TENSOR, N=, Nq=, Nk=, d=, B=, H=, format=WORD",
     "Bytes of a whole tensor, B * H heads; statistics are fp32.", mem},
};

}  // namespace

std::span<const QuantityFunction> tile_functions() { return kTileFunctions; }

}  // namespace tilewalk
