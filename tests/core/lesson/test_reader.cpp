#include "core/lesson/reader.h"

#include "tests/core/io_helpers.h"

#include <fmt/format.h>

namespace tilewalk::test_reader {
using namespace std::string_literals;

namespace {

const std::string kFront = R"--(+++
id = "traffic"
number = 1
phase = 1
title = "Attention isn't slow"
brief = "Traffic, not math"
minutes = 6

[quantities]
moved = "traffic(standard, N=4096, d=64)"
also = 3

[[reading]]
title = "FlashAttention, section 2"
where = "arXiv:2205.14135"
+++
)--";  // 16 lines

const std::string kBody = R"--(
## hook: Where does the time go?

It moves {{moved | bytes}}.

```scene
stage = "clocks"
knobs = { N = 4096, gpu = "a100-80", x = 0.5, on = true }
show = ["N", "gpu"]
```

<!-- note: Ask the room first. -->

---

## predict: Twice the tensor cores

```predict
id = "doubling"
text = "N = {{N | count}}?"
cover = ["time"]

[vary]
N = ["2048", 4096]

[[options]]
text = "Half"
right = false
why = "No."

[[options]]
text = "Nothing"
right = "N > 1"
why = "Yes."

[proof]
knobs = { tensor = 2 }
```

```python
a = 1
---
```

---
## compute: What you can now compute

```ask
id = "bytes"
text = "How many?"
answer = "moved"
unit = "MB"
format = "bytes"
why = "Because."
```
)--";

LessonFile read(const std::string& text) { return read_lesson(text, "a.md"); }

// The only fault, as "line: message"; the number of faults where there are more.
std::string fault_of(const std::string& text) {
  const LessonFile file = read(text);
  CHECK_FALSE(file.lesson);
  for (const LessonFault& fault : file.faults) {
    CHECK(fault.file == "a.md");
    CHECK(fault.message == printable(fault.message));
    CHECK(fault.message.ends_with('.'));
  }
  if (file.faults.size() != 1) {
    std::string all = std::to_string(file.faults.size()) + " faults";
    for (const LessonFault& fault : file.faults) all += fmt::format("\n{}: {}", fault.line, fault.message);
    return all;
  }
  return fmt::format("{}: {}", file.faults[0].line, file.faults[0].message);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string beats(std::string_view text) { return kFront + std::string(text); }

}  // namespace

TEST_CASE("A lesson is read whole") {
  const LessonFile file = read(kFront + kBody);
  for (const LessonFault& fault : file.faults) FAIL_CHECK(fault.line << ": " << fault.message);
  REQUIRE(file.lesson);
  const Lesson& lesson = *file.lesson;
  CHECK(lesson.id == "traffic");
  CHECK(lesson.number == 1);
  CHECK(lesson.phase == 1);
  CHECK(lesson.title == "Attention isn't slow");
  CHECK(lesson.brief == "Traffic, not math");
  CHECK(lesson.minutes == 6);
  CHECK(lesson.file == "a.md");
  REQUIRE(lesson.quantities.size() == 2);
  CHECK(lesson.quantities[0].first == "moved");
  CHECK(lesson.quantities[1] == std::pair<std::string, std::string>("also", "3"));
  REQUIRE(lesson.reading.size() == 1);
  CHECK(lesson.reading[0].where == "arXiv:2205.14135");

  REQUIRE(lesson.beats.size() == 3);
  const Beat& hook = lesson.beats[0];
  CHECK(hook.kind == BeatKind::Hook);
  CHECK(hook.title == "Where does the time go?");
  CHECK(hook.line == 18);
  CHECK(hook.note == "Ask the room first.");
  REQUIRE(hook.text.size() == 1);
  CHECK(hook.text[0].line == 20);
  CHECK(hook.text[0].spans[1].text == "moved");
  CHECK(hook.stage.stage == "clocks");
  CHECK(hook.stage.knobs.at("N") == "4096");
  CHECK(hook.stage.knobs.at("gpu") == "a100-80");
  CHECK(hook.stage.knobs.at("x") == "0.5");
  CHECK(hook.stage.knobs.at("on") == "1");
  CHECK(hook.stage.show == std::vector<std::string>{"N", "gpu"});

  const Beat& predict = lesson.beats[1];
  CHECK(predict.line == 32);
  REQUIRE(predict.text.size() == 1);
  CHECK(predict.text[0].code == "a = 1\n---\n");
  CHECK(predict.text[0].line == 56);
  REQUIRE(predict.questions.size() == 1);
  const Question& doubling = predict.questions[0];
  CHECK(doubling.predict);
  CHECK(doubling.line == 35);
  CHECK(doubling.text[0].spans[1].text == "N");
  CHECK(doubling.text[0].line == 36);
  REQUIRE(doubling.options.size() == 2);
  CHECK(doubling.options[0].right == "0");
  CHECK(doubling.options[1].right == "N > 1");
  CHECK(doubling.options[1].why[0].spans[0].text == "Yes.");
  CHECK(doubling.options[1].why[0].line == 50);
  REQUIRE(doubling.vary.size() == 1);
  CHECK(doubling.vary[0].choices == std::vector<std::string>{"2048", "4096"});
  CHECK(doubling.cover == std::vector<std::string>{"time"});
  CHECK(doubling.proof.knobs.at("tensor") == "2");

  const Question& bytes = lesson.beats[2].questions.at(0);
  CHECK_FALSE(bytes.predict);
  CHECK(bytes.answer == "moved");
  CHECK(bytes.unit == "MB");
  CHECK(bytes.options.empty());
}

TEST_CASE("Line ends of other systems and a byte order mark change nothing") {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kFront + kBody) text += c == '\n' ? "\r\n" : std::string(1, c);
  const LessonFile file = read(text);
  REQUIRE(file.lesson);
  CHECK(file.lesson->beats.size() == 3);
  CHECK(file.lesson->beats[1].questions[0].line == 35);
  CHECK(file.lesson->beats[1].text[0].code == "a = 1\n---\n");
}

TEST_CASE("Each fault names its line and what was expected") {
  const std::string text = kFront + kBody;
  CHECK(fault_of("") == "1: the file begins with a line +++, the front matter in TOML, and another line +++.");
  CHECK(fault_of("+++\nid = 1\n") == "1: the front matter is not closed by a second line +++.");
  CHECK(fault_of(replaced(text, "id = \"traffic\"\n", "")) == "2: the front matter has no key id.");
  CHECK(fault_of(replaced(text, "id = \"traffic\"", "id = \"No way\"")) ==
        "2: id is \"No way\"; it takes small letters, digits and -.");
  CHECK(fault_of(replaced(text, "number = 1", "number = -1")) == "3: number must be a whole number from 0 to 99.");
  CHECK(fault_of(replaced(text, "minutes = 6", "minutes = \"6\"")) == "7: minutes must be a number from 0.5 to 120.");
  CHECK(fault_of(replaced(text, "Traffic, not math", "Traffic, and by far not math")) ==
        "6: brief has 28 characters; the rail has room for 24.");
  CHECK(fault_of(replaced(text, "answer = ", "judged = \"kindly\"\nanswer = ")).find("judged takes the word exact") !=
        std::string::npos);
  CHECK(fault_of(replaced(text, "minutes", "lenght = 6\nminutes"))
            .starts_with("7: the front matter has no key \"lenght\"; it knows brief, gpu, id, meanings, minutes"));
  CHECK(fault_of(replaced(text, "also = 3", "also = [3]")) ==
        "11: quantities.also must be a text in quotes or a number.");
  CHECK(fault_of(replaced(text, "where = \"arXiv:2205.14135\"\n", "")) == "13: an entry of reading has no key where.");
  CHECK(fault_of(replaced(text, "phase = 1", "phase = ")).starts_with("4: this is not TOML: "));
  CHECK(fault_of(replaced(text, "stage = \"clocks\"", "stage = clocks")).starts_with("23: this is not TOML: "));
  CHECK(fault_of(replaced(text, "show = [\"N\", \"gpu\"]", "show = [\"a\", \"b\", \"c\", \"d\"]")) ==
        "25: show names 4 knobs; at most 3 are within reach.");
  CHECK(fault_of(replaced(text, "why = \"No.\"\n", "")) == "42: an option has no key why.");
  CHECK(fault_of(replaced(text, "answer = \"moved\"\n", "")) == "65: the question has neither options nor an answer.");
  CHECK(fault_of(replaced(text, "id = \"bytes\"", "id = \"doubling\"")) ==
        "65: the question on line 35 has the id \"doubling\" too; give each its own.");
  CHECK(fault_of(replaced(text, "## hook:", "## hok:")).starts_with("18: a beat begins with \"## kind: Title\", "));
  CHECK(fault_of(replaced(text, "## hook: Where does the time go?", "## hook:")).starts_with("18: a beat begins with"));
  CHECK(fault_of(replaced(text, "```scene", "```scene\n```\n\n```scene")) ==
        "25: a beat has one scene; this is its second.");
  CHECK(fault_of(replaced(text, "first. -->", "first.")) == "28: this comment is not closed; it ends with -->.");
  CHECK(fault_of(text.substr(0, text.size() - 4)) == "64: this block is not closed.");
  CHECK(fault_of(kFront) == "16: the lesson has no beats; each begins with \"## kind: Title\".");
  CHECK(fault_of(text + "\n---\n\n") == "75: a beat is empty; begin it with \"## kind: Title\".");
}

TEST_CASE("Bytes that are no text, and too many of them, are named") {
  CHECK(fault_of(replaced(kFront + kBody, "It moves", "It \xC0moves")) ==
        "20: here is a byte that is not UTF-8; save the file as UTF-8.");
  const std::string fault = fault_of(std::string(10 << 20, 'a'));
  CHECK(fault == "0: the file has 10485760 bytes; a lesson has at most 1048576.");
  CHECK(fault_of(beats("\n## hook: A\n\nText\n\n```ask\nid = \"a\0b\"\n```\n"s)).starts_with("23: this is not TOML"));
}

TEST_CASE("A file that is wrong everywhere is told so a hundred times") {
  std::string text = kFront;
  for (int k = 0; k < 5000; ++k) text += "## nothing\n---\n";
  const LessonFile file = read(text + "## hook: A\n");
  CHECK(file.faults.size() == 101);
  CHECK_FALSE(file.lesson);
}

TEST_CASE("A file that cannot be read is a fault of the file") {
  const ScratchFolder folder;
  const LessonFile missing = read_lesson_file(folder / "none.md");
  REQUIRE(missing.faults.size() == 1);
  CHECK(missing.faults[0].message == "the file is not there; check the name and the folder.");
  put(folder / "large.md", std::string(10 << 20, 'x'));
  const LessonFile large = read_lesson_file(folder / "large.md");
  REQUIRE(large.faults.size() == 1);
  CHECK(large.faults[0].message.starts_with("the file is too large: 10485760 bytes"));
  put(folder / "good.md", kFront + kBody);
  CHECK(read_lesson_file(folder / "good.md").lesson);
}

TEST_CASE("What is for kernel people and what Explain says stand apart from the text, each with its lines") {
  const LessonFile file = read(beats(R"--(
## hook: One

Read by all.

### For kernel people

Spills: {{2 * 2}}.

```scene
stage = "clocks"
```

### Explain

First. Second.
)--"));
  REQUIRE(file.lesson);
  const Beat& beat = file.lesson->beats.at(0);
  CHECK(beat.stage.stage == "clocks");
  REQUIRE(beat.text.size() == 1);
  CHECK(beat.text[0].spans.at(0).text == "Read by all.");
  REQUIRE(beat.kernel.size() == 1);
  CHECK(beat.kernel[0].spans.at(1).text == "2 * 2");
  CHECK(beat.kernel[0].line == 24);
  REQUIRE(beat.explain.size() == 1);
  CHECK(beat.explain[0].line == 32);
  CHECK(fault_of(beats("## hook: One\n\n### Explain\n\nA.\n\n### Explain\n\nB.\n")) ==
        "23: a beat has \"### Explain\" once; this is the second.");
  CHECK(fault_of(beats("## hook: One\n\n### For kernel people\n")) == "19: nothing stands under this heading.");
}

TEST_CASE("A prologue has ways through the path, and names can say what they mean") {
  const std::string front = replaced(kFront, "number = 1\nphase = 1\n", "prologue = true\n");
  const std::string more = replaced(front, "also = 3\n",
                                    "also = 3\n\n[meanings]\nmoved = \"all bytes\"\n\n[[way]]\nid = \"idea\"\ntitle = "
                                    "\"The idea\"\nsays = \"What it is.\"\nlessons = [1, 3, 6]\n");
  const LessonFile file = read(more + "## hook: One\n\nText.\n");
  for (const LessonFault& fault : file.faults) FAIL_CHECK(fault.line << ": " << fault.message);
  REQUIRE(file.lesson);
  CHECK(file.lesson->prologue);
  CHECK(file.lesson->meanings.at("moved") == "all bytes");
  REQUIRE(file.lesson->ways.size() == 1);
  CHECK(file.lesson->ways[0].lessons == std::vector{1, 3, 6});
  CHECK(fault_of(replaced(more, "moved = \"all bytes\"", "bytes = \"all bytes\"") + "## hook: One\n\nText.\n") ==
        "12: meanings explains \"bytes\", which is no name of quantities.");
  CHECK(fault_of(replaced(more, "[1, 3, 6]", "[1, 6, 3]") + "## hook: One\n\nText.\n") ==
        "19: lessons are the numbers of lessons, from the first to the last.");
}

}  // namespace tilewalk::test_reader
