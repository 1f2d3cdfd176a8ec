#include "app/session/setup_fields.h"

#include "app/session/number_text.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

std::string no_choice(std::string_view field, std::string_view value) {
  return fmt::format("There is no {} called \"{}\".", field, value);
}

template <int64_t Problem::*Size>
std::string size_of(const Setup& s) {
  return std::to_string(s.problem.*Size);
}
// The number of queries takes the number of keys along while the two are equal.
std::string put_size(Setup& s, const SetupField& field, std::string_view text) {
  const ParsedNumber number = parse_whole(text, field.label);
  if (!number.fault.empty()) return number.fault;
  if (field.size == &Problem::n_q && s.problem.n_q == s.problem.n_k) s.problem.n_k = number.value;
  s.problem.*field.size = number.value;
  return {};
}

template <auto Member>
std::string choice_of(const Setup& s) {
  return std::string(name_of(s.problem.*Member));
}
template <class Value>
std::string choose(Value& member, const std::optional<Value>& value, const SetupField& field, std::string_view text) {
  if (!value) return no_choice(field.name, text);
  member = *value;
  return {};
}
template <auto Member, auto Named>
std::string put_choice(Setup& s, const SetupField& field, std::string_view text) {
  return choose(s.problem.*Member, Named(text), field, text);
}

std::string put_seed(Setup& s, const SetupField&, std::string_view text) {
  const ParsedSeed seed = parse_seed(text);
  if (seed.fault.empty()) s.problem.seed = seed.value;
  return seed.fault;
}

std::string put_scale(Setup& s, const SetupField&, std::string_view text) {
  const ParsedScale scale = parse_scale(text);
  if (scale.fault.empty()) s.problem.scale = scale.value;
  return scale.fault;
}

std::string put_distribution(Setup& s, const SetupField& field, std::string_view text) {
  if (text == name_of(Distribution::Custom) && s.problem.distribution != Distribution::Custom)
    return "Inputs of your own come from a file, or from typing over a number on the stage.";
  return choose(s.problem.distribution, distribution_named(text), field, text);
}

std::string put_variant(Setup& s, const SetupField& field, std::string_view text) {
  return choose(s.variant, variant_named(text), field, text);
}

std::string put_machine(Setup& s, const SetupField& field, std::string_view text) {
  if (!machine_named(text)) return no_choice(field.name, text);
  s.machine = text;
  return {};
}

// The same method in the other direction; FA3's backward pass is FA2's as far as the steps here go.
std::string put_direction(Setup& s, const SetupField& field, std::string_view text) {
  const bool backward = text == "backward";
  if (!backward && text != "forward") return no_choice(field.name, text);
  if (backward) s.compared.reset();
  if (schedule_of(s).backward() == backward) return {};
  if (const auto turned = info_of(s.schedule).turned) s.schedule = schedule_of(*turned).id;
  return {};
}

std::string put_schedule(Setup& s, const SetupField& field, std::string_view text) {
  const Schedule* schedule = schedule_named(text);
  if (!schedule) return no_choice(field.name, text);
  if (schedule->backward()) s.compared.reset();
  if (s.compared == schedule->id) {  // the two change places
    s.compared = s.schedule;
    if (s.schedule == Method::Own) s.compared.reset();
  }
  s.schedule = schedule->id;
  return {};
}

std::string put_compared(Setup& s, const SetupField& field, std::string_view text) {
  if (text == "none") return s.compared.reset(), std::string();
  const Schedule* schedule = schedule_named(text);
  if (!schedule) return no_choice(field.name, text);
  if (schedule->backward() || schedule_of(s).backward())
    return "A backward walk stands alone: choose the forward direction to compare schedules.";
  if (schedule->id == s.schedule)
    return fmt::format("{} is on the stage already; compare it with another.", schedule->name);
  s.compared = schedule->id;
  return {};
}

constexpr auto kFields = std::to_array<SetupField>({
    {"schedule", "schedule", true, [](const Setup& s) { return std::string(schedule_of(s).key); }, put_schedule},
    {"n_k", "N", true, size_of<&Problem::n_k>, put_size, &Problem::n_k, "N (keys)"},
    {"n_q", "Nq", false, size_of<&Problem::n_q>, put_size, &Problem::n_q, "N (queries)"},
    {"d", "d", true, size_of<&Problem::d>, put_size, &Problem::d, "d"},
    {"br", "Br", true, size_of<&Problem::br>, put_size, &Problem::br, "Br"},
    {"bc", "Bc", true, size_of<&Problem::bc>, put_size, &Problem::bc, "Bc"},
    {"mask", "mask", true, choice_of<&Problem::mask>, put_choice<&Problem::mask, mask_named>},
    {"align", "align", false, choice_of<&Problem::align>, put_choice<&Problem::align, align_named>},
    {"seed", "seed", true, [](const Setup& s) { return std::to_string(s.problem.seed); }, put_seed},
    {"distribution", "distribution", false, choice_of<&Problem::distribution>, put_distribution},
    {"format", "format", false, choice_of<&Problem::format>, put_choice<&Problem::format, format_named>},
    {"arithmetic", "arithmetic", false, choice_of<&Problem::arithmetic>,
     put_choice<&Problem::arithmetic, arithmetic_named>},
    {"scale", "scale", false,
     [](const Setup& s) { return s.problem.scale == 0 ? "auto" : fmt::format("{}", s.problem.scale); }, put_scale},
    {"variant", "variant", false, [](const Setup& s) { return std::string(name_of(s.variant)); }, put_variant},
    {"machine", "machine", false, [](const Setup& s) { return s.machine; }, put_machine},
    {"compare", "compare", false,
     [](const Setup& s) { return std::string(s.compared ? schedule_of(*s.compared).key : "none"); }, put_compared},
    {"fault", "fault", false, choice_of<&Problem::mistake>, put_choice<&Problem::mistake, mistake_named>},
    {"direction", "", false,
     [](const Setup& s) { return std::string(schedule_of(s).backward() ? "backward" : "forward"); }, put_direction},
});

}  // namespace

std::span<const SetupField> setup_fields() { return kFields; }

const SetupField* setup_field(std::string_view name) {
  const auto field = std::ranges::find(kFields, name, &SetupField::name);
  return field == kFields.end() ? nullptr : field;
}

std::vector<Fault> put_field(Setup& setup, std::string_view name, std::string_view text) {
  const SetupField* field = setup_field(name);
  std::string fault = field ? field->put(setup, *field, text) : fmt::format("There is no field called \"{}\".", name);
  if (fault.empty()) return {};
  return {{std::string(name), std::move(fault)}};
}

}  // namespace tilewalk
