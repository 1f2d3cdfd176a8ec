#include "kernels/worker/spec_options.h"

#include "core/io/printable.h"
#include "core/io/qkv.h"
#include "kernels/worker/exit_code.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

[[noreturn]] void usage(const std::string& what) { throw CommandFault(kUsage, what); }

std::vector<float> floats_of(const Matrix& m) { return {m.values.begin(), m.values.end()}; }

}  // namespace

RunSpec spec_of_file(const std::vector<std::filesystem::path>& files, const std::string& layer, int64_t head,
                     std::optional<Format> asked) {
  std::vector<QkvChoice> choices = find_qkv(files);
  QkvChoice choice = choices.front();
  if (!layer.empty()) {
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.label == layer; });
    if (found == choices.end()) {
      std::vector<std::string> labels;
      for (const QkvChoice& c : choices) labels.push_back(c.label);
      usage(fmt::format("--layer is {}; the file offers {}.", in_quotes(layer), some_of(labels)));
    }
    choice = *found;
  }
  choice.source.head = head;
  const QkvSizes sizes = qkv_sizes(choice.source);
  if (head < 0 || head >= sizes.heads)
    usage(fmt::format("--head-index is {}; the file has heads 1 to {}.", head + 1, sizes.heads));
  Qkv qkv = load_qkv(choice.source);
  const Format format = asked.value_or(qkv.q_format == Format::BFloat16 ? Format::BFloat16 : Format::Float16);
  RunSpec spec;
  spec.problem = {.n_q = sizes.n_q,
                  .n_k = sizes.n_k,
                  .d = sizes.d,
                  .br = 16,
                  .bc = 16,
                  .format = format,
                  .distribution = Distribution::Custom};
  round_inputs(qkv.inputs, format);
  for (const Matrix* m : {&qkv.inputs.q, &qkv.inputs.k, &qkv.inputs.v})
    if (!std::ranges::all_of(m->values, [](double x) { return std::isfinite(x); }))
      usage(fmt::format("The file holds numbers too large for {}; take --format bf16.", name_of(format)));
  spec.inputs = {RunInputs::Kind::Values, floats_of(qkv.inputs.q), floats_of(qkv.inputs.k),
                 floats_of(qkv.inputs.v), qkv.inputs.source,       hash_of(qkv.inputs)};
  return spec;
}

void SpecOptions::add_to(CLI::App& command, bool kernels) {
  const char* problem = "Problem";
  const auto generated = [&](CLI::Option* option) { generated_.push_back(option->type_name("N")); };
  generated(command.add_option("--n", n_, "queries and keys alike")->group(problem));
  generated(command.add_option("--n-q", n_q_, "queries")->group(problem));
  generated(command.add_option("--n-k", n_k_, "keys and values")->group(problem));
  generated(command.add_option("--d", d_, "numbers in a query, key or value")->group(problem));
  command.add_option("--batch", batch_, "sequences")->type_name("B")->group(problem);
  command.add_option("--heads", heads_, "heads per sequence")->type_name("H")->group(problem);
  command.add_option("--kv-heads", kv_heads_, "of K and V, each for as many of Q; without it as many as of Q")
      ->type_name("H")
      ->group(problem);
  command.add_flag("--causal", causal_, "hide the keys that lie in a query's future")->group(problem);
  command.add_option("--align", align_, "causal diagonal's end: bottom-right, top-left")
      ->type_name("CORNER")
      ->group(problem);
  command.add_option("--format,--dtype", format_, "of Q, K, V and O: fp16, bf16; without it the file's, else fp16")
      ->type_name("NAME")
      ->group(problem);
  command.add_option("--scale-softmax", scale_, "the scores' factor; without it 1/sqrt(d)")
      ->type_name("X")
      ->group(problem);
  const char* inputs = "Inputs";
  generated_.push_back(command.add_option("--distribution,--dist", distribution_, "normal, outliers, integers")
                           ->type_name("NAME")
                           ->group(inputs));
  generated(command.add_option("--seed", seed_, "of the generated numbers")->group(inputs));
  command.add_option("--input", input_, ".safetensors, or one to three .npy files; one head for all")
      ->type_name("FILE")
      ->group(inputs)
      ->expected(1, 3);
  command.add_option("--layer", layer_, "which group of the file, such as layer0")->type_name("NAME")->group(inputs);
  command.add_option("--head-index", head_index_, "which head of the file, or the one traced, from 1")
      ->type_name("N")
      ->group(inputs);
  const char* what = "What is measured";
  command.add_option("--splits", splits_, "of the keys, by split-kv; without it by a rule")
      ->type_name("N")
      ->group(what);
  if (kernels)
    command.add_option("--kernels", kernels_, key_list(all_kernels()))->type_name("NAMES")->delimiter(',')->group(what);
  command.add_option("--repeats", repeats_, "timed launches, at least")->type_name("N")->group(what);
  command.add_option("--warmups", warmups_, "launches before them")->type_name("N")->group(what);
  command.add_flag("--flush", flush_, "empty L2 before every launch")->group(what);
  if (!kernels) return;
  command.add_flag("--counters", counters_, "hardware counters")->group(what);
  command.add_flag("--trace", trace_, "m and l after every tile, and clock stamps, from a run of their own")
      ->group(what);
  command.add_flag("--outputs", outputs_, "O and L of one head, for --json")->group(what);
}

RunSpec SpecOptions::resolve() const {
  RunSpec spec;
  if (!input_.empty())
    for (const CLI::Option* option : generated_)
      if (option->count())
        usage(fmt::format("{} is about generated inputs, and --input brings its own; leave one of the two out.",
                          option->get_name()));
  if (input_.empty() && !layer_.empty()) usage("--layer is a part of a file; --input says which.");
  if (input_.empty()) {
    spec.problem = {.n_q = n_q_.value_or(n_), .n_k = n_k_.value_or(n_), .d = d_, .seed = seed_};
    spec.trace_head = head_index_ - 1;
  } else {
    take_files(spec);
  }
  Problem& p = spec.problem;
  p.batch = batch_;
  p.heads = heads_;
  p.br = p.bc = 16;
  p.mask = causal_ ? Mask::Causal : Mask::Full;
  p.scale = scale_;
  take_names(spec);
  spec.kv_heads = kv_heads_ == heads_ ? 0 : kv_heads_;
  spec.splits = splits_;
  spec.launches = repeats_;
  spec.warmups = warmups_;
  spec.flush_l2 = flush_;
  spec.counters = counters_;
  spec.trace = trace_;
  spec.outputs = outputs_;
  return spec;
}

void SpecOptions::take_files(RunSpec& spec) const {
  try {
    spec = spec_of_file({input_.begin(), input_.end()}, layer_, head_index_ - 1, format_named(format_));
  } catch (const IoError& error) {
    throw CommandFault(kUnreadable, error.what());
  }
}

void SpecOptions::take_names(RunSpec& spec) const {
  Problem& p = spec.problem;
  const auto take = [](const char* option, const std::string& text, const auto& named, auto& value,
                       const char* allowed) {
    if (!named) usage(fmt::format("{} is {}; it must be one of {}.", option, in_quotes(text, 40), allowed));
    value = *named;
  };
  if (!format_.empty()) take("--format", format_, format_named(format_), p.format, "fp16, bf16");
  take("--align", align_, align_named(align_), p.align, "bottom-right, top-left");
  if (input_.empty())
    take("--distribution", distribution_, distribution_named(distribution_), p.distribution,
         "normal, outliers, integers");
  for (const std::string& key : kernels_) {
    const std::optional<Method> kernel = kernel_named(key);
    if (!kernel) usage(fmt::format("--kernels names {}; there are {}.", in_quotes(key, 40), key_list(all_kernels())));
    spec.kernels.push_back(*kernel);
  }
  if (kernels_.empty())
    for (const MethodInfo& info : compared_kernels()) spec.kernels.push_back(info.id);
}

}  // namespace tilewalk::gpu
