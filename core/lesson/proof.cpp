#include "core/lesson/proof.h"

#include <fmt/format.h>

#include <string_view>

namespace tilewalk {

StageSetting proof_of(const Question& question, const Instance& instance) {
  StageSetting proof = question.proof;
  for (auto& [knob, text] : proof.knobs) {
    std::string_view name = text;
    if (!name.starts_with("{{") || !name.ends_with("}}")) continue;
    name = name.substr(2, name.size() - 4);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const auto found = instance.variables.find(name);
    if (found != instance.variables.end()) text = fmt::format("{}", found->second.value);
  }
  return proof;
}

}  // namespace tilewalk
