// What a class is asked: votes, how they are shown, and what they came to.
#include "app/boards/draw.h"
#include "app/panels/audience.h"
#include "app/panels/room_votes.h"
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/session/class_moves.h"
#include "app/session/class_puzzles.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/present_moves.h"
#include "app/session/set_stops.h"
#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "core/classroom/room.h"
#include "core/io/file.h"
#include "core/machine/words.h"

#include "tests/app/present/class_of_two.h"

namespace tilewalk::test_class_questions {

TEST_CASE("With the clicker alone a question is asked, counted, asked again and told, on the wall and on the page") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 3; ++k) c.clicker("Page Down");
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
  c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  CHECK(c.on_wall("0 of 1 have answered"));
  // The letters of the page are those of the wall.
  const AskedQuestion asked = class_question(c.page.view);
  REQUIRE(asked.question);
  CHECK(instance_on_show(asked, c.page.session, c.page.view).order ==
        instance_on_show(asked_now(c.teacher.view), c.teacher.session, c.teacher.view).order);
  const int right = place_of(c.teacher, true), wrong = 1 - right;
  c.answer(wrong);
  CHECK(says(c.page, fmt::format("Your answer is {}", char('A' + wrong))));
  c.page.click("sure:2");
  c.turn();
  CHECK(c.on_wall("1 of 1 have answered"));
  CHECK(c.page.view.classroom.with->my_vote()->sure == 2);
  CHECK_FALSE(says(c.page, "Because it is"));

  c.clicker("Page Down");  // what it came to, without the answer
  CHECK(says(c.page, "What the class has answered"));
  CHECK_FALSE(c.on_wall("✓"));
  CHECK_FALSE(says(c.page, "✓"));
  CHECK(c.on_wall("rather sure"));
  c.clicker("Page Up");
  CHECK(says(c.page, "Asked again"));
  c.answer(right);
  c.clicker("Page Down");
  CHECK(c.on_wall("lower: after talking it over"));
  REQUIRE(c.teacher.view.classroom.with->poll()->rounds.size() == 2);
  c.clicker("Page Down");  // the answer
  CHECK(c.on_wall("✓"));
  CHECK(says(c.page, "✓"));
  CHECK(c.page.view.lesson.questions[asked.key].locked == false);
  CHECK(c.page.record("first").answers.empty());  // nothing of the class is the learner's own answer
  while (c.teacher.view.lesson.beat == 3) c.clicker("Page Down");
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
}

TEST_CASE("A number is typed, and where nobody answers the clicker goes on as it does without a class") {
  Class c;
  c.ask_number();
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.click("field:class-number");
  c.page.type("many");
  CHECK(says(c.page, "is no number"));
  CHECK(c.page.view.editing == "field:class-number");  // to be put right
  c.page.type("44");
  c.page.click("sure:1");
  c.turn();
  CHECK(says(c.page, "Your answer is 44"));
  c.page.view.classroom.number = "45";  // typed, and not sent
  CHECK(says(c.page, "Your answer is 44"));
  c.clicker("Page Down");
  REQUIRE(c.teacher.view.classroom.with->poll()->rounds.size() == 1);
  CHECK(c.teacher.view.classroom.with->poll()->rounds[0].numbers == std::vector<double>{44});
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll());
  CHECK(c.page.view.classroom.with->poll()->asked.answer == answer_now(c.teacher));

  Class nobody;
  nobody.clicker("F5");
  nobody.clicker("G");
  nobody.teacher.type("1.4");
  nobody.turn();
  nobody.clicker("Page Down");
  nobody.clicker("Page Down");
  CHECK(nobody.on_wall("✓"));
}

TEST_CASE("While the wall is frozen or dark no vote is closed, shown or asked again") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.answer(0);
  for (const char* key : {"F", "B"}) {
    CAPTURE(key);
    c.clicker(key);
    c.clicker("Page Down");
    c.clicker("Page Down");
    CHECK(c.page.view.classroom.with->poll()->open);
    CHECK(c.teacher.view.notice.find("the vote") != std::string::npos);
    c.clicker(key);
  }
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll()->counted);
  c.clicker("F");
  c.clicker("Page Up");
  CHECK(c.page.view.classroom.with->poll()->round == 1);
}

TEST_CASE("A vote that few have answered is closed by a second press alone") {
  Class c;
  for (const ConnId other : {ConnId{3}, ConnId{4}}) {
    REQUIRE(c.room.opened(other, "10.0.0.7", c.now));
    c.room.said(other, line_of(FromPage(Join{"k7m-2xq", "", ""})), c.now);
  }
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  c.answer(0);
  c.clicker("Page Down");
  CHECK(c.page.view.classroom.with->poll()->open);
  CHECK(c.teacher.view.notice == "1 of 3 have answered. Once more closes the vote.");
  c.clicker("Page Down");
  CHECK(c.page.view.classroom.with->poll()->counted);
}

TEST_CASE("A letter answers, and a number's field has the keys when it comes") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.press("B");
  c.turn();
  CHECK(says(c.page, "Your answer is B"));
  Class number;
  number.ask_number();
  CHECK(number.page.view.editing == "field:class-number");
}

TEST_CASE("Who teaches is told what the next press brings, within a question, too") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 3; ++k) c.clicker("Page Down");
  CHECK(next_in_beat_words(c.teacher.view) == "The question");
  c.clicker("Page Down");
  CHECK(next_in_beat_words(c.teacher.view) == "The answer");
  c.answer(0);
  CHECK(next_in_beat_words(c.teacher.view) == "What the class has answered");
  c.clicker("Page Down");
  c.clicker("Page Down");
  const std::string next = next_in_beat_words(c.teacher.view);
  const int beat = c.teacher.view.lesson.beat;
  c.clicker("Page Down");
  CHECK((c.teacher.view.lesson.beat == beat) == !next.empty());
}

TEST_CASE("A number goes by its button, is typed anew when it is asked again, and is marked among all") {
  Class c;
  c.ask_number();
  c.page.view.classroom.number = "44";
  c.answer(-1);
  CHECK(says(c.page, "Your answer is 44"));
  c.clicker("Page Down");
  const AskedQuestion asked = class_question(c.page.view);
  CHECK(class_votes(c.page.view, asked, {}).mine == 44);
  CHECK_FALSE(class_votes(c.teacher.view, asked, {}).mine);
  c.clicker("Page Up");
  CHECK(c.page.view.classroom.number.empty());
  CHECK(c.page.view.editing == "field:class-number");
  c.page.view.classroom.number = "44";
  c.answer(-1);
  CHECK(says(c.page, "Your answer is 44"));
}

TEST_CASE("One absurd number leaves the others their room on the wall, and is told") {
  ClassVotes votes;
  votes.rounds.resize(1);
  votes.rounds[0].numbers = {-1e300, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1e308};
  votes.rounds[0].votes = 8;
  votes.mine = 1.4;
  Scene scene;
  draw_numbers(scene, Style(Theme::Light, 1), {0, 0, 1000, 300}, votes, Question{}, 24);
  std::string words;
  float left = 1e9f, right = 0;
  int dots = 0;
  for (const Item& item : scene.items) {
    if (const Label* label = std::get_if<Label>(&item)) words += label->text + "\n";
    const Box* box = std::get_if<Box>(&item);
    if (!box || box->fill != Style(Theme::Light, 1)[Role::Inverse]) continue;  // those inside that are not one's own
    left = std::min(left, box->rect.x), right = std::max(right, box->rect.x), ++dots;
  }
  CHECK(dots == 5);
  CHECK(right - left > 800);
  CHECK(words.find("Hollow: 1 far below, 1 far above") != std::string::npos);
}

TEST_CASE("The answer over a line of numbers is as large as an option's letter") {
  ClassVotes votes;
  votes.rounds.resize(1);
  votes.rounds[0].votes = 3;
  votes.rounds[0].numbers = {2, 3, 5};
  votes.answer = 4;
  Scene scene;
  scene.size = {1000, 400};
  draw_numbers(scene, Style(Theme::Light, 1), {0, 0, 1000, 400}, votes, Question{}, 24, 40);
  for (const std::string& fault : layout_faults(scene, 14, 1)) FAIL_CHECK(fault);
  const Label* answer = nullptr;
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item); label && label->face == Face::MonoBold) answer = label;
  REQUIRE(answer);
  CHECK(answer->size == 40);
}

TEST_CASE("The line of numbers has three to five round ones, says its scale, and stays when the answer is told") {
  const auto drawn = [](std::vector<double> numbers, std::optional<double> answer) {
    ClassVotes votes;
    votes.rounds.resize(1);
    votes.rounds[0].votes = int(numbers.size());
    votes.rounds[0].numbers = std::move(numbers);
    votes.answer = answer;
    Scene scene;
    scene.size = {1000, 300};
    draw_numbers(scene, Style(Theme::Light, 1), {0, 0, 1000, 300}, votes, Question{}, 24);
    for (const std::string& fault : layout_faults(scene, 14, 1)) FAIL_CHECK(fault);
    return scene;
  };
  const auto words = [](const Scene& scene) {
    std::vector<std::string> all;
    for (const Item& item : scene.items)
      if (const Label* label = std::get_if<Label>(&item)) all.push_back(label->text);
    return all;
  };
  using Words = std::vector<std::string>;
  CHECK(words(drawn({2.1, 3, 4, 5.5, 7.31}, {})) == Words{"3", "4", "5", "6", "7"});
  CHECK(words(drawn({0, 2, 5, 8, 10}, {})) == Words{"0", "5", "10"});
  CHECK(words(drawn({0.5, 8, 40, 900, 70000}, {})) == Words{"1", "10", "100", "1,000", "10,000", "Logarithmic axis"});
  // The dots lie where they lay, and an answer far away is said to be beyond.
  const auto dots = [](const Scene& scene) {
    std::vector<float> out;
    for (const Item& item : scene.items)
      if (const Box* box = std::get_if<Box>(&item)) out.push_back(box->rect.x), out.push_back(box->rect.y);
    return out;
  };
  CHECK(dots(drawn({2.1, 3, 4, 5.5, 7.31}, {})) == dots(drawn({2.1, 3, 4, 5.5, 7.31}, 66.9)));
  CHECK(words(drawn({2.1, 3, 4, 5.5, 7.31}, 66.9)).front() == "66.9 →");
}

TEST_CASE("Bars are shares of their round, with how many answered") {
  ClassVotes votes;
  votes.rounds.resize(2);
  votes.rounds[0] = {{{0, 0, 39}, {0, 0, 39}}, {}, 78};
  votes.rounds[1] = {{{0, 0, 7}, {0, 0, 21}}, {}, 28};
  Scene scene;
  const Style style(Theme::Light, 1);
  draw_votes(scene, style, {0, 0, 400, 60}, votes, 1, 20);
  std::vector<float> widths;
  for (const Item& item : scene.items)
    if (const Box* box = std::get_if<Box>(&item)) widths.push_back(box->rect.w);
  REQUIRE(widths.size() == 2);
  CHECK(widths[1] == doctest::Approx(widths[0] * 1.5f));  // 75 % after 50 %
  draw_votes_key(scene, style, {0, 70, 800, 30}, votes, 20);
  const Label* label = std::get_if<Label>(&scene.items.back());
  REQUIRE(label);
  CHECK(label->text == "upper bar: before, n = 78, lower: after talking it over, n = 28");
}

TEST_CASE("What the class is being asked is not answered in the lesson before all are told") {
  Class c;
  c.ask_number();
  const AskedQuestion asked = asked_now(c.page.view);
  REQUIRE(asked.question);
  const auto try_both = [&] {
    for (const bool skips : {false, true}) {
      close_overlays(c.page.view);
      c.page.view.lesson.questions[asked.key].typed = "44";
      skips ? skip_question(c.page.session, c.page.view) : (void)lock_answer(c.page.session, c.page.view);
      CHECK(is_open<ClassCard>(c.page.view));
      CHECK_FALSE(settled(c.page.view, asked));
    }
  };
  try_both();
  c.page.view.classroom.number = "44";
  c.answer(-1);
  c.clicker("Page Down");  // shown what all say, not the answer
  try_both();
  CHECK(says(c.page, "Your answer is 44, the violet dot."));
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll()->told);
  close_overlays(c.page.view);
  CHECK(lock_answer(c.page.session, c.page.view));
  CHECK(settled(c.page.view, asked));
}

TEST_CASE("Who teaches sees votes as they come, on the desk alone, and after the class what each question came to") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  c.answer(1);
  CHECK_FALSE(c.on_wall("So far"));
  c.clicker("Ctrl+J");
  REQUIRE(is_open<ClassDesk>(c.teacher.view));
  CHECK(says(c.teacher, "B 1"));
  CHECK_FALSE(c.on_wall("B 1"));
  c.clicker("Esc");
  c.clicker("Page Down");
  c.clicker("Page Down");
  c.clicker("Ctrl+F5");
  c.clicker("Ctrl+Shift+Home");
  c.teacher.click("class:really-end");
  c.turn();
  CHECK(says(c.teacher, "What it came to stays here"));
  CHECK_FALSE(c.page.view.classroom.with->left());
  c.teacher.click("command:class-summary");
  REQUIRE(is_open<ClassSummary>(c.teacher.view));
  CHECK(says(c.teacher, "1 vote"));
  c.teacher.click("summary:1");
  CHECK(std::get<ClassSummary>(c.teacher.view.over).page == 1);
  CHECK(says(c.teacher, "Question 1 of 1"));
  c.teacher.click("command:class-save");
  CHECK(c.teacher.view.wishes.class_summary);
  CHECK(summary_text(*c.teacher.view.classroom.with->left()).find("(right)") != std::string::npos);
}

TEST_CASE(
    "The summary says the question as the wall did: its words, each option under the wall's letter, the right one") {
  for (int seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Class c;
    c.clicker("F5");
    for (int k = 0; k < 3; ++k) c.clicker("Page Down");
    const AskedQuestion next = asked_now(c.teacher.view);
    REQUIRE(next.question);
    c.teacher.view.lesson.questions[next.key].seed = uint64_t(seed);
    c.clicker("Page Down");
    c.answer(1);  // B of the wall
    const AskedQuestion asked = class_question(c.page.view);
    REQUIRE(asked.question);
    const Instance instance = instance_on_show(asked, c.page.session, c.page.view);
    REQUIRE(instance.order.size() > 1);
    c.clicker("Page Down");
    c.clicker("Page Down");
    const ClassLeft left = c.room.left();
    REQUIRE(left.polls.size() == 1);
    const PollAsked& kept = left.polls[0].asked;
    CHECK(kept.order == instance.order);
    CHECK_FALSE(kept.words.empty());
    REQUIRE(kept.said.size() == instance.order.size());
    const std::string text = summary_text(left), wall = c.wall();
    CAPTURE(text);
    const size_t row = text.find("| B ");
    REQUIRE(row != text.npos);
    const std::string b = text.substr(row, text.find('\n', row) - row);
    CHECK(b.find(" | 1 | 0 |") != std::string::npos);
    CHECK((b.find("(right)") != std::string::npos) == bool(instance.right[size_t(instance.order[1])]));
    const std::string& said = kept.said[size_t(instance.order[1])];
    CHECK(wall.find(said.substr(0, said.find(' '))) != std::string::npos);
  }
}

TEST_CASE("The summary of a number says the right one in its unit") {
  Class c;
  c.clicker("F5");
  bool found = false;
  for (int k = 0; k < 40 && !found; ++k) {
    c.clicker("Page Down");
    for (const PollLeft& poll : c.room.left().polls) {
      if (poll.asked.options > 0) continue;
      found = true;
      CHECK_FALSE(poll.asked.answer_words.empty());
      CHECK(poll.asked.one_unit.value_or(0) > 0);
      CHECK(summary_text(c.room.left()).find("right: ") != std::string::npos);
    }
  }
  CHECK(found);
}

TEST_CASE("A question off the set list is counted, asked again and told by the clicker before that leads back") {
  Class c;
  for (const char* link : {"tilewalk://lesson/1/beat/1", "tilewalk://lesson/1/beat/2"})
    c.teacher.view.present.set.items.push_back({link, "", 1});
  c.clicker("F5");
  c.clicker("G");
  c.teacher.type("1.4");
  c.turn();
  REQUIRE(off_stop(c.teacher.view));
  c.clicker("Ctrl+P");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.click("vote:0");
  c.page.click("sure:1");
  c.turn();
  c.clicker("Page Down");
  CHECK(says(c.page, "What the class has answered"));
  CHECK(off_stop(c.teacher.view));
  c.clicker("Page Up");
  CHECK(says(c.page, "Asked again"));
  CHECK(off_stop(c.teacher.view));
  c.page.click("vote:1");
  c.page.click("sure:1");
  c.turn();
  c.clicker("Page Down");
  c.clicker("Page Down");
  CHECK(c.teacher.view.classroom.with->poll()->told);
  CHECK(off_stop(c.teacher.view));
  c.clicker("Page Down");
  CHECK_FALSE(c.teacher.view.present.question);  // the picture, with the answer
  CHECK(off_stop(c.teacher.view));
  c.clicker("Page Down");
  CHECK_FALSE(off_stop(c.teacher.view));
}

TEST_CASE("Going back while the class is being asked takes a second press, and a closed question has no field") {
  Class c;
  const auto has_field = [&] {
    const Scene scene = layout_window(c.page.session, c.page.view, {1600, 900});
    return std::ranges::any_of(scene.regions, [](const Region& r) { return r.id == "field:class-number"; });
  };
  c.ask_number();
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.click("field:class-number");
  c.page.type("2.5");
  c.page.click("sure:1");
  c.turn();
  REQUIRE(c.page.view.classroom.with->vote_counts());
  c.clicker("Page Up");
  CHECK(c.teacher.view.notice.find("Once more leaves the question") != std::string::npos);
  REQUIRE(c.teacher.view.classroom.with->poll());
  CHECK(c.teacher.view.classroom.with->poll()->open);
  c.clicker("Page Up");
  CHECK_FALSE(c.teacher.view.classroom.with->poll());
  c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  CHECK(has_field());
  c.clicker("Page Down");  // nobody has answered this time: the answer comes
  REQUIRE(c.teacher.view.classroom.with->poll()->told);
  CHECK_FALSE(has_field());
}

}  // namespace tilewalk::test_class_questions
