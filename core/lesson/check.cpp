#include "core/lesson/check.h"

#include "core/io/effort.h"
#include "core/io/printable.h"
#include "core/lesson/answer.h"
#include "core/lesson/check_stage.h"
#include "core/lesson/check_paper.h"
#include "core/lesson/check_teaching.h"
#include "core/lesson/figures.h"
#include "core/lesson/glossary.h"
#include "core/lesson/proof.h"
#include "core/machine/words.h"
#include "core/method/table.h"
#include "core/playback/query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewalk {
namespace {

constexpr double kWordsAMinute = 200, kMinutesAQuestion = 0.5, kMinutesABeat = 1.0 / 3;
constexpr uint64_t kSeeds = 24;  // instances of a question with variants that are tried

class Checker {
 public:
  Checker(const Lesson& lesson, const CheckContext& context) : lesson_(lesson), context_(context) {}

  std::vector<LessonFault> run() {
    effort_.keep_ledger();
    check_kinds();
    try {
      StageState stage;
      for (const Beat& beat : lesson_.beats) {
        take_setting(beat.stage, beat.line, stage);
        check_beat(beat, stage);
      }
      check_quantities();
      check_gpu_page();
      for (LessonFault& owed : check_teaching(lesson_, context_)) fault(owed.line, std::move(owed.message));
      for (LessonFault& owed : check_paper(lesson_)) fault(owed.line, std::move(owed.message));
    } catch (const Effort::Spent&) {  // by a scene; what a number says of it is below, with it
    }
    if (effort_.used_up())
      faults_.push_back({lesson_.file, 0,
                         fmt::format("its numbers take more than the {} steps of a simulator that one lesson is given; "
                                     "ask for smaller problems, or for fewer of them.",
                                     with_commas(kEffortOfLesson))});
    if (on_path() && minutes_of(lesson_) > kMostMinutes)
      fault(0, fmt::format("reading and doing take about {:.1f} minutes; at most {:g} are planned.",
                           minutes_of(lesson_), kMostMinutes));
    std::ranges::stable_sort(faults_, {}, &LessonFault::line);
    return std::move(faults_);
  }

 private:
  bool on_path() const { return lesson_.number >= 1 && lesson_.number <= kLastOfPath; }

  void fault(int line, std::string message) {
    if (effort_.used_up()) return;  // it is said once, at the end
    if (said_.emplace(line, message).second) faults_.push_back({lesson_.file, line, std::move(message)});
  }

  // Hook first, what can be computed last, before that the check; a reveal follows a prediction.
  void check_kinds() {
    std::set<BeatKind> seen;
    const size_t last = lesson_.beats.size() - 1;
    size_t checks = 0;
    for (size_t k = 0; k <= last; ++k) {
      const Beat& beat = lesson_.beats[k];
      const auto early = [&](BeatKind before) {
        if (!seen.contains(before))
          fault(beat.line, fmt::format("{} comes before {}.", name_of(beat.kind), name_of(before)));
      };
      if (beat.kind == BeatKind::Hook && k > 0) fault(beat.line, "the hook is the first beat.");
      if (beat.kind == BeatKind::Compute && k < last) fault(beat.line, "compute is the last beat.");
      if (beat.kind == BeatKind::Reveal) early(BeatKind::Predict);
      if (beat.kind == BeatKind::Break && on_path()) early(BeatKind::Reveal);
      if (beat.kind != BeatKind::Check && beat.kind != BeatKind::Compute && seen.contains(BeatKind::Check))
        fault(beat.line, fmt::format("{} comes after check.", name_of(beat.kind)));
      if (beat.kind == BeatKind::Check) checks += beat.questions.size();
      if (beat.kind == BeatKind::Predict && on_path() && beat.questions.empty())
        fault(beat.line, "a predict beat asks something.");
      seen.insert(beat.kind);
    }
    if (!on_path()) return;
    for (int kind = 0; kind < kBeatKindCount; ++kind)
      if (!seen.contains(BeatKind(kind))) fault(0, fmt::format("the lesson has no beat {}.", name_of(BeatKind(kind))));
    if (checks < 2) fault(0, fmt::format("the check beats ask {} questions; 2 to 4 are wanted.", checks));
  }

  void check_beat(const Beat& beat, const StageState& stage) {
    if (const int64_t words = count_words(beat.text); words > kMostWordsOfBeat)
      fault(beat.line, fmt::format("this beat has {} words; at most {} are read.", words, kMostWordsOfBeat));
    for (const std::string& figure : bare_figures(beat.title)) bare(beat.line, figure);
    check_prose(beat.text, stage, nullptr);
    check_prose(beat.kernel, stage, nullptr);
    check_prose(beat.explain, stage, nullptr);
    if (const int64_t words = count_words(beat.kernel); words > kMostWordsOfKernel)
      fault(beat.kernel.front().line,
            fmt::format("what is for kernel people has {} words; at most {} are read.", words, kMostWordsOfKernel));
    if (const int count = count_sentences(beat.explain); !beat.explain.empty() && (count < 5 || count > 8))
      fault(beat.explain.front().line, fmt::format("Explain has {} sentences; 5 to 8 are wanted.", count));
    if (!beat.explain.empty() && stage.stage == "walk" && !stage.walk.contains("compare"))
      fault(beat.explain.front().line, "a walk explains each of its steps itself; Explain is for a board.");
    for (const Question* question : all_questions_of(beat)) check_question(*question, stage);
    if (!beat.breaks.empty() && beat.kind != BeatKind::Break)
      fault(beat.line, "only a break beat names what is broken.");
    for (const Breakage& breakage : beat.breaks) {
      StageState broken = stage;
      take_setting(breakage.set, beat.line, broken);
      if (!breakage.set.stage.empty())
        fault(beat.line, "what is broken stands on the beat's own stage; leave stage out.");
    }
  }

  void check_gpu_page() {
    if (lesson_.gpu.n == 0) return;
    if (!kernel_named(lesson_.gpu.kernel))
      fault(lesson_.gpu.line,
            fmt::format("{} is no kernel of ours; there are standard, fa1, fa2, fa3, fa3-fp8 and split-kv.",
                        in_quotes(lesson_.gpu.kernel, 40)));
    check_prose(lesson_.gpu.look, StageState{}, nullptr);
  }

  void bare(int line, const std::string& figure) {
    fault(line, fmt::format("{} stands here as digits; name it: {{{{expression | format}}}}.", in_quotes(figure, 40)));
  }

  Lookup names(const StageState& stage, const Instance* instance) const {
    return names_of(lesson_, instance, names_on(context_, stage));
  }

  void check_prose(const Prose& prose, const StageState& stage, const Instance* instance) {
    for (const BareFigure& figure : bare_figures(prose)) bare(figure.line, figure.text);
    const auto look = [&](const std::vector<Span>& spans, int line) {
      for (const Span& span : spans) {
        if (span.kind == Span::Kind::Quantity) check_quantity(span.text, span.format, line, stage, instance);
        if (span.kind == Span::Kind::Text && span.text.find("{{") != std::string::npos)
          fault(line, "a {{ is not closed by }} on its line.");
        if (!span.target.empty()) check_link(span.target, line, stage);
      }
    };
    for (const Block& block : prose) {
      look(block.spans, block.line);
      for (const auto& row : block.rows)
        for (const auto& cell : row) look(cell, block.line);
    }
  }

  void check_quantity(const std::string& expression, const std::string& format, int line, const StageState& stage,
                      const Instance* instance) {
    const Evaluated value = evaluate(expression, names(stage, instance));
    if (!value.quantity) return fault(line, fmt::format("{}: {}", in_quotes(expression, 60), value.fault));
    if (!format_quantity(*value.quantity, format))
      fault(line,
            fmt::format("{} is no format; there are {}.", in_quotes(format, 30), fmt::join(quantity_formats(), ", ")));
  }

  void check_link(std::string_view target, int line, const StageState& stage) {
    const std::string fault_text = link_fault(target, context_, stage);
    if (!fault_text.empty()) fault(line, fault_text);
  }

  void check_question(const Question& question, const StageState& of_beat) {
    const Lookup on_stage = names_on(context_, of_beat);
    StageState stage = of_beat;
    take_stage(stage_of(question, instance_of(lesson_, question, 0, on_stage)), context_, stage);  // faults: below
    if (std::ranges::any_of(question.options, [](const AnswerOption& option) { return option.text.empty(); }))
      fault(question.line, fmt::format("an option of {} has no text.", in_quotes(question.id, 40)));
    for (const std::string& reading : question.cover)
      if (const std::string wrong = reading_fault(reading, context_, stage); !wrong.empty())
        fault(question.line, wrong);

    const uint64_t seeds = question.vary.empty() ? 1 : kSeeds;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      const Instance instance = instance_of(lesson_, question, seed, on_stage);
      if (!instance.fault.empty())
        return fault(question.line, fmt::format("the question {}: {}", in_quotes(question.id, 40), instance.fault));
      const std::string of = described(instance);
      StageState before = of_beat;
      take_setting(stage_of(question, instance), question.line, before);
      stage = before;
      take_setting(proof_of(question, instance), question.line, stage);
      if (!question.options.empty() && std::ranges::count(instance.right, true) == 0)
        fault(question.line, fmt::format("no option of {} is right{}.", in_quotes(question.id, 40), of));
      if (instance.answer && !std::isfinite(instance.answer->value))
        fault(question.line, fmt::format("the answer of {} is no finite number{}.", in_quotes(question.id, 40), of));
      if (instance.answer && !format_quantity(*instance.answer, question.format))
        fault(question.line, fmt::format("{} is no format; there are {}.", in_quotes(question.format, 30),
                                         fmt::join(quantity_formats(), ", ")));
      if (instance.answer && !instance.answer->unit.empty() && !question.unit.empty() && !is_unit(question.unit))
        fault(question.line, fmt::format("{} is no unit that a typed number can have.", in_quotes(question.unit, 20)));
      check_prose(question.text, before, &instance);
      for (const AnswerOption& option : question.options) {
        check_prose(option.text, before, &instance);
        check_prose(option.why, stage, &instance);
      }
      check_prose(question.why, stage, &instance);
    }
  }

  static std::string described(const Instance& instance) {
    std::string out;
    for (const auto& [name, value] : instance.variables)
      out += fmt::format("{}{} = {}", out.empty() ? ", where " : ", ", name,
                         format_quantity(value, "plain").value_or("?"));
    return out;
  }

  void take_setting(const StageSetting& setting, int line, StageState& stage) {
    for (std::string& wrong : take_stage(setting, context_, stage))
      fault(setting.line ? setting.line : line, std::move(wrong));
  }

  // A name of the front matter must mean something at least at one place.
  void check_quantities() {
    std::vector<std::pair<StageState, std::optional<Instance>>> places;
    StageState stage;
    for (const Beat& beat : lesson_.beats) {
      take_stage(beat.stage, context_, stage);
      places.emplace_back(stage, std::nullopt);
      for (const Question* question : all_questions_of(beat))
        places.emplace_back(stage, instance_of(lesson_, *question, 0, names_on(context_, stage)));
    }
    for (const auto& [name, expression] : lesson_.quantities) {
      std::string first;
      bool known = false;
      for (const auto& [at, instance] : places) {
        const Evaluated value = evaluate(expression, names(at, instance ? &*instance : nullptr));
        known |= value.quantity.has_value();
        if (first.empty()) first = value.fault;
      }
      if (!known) fault(0, fmt::format("the quantity {}: {}", name, first));
    }
  }

  const Lesson& lesson_;
  const CheckContext& context_;
  std::vector<LessonFault> faults_;
  std::set<std::pair<int, std::string>> said_;
  Effort effort_{kEffortOfLesson};
};

}  // namespace

double minutes_of(const Lesson& lesson) {
  double minutes = 0;
  for (const Beat& beat : lesson.beats)
    minutes += double(count_words(beat.text)) / kWordsAMinute + kMinutesABeat +
               kMinutesAQuestion * double(beat.questions.size());
  return minutes;
}

std::vector<LessonFault> check_lesson(const Lesson& lesson, const CheckContext& context) {
  return lesson.beats.empty() ? std::vector<LessonFault>{} : Checker(lesson, context).run();
}

}  // namespace tilewalk
