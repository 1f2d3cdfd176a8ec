// What can be wrong with a lesson that was read: expressions, queries, links, stages, questions, length and figures in
// the text. Stages are passed in as data: core knows no board and makes no walk of the window's.
#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/reader.h"
#include "core/machine/step.h"
#include "core/quantity/quantity.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

using Words = std::map<std::string, std::string, std::less<>>;

struct KnobFacts {
  std::string id;
  double initial = 0;
  std::function<std::optional<double>(std::string_view)> value_of;  // of a scene's word; nothing where it is none
  std::vector<double> places = {};                                  // where somebody who turns it through comes by
};
using KnobValues = std::map<std::string, double, std::less<>>;  // by id; one that is missing has its initial value
using Readings = std::map<std::string, Quantity, std::less<>>;  // by id
struct StageFacts {
  std::string id;  // of a board; "walk"
  std::vector<KnobFacts> knobs;
  std::function<Readings(const KnobValues&)> readings;
  bool stepped = false;  // has steps of its own, which seek and play name by number
};

// The walk that a scene's words ask for, with its mistake on purpose.
struct CheckedWalk {
  std::vector<std::string> faults;  // one sentence each; the rest is empty then
  std::vector<Step> steps;
  int64_t rows = 0;  // of Q
};

struct CheckContext {
  std::vector<StageFacts> stages;
  std::function<CheckedWalk(const Words& words, std::string_view fault)> walk;
  std::vector<std::string> lesson_ids;  // that links may name; "1" .. "14" too
};

constexpr int kLastOfPath = 14;  // lessons are numbered 1 to this
constexpr int64_t kMostWordsOfBeat = 60, kMostWordsOfKernel = 120;
constexpr double kMostMinutes = 8;
// Of one lesson's numbers and scenes together, in units of core/io/effort.h; what goes beyond is left out wherever the
// lesson is shown, and check says so. The shipped ones take half of it at most.
constexpr int64_t kEffortOfLesson = 20'000'000;

// Reading at 200 words a minute, half a minute for a question, a third for the stage of each beat.
double minutes_of(const Lesson& lesson);

// Every fault, by line. What holds for the lessons of the path alone (numbers 1 to 14) is not asked of others: all
// kinds of beats, two questions at the end, the time.
std::vector<LessonFault> check_lesson(const Lesson& lesson, const CheckContext& context);

}  // namespace tilewalk
