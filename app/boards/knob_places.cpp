#include "app/boards/knob_places.h"

#include "app/boards/knob_row.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace tilewalk {
namespace {

using Names = std::vector<std::string>;

// What the course's stops have within reach of the board, in its order, questions and their answers too.
std::vector<const Names*> shown_of(const Board& board, const Course& course) {
  std::vector<const Names*> all;
  for (const CourseEntry& entry : course.entries()) {
    if (!entry.lesson) continue;
    std::string_view now;
    const auto add = [&](const StageSetting& setting, std::string_view on) {
      if ((setting.stage.empty() ? on : setting.stage) == board.id && !setting.show.empty())
        all.push_back(&setting.show);
    };
    for (const Beat& beat : entry.lesson->beats) {
      if (!beat.stage.stage.empty()) now = beat.stage.stage;
      add(beat.stage, now);
      for (const Question* question : all_questions_of(beat)) add(question->stage, now), add(question->proof, now);
    }
  }
  return all;
}

// Each knob's place: the first one that none has which is ever within reach beside it.
std::map<std::string_view, size_t> homes_of(const Board& board, const Course* course, size_t count) {
  std::map<std::string_view, size_t> homes;
  if (!course) return homes;
  const std::vector<const Names*> all = shown_of(board, *course);
  std::map<std::string_view, std::set<std::string_view>> beside;
  for (const Names* names : all)
    for (const std::string& name : *names) beside[name].insert(names->begin(), names->end());
  for (const Names* names : all)
    for (const std::string& name : *names) {
      if (homes.contains(name)) continue;
      std::vector<bool> taken(count);
      for (const std::string_view other : beside[name])
        if (const auto home = homes.find(other); home != homes.end()) taken[home->second] = true;
      const auto free = std::ranges::find(taken, false);
      if (free != taken.end()) homes[name] = size_t(free - taken.begin());
    }
  return homes;
}

}  // namespace

std::vector<const Knob*> placed_knobs(const Board& board, const std::vector<const Knob*>& reach, const Course* course,
                                      size_t count) {
  const auto homes = homes_of(board, course, count);
  std::vector<const Knob*> placed;
  // Those that have their home on the page and find it free, then the others where room is left.
  const auto settle = [&](std::vector<const Knob*>& knobs) {
    const size_t page = placed.size() - count;
    const auto put = [&](const Knob* knob, bool at_home) {
      const auto home = homes.find(knob->id);
      for (size_t k = 0; k < count; ++k)
        if (!placed[page + k] && (!at_home || (home != homes.end() && home->second == k)))
          return placed[page + k] = knob, true;
      return false;
    };
    for (const bool at_home : {true, false}) std::erase_if(knobs, [&](const Knob* knob) { return put(knob, at_home); });
  };
  std::vector<const Knob*> first = reach, rest = all_knobs(board);
  std::erase_if(rest, [&](const Knob* knob) { return std::ranges::find(reach, knob) != reach.end(); });
  while (!first.empty() || !rest.empty()) {
    placed.resize(placed.size() + count);
    settle(first);
    settle(rest);
  }
  return placed;
}

}  // namespace tilewalk
