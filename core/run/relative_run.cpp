#include "core/run/relative_run.h"

#include "core/run/results_file.h"
#include "core/run/run_fields.h"

#include <fmt/format.h>

#include <array>

namespace tilewalk {
namespace {

constexpr ResultsKind kRelativesFile{"tilewalk_relatives", "is no file of relatives"};
constexpr std::array<std::string_view, kRelativeForms> kForms{
    "sparse", "sparse-apart", "sparse-full", "latent", "latent-heads", "differential", "differential-twice"};

}  // namespace

std::string_view name_of(RelativeForm form) { return kForms[size_t(form)]; }
std::optional<RelativeForm> relative_form_named(std::string_view name) {
  for (size_t k = 0; k < kForms.size(); ++k)
    if (kForms[k] == name) return RelativeForm(k);
  return std::nullopt;
}

Json json_value(RelativeForm value) { return name_of(value); }
void read_value(const Json& in, const std::string& place, RelativeForm& value) {
  const auto form = in.is_string() ? relative_form_named(in.get<std::string>()) : std::nullopt;
  if (!form) throw JsonFault(place, fmt::format("must be one of {}", fmt::join(kForms, ", ")));
  value = *form;
}

template <class Visitor, Like<RelativeSpec> T>
void fields(Visitor& visit, T& s) {
  visit("form", s.form);
  visit("problem", s.problem);
  visit.maybe("kv_heads", s.kv_heads);
  visit.maybe("splits", s.splits);
}
void check(const RelativeSpec& s, const std::string& place) {
  if (is_sparse(s.form) ? s.kv_heads < 1 || s.problem.heads % s.kv_heads || s.group() > 16 : s.kv_heads != 0)
    throw JsonFault(place + ".kv_heads", fmt::format("cannot be {} of {} heads", s.kv_heads, s.problem.heads));
  if (s.splits < 0 || (s.splits > 0) != is_latent(s.form))
    throw JsonFault(place + ".splits", fmt::format("cannot be {}", s.splits));
}

template <class Visitor, Like<RelativeResult> T>
void fields(Visitor& visit, T& r) {
  visit("provenance", r.provenance);
  visit("spec", r.spec);
  visit("errors", r.errors);
  visit.maybe("timing", r.timing);
  visit.maybe("counters", r.counters);
  visit.maybe("no_counters", r.no_counters);
}
void check(const RelativeResult& r, const std::string& place) {
  if (r.timing && !r.errors.passed)
    throw JsonFault((place.empty() ? "" : place + ".") + "timing", "is there, and the answer was wrong");
}

std::string relatives_text(const std::vector<RelativeResult>& results) { return results_text(kRelativesFile, results); }

std::optional<std::vector<RelativeResult>> read_relatives(std::string_view text, std::string& fault) {
  return read_results<RelativeResult>(kRelativesFile, text, fault);
}

}  // namespace tilewalk
