// The lessons that come with the program, for tests.
#pragma once

#include "app/state/view_state.h"
#include "core/lesson/course.h"

#include <filesystem>
#include <memory>

namespace tilewalk {

// Read once in a program of tests.
inline std::shared_ptr<const Course> shipped_lessons() {
  static const std::shared_ptr<const Course> read = [] {
    auto course = std::make_shared<Course>();
    course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
    return course;
  }();
  return read;
}

inline void give_shipped_lessons(ViewState& view) {
  view.lesson.course = shipped_lessons();
  view.lesson.cache = std::make_shared<LessonCache>();
}

}  // namespace tilewalk
