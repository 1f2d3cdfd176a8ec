#include "app/session/fields.h"

#include "app/session/gpu_choices.h"

#include "app/session/number_text.h"
#include "app/session/open_file.h"
#include "app/session/own_tensors.h"
#include "app/session/transport.h"
#include "core/attention/presets.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool fixed_by_inputs(std::string_view name) { return name == "n_q" || name == "n_k" || name == "d"; }

// Where the inputs came from is true only as long as the problem is that of the preset.
void forget_preset(Setup& setup) {
  const Preset* preset = preset_named(setup.preset);
  const bool generated = setup.problem.distribution != Distribution::Custom;
  if (preset ? preset->problem != setup.problem : generated) setup.preset.clear();
}

void refuse(ViewState& view, const std::vector<Fault>& faults) {
  view.refused.clear();
  for (const Fault& fault : faults) view.refused.try_emplace(fault.field, fault.message);
}

std::vector<Fault> change(Session& session, ViewState& view, Setup setup) {
  forget_preset(setup);
  const WalkPlace before = place_in_walk(session, view);
  std::vector<Fault> faults = session.change(setup);
  if (faults.empty()) settle_view(session, view, before);
  return faults;
}

// One wish, together with those that were refused before; or alone, where those are no numbers at all.
std::vector<Fault> attempt(Session& session, ViewState& view, const std::string& name, const std::string& text) {
  if (Setup none; !setup_field(name)) {
    const std::vector<Fault> faults = put_field(none, name, text);
    refuse(view, faults);
    return faults;
  }
  view.typed[name] = text;
  const Wanted all = wanted(session, view);
  std::vector<Fault> faults = all.faults;
  const auto add = [&](const std::vector<Fault>& more) {
    for (const Fault& fault : more)
      if (std::ranges::none_of(faults, [&](const Fault& f) { return f.field == fault.field; })) faults.push_back(fault);
  };
  if (faults.empty()) {
    faults = change(session, view, all.setup);
    if (faults.empty()) {
      view.typed.clear();
      view.refused.clear();
      return {};
    }
  }
  if (!all.faults.empty()) add(validate(all.setup.problem));  // a text that is no number hides no other fault
  const bool countable = all.faults.empty() && validate(all.setup.problem).empty();
  if (!countable && view.typed.size() > 1) {
    Setup alone = session.setup();
    if (put_field(alone, name, text).empty()) {
      const std::vector<Fault> own = change(session, view, alone);
      if (own.empty()) {
        view.typed.erase(name);
        refuse(view, faults);
        return {};
      }
      add(own);
    }
  }
  refuse(view, faults);
  return faults;
}

std::vector<Fault> start_from(Session& session, ViewState& view, std::string_view id) {
  view.typed.clear();
  view.refused.clear();
  const Preset* preset = preset_named(id);
  if (!preset) {
    const std::vector<Fault> faults{{"preset", fmt::format("There is no preset called \"{}\".", id)}};
    refuse(view, faults);
    return faults;
  }
  Setup setup = session.setup();
  setup.problem = preset->problem;
  setup.preset = id;
  const WalkPlace before = place_in_walk(session, view);
  std::vector<Fault> faults = session.change(setup, inputs_of(*preset));
  for (Fault& fault : faults) fault.field = "preset";
  if (faults.empty()) {
    view.files.clear();
    view.file_groups.clear();
    settle_view(session, view, before);
  }
  refuse(view, faults);
  return faults;
}

// A head of the file, from 1.
std::vector<Fault> walk_head_typed(Session& session, ViewState& view, std::string_view text) {
  const ParsedNumber parsed = parse_whole(text, "Head");
  std::string fault = parsed.fault;
  if (fault.empty() && (parsed.value < 1 || parsed.value > view.file_heads))
    fault = fmt::format("Head is {}; it must be from 1 to {}.", with_commas(parsed.value),
                        with_commas(int64_t(view.file_heads)));
  if (fault.empty()) fault = open_head(session, view, view.file_group, int(parsed.value) - 1);
  if (fault.empty()) {
    view.typed.erase("head");
    view.refused.erase("head");
    return {};
  }
  view.typed["head"] = text;
  view.refused["head"] = fault;
  return {{"head", fault}};
}

}  // namespace

Wanted wanted(const Session& session, const ViewState& view) {
  Wanted out{session.setup(), {}};
  // The number of queries first: it takes the number of keys along, unless that was typed too.
  const auto take = [&](const std::string& name, const std::string& text) {
    for (Fault& fault : put_field(out.setup, name, text)) out.faults.push_back(std::move(fault));
  };
  if (const auto n_q = view.typed.find("n_q"); n_q != view.typed.end()) take(n_q->first, n_q->second);
  for (const auto& [name, text] : view.typed)
    if (name != "n_q" && setup_field(name)) take(name, text);
  return out;
}

std::string locked_field(const Session& session, std::string_view name) {
  if (session.problem().distribution != Distribution::Custom) return {};
  const std::string& source = session.inputs().source;
  if (fixed_by_inputs(name))
    return fmt::format("N and d come with these inputs ({}). Choose generated inputs to change them.", source);
  if (name == "seed") return fmt::format("These inputs are not generated ({}), so they have no seed.", source);
  return {};
}

std::string field_text(const Session& session, const ViewState& view, std::string_view name) {
  if (const auto typed = view.typed.find(std::string(name)); typed != view.typed.end()) return typed->second;
  const Problem& p = session.problem();
  // N of the keys follows a refused N of the queries.
  if (name == "n_k") return with_commas(wanted(session, view).setup.problem.n_k);
  if (const SetupField* field = setup_field(name); field && field->size) return with_commas(p.*field->size);
  if (name == "head") return std::to_string(view.file_head + 1);
  if (name == "seed") return p.distribution == Distribution::Custom ? "–" : std::to_string(p.seed);
  if (name == "scale") return p.scale == 0 ? "1/√d" : number_words(p.scale, 6);
  return {};
}

std::string choice_value(const Session& session, const ViewState& view, std::string_view field) {
  if (field.starts_with("gpu-")) return gpu_choice(view.gpu, field);
  if (const SetupField* of_setup = setup_field(field)) return of_setup->value(wanted(session, view).setup);
  if (field != "preset") return {};
  const std::string& preset = session.setup().preset;
  const Preset* known = preset_named(preset);  // typed over since: none
  return known && known->problem != wanted(session, view).setup.problem ? "" : preset;
}

std::vector<Fault> apply_field(Session& session, ViewState& view, std::string_view name, std::string_view text) {
  if (name == "head") return walk_head_typed(session, view, text);
  if (const std::string why = locked_field(session, name); !why.empty()) {
    view.typed.erase(std::string(name));
    view.refused[std::string(name)] = why;
    return {{std::string(name), why}};
  }
  return attempt(session, view, std::string(name), std::string(text));
}

std::vector<Fault> apply_choice(Session& session, ViewState& view, std::string_view field, std::string_view value) {
  if (field.starts_with("gpu-")) {
    choose_gpu(view.gpu, field, value);
    return {};
  }
  if (field == "source") {
    view.source = {value != "steps", kernel_named(value)};
    return {};
  }
  if (field == "pending") {
    view.typed.clear();
    view.refused.clear();
    return {};
  }
  if (field == "code") {
    if (view.selection == kOwnTensorsShown) view.selection.clear();
    return {};
  }
  if (field == "layer" || field == "head") {
    const int index = int(parse_whole(value, field).value);
    const std::string fault =
        field == "layer" ? open_head(session, view, index, 0) : open_head(session, view, view.file_group, index);
    if (fault.empty()) view.refused.erase(std::string(field));
    if (fault.empty()) return {};
    view.refused[std::string(field)] = fault;
    return {{std::string(field), fault}};
  }
  if (field == "preset") return start_from(session, view, value);
  std::vector<Fault> faults = attempt(session, view, std::string(field), std::string(value));
  // A choice that does not exist is not worth keeping.
  Setup setup = session.setup();
  if (!faults.empty() && !put_field(setup, field, value).empty()) view.typed.erase(std::string(field));
  return faults;
}

WalkPlace place_in_walk(const Session& session, const ViewState& view) {
  const Walk& walk = session.walk();
  const Tiling& t = walk.plan().tiling;
  WalkPlace out;
  out.playhead = std::clamp<int64_t>(view.playhead, 0, walk.replay.length());
  out.schedule = session.setup().schedule;
  out.variant = session.setup().variant;
  out.tr = t.tr;
  out.tc = t.tc;
  out.offset = t.offset;
  out.causal = t.causal;
  out.started = out.playhead > 0;
  if (out.started) out.step = walk.replay.steps()[size_t(out.playhead - 1)];
  return out;
}

void settle_view(const Session& session, ViewState& view, const WalkPlace& before) {
  ViewState start = view;
  start.playhead = 0;
  const WalkPlace now = place_in_walk(session, start);
  const std::vector<Step>& steps = session.walk().replay.steps();
  const bool same_tiles = now.tr == before.tr && now.tc == before.tc;
  const bool same_steps = same_tiles && now.causal == before.causal && now.offset == before.offset &&
                          now.schedule == before.schedule && now.variant == before.variant;
  int64_t playhead = 0;
  if (same_steps) {
    playhead = before.playhead;
  } else if (same_tiles && before.started) {
    // The same step on the same tiles; else the end of their visit.
    for (int64_t k = int64_t(steps.size()); k > 0; --k) {
      const Step& step = steps[size_t(k - 1)];
      if (step.i != before.step.i || step.j != before.step.j) continue;
      if (step.kind == before.step.kind) {
        playhead = k;
        break;
      }
      if (playhead == 0) playhead = k;
    }
  }
  seek(session.walk(), view, playhead);
  view.playing = false;
  view.row = std::clamp<int64_t>(view.row, 0, session.problem().n_q - 1);
  view.editing.clear();
  view.notice.clear();
  view.selection.clear();
}

}  // namespace tilewalk
