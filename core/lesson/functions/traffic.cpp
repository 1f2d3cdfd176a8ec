// What a schedule moves and computes: counted from its steps, never by a formula of its own.
#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/machine/words.h"
#include "core/model/dram.h"
#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

std::string words_of(const AskedShape& asked) {
  const Problem& p = asked.problem;
  std::string out = fmt::format("{}, ", asked.schedule->name);
  out += p.n_q == p.n_k ? fmt::format("N = {}", with_commas(p.n_q)) : queries_and_keys(p);
  out += fmt::format(", d = {}, tiles of {} and {} rows", p.d, p.br, p.bc);
  if (p.mask == Mask::Causal) out += ", causal";
  if (p.format != Format::Float16) out += fmt::format(", {}", name_of(p.format));
  if (asked.variant == VariantId::Kernel) out += ", as the kernel does it";
  out += asked.heads() > 1 ? fmt::format(", {} heads", with_commas(asked.heads())) : ", one head";
  return out;
}

// One head. The pass that only writes start values is left out of the papers' algorithms unless it is asked for.
Meters meters_of(const AskedShape& asked, bool start_values) {
  const Count counted = count(*asked.schedule, asked.plan());
  Meters out;
  for (size_t pass = 0; pass < counted.passes.size(); ++pass)
    if (start_values || asked.variant == VariantId::Kernel || asked.schedule->passes[pass] != "initialise")
      out += counted.passes[pass];
  return out;
}

template <class Number>
Evaluated counted(std::span<const Argument> arguments, std::string_view unit, std::string_view what, Number number) {
  Arguments a(arguments);
  const auto asked = shape_asked(a);
  const bool start = a.whole("init", 0, 0, 1) == 1;
  if (!asked || a.failed()) return failed(a.fault);
  const double one = double(number(meters_of(*asked, start)));
  return whole_quantity(one * double(asked->heads()), unit, fmt::format("{} of {}", what, words_of(*asked)));
}

Evaluated traffic(std::span<const Argument> all) {
  return counted(all, "byte", "bytes between L2 and the SMs", [](const Meters& m) { return m.paper_bytes(); });
}
Evaluated loads(std::span<const Argument> all) {
  return counted(all, "byte", "bytes from L2 into the SMs", [](const Meters& m) { return m.paper_loaded; });
}
Evaluated stores(std::span<const Argument> all) {
  return counted(all, "byte", "bytes from the SMs to L2", [](const Meters& m) { return m.paper_stored; });
}
Evaluated tile_traffic(std::span<const Argument> all) {
  return counted(all, "byte", "bytes between L2 and the SMs, tiles that are read again included,",
                 [](const Meters& m) { return m.fill_bytes() + m.drain_bytes(); });
}
Evaluated moved(std::span<const Argument> all) {
  const Arguments a(all);
  const std::string_view symbol = a.word(1);
  for (int t = 0; t < kTensorCount; ++t)
    if (symbol_of(Tensor(t)) == symbol)
      return counted(all, "byte", fmt::format("bytes of {} between L2 and the SMs", symbol),
                     [&](const Meters& m) { return m.loaded[size_t(t)] + m.stored[size_t(t)]; });
  return failed(fmt::format("{} is no tensor; write Q, K, V, S, P, O, m, l or L.", in_quotes(symbol, 20)));
}
Evaluated matrix_flop(std::span<const Argument> all) {
  return counted(all, "flop", "FLOP of the matrix products", [](const Meters& m) { return m.matrix_flop; });
}
Evaluated vector_flop(std::span<const Argument> all) {
  return counted(all, "flop", "FLOP outside the matrix products", [](const Meters& m) { return m.vector_flop; });
}
Evaluated exps(std::span<const Argument> all) {
  return counted(all, "", "exponentials", [](const Meters& m) { return m.exponentials; });
}
Evaluated steps(std::span<const Argument> all) {
  return counted(all, "", "steps", [](const Meters& m) { return m.steps; });
}

Evaluated dram(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  const std::string_view id = a.word("machine", "h200"), what = a.word("what", "all");
  const MachineSpec* machine = machine_named(id);
  if (!machine) a.fail(fmt::format("{} is no machine of the walk.", in_quotes(id, 40)));
  if (what != "all" && what != "read" && what != "written")
    a.fail(fmt::format("what is {}; it must be read, written or all.", in_quotes(what, 40)));
  if (!asked || a.failed()) return failed(a.fault);
  const DramEstimate e = estimate_dram(*asked->schedule, asked->plan(), *machine);
  if (!e.modelled) return failed("this is larger than the L2 model follows.");
  const int64_t written = e.written_bytes + e.left_dirty_bytes;
  const int64_t bytes = what == "read" ? e.read_bytes : what == "written" ? written : e.read_bytes + written;
  return {Quantity{double(bytes), "byte", Origin::Model,
                   fmt::format("DRAM bytes behind an L2 of {}: {}", bytes_words(machine->l2_bytes), words_of(*asked))},
          {}};
}

bool backward(Arguments& a) {
  const std::string_view pass = a.word("pass", "forward");
  if (pass != "forward" && pass != "backward")
    a.fail(fmt::format("pass is {}; it must be forward or backward.", in_quotes(pass, 40)));
  return pass == "backward";
}

Evaluated compulsory(std::span<const Argument> all) {
  Arguments a(all);
  const auto p = problem_asked(a);
  const bool back = backward(a);
  if (!p || a.failed()) return failed(a.fault);
  // Forward: Q, K, V in; O and L out. Backward: Q, K, V, O, dO and L in; dQ, dK, dV out.
  const int64_t element = bytes_of(p->format), tensors = (back ? 4 : 2) * (p->n_q + p->n_k) * p->d;
  const int64_t one = tensors * element + 4 * p->n_q;
  return whole_quantity(double(one) * double(p->batch * p->heads), "byte",
                        "every input read once, every output written once");
}

Evaluated flop(std::span<const Argument> all) {
  Arguments a(all);
  const auto p = problem_asked(a);
  const bool back = backward(a);
  if (!p || a.failed()) return failed(a.fault);
  const double forward = nominal_flop(*p);
  return whole_quantity(back ? kBackwardFlop * forward : forward, "flop",
                        back ? "five matrix products of 2 N² d FLOP, half under a causal mask: the papers' convention"
                             : "two matrix products of 2 N² d FLOP, half under a causal mask: the papers' convention");
}

Evaluated intensity(std::span<const Argument> all) {
  Arguments a(all);
  const auto asked = shape_asked(a);
  if (!asked) return failed(a.fault);
  const Meters m = meters_of(*asked, false);
  if (m.paper_bytes() == 0) return failed("nothing is moved.");
  return whole_quantity(double(m.matrix_flop) / double(m.paper_bytes()), "flop/byte",
                        fmt::format("FLOP of the matrix products for each byte: {}", words_of(*asked)));
}

constexpr std::string_view kCounted =
    "SCHEDULE, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD, init=";
constexpr std::string_view kSize = "N=, Nq=, Nk=, d=, B=, H=, mask=WORD, format=WORD, pass=WORD";

constexpr QuantityFunction kTrafficFunctions[] = {
    {"traffic", kCounted,
     "Bytes between L2 and the SMs, loads and stores, B * H heads; standard attention reads each matrix once a kernel. "
     "init=1 adds FA1's first pass, which writes start values.",
     traffic},
    {"loads", kCounted, "The loads of traffic, in bytes.", loads},
    {"stores", kCounted, "The stores of traffic, in bytes.", stores},
    {"tile_traffic", kCounted, "Traffic in bytes, with the tiles that standard attention's products read again.",
     tile_traffic},
    {"moved",
     "SCHEDULE, TENSOR, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD, init=",
     "Bytes of one tensor between L2 and the SMs: Q, K, V, S, P, O, m, l, L.", moved},
    {"dram",
     "SCHEDULE, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD, machine=WORD, "
     "what=WORD",
     "DRAM bytes behind L2, by the L2 model; what is read, written or all.", dram},
    {"compulsory", kSize,
     "Bytes with every input read once and every output written once; pass is forward or backward.", compulsory},
    {"flop", kSize, "FLOP of the matrix products as benchmarks count them, half under a causal mask.", flop},
    {"matrix_flop", kCounted, "FLOP of the matrix products of the tiles that are computed.", matrix_flop},
    {"vector_flop", kCounted, "FLOP of everything but the matrix products.", vector_flop},
    {"exps", kCounted, "Exponentials: one a score of the tiles that are computed, one a row and visit.", exps},
    {"steps", kCounted, "Steps of the walk.", steps},
    {"intensity", kShapeArguments, "FLOP of the matrix products for each byte of traffic, in FLOP/byte.", intensity},
};

}  // namespace

std::span<const QuantityFunction> traffic_functions() { return kTrafficFunctions; }

}  // namespace tilewalk
