#include "app/cli/recorded.h"

#include "app/cli/json_words.h"
#include "app/cli/text_table.h"
#include "core/machine/words.h"
#include "core/run/prediction.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace tilewalk {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.{}f}", seconds * 1e3, seconds < 1e-2 ? 4 : 3); }

std::string shape_words(const Problem& p) {
  const std::string n = p.n_q == p.n_k ? with_commas(p.n_q) : fmt::format("{} × {}", p.n_q, p.n_k);
  return fmt::format("B {} H {} N {} d {}{}", p.batch, p.heads, n, p.d, p.mask == Mask::Causal ? " causal" : "");
}

// Of this project's kernels whose bytes were counted: predicted from the schedule, with the kernel's tiles.
std::optional<RunPrediction> predicted_bytes(const Compared& row) {
  if (!row.kernel->label.empty() || !row.kernel->counters) return std::nullopt;
  return predict_run(row.run->spec.problem, row.kernel->kernel, machine_of(row.run->provenance), false);
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
  fmt::print(console.out, "{}\n{}\n\n", inked(console, Ink::Bold, "Model and measured"),
             wrapped(fmt::format("Roofs: {} ({}). Times in ms: the model's, and the median of separate launches.",
                                 roofs.title, roofs.source),
                     console.columns, 2));
  TextTable table({"model", "measured", "ratio"});
  std::string shape;
  for (const Compared& row : compare(runs, roofs)) {
    if (std::string now = shape_words(row.run->spec.problem); now != shape) table.title(shape = std::move(now));
    table.row(row.name, {milliseconds(row.model.time), milliseconds(row.measured), fmt::format("{:.2f}", row.ratio())});
    if (!terms) continue;
    const Work work = work_of(row.method, row.run->spec.problem, row.direction);
    const Rest rest = rest_of(work, roofs, row.measured, &*row.kernel->timing);
    for (const RestTerm& term : rest.terms)
      table.note(fmt::format("with {}: {}, {} left", term.name, milliseconds(term.model), milliseconds(term.rest)));
    for (const std::string& reason : rest.reasons) table.note(reason);
    if (const std::string bytes = bytes_words(row); !bytes.empty()) table.note(bytes);
  }
  table.print(console);
}

std::string recorded_json(const std::vector<RunResult>& runs, const Roofs& roofs) {
  Json rows = Json::array();
  for (const Compared& row : compare(runs, roofs)) {
    const Work work = work_of(row.method, row.run->spec.problem, row.direction);
    const Rest rest = rest_of(work, roofs, row.measured, &*row.kernel->timing);
    Json terms = Json::array();
    for (const RestTerm& term : rest.terms)
      terms.push_back({{"term", term.name}, {"model_s", term.model}, {"rest_s", term.rest}});
    rows.push_back({{"problem", json_of(row.run->spec.problem)},
                    {"kernel", row.name},
                    {"bytes", bytes_json(row)},
                    {"gpu", row.run->provenance.gpu},
                    {"model_s", row.model.time},
                    {"measured_s", row.measured},
                    {"ratio", row.ratio()},
                    {"terms", std::move(terms)},
                    {"reasons", rest.reasons}});
  }
  return Json{{"roofs", {{"title", roofs.title}, {"source", roofs.source}}}, {"runs", std::move(rows)}}.dump(1);
}

}  // namespace tilewalk
