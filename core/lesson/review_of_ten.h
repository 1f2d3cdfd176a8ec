// A review of ten: after some lessons of the path ten questions look back on it. It is a lesson of ten beats, made when
// it is opened: first what was answered wrong, then what only reviews ask (Beat::drills), then the rest of the lessons
// since the review before, then older ones, until there are ten. Each question brings its own lesson's text, numbers
// and stage (Beat::home).
#pragma once

#include "core/lesson/course.h"
#include "core/lesson/progress.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tilewalk {

constexpr std::array<int, 3> kReviewsAfter = {4, 9, 14};  // lessons
constexpr int kAskedInReview = 10;

std::string review_id(int after);       // "review-4"
int review_named(std::string_view id);  // 4; 0 where it is the id of none
std::string review_title(int after);    // "Ten questions on lessons 1 to 4"
int review_that_asks(int number);       // the review in which a lesson's drills come first: 9 for lesson 5

// In the order of the path, no question twice; what was answered in this review already is asked in it again. The seed
// decides among what is equally due. Of lessons that are neither on the way nor begun nothing is asked. Null where
// there is nothing to ask.
std::shared_ptr<const Lesson> review_of_ten(const Course& course, const LearnerProgress& progress, const LessonWay* way,
                                            int after, uint64_t seed = 1);

}  // namespace tilewalk
