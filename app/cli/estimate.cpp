#include "app/cli/estimate.h"

#include "app/cli/recorded.h"
#include "core/io/file.h"
#include "core/io/letters.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/run/audit.h"
#include "core/run/shipped.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tilewalk {
namespace {

std::string known_gpus(const Catalogue& catalogue) {
  std::string out;
  for (const Catalogue::Entry& entry : catalogue.entries)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", entry.gpu.id);
  for (const std::string_view measured : kAllShippedCeilings)
    if (shipped_ceilings(measured)) out += fmt::format(", {}", measured);
  return out;
}

// Options of the problem that an estimate has no use for, and why.
constexpr std::string_view kOwnTiles = "the kernels have tiles of their own", kAnyNumbers = "times are of a shape";
constexpr std::pair<const char*, std::string_view> kUnused[] = {
    {"br", kOwnTiles},           {"bc", kOwnTiles},          {"schedule", kOwnTiles}, {"variant", kOwnTiles},
    {"program", kOwnTiles},      {"machine", kOwnTiles},     {"seed", kAnyNumbers},   {"batch-index", kAnyNumbers},
    {"head-index", kAnyNumbers}, {"arithmetic", kAnyNumbers}};

}  // namespace

void EstimateOptions::add_to(CLI::App& command) {
  const char* group = "Time on a GPU";
  command.add_option("--gpu", gpu_, "estimate the time there: h100, a100-80, ...")->type_name("NAME")->group(group);
  command.add_option("--gpus", gpus_, "all: compare every GPU of the catalogue")->type_name("all")->group(group);
  command.add_option("--ceilings", ceilings_, "roofs from `tilewalk-gpu ceilings`")->type_name("FILE")->group(group);
  command.add_option("--direction", direction_, "forward, backward")->type_name("NAME")->group(group);
  command.add_option("--levels", levels_, "l2; two: as the papers, without L2")->type_name("NAME")->group(group);
  command.add_flag("--decode", decode_, "one query, N keys")->group(group);
  command.add_flag("--bare", bare_, "the model alone, without what was measured")->group(group);
  command.add_flag("--own-model", own_model_, "in sentences: what binds, where it turns, the win")->group(group);
  command.add_option("--recorded", recorded_, "model beside measured; the shipped runs")
      ->type_name("FILE")
      ->expected(0, 1)
      ->group(group);
  command.add_flag("--terms", terms_, "with --recorded: what is left after each term")->group(group);
}

std::optional<Ceilings> EstimateOptions::measured() const {
  if (!ceilings_) return shipped_ceilings();
  try {
    Ceilings said = load_ceilings(*ceilings_);
    if (const std::vector<std::string> faults = ceiling_faults(said, nullptr); !faults.empty())
      throw IoError(fmt::format("{}: {}", printable_path(*ceilings_), faults.front()));
    return said;
  } catch (const IoError& error) {
    throw CommandError(kUnreadable, error.what());
  }
}

std::vector<Roofs> EstimateOptions::chosen(const Catalogue& catalogue) const {
  std::vector<Roofs> out;
  if (gpus_) {
    if (*gpus_ != "all")
      throw CommandError(kUsage, fmt::format("--gpus is {}; it must be all.", in_quotes(*gpus_, 40)));
    for (const Catalogue::Entry& entry : catalogue.entries) out.push_back(roofs_of(entry.gpu));
  }
  if (gpu_) {
    const std::string lower = lowered(*gpu_);
    const GpuSpec* exact = catalogue.find(*gpu_);
    const GpuSpec* gpu = exact ? exact : catalogue.find(lower);
    if (gpu)
      out.push_back(roofs_of(*gpu));
    else if (const auto& measured = shipped_ceilings(lower))
      out.push_back(roofs_of(*measured));
    else
      throw CommandError(
          kUsage, fmt::format("--gpu is {}; it must be one of {}.", in_quotes(*gpu_, 40), known_gpus(catalogue)));
  }
  if (ceilings_) out.push_back(roofs_of(*measured()));
  return out;
}

void EstimateOptions::run_recorded(const ProblemOptions& options, bool json, const Catalogue& catalogue,
                                   Console& console) const {
  std::vector<std::string> unused = options.all_given();
  std::ranges::move(given_for_times(), std::back_inserter(unused));
  if (gpus_) unused.emplace_back("gpus");
  std::vector<std::string> faults;
  for (const std::string& option : unused)
    faults.push_back(fmt::format("--{} changes no recorded run: each has its own shape. Leave it out.", option));
  if (!faults.empty()) throw CommandError(kUsage, faults);

  const std::string named_gpu = gpu_ ? lowered(*gpu_) : "";  // whoever names the H100 means its runs
  const bool h100 = named_gpu == "h100" || named_gpu == "h100-measured";
  const RecordedGpu of = h100 ? RecordedGpu::H100 : RecordedGpu::H200;
  std::vector<RunResult> runs = shipped_recordings(of);
  for (const auto* more : {&shipped_lesson_runs(of), &shipped_beside(of)})
    std::ranges::copy(*more, std::back_inserter(runs));
  if (!recorded_->empty()) {
    try {
      std::vector<std::string> refused;
      runs = load_believed(*recorded_, refused);
      for (const std::string& why : refused)
        fmt::print(console.err, "tilewalk predict: {}: {} It is left out.\n", printable_path(*recorded_), why);
    } catch (const IoError& error) {
      throw CommandError(kUnreadable, error.what());
    }
  }
  // Whoever names a GPU gets its roofs; else those that were measured, else the datasheet's.
  const std::vector<Roofs> named = gpu_ ? chosen(catalogue) : std::vector<Roofs>{};
  const std::optional<Ceilings> found = measured();
  const Roofs roofs = !named.empty() ? named.front() : found ? roofs_of(*found) : roofs_of(*catalogue.find("h200"));
  if (json)
    console.out << recorded_json(runs, roofs) << '\n';
  else
    print_recorded(runs, roofs, terms_, console);
}

std::vector<std::string> EstimateOptions::given_for_times() const {
  std::vector<std::string> out;
  if (decode_) out.emplace_back("decode");
  if (direction_) out.emplace_back("direction");
  if (levels_) out.emplace_back("levels");
  if (bare_) out.emplace_back("bare");
  return out;
}

std::vector<std::string> EstimateOptions::faults_alone() const {
  std::vector<std::string> faults;
  for (const std::string& option : given_for_times())
    faults.push_back(fmt::format("--{} is of times on a GPU: add --gpu h100 or --gpus all.", option));
  if (terms_) faults.emplace_back("--terms is of --recorded: add it.");
  if (own_model_) faults.emplace_back("--own-model is told of one GPU: add --gpu h100.");
  return faults;
}

std::vector<std::string> EstimateOptions::faults_of(const ProblemOptions& options, bool json) const {
  std::vector<std::string> faults;
  for (const auto& [unused, why] : kUnused)
    if (options.was_given(unused))
      faults.push_back(fmt::format("--{} changes no estimate: {}. Leave it out.", unused, why));
  if (direction_ && *direction_ != "forward" && *direction_ != "backward")
    faults.push_back(fmt::format("--direction is {}; it must be forward or backward.", in_quotes(*direction_, 40)));
  if (levels_ && *levels_ != "l2" && *levels_ != "two")
    faults.push_back(fmt::format("--levels is {}; it must be l2 or two.", in_quotes(*levels_, 40)));
  if (decode_ && direction_ == "backward") faults.emplace_back("--decode is a forward pass.");
  if (decode_ && options.was_given("n-q") && *options.given("n-q") != "1")
    faults.push_back(
        fmt::format("--decode is one query, and --n-q is {}. Give one of them.", in_quotes(*options.given("n-q"), 40)));
  if (terms_) faults.emplace_back("--terms is of --recorded: add it.");
  if (gpu_ && gpus_) faults.emplace_back("Give either --gpu or --gpus, not both.");
  if (own_model_ && (gpus_ || (gpu_ && ceilings_) || levels_ == "two" || bare_ || json))
    faults.emplace_back("--own-model is told of one GPU, in sentences: leave out --gpus, --levels, --bare and --json.");
  return faults;
}

void EstimateOptions::run(const ProblemOptions& options, bool json, Console& console) const {
  const Catalogue catalogue = read_catalogue(find_folders(read_environment(), false).config);
  for (const std::string& fault : catalogue.faults) fmt::print(console.err, "tilewalk predict: {}\n", fault);
  if (recorded_) return run_recorded(options, json, catalogue, console);
  if (const std::vector<std::string> faults = faults_of(options, json); !faults.empty())
    throw CommandError(kUsage, faults);

  Problem problem = options.resolve().problem;
  if (decode_) problem.n_q = 1;
  if (const std::string fault = fault_of(problem); !fault.empty()) throw CommandError(kUsage, fault);
  std::vector<EstimateSheet> sheets;
  for (const Roofs& roofs : chosen(catalogue)) {
    sheets.push_back(estimate_sheet(problem, direction_ == "backward" ? Direction::Backward : Direction::Forward,
                                    levels_ == "two" ? Levels::TwoLevel : Levels::WithL2, roofs));
    sheets.back().bare = bare_;
  }
  if (own_model_)
    print_own_model(sheets.front(), console);
  else if (json)
    console.out << json_text(sheets) << '\n';
  else if (sheets.size() == 1)
    print_estimate(sheets.front(), console);
  else
    print_gpus(sheets, console);
}

}  // namespace tilewalk
