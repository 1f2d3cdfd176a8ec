#include "kernels/ring/ring_command.h"

#include "core/attention/format.h"
#include "core/io/file.h"
#include "core/io/printable.h"
#include "kernels/ring/ring_meter.h"
#include "kernels/ring/ring_words.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/spec_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace tilewalk::gpu {
namespace {

// The set of `--record`, N from where the transfer shows to where it does not: copy engines; NCCL, and NCCL with
// multiprocessors left free; and under a causal mask, with and without the work balanced.
constexpr int64_t kRecorded[] = {2048, 8192, 32768, 131072};
constexpr int kRecordedSpare = 24;

std::vector<RingSpec> recorded_set(RingSpec spec, int gpus) {
  std::vector<RingSpec> out;
  const int spare = spec.spare ? spec.spare : kRecordedSpare;
  for (const int p : {4, 2}) {
    if (p > gpus) continue;
    for (const int64_t n : kRecorded) {
      spec.gpus = p;
      spec.problem.n_q = spec.problem.n_k = n;
      const auto add = [&](Mask mask, RingSplit split, RingTransfer transfer, int spared) {
        spec.problem.mask = mask;
        spec.split = split;
        spec.transfer = transfer;
        spec.spare = spared;
        out.push_back(spec);
      };
      using enum RingTransfer;
      const bool end = n == 8192 || n == 131072;
      if (p == 2 && !end) continue;  // of two GPUs the ends will do
      add(Mask::Full, RingSplit::Shards, CopyEngines, 0);
      if (p == 4 || end) add(Mask::Full, RingSplit::Shards, Nccl, 0);
      if (p == 4 && spec.kernel == Method::Fa3) add(Mask::Full, RingSplit::Shards, Nccl, spare);
      if (p == 4 && end) add(Mask::Causal, RingSplit::Shards, CopyEngines, 0);
      if (end) add(Mask::Causal, RingSplit::Zigzag, CopyEngines, 0);
    }
  }
  return out;
}

// Small rings whose parts lie at the edges of the kernels' tiles: every way to share out the tokens, both masks, every
// padding of d, both formats, B, H and the seed varied along the way.
std::vector<RingSpec> small_rings(const RingSpec& like, int gpus) {
  std::vector<RingSpec> out;
  for (int p = 2; p <= gpus; ++p)
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const RingSplit split : {RingSplit::Shards, RingSplit::Zigzag})
        for (const int64_t part : {1, 17, 64, 127, 128, 129, 192, 200, 385, 640}) {
          RingSpec spec = like;
          const auto k = int64_t(out.size());
          spec.gpus = p;
          spec.split = split;
          spec.problem.n_q = spec.problem.n_k = part * p * (split == RingSplit::Zigzag ? 2 : 1);
          spec.problem.mask = mask;
          spec.problem.d = std::array{128, 64, 32, 96}[size_t(k % 4)];
          spec.problem.format = k % 3 == 2 ? Format::BFloat16 : Format::Float16;
          spec.problem.distribution = k % 5 == 4 ? Distribution::Outliers : Distribution::Normal;
          spec.problem.batch = 1 + k % 2;
          spec.problem.heads = 1 + k % 3;
          spec.problem.seed = uint64_t(100 + k);
          out.push_back(spec);
        }
  return out;
}

int sweep(const RingSpec& like, RingMeter& meter) {
  int wrong = 0;
  const std::vector<RingSpec> rings = small_rings(like, like.gpus);
  for (const RingSpec& spec : rings)
    if (const std::string fault = meter.fault(spec); !fault.empty()) {
      fmt::print("{}: {}\n", ring_title(spec), fault);
      ++wrong;
    }
  fmt::print("{} rings, {} wrong\n", rings.size(), wrong);
  return wrong ? kFailure : kOk;
}

std::optional<RingFault> fault_of(const std::string& text, RingFault::Kind kind, int gpus) {
  if (text.empty()) return std::nullopt;
  int device = -1, turn = -1, end = 0;
  if (std::sscanf(text.c_str(), "%d@%d%n", &device, &turn, &end) != 2 || size_t(end) != text.size() || device < 0 ||
      device >= gpus || turn < 0 || turn >= gpus)
    throw CommandFault(kUsage, fmt::format("{} is no GPU and turn of a ring of {}, such as 1@0; both count from 0.",
                                           in_quotes(text, 40), gpus));
  return RingFault{kind, device, turn};
}

// Which code a refusal leaves with.
int code_of(const Refused& refused) { return refused.failure.code == "gpus" ? kNoGpu : kFailure; }

}  // namespace

void RingOptions::add_to(CLI::App& command) {
  const char* problem = "Problem";
  command.add_option("--n", n_, "tokens of all GPUs together")->type_name("N")->group(problem);
  command.add_option("--d", d_, "numbers in a query, key or value")->type_name("N")->group(problem);
  command.add_option("--batch", batch_, "sequences")->type_name("B")->group(problem);
  command.add_option("--heads", heads_, "heads per sequence")->type_name("H")->group(problem);
  command.add_flag("--causal", causal_, "hide the keys that lie in a query's future")->group(problem);
  command.add_option("--format,--dtype", format_, "of Q, K, V and O: fp16, bf16")->type_name("NAME")->group(problem);
  command.add_option("--seed", seed_, "of the generated numbers")->type_name("N")->group(problem);
  const char* ring = "Ring";
  command.add_option("--gpus", gpus_, "GPUs on the ring, the first ones of this computer")->type_name("P")->group(ring);
  command.add_flag("--zigzag", zigzag_, "each GPU takes an early and a late part of the tokens")->group(ring);
  command.add_option("--kernel", kernel_, "fa3, fa2")->type_name("NAME")->group(ring);
  command.add_option("--transfer", transfer_, "copy-engines, nccl")->type_name("NAME")->group(ring);
  command.add_option("--spare", spare_, "multiprocessors left free for NCCL's kernel; it gets half as many blocks")
      ->type_name("K")
      ->group(ring);
  command.add_option("--nccl", nccl_, "NCCL's library, where it is not found by itself")
      ->type_name("FILE")
      ->group(ring);
  const char* what = "What is measured";
  command.add_option("--rounds", rounds_, "timed rings of each kind")->type_name("N")->group(what);
  command.add_option("--limit", limit_, "a ring that takes longer counts as stopped")
      ->type_name("SECONDS")
      ->group(what);
  command.add_option("--out", out_, "write the document to this file as well")->type_name("FILE")->group(what);
  command.add_option("--record", record_, "the standard set of rings into this file")->type_name("FILE")->group(what);
  command.add_option("--note", note_, "kept with every result")->type_name("TEXT")->group(what);
  command.add_flag("--sweep", sweep_, "small rings of up to --gpus against float64 instead, without times")
      ->group(what);
  const char* faults = "To see a ring fail";
  command.add_option("--stall", stall_, "this GPU stops answering in this turn, both from 0")
      ->type_name("GPU@TURN")
      ->group(faults);
  command.add_option("--trap", trap_, "this GPU has a fault in this turn")->type_name("GPU@TURN")->group(faults);
}

RingSpec RingOptions::spec() const {
  RingSpec out;
  out.problem = {.batch = batch_, .heads = heads_, .n_q = n_, .n_k = n_, .d = d_, .seed = seed_};
  out.problem.mask = causal_ ? Mask::Causal : Mask::Full;
  const auto named = [](const auto& found, const char* option, const std::string& text, const char* allowed) {
    if (!found)
      throw CommandFault(kUsage, fmt::format("{} is {}; it must be one of: {}.", option, in_quotes(text, 40), allowed));
    return *found;
  };
  out.problem.format = named(format_named(format_), "--format", format_, "fp16, bf16");
  out.kernel = named(kernel_named(kernel_), "--kernel", kernel_, "fa3, fa2");
  out.transfer = named(ring_transfer_named(transfer_), "--transfer", transfer_, "copy-engines, nccl");
  out.gpus = gpus_;
  out.split = zigzag_ ? RingSplit::Zigzag : RingSplit::Shards;
  out.spare = spare_;
  out.rounds = rounds_;
  if (rounds_ < 1 || rounds_ > 1000) throw CommandFault(kUsage, "--rounds must lie between 1 and 1000.");
  if (!(limit_ > 0)) throw CommandFault(kUsage, "--limit must be above 0.");
  if (spare_ < 0) throw CommandFault(kUsage, "--spare must be 0 or more.");
  if (const std::vector<Fault> faults = validate(out.problem); !faults.empty())
    throw CommandFault(kUsage, faults.front().message);
  std::string fault;
  ring_plan(out.problem, out.gpus, out.split, fault);
  if (!fault.empty()) throw CommandFault(kUsage, fault);
  return out;
}

RingSetup RingOptions::setup() const {
  RingSetup out{.nccl = nccl_, .limit = limit_, .fault = fault_of(stall_, RingFault::Kind::Stall, gpus_)};
  if (const auto trap = fault_of(trap_, RingFault::Kind::Trap, gpus_)) out.fault = trap;
  return out;
}

int RingOptions::run(bool anyway, bool json) const {
  const RingSpec one = spec();
  const RingSetup how = setup();
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  RingMeter meter(found.gpus, how);
  const std::function said = [](const std::string& what) { fmt::print(stderr, "  {}\n", what); };
  try {
    if (sweep_) return sweep(one, meter);
    const bool set = !record_.empty();
    const RingLocks locks(found.gpus, set ? int(found.gpus.size()) : one.gpus);
    if (!locks.shared().empty() && !anyway)
      throw CommandFault(kFailure, locks.shared() +
                                       ", so that times would mean nothing; wait, or take --anyway and have "
                                       "the result marked.");
    const std::string shared = locks.shared().empty() ? "" : "shared: " + locks.shared();
    std::vector<RingResult> results;
    bool wrong = false;
    for (const RingSpec& each : set ? recorded_set(one, int(found.gpus.size())) : std::vector<RingSpec>{one}) {
      fmt::print(stderr, "{}\n", ring_title(each));
      results.push_back(meter.measure(each, set ? std::function([](const std::string&) {}) : said));
      RingResult& result = results.back();
      result.provenance.note = note_ + (note_.empty() || shared.empty() ? "" : "; ") + shared;
      wrong = wrong || !result.errors.passed;
      if (set) {
        fmt::print(stderr, "  {}\n", ring_line(result));
        save_ring(record_, results);
      }
    }
    if (!out_.empty()) save_ring(out_, results);
    if (json)
      fmt::print("{}", ring_text(results));
    else if (!set)
      fmt::print("{}", ring_report(results.front()));
    if (wrong) throw CommandFault(kFailure, "A ring gave a wrong answer; there are no times for it.");
    return kOk;
  } catch (const RingStopped& stopped) {
    // Nobody waits for a GPU that is lost: neither the CUDA runtime's nor NCCL's clearing up.
    std::fflush(stdout);
    fmt::print(stderr, "tilewalk-gpu: {}\n", stopped.what());
    std::fflush(stderr);
    std::_Exit(kContextLost);
  } catch (const Refused& refused) {
    throw CommandFault(code_of(refused), refused.what());
  } catch (const CudaError& error) {
    throw CommandFault(error.dead ? kContextLost : kFailure, std::string(error.what()) + ".");
  } catch (const IoError& error) {
    throw CommandFault(kFailure, error.what());
  }
}

}  // namespace tilewalk::gpu
