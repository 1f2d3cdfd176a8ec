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
#include <array>

namespace tilewalk {
namespace {

struct SizeField {
  std::string_view name, label;
  int64_t Problem::*member;
};
constexpr std::array<SizeField, 5> kSizes{{
    {"n_q", "N (queries)", &Problem::n_q},
    {"n_k", "N (keys)", &Problem::n_k},
    {"d", "d", &Problem::d},
    {"br", "Br", &Problem::br},
    {"bc", "Bc", &Problem::bc},
}};

const SizeField* size_field(std::string_view name) {
  for (const SizeField& field : kSizes)
    if (field.name == name) return &field;
  return nullptr;
}

bool fixed_by_inputs(std::string_view name) { return name == "n_q" || name == "n_k" || name == "d"; }

Fault no_choice(std::string_view field, std::string_view value) {
  return {std::string(field), fmt::format("There is no {} called \"{}\".", field, value)};
}

bool is_choice(std::string_view name) {
  constexpr std::string_view kChoices[] = {"mask",    "align",      "direction", "schedule",     "variant",
                                           "compare", "arithmetic", "format",    "distribution", "machine"};
  return std::find(std::begin(kChoices), std::end(kChoices), name) != std::end(kChoices);
}

// ViewState::typed also holds texts of other places to type.
bool is_wish(std::string_view name) { return size_field(name) || name == "seed" || name == "scale" || is_choice(name); }

// The same method in the other direction; FA3's backward pass is FA2's as far as the steps here go.
void turn(Setup& setup, bool backward) {
  constexpr std::pair<ScheduleId, ScheduleId> kTurns[] = {{ScheduleId::Standard, ScheduleId::StandardBackward},
                                                          {ScheduleId::Fa1, ScheduleId::Fa1Backward},
                                                          {ScheduleId::Fa2, ScheduleId::Fa2Backward},
                                                          {ScheduleId::Fa3, ScheduleId::Fa2Backward}};
  if (backward) setup.compared.reset();
  if (schedule_of(setup).backward() == backward) return;
  for (const auto& [forth, back] : kTurns)
    if (setup.schedule == (backward ? forth : back)) {
      setup.schedule = backward ? back : forth;
      return;
    }
}

// Puts one wish into the setup. The number of queries takes the number of keys along while the two are equal.
std::vector<Fault> put(Setup& setup, std::string_view name, std::string_view text) {
  Problem& p = setup.problem;
  const auto choose = [&](auto& member, const auto& value) -> std::vector<Fault> {
    if (!value) return {no_choice(name, text)};
    member = *value;
    return {};
  };
  if (const SizeField* field = size_field(name)) {
    const ParsedNumber number = parse_whole(text, field->label);
    if (!number.fault.empty()) return {{std::string(name), number.fault}};
    if (name == "n_q" && p.n_q == p.n_k) p.n_k = number.value;
    p.*field->member = number.value;
    return {};
  }
  if (name == "seed") {
    const ParsedSeed seed = parse_seed(text);
    if (!seed.fault.empty()) return {{"seed", seed.fault}};
    p.seed = seed.value;
    return {};
  }
  if (name == "scale") {
    const ParsedScale scale = parse_scale(text);
    if (!scale.fault.empty()) return {{"scale", scale.fault}};
    p.scale = scale.value;
    return {};
  }
  if (name == "mask") return choose(p.mask, mask_named(text));
  if (name == "align") return choose(p.align, align_named(text));
  if (name == "arithmetic") return choose(p.arithmetic, arithmetic_named(text));
  if (name == "format") return choose(p.format, format_named(text));
  if (name == "distribution") {
    if (text == name_of(Distribution::Custom) && p.distribution != Distribution::Custom)
      return {{"distribution", "Inputs of your own come from a file, or from typing over a number on the stage."}};
    return choose(p.distribution, distribution_named(text));
  }
  if (name == "variant") return choose(setup.variant, variant_named(text));
  if (name == "machine") {
    if (!machine_named(text)) return {no_choice(name, text)};
    setup.machine = text;
    return {};
  }
  if (name == "direction") {
    if (text != "forward" && text != "backward") return {no_choice(name, text)};
    turn(setup, text == "backward");
    return {};
  }
  if (name == "schedule" || name == "compare") {
    if (name == "compare" && text == "none") return setup.compared.reset(), std::vector<Fault>{};
    const Schedule* schedule = schedule_named(text);
    if (!schedule) return {no_choice(name, text)};
    if (schedule->backward() || (name == "compare" && schedule_of(setup).backward())) {
      if (name == "compare")
        return {{"compare", "A backward walk stands alone: choose the forward direction to compare schedules."}};
      setup.compared.reset();
    }
    if (name == "compare") {
      if (schedule->id == setup.schedule)
        return {{"compare", fmt::format("{} is on the stage already; compare it with another.", schedule->name)}};
      setup.compared = schedule->id;
      return {};
    }
    if (setup.compared == schedule->id) {  // the two change places
      setup.compared = setup.schedule;
      if (setup.schedule == ScheduleId::Own) setup.compared.reset();
    }
    setup.schedule = schedule->id;
    return {};
  }
  return {};
}

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
  if (!is_wish(name)) {
    const std::vector<Fault> faults{{name, fmt::format("There is no field called \"{}\".", name)}};
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
    if (put(alone, name, text).empty()) {
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
    refuse(view, {no_choice("preset", id)});
    return {no_choice("preset", id)};
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

std::vector<Fault> put_field(Setup& setup, std::string_view name, std::string_view text) {
  if (!is_wish(name)) return {{std::string(name), fmt::format("There is no field called \"{}\".", name)}};
  return put(setup, name, text);
}

Wanted wanted(const Session& session, const ViewState& view) {
  Wanted out{session.setup(), {}};
  // The number of queries first: it takes the number of keys along, unless that was typed too.
  const auto take = [&](const std::string& name, const std::string& text) {
    for (Fault& fault : put(out.setup, name, text)) out.faults.push_back(std::move(fault));
  };
  if (const auto n_q = view.typed.find("n_q"); n_q != view.typed.end()) take(n_q->first, n_q->second);
  for (const auto& [name, text] : view.typed)
    if (name != "n_q" && is_wish(name)) take(name, text);
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
  if (const SizeField* field = size_field(name)) return with_commas(p.*field->member);
  if (name == "head") return std::to_string(view.file_head + 1);
  if (name == "seed") return p.distribution == Distribution::Custom ? "–" : std::to_string(p.seed);
  if (name == "scale") return p.scale == 0 ? "1/√d" : number_words(p.scale, 6);
  return {};
}

std::string choice_value(const Session& session, const ViewState& view, std::string_view field) {
  if (field.starts_with("gpu-")) return gpu_choice(view.gpu, field);
  const Setup setup = wanted(session, view).setup;
  const Problem& p = setup.problem;
  if (field == "mask") return std::string(name_of(p.mask));
  if (field == "align") return std::string(name_of(p.align));
  if (field == "arithmetic") return std::string(name_of(p.arithmetic));
  if (field == "format") return std::string(name_of(p.format));
  if (field == "distribution") return std::string(name_of(p.distribution));
  if (field == "direction") return schedule_of(setup).backward() ? "backward" : "forward";
  if (field == "schedule") return std::string(schedule_of(setup).key);
  if (field == "variant") return std::string(name_of(setup.variant));
  if (field == "compare") return setup.compared ? std::string(schedule_of(*setup.compared).key) : "none";
  if (field == "machine") return setup.machine;
  if (field == "preset") {
    for (const Preset& preset : presets())
      if (preset.problem == p && session.setup().preset == preset.id) return std::string(preset.id);
    return preset_named(session.setup().preset) ? "" : session.setup().preset;  // typed over since
  }
  return {};
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
  if (!faults.empty() && !put(setup, field, value).empty()) view.typed.erase(std::string(field));
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
