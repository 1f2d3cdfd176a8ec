#include "core/lesson/proof.h"

#include <fmt/format.h>

#include <string_view>

namespace tilewalk {
namespace {

StageSetting with_values(StageSetting setting, const Instance& instance) {
  for (auto& [knob, text] : setting.knobs) {
    std::string_view name = text;
    if (!name.starts_with("{{") || !name.ends_with("}}")) continue;
    name = name.substr(2, name.size() - 4);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const auto found = instance.variables.find(name);
    if (found != instance.variables.end()) text = fmt::format("{}", found->second.value);
  }
  return setting;
}

}  // namespace

StageSetting stage_of(const Question& question, const Instance& instance) {
  return with_values(question.stage, instance);
}

StageSetting proof_of(const Question& question, const Instance& instance) {
  return with_values(question.proof, instance);
}

}  // namespace tilewalk
