#include "core/lesson/check_teaching.h"

#include "core/io/printable.h"
#include "core/lesson/answer.h"
#include "core/lesson/check_stage.h"
#include "core/lesson/glossary.h"
#include "core/lesson/proof.h"
#include "core/lesson/term_forms.h"
#include "core/machine/gpus.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>

namespace tilewalk {
namespace {

// What a prose shows: its words with every number as it is set, and each number with what it is.
struct Shown {
  std::string text;
  std::vector<std::pair<std::string, Quantity>> numbers;
};

void add(const Prose& prose, const Lookup& names, Shown& out) {
  const auto look = [&](const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      if (span.kind != Span::Kind::Quantity) {
        out.text += span.text;
        continue;
      }
      const Evaluated value = evaluate(span.text, names);
      if (!value.quantity) continue;
      const std::string set = format_quantity(*value.quantity, span.format).value_or("");
      out.text += set;
      out.numbers.emplace_back(set, *value.quantity);
    }
    out.text += ' ';
  };
  for (const Block& block : prose) {
    look(block.spans);
    for (const auto& row : block.rows)
      for (const auto& cell : row) look(cell);
  }
}

// What a board has been set to where it is about a head on a GPU, by the knobs that mean the same on every board.
struct World {
  std::map<std::string, double, std::less<>> numbers;  // N, d, heads
  std::string gpu;                                     // "A100"
};
World running_example() { return {{{"N", 4096}, {"d", 64}, {"heads", 1}}, "A100"}; }

std::string short_name(std::string_view gpu_id) {
  std::string out(gpu_id.substr(0, gpu_id.find('-')));
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = char(c - 0x20);
  return out.starts_with("RTX") ? out.substr(3) : out;
}

const KnobFacts* knob_of(const StageFacts& facts, std::string_view id) {
  const auto found = std::ranges::find(facts.knobs, id, &KnobFacts::id);
  return found == facts.knobs.end() ? nullptr : &*found;
}

const StageFacts* facts_of(const CheckContext& context, std::string_view id) {
  const auto found = std::ranges::find(context.stages, id, &StageFacts::id);
  return found == context.stages.end() ? nullptr : &*found;
}

// What this board says of the world: what it has no knob for stays as it was.
World world_of(const StageFacts& facts, const StageState& stage, World world) {
  const auto value = [&](const KnobFacts& knob) {
    const auto set = stage.knobs.find(knob.id);
    return set == stage.knobs.end() ? knob.initial : set->second;
  };
  if (const KnobFacts* knob = knob_of(facts, "N")) world.numbers["N"] = value(*knob);
  for (const char* id : {"heads", "H"})
    if (const KnobFacts* knob = knob_of(facts, id)) world.numbers["heads"] = value(*knob);
  if (const KnobFacts* knob = knob_of(facts, "d"))
    for (const char* word : {"64", "128", "256"})
      if (knob->value_of(word) == value(*knob)) world.numbers["d"] = std::atof(word);
  if (const KnobFacts* knob = knob_of(facts, "gpu"))
    for (const GpuSpec& gpu : gpus())
      if (knob->value_of(gpu.id) == value(*knob)) {
        world.gpu = short_name(gpu.id);
        break;
      }
  return world;
}

class Teaching {
 public:
  Teaching(const Lesson& lesson, const CheckContext& context) : lesson_(lesson), context_(context) {}

  std::vector<LessonFault> run() {
    for (const Beat& beat : lesson_.beats) {
      if (!beat.stage.stage.empty() && beat.stage.stage != stage_.stage) within_reach_.clear();
      if (!beat.stage.show.empty()) within_reach_ = beat.stage.show;
      take(beat.stage, stage_);
      check_words(beat.text);
      for (const Question* question : all_questions_of(beat)) {
        check_words(question->text);
        for (const AnswerOption& option : question->options) check_words(option.text);
      }
      Shown shown;
      add(beat.text, names(stage_, nullptr), shown);
      check_units(shown, beat.line);
      Shown screen = shown;  // the first question is asked on it
      if (!beat.questions.empty()) add(beat.questions.front().text, names(stage_, nullptr), screen);
      check_world(stage_, screen.text, beat.line);
      check_answered(shown, beat.line);
      check_changed(beat);
      for (const Question* question : all_questions_of(beat)) check_question(*question, shown);
      remember(beat, shown);
    }
    if (const std::string fault_text = check_longest_options(std::array{&lesson_}); !fault_text.empty())
      fault(0, fault_text);
    if (const double taken = kTakenOverRead * minutes_of(lesson_); lesson_.minutes + 1 < taken)
      fault(0, fmt::format("minutes is {:g}; learners take about {:.0f}.", lesson_.minutes, taken));
    return std::move(faults_);
  }

 private:
  void fault(int line, std::string message) {
    if (said_.emplace(line, message).second) faults_.push_back({lesson_.file, line, std::move(message)});
  }
  Lookup names(const StageState& stage, const Instance* instance) const {
    return names_of(lesson_, instance, names_on(context_, stage));
  }

  // Walks are not made again: no rule asks what is in them.
  void take(const StageSetting& setting, StageState& stage) const {
    if ((setting.stage.empty() ? stage.stage : setting.stage) == "walk") {
      stage.stage = "walk";
      stage.knobs.clear();
      return;
    }
    take_stage(setting, context_, stage);
  }

  // A word that this lesson or a later one explains stands first as a link to it.
  void check_words(const Prose& prose) {
    const auto look = [&](const std::vector<Span>& spans, int line) {
      for (const Span& span : spans) {
        if (span.target.starts_with("term:"))
          if (const Term* term = term_named(span.target.substr(5))) linked_.insert(term->id);
        if (span.kind != Span::Kind::Text) continue;
        for (const Term& term : glossary()) {
          if (term.lesson < lesson_.number || linked_.contains(term.id)) continue;
          for (const std::string& form : forms_of(term))
            if (stands_in(span.text, form)) {
              fault(line, fmt::format("\"{}\" stands here before it is explained, in lesson {}; write [{}](term:{}).",
                                      form, term.lesson, form, term.id));
              linked_.insert(term.id);
            }
        }
      }
    };
    for (const Block& block : prose) {
      look(block.spans, block.line);
      for (const auto& row : block.rows)
        for (const auto& cell : row) look(cell, block.line);
    }
  }

  // What was predicted on the beat before, where a number says it, stands in this one's text.
  void check_answered(const Shown& shown, int line) {
    const auto says = [&](const std::string& set) {
      return std::ranges::any_of(shown.numbers, [&](const auto& number) { return number.first == set; });
    };
    if (!predicted_.empty() && std::ranges::none_of(predicted_, says))
      fault(line, fmt::format("the answer to the question before, {}, is not said here.", predicted_.front()));
    predicted_.clear();
  }

  // A beat that asks nothing has a picture of its own: the board is not set as on the beat before.
  void check_changed(const Beat& beat) {
    if (seen_.empty() || !beat.questions.empty() || stage_.stage == "walk" || stage_.stage.empty()) return;
    const Screen& before = seen_.back();
    if (before.stage == stage_.stage && before.knobs == stage_.knobs && before.seek == beat.stage.seek &&
        !before.asks && beat.kind != BeatKind::Break)
      fault(beat.line, "the stage is set as on the beat before; show something of this beat.");
  }

  // KiB beside MB, unless one number is shown in both.
  void check_units(const Shown& shown, int line) {
    const std::pair<std::string, Quantity>*binary = nullptr, *decimal = nullptr;
    for (const auto& number : shown.numbers) {
      const std::string& set = number.first;
      const auto ends = [&](std::initializer_list<const char*> units) {
        return std::ranges::any_of(units, [&](const char* unit) { return set.ends_with(unit); });
      };
      if (ends({" KiB", " MiB", " GiB", " TiB"})) binary = &number;
      if (ends({" kB", " MB", " GB", " TB"})) decimal = &number;
    }
    if (binary && decimal && binary->second.value != decimal->second.value)
      fault(line, fmt::format("{} and {} are units of two families; keep to one.", binary->first, decimal->first));
  }

  // Another GPU, N, d or number of heads than before is said where it comes.
  void check_world(const StageState& stage, const std::string& text, int line) {
    const StageFacts* facts = facts_of(context_, stage.stage);
    if (!facts || stage.stage == "walk") return;
    World now = world_of(*facts, stage, world_);
    for (const auto& [name, value] : now.numbers) {
      const double before = world_.numbers[name];
      const std::string set = with_commas(std::llround(value));
      if (value != before && !stands_in(text, set))
        fault(line, fmt::format("{} is {} here and was {}; say so.", name, set, with_commas(std::llround(before))));
    }
    if (now.gpu != world_.gpu && text.find(now.gpu) == std::string::npos)
      fault(line, fmt::format("the GPU is an {} here and was an {}; say so.", now.gpu, world_.gpu));
    world_ = std::move(now);
  }

  void check_question(const Question& question, const Shown& of_beat) {
    const Lookup on_stage = names_on(context_, stage_);
    const Instance instance = instance_of(lesson_, question, 0, on_stage);
    StageState asked = stage_;
    const StageSetting setting = stage_of(question, instance), proof = proof_of(question, instance);
    take(setting, asked);
    const Lookup own = names(asked, &instance);
    Shown all;
    add(question.text, own, all);
    const Shown text = all;
    if (asked.stage == stage_.stage && asked.stage != "walk") {
      const World before = world_;
      check_world(asked, of_beat.text + " " + text.text, question.line);
      world_ = before;  // the next question begins from its beat
    }
    for (const AnswerOption& option : question.options) add(option.text, own, all), add(option.why, own, all);
    add(question.why, own, all);
    check_units(all, question.line);
    if (question.predict || instance.answer) check_reach(question, instance, own, setting, proof, asked, text);
    if (question.predict) check_unseen(question, instance, own, asked, of_beat, text);
  }

  // What is predicted was on no earlier screen: no number of the right answer in a text, none of its readings on a
  // stage.
  void check_unseen(const Question& question, const Instance& instance, const Lookup& own, const StageState& asked,
                    const Shown& of_beat, const Shown& text) {
    Shown answer;
    for (size_t k = 0; k < question.options.size(); ++k)
      if (instance.right[k]) add(question.options[k].text, own, answer);
    if (instance.answer)
      answer.numbers.emplace_back(format_quantity(*instance.answer, question.format).value_or(""), *instance.answer);
    for (const auto& number : answer.numbers) predicted_.push_back(number.first);
    for (const auto& [set, quantity] : answer.numbers) {
      const auto shows = [&](const Shown& shown) {
        return std::ranges::any_of(shown.numbers, [&](const auto& number) { return number.first == set; });
      };
      const bool count = std::fabs(quantity.value) <= 12 && quantity.value == std::round(quantity.value);
      if (count || shows(text)) continue;  // small counts are everywhere; what is given is given
      if (shows(of_beat) || std::ranges::any_of(seen_, [&](const Screen& screen) { return shows(screen.shown); }))
        fault(question.line, fmt::format("{} stands in the answer of {} and on an earlier screen; ask for another.",
                                         set, in_quotes(question.id, 40)));
    }
    const StageFacts* facts = facts_of(context_, asked.stage);
    if (!facts || asked.stage == "walk") return;
    const Readings now = facts->readings(asked.knobs);
    for (const std::string& reading : question.cover) {
      const auto value = now.find(reading);
      if (value == now.end()) continue;
      for (const Screen& screen : seen_) {
        const auto earlier = screen.readings.find(reading);
        if (screen.stage == asked.stage && earlier != screen.readings.end() &&
            earlier->second.value == value->second.value && screen.knobs == asked.knobs)
          fault(question.line, fmt::format("{}, which {} asks for, lies open on the beat of line {}; cover it there.",
                                           reading, in_quotes(question.id, 40), screen.line));
      }
    }
  }

  // No knob within reach that stays free may show what a number of the right answer says, in a reading that is open.
  // Those that the proof turns are locked by themselves.
  void check_reach(const Question& question, const Instance& instance, const Lookup& own, const StageSetting& setting,
                   const StageSetting& proof, const StageState& asked, const Shown& given) {
    const StageFacts* facts = facts_of(context_, asked.stage);
    if (!facts || asked.stage == "walk") return;
    Shown answer;
    for (size_t k = 0; k < question.options.size(); ++k)
      if (instance.right[k]) add(question.options[k].text, own, answer);
    if (instance.answer) answer.numbers.emplace_back("", *instance.answer);
    std::erase_if(answer.numbers, [&](const auto& number) {
      const double value = number.second.value;  // small counts are everywhere; what is given is given
      return (std::fabs(value) <= 12 && value == std::round(value)) ||
             std::ranges::any_of(given.numbers, [&](const auto& each) { return each.second.value == value; });
    });
    const auto says = [&](const KnobValues& knobs) -> std::string {
      for (const auto& [id, quantity] : facts->readings(knobs)) {
        if (std::ranges::find(question.cover, id) != question.cover.end()) continue;
        for (const auto& number : answer.numbers)
          if (std::fabs(quantity.value - number.second.value) <= 1e-9 * std::fabs(number.second.value)) return id;
      }
      return {};
    };
    if (answer.numbers.empty() || !says(asked.knobs).empty()) return;  // what stands open is another rule's
    for (const std::string& id : setting.show.empty() ? within_reach_ : setting.show) {
      const KnobFacts* knob = knob_of(*facts, id);
      const bool locked = proof.knobs.contains(id) || std::ranges::find(question.lock, id) != question.lock.end();
      if (!knob || locked) continue;
      KnobValues turned = asked.knobs;
      for (const double place : knob->places) {
        turned[id] = place;
        if (const std::string reading = says(turned); !reading.empty()) {
          fault(question.line,
                fmt::format("{} is within reach and shows the answer of {}, in {}; lock it, or cover that.", id,
                            in_quotes(question.id, 40), reading));
          break;
        }
      }
    }
  }

  struct Screen {
    int line;
    Shown shown;
    std::string stage;
    KnobValues knobs;
    Readings readings;  // those that are not covered
    std::string seek;   // of a board with steps
    bool asks = false;  // a question's proof may have changed the picture
  };
  void remember(const Beat& beat, const Shown& shown) {
    Screen screen{beat.line, shown, stage_.stage, stage_.knobs, {}, beat.stage.seek, !beat.questions.empty()};
    const StageFacts* facts = facts_of(context_, stage_.stage);
    if (facts && stage_.stage != "walk") screen.readings = facts->readings(stage_.knobs);
    for (const std::string& id : beat.stage.cover) screen.readings.erase(id);
    for (const Question& question : beat.questions)
      for (const std::string& id : question.cover) screen.readings.erase(id);
    seen_.push_back(std::move(screen));
  }

  const Lesson& lesson_;
  const CheckContext& context_;
  StageState stage_;
  std::vector<std::string> within_reach_;  // knobs: a beat that names none keeps those before
  World world_ = running_example();
  std::set<std::string> linked_;
  std::vector<std::string> predicted_;  // the numbers of the right answer to the beat before
  std::vector<Screen> seen_;
  std::vector<LessonFault> faults_;
  std::set<std::pair<int, std::string>> said_;
};

}  // namespace

std::vector<LessonFault> check_teaching(const Lesson& lesson, const CheckContext& context) {
  const bool on_path = lesson.number >= 1 && lesson.number <= kLastOfPath;
  return on_path ? Teaching(lesson, context).run() : std::vector<LessonFault>{};
}

std::string check_longest_options(std::span<const Lesson* const> lessons) {
  int asked = 0, longest_right = 0;
  double chance = 0;
  for (const Lesson* lesson : lessons)
    for (const Beat& beat : lesson->beats)
      for (const Question* each : all_questions_of(beat)) {
        const Question& question = *each;
        if (question.options.empty()) continue;
        const Instance instance = instance_of(*lesson, question, 0);
        std::vector<size_t> lengths;
        for (const AnswerOption& option : question.options) {
          Shown shown;
          add(option.text, names_of(*lesson, &instance, {}), shown);
          lengths.push_back(size_t(std::ranges::count_if(shown.text, [](char c) { return (c & 0xC0) != 0x80; })));
        }
        const size_t most = *std::ranges::max_element(lengths);
        ++asked;
        chance += 1.0 / double(lengths.size());
        for (size_t k = 0; k < lengths.size(); ++k)
          if (lengths[k] == most && instance.right[k] && std::ranges::count(lengths, most) == 1) ++longest_right;
      }
  if (double(longest_right) <= std::ceil(chance)) return {};
  return fmt::format("the longest option is right in {} of {} choices; by chance it would be in {:.1f}.", longest_right,
                     asked, chance);
}

}  // namespace tilewalk
