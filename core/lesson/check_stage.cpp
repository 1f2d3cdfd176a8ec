#include "core/lesson/check_stage.h"

#include "core/attention/problem.h"
#include "core/io/number.h"
#include "core/io/look.h"
#include "core/io/embedded.h"
#include "core/io/printable.h"
#include "core/lesson/glossary.h"
#include "core/playback/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 5> kLeftOut = {"l2", "ledger", "statistics", "gradients", "pairing"};
constexpr std::array<std::string_view, 4> kPlaces = {"tile", "stat", "cell", "row"};  // of the stage

const StageFacts* stage_of(const CheckContext& context, std::string_view id) {
  const auto found = std::ranges::find(context.stages, id, &StageFacts::id);
  return found == context.stages.end() ? nullptr : &*found;
}

template <class Items, class Member>
std::string listed(const Items& items, Member member) {
  std::string out;
  for (const auto& item : items) out += fmt::format("{}{}", out.empty() ? "" : ", ", std::invoke(member, item));
  return out.empty() ? "none" : out;
}

// Of seek, play and step links.
std::string query_fault(std::string_view query, const StageState& stage) {
  const ParsedQuery parsed = parse_query(query);
  if (!parsed.query) return parsed.fault;
  if (stage.made && stage.made->faults.empty() && !find(stage.made->steps, *parsed.query))
    return fmt::format("no step of the walk on the stage is {}.", in_quotes(query, 60));
  return {};
}

// "tile:K/2", "stat:alpha/0"
std::string place_fault(std::string_view place) {
  const size_t colon = place.find(':');
  std::string_view rest = colon == std::string_view::npos ? "" : place.substr(colon + 1);
  if (std::ranges::find(kPlaces, place.substr(0, colon)) == kPlaces.end() || rest.empty())
    return fmt::format("{} is no place on the stage; write for instance tile:K/2 or stat:alpha/0.",
                       in_quotes(place, 40));
  const std::string_view name = rest.substr(0, rest.find('/'));
  bool known = name == "alpha" || name == "a" || number_of<int64_t>(name).has_value();
  for (int t = 0; t < kTensorCount; ++t) known |= symbol_of(Tensor(t)) == name;
  if (!known) return fmt::format("{} names no tensor.", in_quotes(place, 40));
  for (size_t slash; (slash = rest.find('/')) != std::string_view::npos;) {
    rest.remove_prefix(slash + 1);
    if (!number_of<int64_t>(rest.substr(0, rest.find('/'))))
      return fmt::format("{} has an index that is none.", in_quotes(place, 40));
  }
  return {};
}

void take_board(const StageSetting& setting, const StageFacts& board, StageState& stage,
                std::vector<std::string>& faults) {
  const auto knob_of = [&](std::string_view id) { return std::ranges::find(board.knobs, id, &KnobFacts::id); };
  const auto unknown = [&](std::string_view id) {
    faults.push_back(
        fmt::format("{} has no knob {}; it has {}.", board.id, in_quotes(id, 40), listed(board.knobs, &KnobFacts::id)));
  };
  for (const auto& [id, text] : setting.knobs) {
    const auto knob = knob_of(id);
    if (knob == board.knobs.end()) {
      unknown(id);
    } else if (const auto value = knob->value_of(text)) {
      stage.knobs[id] = *value;
    } else {
      faults.push_back(fmt::format("{} cannot be set to {}.", id, in_quotes(text, 40)));
    }
  }
  for (const auto& [id, text] : setting.room) {
    const auto knob = knob_of(id);
    if (knob == board.knobs.end())
      unknown(id);
    else if (!knob->value_of(text))
      faults.push_back(fmt::format("{} cannot be set to {}.", id, in_quotes(text, 40)));
  }
  for (const std::string& id : setting.show)
    if (knob_of(id) == board.knobs.end()) unknown(id);
  if (!setting.walk.empty()) faults.push_back(fmt::format("[walk] is for the stage walk; here stands {}.", board.id));
  for (const std::string* step : {&setting.seek, &setting.play}) {
    if (step->empty()) continue;
    if (!board.stepped)
      faults.push_back(fmt::format("{} has no steps to seek or play.", board.id));
    else if (*step != "start" && *step != "end" && !number_of<int64_t>(*step))
      faults.push_back(
          fmt::format("{} is no step of {}: \"start\", \"end\" or a number.", in_quotes(*step, 40), board.id));
  }
}

void take_walk(const StageSetting& setting, const CheckContext& context, StageState& stage,
               std::vector<std::string>& faults) {
  for (const auto& [word, text] : setting.walk) stage.walk[word] = text;
  if (!setting.knobs.empty() || !setting.room.empty() || !setting.show.empty())
    faults.push_back("knobs are for boards; here stands the walk.");
  if (!stage.made || !setting.walk.empty() || stage.fault != setting.fault) {
    stage.fault = setting.fault;
    stage.made = std::make_shared<const CheckedWalk>(context.walk(stage.walk, stage.fault));
    faults.insert(faults.end(), stage.made->faults.begin(), stage.made->faults.end());
  }
  for (const std::string* query : {&setting.seek, &setting.play})
    if (!query->empty() && *query != "start" && *query != "end")
      if (std::string wrong = query_fault(*query, stage); !wrong.empty()) faults.push_back(std::move(wrong));
  if (setting.row > stage.made->rows && stage.made->faults.empty())
    faults.push_back(fmt::format("row is {}; the walk has {} rows.", setting.row, stage.made->rows));
}

}  // namespace

std::vector<std::string> take_stage(const StageSetting& setting, const CheckContext& context, StageState& stage) {
  std::vector<std::string> faults;
  const std::string& wanted = setting.stage.empty() ? stage.stage : setting.stage;
  if (wanted != stage.stage) stage.knobs.clear(), stage.made = nullptr;
  stage.stage = wanted;
  if (!setting.fault.empty() && !mistake_named(setting.fault))
    faults.push_back(fmt::format("{} is no mistake that a walk can make.", in_quotes(setting.fault, 40)));
  if (!setting.tab.empty() && !named<Tab>(kTabNames, setting.tab))
    faults.push_back(
        fmt::format("{} is no tab; there are {}.", in_quotes(setting.tab, 40), listed(kTabNames, std::identity())));
  for (const std::string& part : setting.without)
    if (std::ranges::find(kLeftOut, part) == kLeftOut.end())
      faults.push_back(fmt::format("{} is no part that the stage can do without; there are {}.", in_quotes(part, 40),
                                   listed(kLeftOut, std::identity())));
  if (stage.stage == "walk") {
    take_walk(setting, context, stage, faults);
    if (!setting.focus.empty())
      if (std::string wrong = place_fault(setting.focus); !wrong.empty()) faults.push_back(std::move(wrong));
  } else if (const StageFacts* board = stage_of(context, stage.stage)) {
    take_board(setting, *board, stage, faults);
    for (const std::string& reading : setting.cover)
      if (std::string wrong = reading_fault(reading, context, stage); !wrong.empty())
        faults.push_back(std::move(wrong));
  } else {
    faults.push_back(fmt::format("{} is no stage; there are {}.", in_quotes(stage.stage, 40),
                                 listed(context.stages, &StageFacts::id)));
  }
  return faults;
}

Lookup names_on(const CheckContext& context, const StageState& stage) {
  return [&context, &stage](std::string_view name) -> std::optional<Quantity> {
    const StageFacts* facts = stage_of(context, stage.stage);
    if (!facts) return std::nullopt;
    if (name.starts_with("knob.")) {
      const auto knob = std::ranges::find(facts->knobs, name.substr(5), &KnobFacts::id);
      if (knob == facts->knobs.end()) return std::nullopt;
      const auto set = stage.knobs.find(knob->id);
      return Quantity{set == stage.knobs.end() ? knob->initial : set->second, "", Origin::Computed, ""};
    }
    if (!name.starts_with("stage.")) return std::nullopt;
    const Readings readings = facts->readings(stage.knobs);
    const auto reading = readings.find(name.substr(6));
    return reading == readings.end() ? std::nullopt : std::optional(reading->second);
  };
}

std::string reading_fault(std::string_view reading, const CheckContext& context, const StageState& stage) {
  const StageFacts* facts = stage_of(context, stage.stage);
  if (!facts) return {};
  const Readings readings = facts->readings(stage.knobs);
  if (readings.contains(reading)) return {};
  std::string known;
  for (const auto& [id, value] : readings) known += fmt::format("{}{}", known.empty() ? "" : ", ", id);
  return fmt::format("{} shows no reading {}; it shows {}.", facts->id, in_quotes(reading, 40),
                     known.empty() ? "none" : known);
}

std::string link_fault(std::string_view target, const CheckContext& context, const StageState& stage) {
  const size_t colon = target.find(':');
  const std::string_view scheme = target.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : target.substr(colon + 1);
  if (scheme == "http" || scheme == "https") return rest.starts_with("//") ? "" : "a web address lacks its //.";
  if (std::ranges::find(kPlaces, scheme) != kPlaces.end()) return place_fault(target);
  if (scheme == "term") return term_named(rest) ? "" : fmt::format("{} is not in the glossary.", in_quotes(rest, 40));
  if (scheme == "reading") return reading_fault(rest, context, stage);
  if (scheme == "step") return step_named(rest) && !stage.made ? "" : query_fault(rest, stage);
  if (scheme == "lesson") {
    const bool known = std::ranges::find(context.lesson_ids, rest) != context.lesson_ids.end();
    return known ? "" : fmt::format("there is no lesson {}.", in_quotes(rest, 40));
  }
  if (scheme == "puzzle") {
    const bool known = !embedded_file(fmt::format("lessons/puzzles/{}.puzzle", rest)).empty();
    return known ? "" : fmt::format("there is no puzzle {}.", in_quotes(rest, 40));
  }
  return fmt::format(
      "{} leads nowhere; links begin with tile:, stat:, step:, term:, reading:, lesson:, puzzle: or https://.",
      in_quotes(target, 60));
}

}  // namespace tilewalk
