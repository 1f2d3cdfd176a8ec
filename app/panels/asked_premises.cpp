#include "app/panels/asked_premises.h"

#include "app/panels/lesson_parts.h"
#include "app/panels/told_prose.h"
#include "core/machine/gpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::string_view kBetween = " · ";

// "A100 SXM 80 GB": "A100".
std::string_view model_of(std::string_view title) { return title.substr(0, title.find(' ')); }

bool set_otherwise(std::string_view premise, std::string_view said) {
  if (constexpr std::string_view kGpu = "GPU "; premise.starts_with(kGpu)) {
    const std::string_view own = model_of(premise.substr(kGpu.size()));
    return std::ranges::any_of(gpus(), [&](const GpuSpec& gpu) {
      const std::string_view model = model_of(gpu.title);
      return model != own && said.find(model) != std::string_view::npos;
    });
  }
  const size_t value = premise.rfind(' ');
  if (value == std::string_view::npos) return false;
  const size_t before = premise.rfind(' ', value - 1);
  const std::string_view name = premise.substr(before == std::string_view::npos ? 0 : before + 1,
                                               value - (before == std::string_view::npos ? 0 : before + 1));
  for (size_t at = said.find(name); at != std::string_view::npos; at = said.find(name, at + 1)) {
    const std::string_view rest = said.substr(at + name.size());
    if (!rest.starts_with(" = ") || (at > 0 && said[at - 1] != ' ')) continue;
    if (!rest.substr(3).starts_with(premise.substr(value + 1))) return true;
  }
  return false;
}

}  // namespace

std::string premises_beside(const AskedQuestion& asked, const std::string& premises, const Session& session,
                            const ViewState& view) {
  const Instance instance = instance_on_show(asked, session, view);
  const ProseWords words = words_of(*asked.lesson, &instance, asked.key, session, view);
  std::vector<std::string> lines;
  tell_prose(lines, asked.question->text, words);
  tell_prose(lines, asked.question->why, words);
  const std::string said = fmt::format("{}", fmt::join(lines, " "));
  std::string out;
  for (size_t at = 0; at < premises.size();) {
    const size_t end = std::min(premises.size(), premises.find(kBetween, at));
    const std::string premise = premises.substr(at, end - at);
    if (!set_otherwise(premise, said)) out += (out.empty() ? "" : std::string(kBetween)) + premise;
    at = end + (end < premises.size() ? kBetween.size() : 0);
  }
  return out;
}

}  // namespace tilewalk
