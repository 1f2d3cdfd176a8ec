#include "kernels/worker/fp8_command.h"

#include "core/attention/fp8_tiles.h"
#include "core/io/printable.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/run_command.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/switch_command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tilewalk::gpu {

void Fp8Options::add_to(CLI::App& command) {
  command.add_option("--n", n_, "sequence length")->type_name("N");
  command.add_option("--batch", batch_, "sequences")->type_name("B");
  command.add_option("--heads", heads_, "heads of a sequence")->type_name("H");
  command.add_option("--inputs", distribution_, "normal, outliers")->type_name("NAME");
  command.add_flag("--causal", causal_, "a query sees the keys up to its own");
  command.add_flag("--tensor-scale", per_tensor_,
                   "one scale for all of Q, of K and of V, instead of one for each tile");
  command.add_flag("--rotate", rotate_, "Q and K times random signs and a Hadamard matrix before they are rounded");
}

int Fp8Options::run(bool anyway, bool json) const {
  const auto usage = [](const std::string& what) { throw CommandFault(kUsage, what); };
  if (distribution_ != "normal" && distribution_ != "outliers")
    usage(fmt::format("--inputs is {}; it must be one of normal, outliers.", in_quotes(distribution_, 40)));
  if (n_ < 1 || n_ > (int64_t{1} << 17)) usage(fmt::format("--n is {}; it must lie between 1 and 2^17.", n_));
  if (batch_ < 1 || heads_ < 1 || batch_ > 65535 || heads_ > 65535 || batch_ * heads_ > 65535)
    usage("--batch and --heads must be at least 1, and their product at most 65,535.");
  RunSpec spec;
  spec.kernels = {Method::Fa3Fp8};
  if (rotate_)
    spec.switches = {per_tensor_ ? Switch::RotationAlone : Switch::Rotation};
  else if (per_tensor_)
    spec.switches = {Switch::TileScales};
  spec.counters = true;
  spec.problem = {.batch = batch_,
                  .heads = heads_,
                  .n_q = n_,
                  .n_k = n_,
                  .d = kFp8D,
                  .mask = causal_ ? Mask::Causal : Mask::Full,
                  .distribution = distribution_ == "normal" ? Distribution::Normal : Distribution::Outliers};
  if (json || spec.switches.empty()) return run_command(spec, anyway, json);
  return try_switch_command(*switch_of(Method::Fa3Fp8, spec.switches.front(), kFp8D, causal_), spec, anyway, json);
}

}  // namespace tilewalk::gpu
