// tilewalk-gpu: runs the attention kernels on a GPU and measures them, for people and for the window.
#include "core/io/printable.h"
#include "kernels/ring/ring_command.h"
#include "kernels/worker/ceiling_meter.h"
#include "kernels/worker/decode_command.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fp8_command.h"
#include "kernels/worker/info.h"
#include "kernels/worker/l2_probe.h"
#include "kernels/worker/ladder_command.h"
#include "kernels/worker/program_command.h"
#include "kernels/worker/record.h"
#include "kernels/worker/relatives_command.h"
#include "kernels/worker/run_command.h"
#include "kernels/worker/serve.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/switch_command.h"
#include "kernels/worker/switch_words.h"
#include "kernels/worker/try_command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

int main(int count, char** words) {
  using namespace tilewalk;
  CLI::App app{"Runs attention kernels on a GPU and measures them.", "tilewalk-gpu"};
  app.set_version_flag("--version", "tilewalk-gpu " TILEWALK_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Leaves with 0 when done, 1 on failure, 2 when an option is at fault, 3 when there is\nno GPU, 4 when a file "
      "cannot be read, 5 when a fault on the GPU ended the worker.");

  bool json = false, anyway = false;
  CLI::App& info = *app.add_subcommand("info", "what runs on this machine, and what is missing");
  info.add_flag("--json", json, "one JSON document");

  CLI::App& run = *app.add_subcommand("run", "run and measure one problem");
  gpu::SpecOptions options;
  options.add_to(run);
  gpu::ProgramAsked program;
  run.add_option("--program", program.file, "a schedule of your own instead of kernels: docs/walk-language.md")
      ->type_name("FILE");
  run.add_option("--br", program.br, "rows of a Q tile, of a program; 64")->type_name("N");
  run.add_option("--bc", program.bc, "rows of a K/V tile, of a program; 64")->type_name("N");
  run.add_flag("--anyway", anyway, "also while others use the GPU");
  run.add_flag("--json", json, "one JSON document, which is a recording");
  run.footer("Without options: B 1, H 16, N 4096, d 128, fp16, the four kernels.");

  CLI::App& tried =
      *app.add_subcommand("try", "one kernel alone: its time, bytes and limit, beside the rungs next to it");
  std::string tried_kernel;
  gpu::SpecOptions tried_options;
  tried.add_option("KERNEL", tried_kernel, "naive, tiled, fa1, fa2, fa3, or another that `info` lists")->required();
  tried_options.add_to(tried, false);
  tried.add_flag("--anyway", anyway, "also while others use the GPU");
  tried.add_flag("--json", json, "one JSON document, which is a recording");
  std::string tried_without, tried_with;
  tried.add_option("--without", tried_without, "the kernel beside itself without one of its ideas")->type_name("IDEA");
  tried.add_option("--with", tried_with, "the same with another way to do a thing")->type_name("IDEA");
  tried.footer("Without options: B 1, H 16, N 4096, d 128, fp16. Compiles nothing and needs no window.\nIdeas, of\n" +
               gpu::switch_names());

  CLI::App& ladder = *app.add_subcommand("ladder", "all rungs in one table, as kernels/README.md has it");
  bool ladder_switches = false;
  ladder.add_flag("--switches", ladder_switches, "instead, FA2 and FA3 beside themselves with each of their switches");
  ladder.add_flag("--anyway", anyway, "also while others use the GPU");
  std::string ladder_file;
  ladder.add_option("--from", ladder_file, "without a GPU, as this recording has it")->type_name("FILE");

  CLI::App& serve = *app.add_subcommand("serve", "answer requests on standard input, for the window");

  CLI::App& l2 = *app.add_subcommand("l2", "how much L2 really holds, by reads and writes of plain data");
  l2.add_flag("--json", json, "one JSON document");

  CLI::App& ceilings = *app.add_subcommand("ceilings", "how fast memory and arithmetic are here, without attention");
  std::string ceilings_file;
  ceilings.add_flag("--json", json, "one JSON document");
  ceilings.add_option("--out", ceilings_file, "write the document to this file as well")->type_name("FILE");
  ceilings.add_flag("--anyway", anyway, "also while others use the GPU");

  CLI::App& ring = *app.add_subcommand("ring", "Ring Attention over several GPUs of this computer");
  gpu::RingOptions ring_options;
  ring_options.add_to(ring);
  ring.add_flag("--anyway", anyway, "also while others use the GPUs");
  ring.add_flag("--json", json, "one JSON document");
  ring.footer("Without options: 2 GPUs, B 1, H 16, N 32768, d 128, fp16, FA3, copy engines.");

  CLI::App& decode = *app.add_subcommand("decode", "split-KV: one query a head against many cached keys");
  gpu::DecodeOptions decode_options;
  decode_options.add_to(decode);
  decode.add_flag("--anyway", anyway, "also while others use the GPU");
  decode.footer("Without options: N 131072, 8 heads of K and V, 4 of Q for each, d 128, fp16, splits by a rule.");

  CLI::App& fp8 = *app.add_subcommand("fp8", "FA3 in e4m3: its time, its bytes, and what eight bits cost");
  gpu::Fp8Options fp8_options;
  fp8_options.add_to(fp8);
  fp8.add_flag("--anyway", anyway, "also while others use the GPU");
  fp8.add_flag("--json", json, "one JSON document");
  fp8.footer("Without options: B 1, H 16, N 4096, d 128, normal inputs, a scale for each tile.");

  CLI::App& relatives =
      *app.add_subcommand("relatives", "sparse, latent and differential attention, and what they replace");
  gpu::RelativesOptions relatives_options;
  relatives_options.add_to(relatives);
  relatives.add_flag("--anyway", anyway, "also while others use the GPU");
  relatives.add_flag("--json", json, "one JSON document");

  CLI::App& record = *app.add_subcommand("record", "measure the standard set of shapes into one file");
  gpu::RecordRequest recording;
  record.add_option("FILE", recording.file, "the recording to write")->required();
  record
      .add_option("--set", recording.set,
                  "standard, quick, lessons, backward, ladder; decode, fp8, groups, widths, programs")
      ->type_name("NAME");
  record.add_option("--real-head", recording.real_head, "the trained head that comes with the program")
      ->type_name("FILE");
  record.add_option("--note", recording.note, "kept with every result")->type_name("TEXT");
  record.add_flag("--anyway", anyway, "also while others use the GPU");

  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == int(CLI::ExitCodes::Success)) return app.exit(error);
    fmt::print(stderr, "tilewalk-gpu: {}. `tilewalk-gpu --help` lists what there is.\n", printable(error.what()));
    return gpu::kUsage;
  }
  const auto command = [&] {
    if (info.parsed()) return gpu::info(json);
    if (run.parsed() && !program.file.empty()) return gpu::program_command(program, options.resolve(), anyway, json);
    if (run.parsed()) return gpu::run_command(options.resolve(), anyway, json);
    if (tried.parsed())
      return gpu::try_command({tried_kernel, tried_without, tried_with}, tried_options.resolve(), anyway, json);
    if (ladder.parsed())
      return gpu::with_runs(ladder_file, anyway, ladder_switches ? gpu::print_switch_tables : gpu::print_ladder);
    if (serve.parsed()) return gpu::serve();
    if (l2.parsed()) return gpu::l2_command(json);
    if (ceilings.parsed()) return gpu::ceilings_command(ceilings_file, anyway, json);
    if (decode.parsed()) return decode_options.run(anyway);
    if (fp8.parsed()) return fp8_options.run(anyway, json);
    if (relatives.parsed()) return relatives_options.run(anyway, json);
    if (ring.parsed()) return ring_options.run(anyway, json);
    recording.anyway = anyway;
    if (recording.set == "programs") return gpu::record_programs(recording.file, recording.note, anyway);
    return gpu::record(recording);
  };
  try {
    const int code = command();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    fmt::print(stderr, "tilewalk-gpu: the output could not be written.\n");
    return gpu::kFailure;
  } catch (const gpu::CommandFault& fault) {
    fmt::print(stderr, "tilewalk-gpu: {}\n", printable(fault.what()));
    return fault.code;
  } catch (const std::exception& error) {  // such as an output that is full
    fmt::print(stderr, "tilewalk-gpu: {}.\n", printable(error.what()));
    return gpu::kFailure;
  }
}
