#include "core/lesson/blocks.h"

#include "core/io/number.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using Need = TomlFields::Need;

constexpr size_t kMostNames = 250;  // ten times what any lesson has
constexpr size_t kMostBriefCharacters = 24, kMostShownKnobs = 3, kMostOptions = 5, kMostBreakageCharacters = 36,
                 kMostMeaningCharacters = 160;

size_t characters(std::string_view text) {
  return size_t(std::ranges::count_if(text, [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
}

void take_id(TomlFields& fields, std::string& id) {
  if (fields.text("id", id, Need::Required) && !is_lesson_id(id))
    fields.fault("id", fmt::format("id is {}; it takes small letters, digits and -.", in_quotes(id, 40)));
}

Prose take_prose(TomlFields& fields, std::string_view key, Need need) {
  std::string text;
  if (!fields.text(key, text, need)) return {};
  return read_prose(text, fields.line_of(key));
}

StageSetting take_setting(TomlFields& fields) {
  StageSetting out;
  out.line = fields.line();
  fields.text("stage", out.stage);
  fields.words("walk", out.walk);
  fields.text("seek", out.seek);
  fields.text("play", out.play);
  fields.text("focus", out.focus);
  fields.text("tab", out.tab);
  fields.whole("row", 1, 1'000'000'000, out.row);
  fields.text("fault", out.fault);
  fields.words("knobs", out.knobs);
  fields.words("room", out.room);
  fields.texts("cover", out.cover);
  fields.texts("without", out.without);
  if (fields.texts("show", out.show) && out.show.size() > kMostShownKnobs)
    fields.fault("show",
                 fmt::format("show names {} knobs; at most {} are within reach.", out.show.size(), kMostShownKnobs));
  return out;
}

bool take_switch(TomlFields& fields, std::string_view key) {
  std::string said;
  if (fields.expression(key, said) && said != "0" && said != "1")
    fields.fault(key, fmt::format("{} is true or false.", key));
  return said == "1";
}

LessonWay take_way(const toml::table& table, int line, FaultList& faults) {
  TomlFields fields(table, line, "an entry of way", faults);
  LessonWay out;
  take_id(fields, out.id);
  fields.text("title", out.title, Need::Required);
  fields.text("says", out.says, Need::Required);
  std::vector<std::string> numbers;
  fields.expressions("lessons", numbers);
  for (const std::string& number : numbers) {
    const int lesson = number_of<int>(number).value_or(0);
    if (lesson <= (out.lessons.empty() ? 0 : out.lessons.back()))
      fields.fault("lessons", "lessons are the numbers of lessons, from the first to the last.");
    out.lessons.push_back(lesson);
  }
  if (out.lessons.empty()) fields.fault("lessons", "a way leads through lessons; name their numbers.");
  fields.finish();
  return out;
}

AnswerOption take_option(const toml::table& table, int line, FaultList& faults) {
  TomlFields fields(table, line, "an option", faults);
  AnswerOption out;
  out.text = take_prose(fields, "text", Need::Required);
  fields.expression("right", out.right, Need::Required);
  out.why = take_prose(fields, "why", Need::Required);
  fields.finish();
  return out;
}

}  // namespace

void read_front_matter(std::string_view text, int line, Lesson& lesson, FaultList& faults) {
  const auto table = parse_toml(text, line, faults);
  if (!table) return;
  TomlFields fields(*table, line, "the front matter", faults);
  take_id(fields, lesson.id);
  int64_t number = 0, phase = 0;
  fields.whole("number", 0, 99, number);
  lesson.prologue = fields.has("prologue") && take_switch(fields, "prologue");
  fields.whole("phase", 0, 4, phase);
  lesson.number = int(number);
  lesson.phase = int(phase);
  fields.text("title", lesson.title, Need::Required);
  if (fields.text("brief", lesson.brief, Need::Required) && characters(lesson.brief) > kMostBriefCharacters)
    fields.fault("brief", fmt::format("brief has {} characters; the rail has room for {}.", characters(lesson.brief),
                                      kMostBriefCharacters));
  fields.number("minutes", 0.5, 120, lesson.minutes, Need::Required);
  fields.ordered_expressions("quantities", lesson.quantities);
  if (lesson.quantities.size() > kMostNames)
    fields.fault("quantities", fmt::format("the lesson names {} quantities; it may name up to {}.",
                                           lesson.quantities.size(), kMostNames));
  fields.words("meanings", lesson.meanings);
  for (const auto& [name, meaning] : lesson.meanings) {
    const auto named = [&](const auto& quantity) { return quantity.first == name; };
    if (std::ranges::none_of(lesson.quantities, named))
      fields.fault("meanings",
                   fmt::format("meanings explains {}, which is no name of quantities.", in_quotes(name, 40)));
    if (characters(meaning) > kMostMeaningCharacters)
      fields.fault("meanings", fmt::format("the meaning of {} has {} characters; a tip has room for {}.", name,
                                           characters(meaning), kMostMeaningCharacters));
  }
  for (const toml::table* entry : fields.tables("way")) lesson.ways.push_back(take_way(*entry, line, faults));
  if (const toml::table* gpu = fields.table("gpu")) {
    TomlFields page(*gpu, line, "gpu", faults);
    lesson.gpu.line = page.line();
    page.text("kernel", lesson.gpu.kernel, Need::Required);
    page.whole("n", 1, 1'000'000'000, lesson.gpu.n, Need::Required);
    lesson.gpu.look = take_prose(page, "look", Need::Required);
    page.finish();
  }
  for (const toml::table* entry : fields.tables("reading")) {
    TomlFields source(*entry, line, "an entry of reading", faults);
    lesson.reading.emplace_back();
    source.text("title", lesson.reading.back().title, Need::Required);
    source.text("where", lesson.reading.back().where, Need::Required);
    source.finish();
  }
  fields.finish();
}

void read_scene(std::string_view text, int line, Beat& beat, FaultList& faults) {
  const auto table = parse_toml(text, line, faults);
  if (!table) return;
  TomlFields fields(*table, line, "a scene", faults);
  beat.stage = take_setting(fields);
  for (const toml::table* entry : fields.tables("broken")) {
    TomlFields breakage(*entry, line, "an entry of broken", faults);
    beat.breaks.emplace_back();
    std::string& says = beat.breaks.back().says;
    if (breakage.text("says", says, Need::Required) && characters(says) > kMostBreakageCharacters)
      breakage.fault("says", fmt::format("says has {} characters; the top bar has room for {}.", characters(says),
                                         kMostBreakageCharacters));
    beat.breaks.back().set = take_setting(breakage);
    breakage.finish();
  }
  fields.finish();
}

Question read_question(std::string_view text, int line, bool predict, FaultList& faults) {
  Question out;
  out.predict = predict;
  out.line = line;
  const auto table = parse_toml(text, line, faults);
  if (!table) return out;
  TomlFields fields(*table, line, "the question", faults);
  take_id(fields, out.id);
  out.text = take_prose(fields, "text", Need::Required);
  for (const toml::table* option : fields.tables("options")) out.options.push_back(take_option(*option, line, faults));
  if (out.options.size() == 1 || out.options.size() > kMostOptions)
    fields.fault("options", fmt::format("a choice has 2 to {} options, here {}.", kMostOptions, out.options.size()));
  const bool number = fields.expression("answer", out.answer);
  if (fields.has("options") == number)
    faults.add(line, number ? "the question has options and an answer; keep one of them."
                            : "the question has neither options nor an answer.");
  fields.text("unit", out.unit);
  fields.text("format", out.format);
  if (std::string judged; fields.text("judged", judged)) {
    out.exact = judged == "exact";
    if (!out.exact || !number)
      fields.fault("judged", "judged takes the word exact, of a question that asks for a number.");
  }
  out.why = take_prose(fields, "why", number ? Need::Required : Need::Optional);
  if (const toml::table* vary = fields.table("vary")) {
    TomlFields variables(*vary, line, "vary", faults);
    for (const auto& [name, choices] : *vary) {
      out.vary.push_back({std::string(name.str()), {}});
      variables.expressions(name.str(), out.vary.back().choices);
    }
  }
  fields.texts("cover", out.cover);
  fields.texts("lock", out.lock);
  out.drill = fields.has("drill") && take_switch(fields, "drill");
  if (out.drill && predict) fields.fault("drill", "a predict block is asked in its beat; write a drill as ask.");
  const auto take_stage = [&](std::string_view key, StageSetting& stage) {
    const toml::table* table = fields.table(key);
    if (!table) return;
    TomlFields setting(*table, line, std::string(key), faults);
    stage = take_setting(setting);
    setting.finish();
  };
  take_stage("scene", out.stage);
  take_stage("proof", out.proof);
  fields.finish();
  return out;
}

}  // namespace tilewalk
