#include "core/lesson/review_of_ten.h"

#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/machine/gpus.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::string_view kIdBegins = "review-";
constexpr double kMinutesAQuestion = 0.9;  // reading it, thinking, and the reason

// Of the lessons behind which a review stands, the last one before this review; 0 before the first.
int review_before(int after) {
  int before = 0;
  for (const int each : kReviewsAfter)
    if (each < after) before = each;
  return before;
}

// FNV-1a over the seed and the name, so that the draw is the same on every machine.
uint64_t lot_of(std::string_view name, uint64_t seed) {
  uint64_t lot = 0xcbf29ce484222325u;
  const auto mix = [&](uint8_t byte) { lot = (lot ^ byte) * 0x100000001b3u; };
  for (int k = 0; k < 8; ++k) mix(uint8_t(seed >> (8 * k)));
  for (const char c : name) mix(uint8_t(c));
  return lot ^ (lot >> 29);
}

const AnswerRecord* answer_in(const LearnerProgress& progress, const std::string& lesson, const std::string& key) {
  const auto record = progress.lessons.find(lesson);
  if (record == progress.lessons.end()) return nullptr;
  const auto found = record->second.answers.find(key);
  return found == record->second.answers.end() ? nullptr : &found->second;
}

bool was_begun(const LearnerProgress& progress, const Lesson& lesson) {
  const auto record = progress.lessons.find(lesson.id);
  return record != progress.lessons.end() && !record->second.answers.empty();
}

enum class Due : uint8_t { Here, Missed, Drill, Rest, Older };  // what comes first

struct Candidate {
  std::shared_ptr<const Lesson> lesson;
  size_t beat, place;
  const Question* question;
  std::string key;
  Due due;
  uint64_t lot;
};

// Wrong in its lesson or in a review before this one, whichever was the last to ask.
bool was_missed(const LearnerProgress& progress, const Lesson& lesson, const Question& question, const std::string& key,
                int after) {
  const AnswerRecord* last = answer_in(progress, lesson.id, question.id);
  for (const int review : kReviewsAfter)
    if (review < after)
      if (const AnswerRecord* answer = answer_in(progress, review_id(review), key)) last = answer;
  return last && !last->right;
}

std::string words_of(const Block& block) {
  std::string words;
  for (const Span& span : block.spans)
    if (span.kind != Span::Kind::Quantity) words += span.text;
  return words;
}

// Whether a question gives this size itself, or asks about it: then its lesson's number is not said before it.
bool speaks_of(const Question& question, std::string_view name) {
  if (std::ranges::any_of(question.vary, [&](const Variable& varied) { return varied.name == name; })) return true;
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0; };
  for (const Block& block : question.text) {
    const std::string words = words_of(block);
    for (size_t at = words.find(name); at != std::string::npos; at = words.find(name, at + 1)) {
      const size_t end = at + name.size();
      if ((at == 0 || !is_letter(words[at - 1])) && (end == words.size() || !is_letter(words[end]))) return true;
    }
  }
  return false;
}

// A paragraph that says for all questions of a lesson's check which head they are about: not for one that says so
// itself or brings a board of its own.
bool sets_otherwise(const Block& lead, const Question& question) {
  const std::string words = words_of(lead);
  return std::ranges::any_of(std::array{"N", "d"}, [&](std::string_view name) {
    return words.find(fmt::format("{} = ", name)) != std::string::npos &&
           (speaks_of(question, name) || !question.stage.stage.empty());
  });
}

// What the stage is set to where it is asked: "An A100, N = 4,096, d = 64." Empty where the beats name none of these.
std::string setting_of(const Candidate& asked) {
  std::map<std::string, std::string, std::less<>> set;
  std::string stage;
  for (size_t k = 0; k <= asked.beat; ++k) {
    const StageSetting& s = asked.lesson->beats[k].stage;
    if (!s.stage.empty() && s.stage != std::exchange(stage, s.stage)) set.clear();
    for (const auto& [knob, value] : s.knobs) set[knob] = value;
  }
  if (const StageSetting& own = asked.question->stage; !own.stage.empty() && own.stage != stage) set.clear();
  for (const auto& [knob, value] : asked.question->stage.knobs) set[knob] = value;
  for (const Variable& varied : asked.question->vary) set.erase(varied.name == "H" ? "heads" : varied.name);
  for (const std::string_view name : {"N", "d"})
    if (speaks_of(*asked.question, name)) set.erase(std::string(name));
  std::string out;
  const auto say = [&](std::string words) { out += (out.empty() ? "" : ", ") + words; };
  if (const auto gpu = set.find("gpu"); gpu != set.end())
    for (const GpuSpec& each : gpus())
      if (each.id == gpu->second) say(each.title);
  for (const auto& [knob, name] : {std::pair{"N", "N"}, {"d", "d"}, {"heads", "heads"}, {"H", "heads"}})
    if (const auto value = set.find(knob); value != set.end() && number_of<int64_t>(value->second))
      say(fmt::format("{} = {}", name, with_commas(*number_of<int64_t>(value->second))));
  return out.empty() ? out : out + ".";
}

Beat beat_of(const Candidate& asked) {
  Beat out = asked.lesson->beats[asked.beat];
  if (out.kind == BeatKind::Check)
    std::erase_if(out.text, [&](const Block& lead) { return sets_otherwise(lead, *asked.question); });
  Prose setting = read_prose(setting_of(asked), out.line);
  out.text.insert(out.text.begin(), setting.begin(), setting.end());
  out.kind = BeatKind::Check;
  out.title = fmt::format("From lesson {}: {}", asked.lesson->number, asked.lesson->brief);
  out.kernel.clear();
  out.breaks.clear();
  out.drills.clear();
  out.questions = {*asked.question};
  out.questions.front().id = asked.key;
  out.home = asked.lesson;
  out.home_beat = int(asked.beat);
  return out;
}

}  // namespace

std::string review_id(int after) { return fmt::format("{}{}", kIdBegins, after); }

int review_named(std::string_view id) {
  for (const int after : kReviewsAfter)
    if (id == review_id(after)) return after;
  return 0;
}

std::string review_title(int after) { return fmt::format("Ten questions on lessons 1 to {}", after); }

int review_that_asks(int number) {
  const auto found = std::ranges::find_if(kReviewsAfter, [&](int after) { return number <= after; });
  return found == kReviewsAfter.end() ? kReviewsAfter.back() : *found;
}

std::shared_ptr<const Lesson> review_of_ten(const Course& course, const LearnerProgress& progress, const LessonWay* way,
                                            int after, uint64_t seed) {
  std::vector<Candidate> pool;
  for (const CourseEntry& entry : course.entries()) {
    if (!entry.lesson || entry.lesson->number < 1 || entry.lesson->number > after) continue;
    const Lesson& lesson = *entry.lesson;
    if (!on_way(lesson, way) && !was_begun(progress, lesson)) continue;
    const bool since = lesson.number > review_before(after);
    size_t place = 0;
    for (size_t beat = 0; beat < lesson.beats.size(); ++beat)
      for (const Question* question : all_questions_of(lesson.beats[beat])) {
        std::string key = lesson.id + "/" + question->id;
        const Due due = answer_in(progress, review_id(after), key)            ? Due::Here
                        : was_missed(progress, lesson, *question, key, after) ? Due::Missed
                        : !since                                              ? Due::Older
                        : question->drill                                     ? Due::Drill
                                                                              : Due::Rest;
        const uint64_t lot = lot_of(key, seed);
        pool.push_back({entry.lesson, beat, place++, question, std::move(key), due, lot});
      }
  }
  if (pool.empty()) return nullptr;
  std::ranges::sort(pool, {}, [](const Candidate& c) { return std::tuple(c.due, c.lot, c.key); });
  pool.resize(std::min(pool.size(), size_t(kAskedInReview)));
  std::ranges::sort(pool, {}, [](const Candidate& c) { return std::tuple(c.lesson->number, c.beat, c.place); });

  auto out = std::make_shared<Lesson>();
  out->id = review_id(after);
  out->review = after;
  out->title = review_title(after);
  out->brief = "Ten questions";
  out->minutes = kMinutesAQuestion * double(pool.size());
  for (const Candidate& asked : pool) out->beats.push_back(beat_of(asked));
  return out;
}

}  // namespace tilewalk
