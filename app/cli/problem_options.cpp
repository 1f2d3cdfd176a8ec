#include "app/cli/problem_options.h"

#include "core/attention/presets.h"
#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/walk/reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

template <class Items, class Name>
std::string listed(const Items& items, Name name) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(name(item));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string preset_list() {
  return listed(presets(), [](const Preset& p) { return std::string(p.id); });
}
std::string machine_list() {
  return listed(machines(), [](const MachineSpec& m) { return std::string(m.id); });
}

// Sizes as they are called in options and in Problem.
struct Size {
  const char* option;
  const char* field;
  std::vector<int64_t Problem::*> members;
};
const std::vector<Size>& sizes() {
  static const std::vector<Size> all{
      {"n", "n_q", {&Problem::n_q, &Problem::n_k}},
      {"n-q", "n_q", {&Problem::n_q}},
      {"n-k", "n_k", {&Problem::n_k}},
      {"d", "d", {&Problem::d}},
      {"br", "br", {&Problem::br}},
      {"bc", "bc", {&Problem::bc}},
      {"batch", "batch", {&Problem::batch}},
      {"heads", "heads", {&Problem::heads}},
  };
  return all;
}

Format format_for(Format of_file) { return of_file == Format::Float64 ? Format::Float32 : of_file; }

}  // namespace

std::string schedule_list(bool all) { return key_list(all_schedules()) + (all ? ", all" : ""); }

void ProblemOptions::add_to(CLI::App& command) {
  const auto add = [&](const char* group, const std::string& name, const char* type, const std::string& help) {
    text_[name];
    command.add_option("--" + name, text_[name], help)->type_name(type)->group(group)->take_last();
  };
  const char* problem = "Problem";
  add(problem, "preset", "NAME", "start from " + preset_list());
  add(problem, "n", "N", "queries and keys alike");
  add(problem, "n-q", "N", "queries");
  add(problem, "n-k", "N", "keys and values");
  add(problem, "d", "N", "numbers in a query, key or value");
  add(problem, "br", "N", "rows of a Q tile");
  add(problem, "bc", "N", "rows of a K/V tile");
  add(problem, "batch", "B", "sequences");
  add(problem, "heads", "H", "heads per sequence");
  command.add_flag("--causal", causal_, "hide the keys that lie in a query's future")->group(problem);
  add(problem, "align", "CORNER", "causal diagonal's end: bottom-right, top-left");
  add(problem, "format", "NAME", "of Q, K, V and O: fp16, bf16, fp32, fp64");
  add(problem, "arithmetic", "KIND", "exact (float64), kernel (as tensor cores do)");
  add(problem, "scale-softmax", "X", "the scores' factor; without it 1/sqrt(d)");

  const char* inputs = "Inputs";
  add(inputs, "distribution", "NAME", "normal, outliers, integers");
  add(inputs, "seed", "N", "of the generated numbers");
  command.add_option("--input", input_, ".safetensors, or one to three .npy files")
      ->type_name("FILE")
      ->group(inputs)
      ->expected(1, 3);
  add(inputs, "layer", "NAME", "which group of the file, such as layer0");
  for (const char* tensor : {"q", "k", "v"})
    add(inputs, tensor, "NAME", fmt::format("the tensor that is {}", char(*tensor - 32)));
  for (const char* tensor : {"q", "k", "v"})
    add(inputs, fmt::format("{}-file", tensor), "FILE", fmt::format("where {} is, alone", char(*tensor - 32)));
  add(inputs, "batch-index", "N", "which sequence, from 1");
  add(inputs, "head-index", "N", "which head, from 1");

  const char* schedule = "Schedule and machine";
  add(schedule, "schedule", "NAME",
      key_list(schedules()) + (defaults_.all_schedules ? ", all" : "") + "; fa2-backward …");
  if (defaults_.programs) add(schedule, "program", "FILE", "a schedule of your own: docs/walk-language.md");
  add(schedule, "variant", "NAME", "paper, kernel: what the papers leave open");
  add(schedule, "machine", "NAME", machine_list());
}

const std::string* ProblemOptions::given(const std::string& option) const {
  const auto found = text_.find(option);
  return found != text_.end() && found->second ? &*found->second : nullptr;
}

std::vector<std::string> ProblemOptions::all_given() const {
  std::vector<std::string> out;
  for (const auto& [option, text] : text_)
    if (text) out.push_back(option);
  if (causal_) out.emplace_back("causal");
  if (!input_.empty()) out.emplace_back("input");
  return out;
}

// False where the option was not given or is at fault.
bool ProblemOptions::whole_number(const std::string& option, int64_t least, int64_t most, int64_t& value,
                                  std::vector<std::string>& faults) const {
  const std::string* text = given(option);
  if (!text) return false;
  const std::optional<int64_t> read = number_of<int64_t>(*text);
  if (!read || *read < least || *read > most) {
    faults.push_back(fmt::format("--{} is {}; it must be a whole number between {} and {}.", option,
                                 read ? *text : in_quotes(*text, 40), least, most));
    return false;
  }
  value = *read;
  return true;
}

void ProblemOptions::take_files(Asked& asked, std::vector<std::string>& faults) const {
  const char* roles[] = {"q", "k", "v"};
  int files = 0, names = 0;
  for (const std::string role : roles) {
    files += given(role + "-file") != nullptr;
    names += given(role) != nullptr;
  }
  if (input_.empty() && !files) {
    for (const char* option : {"q", "k", "v", "layer"})
      if (given(option))
        faults.push_back(fmt::format("--{} names a tensor, but no file is given: add --input FILE.", option));
    return;
  }
  const auto refuse = [&](std::string fault) { faults.push_back(std::move(fault)); };
  if (!input_.empty() && files) return refuse("Give either --input or --q-file, --k-file and --v-file, not both.");
  if (files && files < 3) return refuse("Q, K and V are all needed: give --q-file, --k-file and --v-file.");
  if (!files && names && names < 3) return refuse("Q, K and V are all needed: give --q, --k and --v, or none of them.");
  if (names && given("layer")) return refuse("Give either --layer or --q, --k and --v, not both.");
  if (names && input_.size() > 1)
    return refuse("--q, --k and --v name tensors of one file; --input was given several.");
  if (given("preset")) return refuse("Give either --preset or input files, not both.");
  for (const char* option : {"n", "n-q", "n-k", "d", "seed", "distribution"})
    if (given(option)) refuse(fmt::format("--{} cannot be chosen: the input files say it.", option));

  QkvChoice choice;
  if (files || names) {
    TensorPlace* places[] = {&choice.source.q, &choice.source.k, &choice.source.v};
    for (int t = 0; t < 3; ++t) {
      places[t]->file = files ? *given(std::string(roles[t]) + "-file") : input_.front();
      if (const std::string* name = given(roles[t])) places[t]->name = *name;
    }
  } else {
    const std::vector<QkvChoice> choices = find_qkv({input_.begin(), input_.end()});
    asked.choices = int64_t(choices.size());
    choice = choices.front();
    if (const std::string* layer = given("layer")) {
      const auto found =
          std::find_if(choices.begin(), choices.end(), [&](const QkvChoice& c) { return c.label == *layer; });
      if (found == choices.end())
        return refuse(fmt::format("--layer is {}; the file offers {}.", in_quotes(*layer),
                                  listed(choices, [](const QkvChoice& c) { return in_quotes(c.label); })));
      choice = *found;
    }
  }
  asked.files = choice;
  asked.preset.clear();
  const QkvSizes found = qkv_sizes(choice.source);
  Problem& p = asked.problem;
  p = Problem{.batch = found.batches, .heads = found.heads, .n_q = found.n_q, .n_k = found.n_k, .d = found.d};
  p.br = p.bc = 16;
  p.distribution = Distribution::Custom;
  p.format = format_for(TensorFile(choice.source.q.file).find(choice.source.q.name).format.value_or(Format::Float32));
}

void ProblemOptions::take_sizes(Asked& asked, std::vector<std::string>& faults) const {
  const bool written_down =
      asked.problem.distribution == Distribution::Custom && !asked.files && !given("distribution");
  for (const Size& size : sizes()) {
    const Range range = range_of(size.field);
    int64_t value = 0;
    if (!whole_number(size.option, range.least, range.most, value, faults)) continue;
    const bool shapes = size.members.front() == &Problem::n_q || size.members.front() == &Problem::n_k ||
                        size.members.front() == &Problem::d;
    if (shapes && asked.files) continue;  // said already
    if (shapes && written_down) {
      faults.push_back(
          fmt::format("--{} cannot be chosen: the numbers of preset {} are written down. Add --distribution normal "
                      "for generated ones.",
                      size.option, asked.preset));
      continue;
    }
    for (int64_t Problem::*member : size.members) asked.problem.*member = value;
  }
  if (const std::string* text = given("seed")) {
    const std::optional<uint64_t> seed = number_of<uint64_t>(*text);
    if (!seed)
      faults.push_back(fmt::format("--seed is {}; it must be a whole number between 0 and {}.", in_quotes(*text, 40),
                                   std::numeric_limits<uint64_t>::max()));
    else if (written_down)
      faults.push_back(
          fmt::format("--seed changes nothing: the numbers of preset {} are written down. Add --distribution normal "
                      "for generated ones.",
                      asked.preset));
    else
      asked.problem.seed = *seed;
  }
  if (const std::string* text = given("scale-softmax")) {
    const auto scale = number_of<double>(*text);
    if (scale && *scale != 0 && std::isfinite(*scale))
      asked.problem.scale = *scale;
    else
      faults.push_back(
          fmt::format("--scale-softmax is {}; it must be a number such as 0.125, and not 0.", in_quotes(*text, 40)));
  }
}

void ProblemOptions::take_names(Asked& asked, std::vector<std::string>& faults) const {
  const auto take = [&](const char* option, const std::string& allowed, auto&& named) {
    const std::string* text = given(option);
    if (text && !named(*text))
      faults.push_back(fmt::format("--{} is {}; it must be one of {}.", option, in_quotes(*text, 40), allowed));
  };
  const auto set = [](auto& target, const auto& value) { return value ? (target = *value, true) : false; };
  Problem& p = asked.problem;
  if (causal_) p.mask = Mask::Causal;
  take("align", "bottom-right, top-left", [&](const std::string& s) { return set(p.align, align_named(s)); });
  take("arithmetic", "exact, kernel", [&](const std::string& s) { return set(p.arithmetic, arithmetic_named(s)); });
  take("format", "fp16, bf16, fp32, fp64", [&](const std::string& s) {
    const auto format = format_named(s);
    return format != Format::E4M3 && set(p.format, format);
  });
  if (!asked.files)
    take("distribution", "normal, outliers, integers", [&](const std::string& s) {
      const auto distribution = distribution_named(s);
      return distribution != Distribution::Custom && set(p.distribution, distribution);
    });
  take("variant", "paper, kernel", [&](const std::string& s) { return set(asked.variant, variant_named(s)); });
  take("machine", machine_list(), [&](const std::string& s) { return (asked.machine = machine_named(s)) != nullptr; });
  take("schedule", schedule_list(defaults_.all_schedules), [&](const std::string& s) {
    if (s == "all" && defaults_.all_schedules) {
      asked.schedules.clear();
      for (const Schedule& schedule : schedules()) asked.schedules.push_back(&schedule);
      return true;
    }
    if (!schedule_named(s)) return false;
    asked.schedules = {schedule_named(s)};
    return true;
  });
}

void ProblemOptions::take_head(Asked& asked, std::vector<std::string>& faults) const {
  int64_t batch = 1, head = 1, batches = asked.problem.batch, heads = asked.problem.heads;
  if (asked.files) {
    const QkvSizes found = qkv_sizes(asked.files->source);
    batches = found.batches;
    heads = found.heads;
  }
  whole_number("batch-index", 1, batches, batch, faults);
  whole_number("head-index", 1, heads, head, faults);
  asked.batch = batch - 1;
  asked.head = head - 1;
  if (asked.files) {
    asked.files->source.batch = asked.batch;
    asked.files->source.head = asked.head;
  }
}

Asked ProblemOptions::resolve() const {
  std::vector<std::string> faults;
  Asked asked;
  asked.problem = defaults_.problem;
  asked.preset = defaults_.preset;
  asked.schedules = {&schedule_of(Method::Fa2)};
  asked.machine = &default_machine();
  if (const std::string* name = given("preset")) {
    if (!preset_named(*name)) {
      throw CommandError(kUsage,
                         fmt::format("--preset is {}; it must be one of {}.", in_quotes(*name, 40), preset_list()));
    }
    asked.preset = *name;
  }
  if (!asked.preset.empty()) asked.problem = preset_named(asked.preset)->problem;

  try {
    take_files(asked, faults);
    take_sizes(asked, faults);
    take_names(asked, faults);
    if (faults.empty()) take_head(asked, faults);
  } catch (const IoError& error) {
    throw CommandError(kUnreadable, error.what());
  }
  if (const std::string* path = given("program")) {
    if (given("schedule")) faults.emplace_back("Give either --schedule or --program, not both.");
    if (given("variant")) faults.emplace_back("Give either --variant or --program: a program says its order itself.");
    asked.own = std::make_shared<const Schedule>(own_schedule(read_program(*path)));
    asked.schedules = {asked.own.get()};
  }
  if (faults.empty())
    for (const Fault& fault : validate(asked.problem)) faults.push_back(fault.message);
  if (!faults.empty()) throw CommandError(kUsage, faults);
  return asked;
}

WalkProgram read_program(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, kMostWalkBytes);
  } catch (const IoError& error) {
    throw CommandError(kUnreadable, error.what());
  }
  WalkRead read = read_walk(text);
  std::vector<std::string> faults;
  for (const WalkFault& fault : read.faults)
    faults.push_back(fmt::format("{}:{}:{}: {}", printable_path(path), fault.line, fault.column, fault.message));
  if (!read.program) throw CommandError(kUsage, faults);
  return *std::move(read.program);
}

Inputs make_inputs(const Asked& asked) {
  const Problem& p = asked.problem;
  Inputs inputs;
  if (asked.files) {
    try {
      inputs = load_qkv(asked.files->source).inputs;
    } catch (const IoError& error) {
      throw CommandError(kUnreadable, error.what());
    }
  } else if (p.distribution == Distribution::Custom) {
    inputs = inputs_of(*preset_named(asked.preset));
  } else {
    inputs = generate_inputs(p, asked.batch, asked.head);
  }
  round_inputs(inputs, p.format);
  const char* tensor = "Q";
  for (const Matrix* m : {&inputs.q, &inputs.k, &inputs.v}) {
    for (double x : m->values)
      if (!std::isfinite(x))
        throw CommandError(kUsage,
                           fmt::format("{} holds numbers too large for {}; {}.", tensor, name_of(p.format),
                                       p.format == Format::Float16 ? "take --format bf16 or fp32" : "scale them down"));
    tensor = m == &inputs.q ? "K" : "V";
  }
  return inputs;
}

std::string words_of_inputs(const Asked& asked, const Inputs& inputs) {
  std::string words = inputs.source;
  if (!asked.files && asked.problem.distribution != Distribution::Custom && (asked.batch || asked.head))
    words += fmt::format(", sequence {}, head {}", asked.batch + 1, asked.head + 1);
  return words;
}

}  // namespace tilewalk
