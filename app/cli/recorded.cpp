#include "app/cli/recorded.h"

#include "app/cli/json_words.h"
#include "app/cli/text_table.h"
#include "core/machine/words.h"
#include "core/run/prediction.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.{}f}", seconds * 1e3, seconds < 1e-2 ? 4 : 3); }

std::string shape_words(const RunSpec& spec) {
  const Problem& p = spec.problem;
  const std::string n = p.n_q == p.n_k ? with_commas(p.n_q) : fmt::format("{} × {}", p.n_q, p.n_k);
  return fmt::format("B {} H {}{} N {} d {}{}{}", p.batch, p.heads,
                     spec.kv_heads ? fmt::format(" over {}", spec.kv_heads) : std::string(), n, p.d,
                     p.mask == Mask::Causal ? " causal" : "",
                     p.distribution == Distribution::Outliers ? ", outliers" : "");
}

// Those that ran, each once.
std::string gpus_of(const std::vector<Compared>& rows) {
  std::vector<std::string_view> names;
  for (const Compared& row : rows)
    if (std::string_view name = row.run->provenance.gpu; std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Whether the roofs are those of a GPU that did not run: other multiprocessors, or other memory. Memory that a
// datasheet and a driver say differs by a percent or two.
bool other_gpu(const std::vector<Compared>& rows, const Roofs& roofs) {
  return std::ranges::any_of(rows, [&](const Compared& row) {
    const Provenance& ran = row.run->provenance;
    const double memory = double(ran.memory_bytes);
    return ran.multiprocessors != roofs.sms || 10 * ran.major + ran.minor != roofs.cc ||
           std::abs(memory - roofs.memory_bytes) > 0.1 * memory;
  });
}

// Of this project's kernels whose bytes were counted: predicted from the schedule, with the kernel's tiles.
std::optional<RunPrediction> predicted_bytes(const Compared& row) {
  if (!row.kernel->label.empty() || !row.kernel->counters) return std::nullopt;
  return predict_run(row.run->spec, {row.kernel->kernel, row.kernel->with}, row.run->provenance, false);
}

std::string bytes_words(const Compared& row) {
  const auto predicted = predicted_bytes(row);
  if (!predicted || !row.kernel->counters->l2_to_sm || !row.kernel->counters->sm_to_l2) return {};
  return fmt::format("L2 to SM {:.4g} GB predicted, {:.4g} counted; SM to L2 {:.4g} GB predicted, {:.4g} counted",
                     1e-9 * double(predicted->fill_bytes), 1e-9 * *row.kernel->counters->l2_to_sm,
                     1e-9 * double(predicted->drain_bytes), 1e-9 * *row.kernel->counters->sm_to_l2);
}

Json bytes_json(const Compared& row) {
  const auto predicted = predicted_bytes(row);
  if (!predicted) return nullptr;
  const Counters& c = *row.kernel->counters;
  return {{"predicted_l2_to_sm", predicted->fill_bytes},
          {"predicted_sm_to_l2", predicted->drain_bytes},
          {"l2_to_sm", c.l2_to_sm ? Json(*c.l2_to_sm) : Json()},
          {"sm_to_l2", c.sm_to_l2 ? Json(*c.sm_to_l2) : Json()}};
}

}  // namespace

void print_recorded(const std::vector<RunResult>& runs, const Roofs& roofs, bool terms, Console& console) {
  const std::vector<Compared> rows = compare(runs, roofs);
  fmt::print(
      console.out, "{}\n{}\n\n", inked(console, Ink::Bold, "Model and measured"),
      wrapped(fmt::format("Roofs: {} ({}). Times in ms: the model's under them, and the median of separate launches, "
                          "measured on {}.{}",
                          roofs.title, roofs.source, gpus_of(rows),
                          other_gpu(rows, roofs) ? " The roofs are another GPU's than the one that ran: a ratio says "
                                                   "how far two GPUs are apart, nothing of the model."
                                                 : ""),
              console.columns, 2));
  TextTable table({"model", "measured", "ratio"});
  std::string shape;
  for (const Compared& row : rows) {
    if (std::string now = shape_words(row.run->spec); now != shape) table.title(shape = std::move(now));
    table.row(row.name, {milliseconds(row.model.time), milliseconds(row.measured), fmt::format("{:.2f}", row.ratio())});
    if (!terms) continue;
    const Rest rest = rest_of(row.work, row.roofs, row.measured, &*row.kernel->timing);
    for (const RestTerm& term : rest.terms)
      table.note(fmt::format("with {}: {}, {} left", term.name, milliseconds(term.model), milliseconds(term.rest)));
    for (const std::string& reason : rest.reasons) table.note(reason);
    if (const std::string bytes = bytes_words(row); !bytes.empty()) table.note(bytes);
  }
  table.print(console);
}

std::string recorded_json(const std::vector<RunResult>& runs, const Roofs& roofs) {
  const std::vector<Compared> compared = compare(runs, roofs);
  Json rows = Json::array();
  for (const Compared& row : compared) {
    const Rest rest = rest_of(row.work, row.roofs, row.measured, &*row.kernel->timing);
    Json terms = Json::array();
    for (const RestTerm& term : rest.terms)
      terms.push_back({{"term", term.name}, {"model_s", term.model}, {"rest_s", term.rest}});
    rows.push_back({{"problem", json_of(row.run->spec.problem)},
                    {"kv_heads", row.run->spec.problem.heads / group_of(row.run->spec)},
                    {"kernel", row.name},
                    {"bytes", bytes_json(row)},
                    {"gpu", row.run->provenance.gpu},
                    {"model_s", row.model.time},
                    {"measured_s", row.measured},
                    {"ratio", row.ratio()},
                    {"terms", std::move(terms)},
                    {"reasons", rest.reasons}});
  }
  return Json{{"roofs", {{"title", roofs.title}, {"source", roofs.source}}},
              {"other_gpu", other_gpu(compared, roofs)},
              {"runs", std::move(rows)}}
      .dump(1);
}

}  // namespace tilewalk
