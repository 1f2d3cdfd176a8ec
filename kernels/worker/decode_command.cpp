#include "kernels/worker/decode_command.h"

#include "core/io/printable.h"
#include "kernels/split_kv.h"
#include "kernels/worker/beside_words.h"
#include "kernels/worker/on_gpu.h"
#include "kernels/worker/run_command.h"
#include "kernels/worker/spec_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tilewalk::gpu {
void DecodeOptions::add_to(CLI::App& command) {
  command.add_option("--n", n_, "keys and values that are cached")->type_name("N");
  command.add_option("--batch", batch_, "sequences")->type_name("B");
  command.add_option("--kv-heads", kv_heads_, "heads of K and V of a sequence")->type_name("H");
  command.add_option("--group", group_, "heads of Q for each of them, 1 to 16")->type_name("G");
  command.add_option("--d", d_, "64 or 128")->type_name("N");
  command.add_option("--format,--dtype", format_, "fp16, bf16")->type_name("NAME");
  command.add_option("--splits", splits_, "of the keys; 1: without splitting; without it by a rule")->type_name("N");
  command.add_flag("--sweep", sweep_, "N of 8192, 32768 and 131072, groups of 1, 4 and 8, split and not");
  command.add_flag("--warm", warm_, "leave L2 as the launch before left it");
}

int DecodeOptions::run(bool anyway) const {
  const auto usage = [](const std::string& what) { throw CommandFault(kUsage, what); };
  const std::optional<Format> format = format_named(format_);
  if (!format || (*format != Format::Float16 && *format != Format::BFloat16))
    usage(fmt::format("--format is {}; it must be one of fp16, bf16.", in_quotes(format_, 40)));
  if (d_ != 64 && d_ != 128) usage(fmt::format("--d is {}; split-KV takes 64 or 128.", d_));
  if (group_ < 1 || group_ > kSplitRows) usage(fmt::format("--group is {}; it must lie between 1 and 16.", group_));
  if (splits_ < 0 || splits_ > kMostSplits)
    usage(fmt::format("--splits is {}; it must lie between 1 and {}.", splits_, kMostSplits));
  if (n_ < 1 || n_ > (int64_t{1} << 24)) usage(fmt::format("--n is {}; it must lie between 1 and 2^24.", n_));
  if (batch_ < 1 || kv_heads_ < 1 || batch_ > 4096 || kv_heads_ > 4096 || batch_ * kv_heads_ * group_ > 65535)
    usage("--batch and --kv-heads must be at least 1, and the heads of Q at most 65,535.");

  RunSpec one;
  one.problem = {.heads = kv_heads_ * group_, .n_q = 1, .n_k = n_};
  one.kernels = {Method::SplitKv};
  one.kv_heads = kv_heads_;
  one.splits = splits_;
  one.counters = true;
  std::vector<RunSpec> asked = sweep_ ? beside_runs("decode") : std::vector{one};
  for (RunSpec& spec : asked) {
    spec.problem.batch = batch_, spec.problem.d = d_, spec.problem.format = *format;
    spec.flush_l2 = !warm_;
  }
  return on_gpu("decode", asked.front(), [&](Runner& runner) {
    const double roof = runner.dram_read();
    bool right = true;
    for (const RunSpec& spec : asked) {
      const RunResult result = runner.run(spec, anyway, kQuiet).result;
      print_run(result);
      print_beside(result, roof);
      fmt::print("\n");
      for (const KernelResult& k : result.kernels) right = right && k.timing;
    }
    fmt::print(
        "TB/s are of K and V, read once, over the median; the roof is reading DRAM, measured just before: {:.2f} "
        "TB/s.\n",
        roof / 1e12);
    return right ? kOk : kFailure;
  });
}

}  // namespace tilewalk::gpu
