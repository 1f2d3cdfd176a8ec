// What is kept whole in the prose of lessons: a piece of code that fits on a line is not parted.
#include "app/panels/prose_text.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tilewalk::test_kept_whole {

namespace {

std::vector<std::string> lines_of(const Prose& prose, float width, float size) {
  Scene scene;
  const Style style(Theme::Light, 1);
  const ViewState view;
  const ProseWords words{[](const Span&) {
                           return ProseWords::Shown{"1", ""};
                         },
                         [](std::string_view) { return std::string(); }};
  Flow flow;
  set_prose(flow, {scene, style, view, words}, prose, {width, size, size * 1.5f, style[Role::Text]});
  flow.draw({0, 0, width, flow.height() + 1}, width, 0);
  std::vector<std::string> out;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) out.push_back(label->text);
  return out;
}

bool on_a_line(const std::vector<std::string>& lines, std::string_view words) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(words) != line.npos; });
}

// Of a lesson's texts and questions.
std::vector<const Prose*> prose_of(const Beat& beat) {
  std::vector<const Prose*> out{&beat.text, &beat.kernel};
  for (const Question* question : all_questions_of(beat)) {
    out.insert(out.end(), {&question->text, &question->why});
    for (const AnswerOption& option : question->options) out.insert(out.end(), {&option.text, &option.why});
  }
  return out;
}

}  // namespace

TEST_CASE("A piece of code in a lesson stays on one line, in the column and on a wall") {
  int seen = 0;
  for (const CourseEntry& entry : shipped_lessons()->entries())
    for (const Beat& beat : entry.lesson->beats)
      for (const Prose* prose : prose_of(beat))
        for (const auto& [width, size] : {std::pair{364.0f, 18.0f}, {300.0f, 18.0f}, {1180.0f, 44.0f}}) {
          const std::vector<std::string> lines = lines_of(*prose, width, size);
          for (const Block& block : *prose)
            for (const Span& span : block.spans) {
              if (span.kind != Span::Kind::Code || span.text.size() > 24) continue;
              ++seen;
              CHECK_MESSAGE(on_a_line(lines, span.text), (entry.lesson->id + ": " + span.text));
            }
        }
  CHECK(seen > 60);
}

TEST_CASE("A product in brackets stays whole, and a formula breaks before =") {
  const Prose prose = read_prose("rowsum(dO ∘ O) = rowsum(dO ∘ (P V)) = rowsum(P ∘ (dO Vᵀ)) = rowsum(P ∘ dP): all one");
  for (float width = 180; width < 800; width += 1) {
    const std::vector<std::string> lines = lines_of(prose, width, 18);
    CAPTURE(width);
    CHECK(on_a_line(lines, "(P V))"));
    CHECK(on_a_line(lines, "(dO Vᵀ))"));
    for (const std::string& line : lines) CHECK_FALSE(line.ends_with("="));
  }
  // What fits on no line is parted at its spaces.
  const std::vector<std::string> lines = lines_of(read_prose("`one two three four`"), 120, 18);
  CHECK_MESSAGE(lines.size() > 1, lines.size());
  CHECK(lines.front() == "one two");
}

}  // namespace tilewalk::test_kept_whole
