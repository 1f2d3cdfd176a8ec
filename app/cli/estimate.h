// `tilewalk predict --gpu`: how long each method takes under a GPU's roofs, what FlashAttention wins, and where that
// turns; `--gpus all` for every GPU of the catalogue.
#pragma once

#include "app/cli/console.h"
#include "app/cli/problem_options.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/held.h"
#include "core/roofline/turning.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

// Everything said of one GPU and one problem.
struct EstimateSheet {
  Problem problem;
  Direction direction = Direction::Forward;
  Levels levels = Levels::WithL2;
  Roofs roofs;
  std::vector<Work> works;                      // by Method
  std::vector<Estimate> estimates;              // by Method
  std::vector<std::optional<int64_t>> longest;  // by Method: N that fits into memory; square() alone
  std::vector<double> most;                     // by Method: s, most_time()
  bool bare = false;                            // the model alone, without what was measured elsewhere
  std::vector<std::optional<Band>> bands;       // by Method: measured over estimated, elsewhere
  std::vector<std::optional<Band>> both_bands;  // by Method, without one of `bands`: of both passes together
  Method best{};                                // the fastest that runs there
  Method fused{};                               // the best one if it is fused, else the newest fused one
  Saturation saturation;                        // of `fused` over standard, where it runs; square() alone
  Bound bound;                                  // of `fused`; square() alone
  std::optional<Estimate> unsplit;              // FA2 without splits, where it has some
  bool decode() const { return problem.n_q == 1; }
  // As many queries as keys, and more than one: what is said of an N stands for both.
  bool square() const { return problem.n_q == problem.n_k && !decode(); }
  const Estimate& of(Method method) const { return estimates[size_t(method)]; }
  WinRange win_over(Method slow, Method fast) const {
    return win_range(of(slow).time, most[size_t(slow)], of(fast).time, most[size_t(fast)]);
  }
};
EstimateSheet estimate_sheet(const Problem& problem, Direction direction, Levels levels, const Roofs& roofs);

// By how much such estimates were off: which calls were measured, and what nothing was.
void print_bands(const EstimateSheet& sheet, Console& console);

void print_estimate(const EstimateSheet& sheet, Console& console);
void print_turns(const EstimateSheet& sheet, Console& console);  // "Where it turns", its last part but the notes
std::string win_words(const WinRange& win);                      // "2.34×", "0.0042×", "2.3–9.1×", "≤ 9.14×"
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
  std::vector<std::string> faults_of(const ProblemOptions& problem) const;
  std::vector<std::string> given_for_times() const;  // of --decode, --direction, --levels and --bare
  std::optional<std::string> gpu_, gpus_, ceilings_, recorded_, direction_, levels_;
  bool decode_ = false, terms_ = false, bare_ = false;
};

}  // namespace tilewalk
