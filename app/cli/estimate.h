// `tilewalk predict --gpu`: how long each method takes under a GPU's roofs, what FlashAttention wins, and where that
// turns; `--gpus all` for every GPU of the catalogue.
#pragma once

#include "app/cli/console.h"
#include "app/cli/problem_options.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/sheet.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

// By how much such estimates were off: which calls were measured, and what nothing was.
void print_bands(const EstimateSheet& sheet, Console& console);

void print_estimate(const EstimateSheet& sheet, Console& console);
void print_turns(const EstimateSheet& sheet, Console& console);      // "Where it turns", its last part but the notes
void print_own_model(const EstimateSheet& sheet, Console& console);  // core/roofline/own_model.h
void print_gpus(const std::vector<EstimateSheet>& sheets, Console& console);
std::string json_text(const std::vector<EstimateSheet>& sheets);  // one document

// The options that ask for an estimate, and its run.
class EstimateOptions {
 public:
  void add_to(CLI::App& command);
  bool asked() const { return gpu_ || gpus_ || recorded_ || ceilings_; }
  void run(const ProblemOptions& problem, bool json, Console& console) const;  // throws CommandError
  // Sentences for those that mean nothing without a GPU, where none was named.
  std::vector<std::string> faults_alone() const;

 private:
  std::vector<Roofs> chosen(const Catalogue& catalogue) const;
  std::optional<Ceilings> measured() const;
  void run_recorded(const ProblemOptions& problem, bool json, const Catalogue& catalogue, Console& console) const;
  std::vector<std::string> faults_of(const ProblemOptions& problem, bool json) const;
  std::vector<std::string> given_for_times() const;  // of --decode, --direction, --levels and --bare
  std::optional<std::string> gpu_, gpus_, ceilings_, recorded_, direction_, levels_;
  bool decode_ = false, terms_ = false, bare_ = false, own_model_ = false;
};

}  // namespace tilewalk
