// A learner for tests: four small lessons in a folder of their own, and one who presses keys, clicks and types in them.
#pragma once

#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/questions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace tilewalk {

inline constexpr std::string_view kFirst = R"(+++
id = "first"
number = 1
phase = 1
title = "A first lesson"
brief = "First"
minutes = 2
+++

## hook: A walk of nine steps

The stage shows [a K tile](tile:K/1), {{6 * 7 | count}} and a [rescale](step:Rescale).

```python
print("one")
```

```scene
stage = "walk"
seek = "first rescale of Q tile 2"
row = 6
focus = "tile:K/1"
[walk]
preset = "toy"
schedule = "fa2"
```

---

## explore: Two clocks

```scene
stage = "clocks"
knobs = { N = 1024 }
show = ["N"]
tab = "numbers"
```

---

## explore: The same clocks

```scene
stage = "clocks"
knobs = { gpu = "h100" }
```

---

## predict: A choice

```predict
id = "choice"
text = "Which one?"
cover = ["time"]

[[options]]
text = "This one"
right = "true"
why = "Because it is this one."

[[options]]
text = "That one"
right = "false"
why = "Because it is not that one."

[proof]
knobs = { N = 8192 }
```

---

## check: A number

```ask
id = "number"
text = "How much is twice {{N | count}}?"
answer = "2 * N"
format = "count"
why = "Doubled."

[vary]
N = ["10", "20", "30"]
```

---

## compute: The end

You can double.
)";

// Lessons 2 to 4 differ in their names alone.
inline std::string later(int number) {
  return fmt::format(R"(+++
id = "lesson-{0}"
number = {0}
phase = 1
title = "Lesson number {0}"
brief = "Lesson {0}"
minutes = 2
+++

## hook: Another

Nothing new.

```scene
stage = "clocks"
```

---

## check: One question

```ask
id = "own"
text = "How much is 1 + 1?"
answer = "2"
why = "Two."
cover = ["time"]
```
)",
                     number);
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tilewalk-lessons-{}", getpid());
  Folder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    write("01-first.md", kFirst);
    for (int k = 2; k <= 4; ++k) write(fmt::format("0{}-later.md", k), later(k));
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, std::string_view text) const { std::ofstream(path / name) << text; }
};

struct Learner {
  Folder folder;
  Session session;
  ViewState view;
  Vec2 size{1920, 1080};

  Learner() {
    auto course = std::make_shared<Course>();
    course->open({folder.path});
    for (const CourseEntry& entry : course->entries())
      for (const LessonFault& fault : entry.faults) FAIL_CHECK(fault.message);
    view.lesson.course = std::move(course);
    view.lesson.cache = std::make_shared<LessonCache>();
    view.lesson.now = "2026-01-02T03:04:05Z";
    fit(view, size);
  }
  Scene scene() { return layout_window(session, view, size); }
  bool press(KeyPress key) { return key_pressed(key, scene(), session, view); }
  bool press(std::string_view keys) { return press(parse_keys(keys).front()); }
  void click(const std::string& id) {
    const Scene now = scene();
    const Region* region = now.find(id);
    REQUIRE_MESSAGE(region, id);
    pressed(region->rect.center(), now, session, view);
    released(view);
  }
  void type(std::string text) {  // into the field that is open, as the window does
    REQUIRE_FALSE(view.editing.empty());
    typed_into(view.editing, std::move(text), view);
    finish_typing(session, view);
  }
  const LessonRecord& record(const std::string& id) { return view.lesson.progress.lessons[id]; }
};

// Right or wrong as it is shown now, whatever the order.
inline int place_of(const Learner& learner, bool right) {
  const AskedQuestion asked = asked_now(learner.view);
  REQUIRE(asked.question);
  const Instance instance = instance_on_show(asked, learner.session, learner.view);
  for (size_t k = 0; k < instance.order.size(); ++k)
    if (instance.right[size_t(instance.order[k])] == right) return int(k);
  FAIL("no such option");
  return 0;
}

inline bool says(Learner& learner, std::string_view words) {
  const Scene scene = learner.scene();
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos)
      return true;
  return false;
}

inline double answer_now(const Learner& learner) {
  return instance_on_show(asked_now(learner.view), learner.session, learner.view).answer->value;
}

}  // namespace tilewalk
