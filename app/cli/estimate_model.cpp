// `tilewalk predict --gpu NAME --own-model`.
#include "app/cli/estimate.h"
#include "core/machine/words.h"
#include "core/roofline/own_model.h"
#include "core/run/shipped.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace tilewalk {

void print_own_model(const EstimateSheet& sheet, Console& console) {
  const Problem& p = sheet.problem;
  fmt::print(console.out, "{}\nB {}, H {}, N {}, d {}, {} mask, {}, {}\n\n",
             inked(console, Ink::Bold, sheet.roofs.title), p.batch, p.heads,
             p.n_q == p.n_k ? with_commas(p.n_k) : fmt::format("{} x {}", p.n_q, with_commas(p.n_k)), p.d,
             name_of(p.mask), name_of(p.format), sheet.direction == Direction::Forward ? "forward" : "backward");
  std::vector<RunResult> runs;
  for (const RecordedGpu gpu : kRecordedGpus) std::ranges::copy(shipped_recordings(gpu), std::back_inserter(runs));
  const OwnModel said = own_model(sheet, runs);
  int number = 0;
  for (const std::string* each : {&said.bound, &said.turns, &said.win, &said.memory})
    fmt::print(console.out, "{}. {}\n", ++number, wrapped(*each, console.columns - 3, 3));
  fmt::print(console.out, "\n{}\n", inked(console, Ink::Bold, "Not known here"));
  for (const std::string& each : said.unknown) fmt::print(console.out, "  {}\n", wrapped(each, console.columns - 2, 4));
}

}  // namespace tilewalk
