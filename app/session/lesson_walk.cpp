#include "app/session/lesson_walk.h"

#include "app/session/fields.h"
#include "core/attention/presets.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool same(const Setup& a, const Setup& b) {
  return a.problem == b.problem && a.schedule == b.schedule && a.variant == b.variant && a.compared == b.compared &&
         a.machine == b.machine;
}

}  // namespace

std::string field_of_word(std::string_view word) {
  std::string name(word == "scale-softmax" ? "scale" : word);
  std::ranges::replace(name, '-', '_');
  return name;
}
std::string word_of_field(std::string_view field) {
  std::string word(field);
  std::ranges::replace(word, '_', '-');
  return word;
}

WantedWalk wanted_walk(const WalkWords& words) {
  WantedWalk out;
  const auto named = words.find("preset");
  const Preset* preset = preset_named(named == words.end() ? "toy" : std::string_view(named->second));
  if (!preset) {
    out.faults.push_back({"preset", fmt::format("There is no preset called \"{}\".", named->second)});
    return out;
  }
  out.setup.problem = preset->problem;
  out.setup.preset = preset->id;
  const auto put = [&](const std::string& field, const std::string& text) {
    for (Fault& fault : put_field(out.setup, field, text)) out.faults.push_back(std::move(fault));
  };
  // N takes both sizes along; shapes and a seed ask for generated numbers where the preset's are written down.
  if (const auto n = words.find("n"); n != words.end()) put("n_q", n->second), put("n_k", n->second);
  // Queries before keys, which they take along while the two are equal.
  for (std::string_view size : {"n-q", "n-k"})
    if (const auto n = words.find(size); n != words.end()) put(field_of_word(size), n->second);
  if (const auto schedule = words.find("schedule"); schedule != words.end())
    put("schedule", schedule->second);  // before "compare", which must be another one
  for (const auto& [word, text] : words)
    if (word != "preset" && word != "n" && word != "n-q" && word != "n-k" && word != "schedule" &&
        (word != "fault" || !text.empty()))
      put(field_of_word(word), text);
  Problem& p = out.setup.problem;
  const bool reshaped = p.n_q != preset->problem.n_q || p.n_k != preset->problem.n_k || p.d != preset->problem.d;
  if (p.distribution == Distribution::Custom && (reshaped || words.contains("seed")))
    p.distribution = Distribution::Normal;
  Problem faultless = p;
  faultless.mistake = Mistake::None;
  if (faultless != preset->problem) out.setup.preset.clear();
  return out;
}

std::vector<Fault> take_walk(const WalkWords& words, Session& session, ViewState& view, bool& changed) {
  changed = false;
  const WantedWalk wanted = wanted_walk(words);
  if (!wanted.faults.empty()) return wanted.faults;
  if (same(wanted.setup, session.setup()) && session.inputs().source != "typed") return {};
  const Preset* preset =
      preset_named(words.contains("preset") ? std::string_view(words.find("preset")->second) : "toy");
  const bool written_down = wanted.setup.problem.distribution == Distribution::Custom;
  std::vector<Fault> faults =
      written_down ? session.change(wanted.setup, inputs_of(*preset)) : session.change(wanted.setup);
  if (!faults.empty()) return faults;
  changed = true;
  view.typed.clear();
  view.refused.clear();
  view.files.clear();
  view.file_groups.clear();
  view.row = std::clamp<int64_t>(view.row, 0, session.problem().n_q - 1);
  view.selection.clear();
  return {};
}

}  // namespace tilewalk
