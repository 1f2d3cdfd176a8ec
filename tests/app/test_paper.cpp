// A lesson on paper: nothing to press is spoken of, what is broken is shown broken; and a GIF gives time to read.
#include "app/export/job.h"
#include "app/export/lesson_page.h"
#include "core/lesson/control_words.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tilewalk::test_paper {

namespace {

int count_of(const std::string& text, const std::string& words) {
  int count = 0;
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("On the pages of the lessons nothing speaks of a button, and each break beat is shown broken, in each way") {
  ViewState view;
  give_shipped_lessons(view);
  int broken = 0;
  for (const int number : {3, 6, 7, 9}) {
    const auto lesson = view.lesson.course->lesson_numbered(number);
    REQUIRE(lesson);
    const std::string page = lesson_page(view.lesson.course, *lesson);
    CAPTURE(number);
    int ways = 0;
    for (const Beat& beat : lesson->beats) ways += int(beat.breaks.size());
    CHECK(count_of(page, ">Broken on purpose:</strong> ") == ways);
    CHECK(count_of(page, "<strong class=\"broken\">") == ways);
    broken += ways;
    for (const char* words : {"the button", "Press again", "Drag a bar", "arrow button", "Drag bars", "Press the"}) {
      CAPTURE(words);
      CHECK(page.find(words) == page.npos);
    }
  }
  CHECK(broken >= 4);
  // Two ways are two pictures.
  const std::string six = lesson_page(view.lesson.course, *view.lesson.course->lesson_numbered(6));
  CHECK(six.find("Which keys the row meets first") == six.npos);  // a knob's words
  const size_t first = six.find("<strong class=\"broken\">"), second = six.find("<strong class=\"broken\">", first + 1);
  REQUIRE(second != six.npos);
  CHECK(six.substr(first, second - first).find("<figure>") != std::string::npos);
  CHECK(six.find("overflow: more than 65,504") != std::string::npos);
}

TEST_CASE("No page of a lesson or relative asks to step, names a key or leads to a puzzle, or tells too soon who ran") {
  ViewState view;
  give_shipped_lessons(view);
  int pages = 0;
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    CAPTURE(entry.lesson->id);
    for (const Beat& beat : entry.lesson->beats)
      for (const Prose* prose : {&beat.text, &beat.kernel, &beat.explain})
        for (const Block& block : *prose) {
          CAPTURE(block.line);
          CHECK(unmarked_control(block) == "");
        }
    if (entry.lesson->prologue) continue;
    const std::string page = lesson_page(view.lesson.course, *entry.lesson);
    ++pages;
    for (const char* words : {"Step forward", "puzzle:", "[[", "]]", "{{", "(← →)", "(Enter)", "the list of all",
                              "pytorch-mem-efficient at"}) {
      CAPTURE(std::string(words));
      CHECK(page.find(words) == page.npos);
    }
  }
  CHECK(pages >= 19);
}

TEST_CASE(
    "Where a beat is stepped on from the start of a walk its page shows a step with something on chip, and which") {
  ViewState view;
  give_shipped_lessons(view);
  const std::string page = lesson_page(view.lesson.course, *view.lesson.course->lesson_numbered(10));
  const size_t beat = page.find("<h2>Explore: O, in and out</h2>");
  REQUIRE(beat != page.npos);
  const std::string explored = page.substr(beat, page.find("</section>", beat) - beat);
  CHECK(explored.find("nothing is on chip") == explored.npos);
  CHECK(explored.find("</span> The walk at its step ") != explored.npos);
  CHECK(count_of(page, "The walk at its step ") == 1);
}

TEST_CASE("A picture and its caption are one block of a sheet, which text goes round; the caption says whose it is") {
  ViewState view;
  give_shipped_lessons(view);
  for (const int number : {6, 10}) {
    const std::string page = lesson_page(view.lesson.course, *view.lesson.course->lesson_numbered(number));
    int figures = 0;
    for (size_t at = page.find("<figure>"); at != page.npos; at = page.find("<figure>", at + 1), ++figures) {
      const std::string figure = page.substr(at, page.find("</figure>", at) - at);
      CHECK(count_of(figure, "<figcaption><span class=\"paper\">") == 1);
    }
    CHECK(figures > 4);
    CHECK(count_of(page, "Broken on purpose") == count_of(page, "</span> <strong class=\"broken\">Broken on purpose"));
    const std::string print = page.substr(page.find("@media print"));
    CHECK(print.find("figure{float:left;width:100%") != print.npos);
    CHECK(print.find("figure,table,.question,.answer li{break-inside:avoid}") != print.npos);
  }
}

TEST_CASE("A heading stands over words, not at a sheet's foot while its picture floats to the next") {
  ViewState view;
  give_shipped_lessons(view);
  int bare = 0;
  for (int number = 1; number <= 14; ++number) {
    const std::string page = lesson_page(view.lesson.course, *view.lesson.course->lesson_numbered(number));
    CAPTURE(number);
    for (size_t at = page.find("</h2>\n"); at != page.npos; at = page.find("</h2>\n", at + 1)) {
      CHECK(page.compare(at + 6, 7, "<figure") != 0);
      bare += page.compare(at + 6, 22, "<div class=\"question\">") == 0;
    }
    CHECK(page.find("h2,h3{break-after:avoid}") != page.npos);
  }
  CHECK(bare >= 10);
}

TEST_CASE("A picture that shows an answer covers none of the beat's other answers") {
  ViewState view;
  give_shipped_lessons(view);
  int answers = 0;
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson) continue;
    const std::string page = lesson_page(view.lesson.course, *entry.lesson);
    for (size_t at = page.find("With the answer to question "); at != page.npos;
         at = page.find("With the answer to question ", at + 1)) {
      CAPTURE(entry.lesson->id);
      CAPTURE(page.substr(at, 31));
      const std::string figure = page.substr(page.rfind("<figure>", at), at - page.rfind("<figure>", at));
      CHECK(figure.find(">?</text>") == figure.npos);
      ++answers;
    }
  }
  CHECK(answers > 20);
}

TEST_CASE("The smallest type of a page's pictures is read on paper, of a beat and of an answer") {
  ViewState view;
  give_shipped_lessons(view);
  const std::string page = lesson_page(view.lesson.course, *view.lesson.course->lesson_numbered(5));
  const auto number_behind = [&](const std::string& words, size_t from) {
    const size_t at = page.find(words, from);
    REQUIRE(at != page.npos);
    return std::stod(page.substr(at + words.size(), 8));
  };
  const size_t print = page.find("@media print");
  const double beat = number_behind("figure svg{width:", print) / 100;
  const double answer = number_behind(".answer figure svg{width:", print) / 100;
  const double wide = number_behind("width=\"", page.find("<svg"));
  double type = 100;
  const std::string size = "font-size=\"";
  for (size_t at = page.find(size); at != page.npos; at = page.find(size, at + 1))
    type = std::min(type, number_behind(size, at));
  REQUIRE(type >= 8);
  constexpr double kPaper = 190 / 25.4 * 72;  // points across A4 within a browser's margins
  CHECK(type / wide * beat * kPaper > 5.4);
  CHECK(type / wide * answer * kPaper > 4.6);
}

TEST_CASE("A frame of a GIF is shown as long as its sentence takes to be read") {
  CHECK(reading_hundredths("") == kFrameHundredths);
  CHECK(reading_hundredths("Row 1 of O shrinks by α = 0.313, onto the scale of the new max.") == 450);
  CHECK(reading_hundredths(std::string(400, 'x')) == kFrameHundredths);
  std::string long_one;
  for (int k = 0; k < 90; ++k) long_one += "word ";
  CHECK(reading_hundredths(long_one) == kMostHundredths);
}

}  // namespace tilewalk::test_paper
