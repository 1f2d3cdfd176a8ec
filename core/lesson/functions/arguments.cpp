#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/machine/machine_spec.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

const Argument* Arguments::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Argument::name);
  return found == all_.end() ? nullptr : &*found;
}

const Argument* Arguments::at(size_t place) const {
  for (const Argument& argument : all_)
    if (argument.name.empty() && place-- == 0) return &argument;
  return nullptr;
}

size_t Arguments::unnamed() const { return size_t(std::ranges::count(all_, "", &Argument::name)); }

std::string_view Arguments::word(size_t place) const {
  const Argument* found = at(place);
  const auto* word = found ? std::get_if<std::string>(&found->value) : nullptr;
  return word ? std::string_view(*word) : std::string_view();
}

const Quantity& Arguments::quantity(size_t place) const {
  static const Quantity kNone;
  const Argument* found = at(place);
  const auto* quantity = found ? std::get_if<Quantity>(&found->value) : nullptr;
  return quantity ? *quantity : kNone;
}

std::string_view Arguments::word(std::string_view name, std::string_view otherwise) const {
  const Argument* found = find(name);
  const auto* word = found ? std::get_if<std::string>(&found->value) : nullptr;
  return word ? std::string_view(*word) : otherwise;
}

double Arguments::number(std::string_view name, double otherwise) const {
  const Argument* found = find(name);
  const auto* quantity = found ? std::get_if<Quantity>(&found->value) : nullptr;
  return quantity ? quantity->value : otherwise;
}

int64_t Arguments::whole(std::string_view name, int64_t otherwise, int64_t least, int64_t most) {
  const double value = number(name, double(otherwise));
  if (value == std::floor(value) && value >= double(least) && value <= double(most)) return int64_t(value);
  fail(fmt::format("{} is {}; it must be a whole number from {} to {}.", name, value, least, most));
  return otherwise;
}

void Arguments::fail(std::string sentence) {
  if (fault.empty()) fault = std::move(sentence);
}

Tiles fa1_tiles(int64_t d, int64_t m_elements) {
  const int64_t bc = (m_elements + 4 * d - 1) / (4 * d);
  return {std::min(bc, d), bc};
}

int64_t paper_sram_bytes() { return machine_named("paper")->sram_bytes; }

Tiles default_tiles(const Schedule& schedule, const Problem& p) {
  const bool causal = p.mask == Mask::Causal;
  switch (schedule.id) {
    case Method::Fa1: return fa1_tiles(p.d, paper_sram_bytes() / bytes_of(p.format));
    case Method::Fa1Backward: return {128, fa1_tiles(p.d, paper_sram_bytes() / bytes_of(p.format)).bc};
    case Method::Fa2Backward: return {128, 128};
    case Method::Fa3:
      if (p.d <= 64) return {192, causal ? 128 : 192};
      if (p.d <= 128) return {128, causal ? 128 : 176};
      return p.d <= 192 ? Tiles{128, 112} : Tiles{128, 80};
    default: return p.d <= 64 ? Tiles{128, 128} : Tiles{128, 64};
  }
}

std::optional<Problem> problem_asked(Arguments& a) {
  Problem p;
  constexpr int64_t kMost = 1024;
  const Range n = range_of("n_q");
  if (!a.has("N") && !(a.has("Nq") && a.has("Nk"))) a.fail("N is missing.");
  const int64_t both = a.whole("N", 1, n.least, n.most);
  p.n_q = a.whole("Nq", both, n.least, n.most);
  p.n_k = a.whole("Nk", both, n.least, n.most);
  p.d = a.whole("d", 64, 1, kMost);
  p.br = a.whole("Br", 128, 1, kMost);
  p.bc = a.whole("Bc", 128, 1, kMost);
  p.batch = a.whole("B", 1, 1, range_of("batch").most);
  p.heads = a.whole("H", 1, 1, range_of("heads").most);
  const auto take = [&](const char* name, std::string_view otherwise, auto named, auto& into, const char* allowed) {
    const std::string_view word = a.word(name, otherwise);
    if (const auto value = named(word))
      into = *value;
    else
      a.fail(fmt::format("{} is {}; it must be one of {}.", name, in_quotes(word, 40), allowed));
  };
  take("mask", "full", mask_named, p.mask, "full, causal");
  take("align", "bottom-right", align_named, p.align, "bottom-right, top-left");
  take("format", "fp16", format_named, p.format, "fp16, bf16, fp32, fp64");
  if (a.failed()) return std::nullopt;
  return p;
}

std::optional<AskedShape> shape_asked(Arguments& a) {
  AskedShape out;
  out.schedule = schedule_named(a.word(0));
  if (!out.schedule) {
    a.fail(fmt::format("{} is no schedule; there are {}.", in_quotes(a.word(0), 40), key_list(all_schedules())));
    return std::nullopt;
  }
  const std::optional<Problem> problem = problem_asked(a);
  if (!problem) return std::nullopt;
  out.problem = *problem;
  const Tiles tiles = default_tiles(*out.schedule, *problem);
  if (!a.has("Br")) out.problem.br = std::min(tiles.br, problem->n_q);
  if (!a.has("Bc")) out.problem.bc = std::min(tiles.bc, problem->n_k);
  const auto variant = variant_named(a.word("variant", "paper"));
  if (variant)
    out.variant = *variant;
  else
    a.fail(fmt::format("variant is {}; it must be paper or kernel.", in_quotes(a.word("variant"), 40)));
  for (const Fault& fault : validate(out.problem)) a.fail(fault.message);
  if (a.failed()) return std::nullopt;
  return out;
}

Evaluated whole_quantity(double value, std::string_view unit, std::string source) {
  return {Quantity{value, std::string(unit), Origin::Computed, std::move(source)}, {}};
}

Evaluated failed(std::string fault) { return {std::nullopt, std::move(fault)}; }

}  // namespace tilewalk
