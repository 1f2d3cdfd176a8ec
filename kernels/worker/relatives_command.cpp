#include "kernels/worker/relatives_command.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/prediction.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/relatives_meter.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tilewalk::gpu {
namespace {

using enum RelativeForm;

constexpr std::array<std::string_view, 3> kRelatives{"sparse", "latent", "differential"};
std::string_view relative_of(RelativeForm form) { return kRelatives[is_sparse(form) ? 0 : is_latent(form) ? 1 : 2]; }

RelativeSpec sparse(RelativeForm form, int64_t n) {
  RelativeSpec out{form, {.heads = 16, .n_q = n, .n_k = n, .d = 128, .mask = Mask::Causal}};
  out.kv_heads = 1;
  return out;
}
// 128 heads of 128, as DeepSeek-V2 has.
RelativeSpec latent(RelativeForm form, int64_t batch, int64_t n) {
  return {form, {.batch = batch, .heads = 128, .n_q = 1, .n_k = n, .d = 128, .scale = 1 / std::sqrt(192.)}};
}
RelativeSpec differential(RelativeForm form, int64_t n, Mask mask) {
  return {form, {.batch = 16384 / n, .heads = 16, .n_q = n, .n_k = n, .d = 64, .mask = mask}};
}

// What is recorded: each relative at its sizes, and beside it what it replaces.
std::vector<RelativeSpec> recorded_set() {
  std::vector<RelativeSpec> out;
  for (const int64_t n : {8192, 32768, 65536})
    for (const RelativeForm form : {SparseShared, SparseApart, SparseFull}) out.push_back(sparse(form, n));
  for (const auto& [batch, n] : {std::pair<int64_t, int64_t>{1, 32768}, {1, 131072}, {16, 8192}})
    for (const RelativeForm form : {RelativeForm::Latent, LatentHeads}) out.push_back(latent(form, batch, n));
  for (const Mask mask : {Mask::Full, Mask::Causal})
    for (const int64_t n : {1024, 4096, 16384})
      for (const RelativeForm form : {Differential, DifferentialTwice}) out.push_back(differential(form, n, mask));
  return out;
}

// Shapes at the edges of the tiles: ragged, one row, N_q and N_k apart, rows that see no key, large scores.
std::vector<RelativeSpec> edge_cases(bool small) {
  std::vector<RelativeSpec> out;
  const auto vary = [&](RelativeSpec spec) {
    const size_t k = out.size();
    Problem& p = spec.problem;
    p.format = k % 3 == 2 ? Format::BFloat16 : Format::Float16;
    p.distribution = k % 5 == 4 ? Distribution::Outliers : Distribution::Normal;
    if (k % 7 == 6) p.scale = 2;  // scores of tens: one key takes nearly all
    p.seed = 100 + k;
    out.push_back(spec);
  };
  constexpr std::pair<int64_t, int64_t> kShapes[] = {{1, 1},     {1, 64},    {1, 1500},  {17, 17},   {63, 65},
                                                     {64, 64},   {65, 63},   {100, 40},  {127, 129}, {128, 128},
                                                     {129, 300}, {200, 200}, {40, 2300}, {300, 1024}};
  constexpr std::pair<int64_t, int64_t> kSmall[] = {{1, 70}, {130, 200}, {70, 40}};
  const std::span<const std::pair<int64_t, int64_t>> shapes =
      small ? std::span<const std::pair<int64_t, int64_t>>(kSmall) : kShapes;
  for (const auto& [n_q, n_k] : shapes)
    for (const Mask mask : {Mask::Full, Mask::Causal}) {
      for (const RelativeForm form : {SparseShared, SparseApart})
        for (const int64_t group : {16, 16, 1, 5}) {
          RelativeSpec spec{form, {.n_q = n_q, .n_k = n_k, .d = 128, .mask = mask}};
          spec.kv_heads = 1 + int64_t(out.size() % 2);
          spec.problem.heads = group * spec.kv_heads;
          vary(spec);
        }
      for (const RelativeForm form : {Differential, DifferentialTwice})
        for (int heads : {1, 2, 3, 5})
          vary({form,
                {.batch = 1 + int64_t(out.size() % 2), .heads = heads, .n_q = n_q, .n_k = n_k, .d = 64, .mask = mask}});
    }
  for (const int64_t n :
       small ? std::vector<int64_t>{70, 200} : std::vector<int64_t>{1, 16, 63, 64, 65, 127, 128, 129, 1000, 4097})
    for (const int64_t heads : {1, 16, 64, 65, 128})
      for (const int64_t splits : {1, 3, 128}) {
        RelativeSpec spec = latent(RelativeForm::Latent, 1 + int64_t(out.size() % 2), n);
        spec.problem.heads = heads;
        const int64_t tiles = (n + 63) / 64, each = (tiles + splits - 1) / splits;
        spec.splits = (tiles + each - 1) / each;
        vary(spec);
      }
  return out;
}

std::string title(const RelativeSpec& spec) {
  const Problem& p = spec.problem;
  return fmt::format("{:<18} B {} H {} N_q {} N_k {} {}", name_of(spec.form), p.batch, p.heads, p.n_q, p.n_k,
                     name_of(p.mask));
}

std::string mega(double bytes) { return fmt::format("{:.1f} MB", bytes / 1e6); }

std::vector<std::string> row_of(const RelativeResult& r) {
  const RelativeBytes bytes = relative_bytes(r.spec);
  const Counters c = r.counters.value_or(Counters{});
  const DramEstimate l2 = relative_dram(r.spec, machine_of(r.provenance));
  const double through = l2.modelled ? double(l2.read_bytes + l2.written_bytes) : bytes.dram;
  const auto dram = c.dram_read && c.dram_written ? std::optional(*c.dram_read + *c.dram_written) : std::nullopt;
  return {title(r.spec),
          r.timing ? fmt::format("{:.4f} ms", r.timing->median) : "wrong",
          mega(bytes.kv),
          fmt::format("{:.4f}", bytes.share),
          mega(bytes.l2_to_sm),
          over_words(c.l2_to_sm, bytes.l2_to_sm),
          mega(through),
          over_words(dram, through),
          fmt::format("{:.1e}", r.errors.worst_row)};
}

int sweep(RelativeMeter& meter, std::string_view relative, bool small) {
  std::array<int, kRelativeForms> wrong{}, of{};
  std::array<Errors, kRelativeForms> worst{};
  for (const RelativeSpec& spec : edge_cases(small)) {
    if (!relative.empty() && relative != relative_of(spec.form)) continue;
    const auto form = size_t(spec.form);
    ++of[form];
    if (const std::string fault = meter.fault(spec, worst[form]); !fault.empty() && ++wrong[form] <= 8)
      fmt::print("{}: {}\n", title(spec), fault);
  }
  int all = 0;
  for (size_t form = 0; form < of.size(); ++form) {
    if (!of[form]) continue;
    fmt::print("{:<18} {} problems, {} rows: {} wrong; largest relative error of a row {:.1e}, of L {:.1e}\n",
               name_of(RelativeForm(form)), of[form], worst[form].rows, wrong[form], worst[form].worst_row,
               worst[form].lse);
    all += wrong[form];
  }
  return all ? kFailure : kOk;
}

}  // namespace

void RelativesOptions::add_to(CLI::App& command) {
  command.add_option("RELATIVE", relative_, "sparse, latent or differential; all three without it");
  command.add_option("--n", n_, "only the sizes with as many keys")->type_name("N");
  command.add_flag("--sweep", sweep_, "small problems against float64 instead, without times");
  command.add_flag("--small", small_, "of --sweep a few");
  command.add_option("--record", record_, "write the results to this file")->type_name("FILE");
  command.add_option("--note", note_, "kept with every result")->type_name("TEXT");
}

int RelativesOptions::run(bool anyway, bool json) const {
  if (!relative_.empty() && std::ranges::find(kRelatives, relative_) == kRelatives.end())
    throw CommandFault(kUsage, fmt::format("{} is none of sparse, latent, differential.", in_quotes(relative_, 40)));
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  const Gpu& gpu = found.gpus.front();
  if (gpu.what.major < 9) throw CommandFault(kFailure, "The relatives' kernels are built for compute capability 9.0.");
  try {
    const GpuLock lock(gpu.pci);
    RelativeMeter meter(gpu);
    if (sweep_) return sweep(meter, relative_, small_);
    const bool shared = !lock.held() || meter.busy() > 0.2;
    if (shared && !anyway)
      throw CommandFault(kFailure, "Others use the GPU, so that times would mean nothing; wait, or take --anyway.");
    std::vector<RelativeResult> results;
    std::vector<std::vector<std::string>> table{
        {"form", "time", "K, V", "share", "L2 to SM", "counted", "DRAM", "counted", "error"}};
    bool wrong = false;
    for (const RelativeSpec& spec : recorded_set()) {
      if ((!relative_.empty() && relative_ != relative_of(spec.form)) || (n_ && n_ != spec.problem.n_k)) continue;
      RelativeResult& result = results.emplace_back(meter.measure(spec));
      result.provenance.note = note_ + (shared ? "shared" : "");
      wrong = wrong || !result.timing;
      table.push_back(row_of(result));
      if (!record_.empty()) write_file(record_, relatives_text(results));
    }
    if (json)
      fmt::print("{}", relatives_text(results));
    else
      print_table(table);
    if (wrong) throw CommandFault(kFailure, "A kernel gave a wrong answer; there is no time for it.");
    return kOk;
  } catch (const Refused& refused) {
    throw CommandFault(kFailure, refused.what());
  } catch (const CudaError& error) {
    throw CommandFault(error.dead ? kContextLost : kFailure, std::string(error.what()) + ".");
  } catch (const IoError& error) {
    throw CommandFault(kUnreadable, error.what());
  }
}

}  // namespace tilewalk::gpu
