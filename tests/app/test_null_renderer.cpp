// The frame without a display: what is drawn and when, typing into fields, and a person who hits everything at random.
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/questions.h"
#include "tests/app/null_screen.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace tilewalk::test_null_renderer {

namespace {

struct Bench {
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window{textures};

  void frames(int count) {
    for (int k = 0; k < count; ++k) frame(window, screen);
  }
  void press(KeyPress key) {
    screen.next.push_back({InputEvent::KeyDown, {}, 0, key, {}});
    screen.next.push_back({InputEvent::KeyUp, {}, 0, key, {}});
  }
  void type(std::string_view text) {
    for (char c : text) press({c == ' ' ? Key::Space : Key::Character, c == ' ' ? U'\0' : char32_t(c)});
  }
  bool open_lesson(int number, int beat) {
    if (!window.view.lesson.course) give_shipped_lessons(window.view);
    return open_lesson_numbered(window.session, window.view, number, beat);
  }
  void click(std::string_view id) {
    const Region* region = window.scene.find(id);
    REQUIRE_MESSAGE(region, id);
    screen.next.push_back({InputEvent::Press, region->rect.center(), 0, {}, {}});
    screen.next.push_back({InputEvent::Release, region->rect.center(), 0, {}, {}});
    frames(6);
  }
};

}  // namespace

TEST_CASE("A frame is drawn when something changed, and none when nothing did") {
  Bench b;
  b.frames(10);
  CHECK(b.screen.vertices > 1000);
  const int64_t drawn = b.screen.presented;
  b.frames(100);
  CHECK(b.screen.presented == drawn);
  CHECK(std::isinf(b.screen.asked));

  // A pointer that moves over nothing new draws nothing; one that reaches a button does, and once more for its tip.
  b.screen.next.push_back({InputEvent::Move, b.window.scene.find("command:play")->rect.center(), 0, {}, {}});
  b.frames(1);
  CHECK(b.window.view.hover == "command:play");
  CHECK(b.screen.presented == drawn + 1);
  b.frames(1);
  CHECK(b.screen.asked > 0);
  CHECK(b.screen.asked < 0.5f);
  b.frames(100);
  CHECK(b.screen.presented == drawn + 2);

  b.press({Key::Right});
  b.frames(100);
  CHECK(b.window.view.playhead > 0);
  const int64_t animated = b.screen.presented - drawn - 2;
  CHECK(animated >= 20);  // 350 ms at 60 frames a second
  CHECK(animated <= 26);
  b.screen.pixels = {1280, 720};
  b.frames(5);
  CHECK(b.window.scene.size.x == 1280);
}

TEST_CASE("What begins after a long rest is animated from its beginning") {
  Bench b;
  b.frames(10);
  b.screen.step = 5;  // slept through
  b.press({Key::Right});
  b.frames(1);
  CHECK(b.window.view.playhead > 0);
  CHECK(b.window.view.phase == 0);
}

TEST_CASE("A number that is typed at a question is there from its first digit") {
  Bench b;
  ViewState& view = b.window.view;
  REQUIRE(b.open_lesson(1, 5));
  view.lesson.question = 1;
  REQUIRE(asked_now(view).question->options.empty());
  b.frames(10);
  b.type("1056");
  b.frames(20);
  CHECK(answer_text(view) == "1056");

  // Shift+Enter says that one is sure, and locks nothing.
  b.press({Key::Enter, 0, true});
  b.frames(4);
  CHECK(question_view(view, asked_now(view)).sure);
  CHECK_FALSE(question_view(view, asked_now(view)).locked);
  CHECK(view.editing == "field:answer");

  // Keys for the whole program pass the field.
  REQUIRE(view.editing == "field:answer");
  b.press({Key::Character, U'+', false, true});
  b.frames(4);
  CHECK(view.scale == doctest::Approx(1.1));
  b.press({Key::Character, U'q', false, true});
  b.frames(4);
  CHECK_FALSE(b.window.open);
}

TEST_CASE("On the paper a number goes into the cell that has the focus; Enter presses the board's buttons") {
  Bench b;
  ViewState& view = b.window.view;
  REQUIRE(b.open_lesson(7, 4));
  b.frames(10);
  for (int tabs = 0; tabs < 20 && !view.focus.starts_with("field:board/"); ++tabs) {
    b.press({Key::Tab});
    b.frames(3);
  }
  REQUIRE(view.focus.starts_with("field:board/"));
  const std::string cell = view.focus.substr(std::string_view("field:board/").size());
  b.type("0.5");
  b.frames(20);
  CHECK(view.lesson.id == "one-q-tile");
  CHECK(view.board.cells[cell] == "0.5");

  REQUIRE(b.open_lesson(4, 1));
  b.frames(10);
  const BoardState before = view.board;
  for (int tabs = 0; tabs < 20 && !view.focus.starts_with("board:"); ++tabs) {
    b.press({Key::Tab});
    b.frames(3);
  }
  REQUIRE(view.focus.starts_with("board:"));
  b.press({Key::Enter});
  b.frames(6);
  CHECK(view.lesson.beat == 1);
  CHECK_FALSE(view.board == before);
}

TEST_CASE("Enter turns a switch that Tab came to, and goes on after a slider") {
  Bench b;
  ViewState& view = b.window.view;
  REQUIRE(b.open_lesson(9, 5));
  b.frames(10);
  const int beat = view.lesson.beat;
  for (const char* knob : {"knob:exit", "knob:N"}) {
    for (int tabs = 0; tabs < 20 && view.focus != knob; ++tabs) {
      b.press({Key::Tab});
      b.frames(3);
    }
    REQUIRE(view.focus == knob);
    b.press({Key::Enter});
    b.frames(6);
    if (view.focus == "knob:exit") CHECK(view.board.knobs.at("exit") == 0);
    CHECK((view.lesson.beat == beat) == (std::string_view(knob) == "knob:exit"));
  }
}

TEST_CASE("What is typed into go-to, quickly, is where the playhead goes") {
  Bench b;
  b.frames(3);
  b.press({Key::Character, U'g'});
  b.type("37");
  b.press({Key::Enter});
  b.press({Key::Character, U't'});  // a command again, once the field is closed
  b.frames(40);
  CHECK(b.window.view.playhead == 37);
  CHECK_FALSE(is_open<GoTo>(b.window.view));
  CHECK(b.window.view.theme == Theme::Dark);

  b.press({Key::Character, U'g'});
  b.frames(5);
  b.press({.key = Key::Character, .character = U'a', .ctrl = true});
  b.type("banana");
  b.press({Key::Enter});
  b.frames(20);
  CHECK(is_open<GoTo>(b.window.view));
  CHECK(std::get<GoTo>(b.window.view.over).fault.find("banana") != std::string::npos);
  CHECK(b.window.view.playhead == 37);
  b.press({Key::Escape});
  b.frames(10);
  CHECK_FALSE(is_open<GoTo>(b.window.view));
  CHECK(b.window.view.editing.empty());
}

TEST_CASE("A field of the form: Enter applies, nonsense is refused in words, Esc leaves, Tab goes on") {
  Bench b;
  b.frames(3);
  run_command("tab-problem", b.window.session, b.window.view);
  b.window.redraw = 1;
  b.frames(3);
  b.click("field:br");
  CHECK(b.window.view.editing == "field:br");
  b.type("8");
  b.press({Key::Enter});
  b.frames(10);
  CHECK(b.window.session.problem().br == 8);

  b.click("field:br");
  b.type("many");
  b.press({Key::Enter});
  b.frames(10);
  CHECK(b.window.session.problem().br == 8);
  CHECK(b.window.view.refused.contains("br"));

  b.click("field:br");
  b.type("2");
  b.press({Key::Escape});
  b.frames(10);
  CHECK(b.window.session.problem().br == 8);
  CHECK(b.window.view.editing.empty());
  // What was refused before stands again, so that field and reason agree.
  CHECK(b.window.view.typed.at("br") == "many");
  CHECK(b.window.view.refused.contains("br"));

  b.click("field:br");
  b.type("2");
  b.press({Key::Tab});
  b.frames(10);
  CHECK(b.window.session.problem().br == 2);
  CHECK(b.window.view.editing == "field:bc");
}

TEST_CASE("An element typed over changes the inputs, and a word does not") {
  Bench b;
  b.frames(3);
  run_command("preset-micro", b.window.session, b.window.view);
  run_command("tile-forward", b.window.session, b.window.view);
  b.frames(60);
  const Region* cell = nullptr;
  for (const Region& region : b.window.scene.regions)
    if (region.id.starts_with("cell:K/")) cell = &region;
  REQUIRE(cell);
  const std::string id = cell->id;
  const uint64_t hash = b.window.session.input_hash();
  b.click(id);
  CHECK(b.window.view.editing == id);
  b.type("12.5");
  b.press({Key::Enter});
  b.frames(10);
  CHECK(b.window.session.input_hash() != hash);
  CHECK(text_in(id, b.window.session, b.window.view) == "12.5");

  const uint64_t typed = b.window.session.input_hash();
  b.click(id);
  b.type("twelve");
  b.press({Key::Enter});
  b.frames(10);
  CHECK(b.window.session.input_hash() == typed);
  CHECK(b.window.view.notice.find("twelve") != std::string::npos);

  // Ctrl+A selects what is there, whatever was typed before it.
  b.click(id);
  b.type("77");
  b.press({.key = Key::Character, .character = U'a', .ctrl = true});
  b.type("6");
  b.press({Key::Enter});
  b.frames(20);
  CHECK(text_in(id, b.window.session, b.window.view) == "6");
  CHECK(b.window.view.notice.find(": 12.5 → 6") != std::string::npos);
}

TEST_CASE("Where cells are too small for numbers, a double click on their tile leads to them") {
  Bench b;
  b.frames(3);
  run_command("tile-forward", b.window.session, b.window.view);
  b.window.redraw = 1;
  b.frames(60);
  b.click("tile:K/0");
  CHECK(b.window.view.selection == "tile:K/0");
  CHECK_FALSE(is_open<TypeElement>(b.window.view));
  b.frames(60);
  b.click("tile:K/0");  // a second later: no double click
  CHECK_FALSE(is_open<TypeElement>(b.window.view));
  b.click("tile:K/0");
  CHECK(is_open<TypeElement>(b.window.view));
  b.frames(5);
  CHECK(std::get<TypeElement>(b.window.view.over).text == "K 1 1 = ");
  b.type("2");
  b.press({Key::Backspace});
  b.press({Key::Backspace});
  b.type("= 3");
  b.press({Key::Enter});
  b.frames(30);
  CHECK_FALSE(is_open<TypeElement>(b.window.view));
  CHECK(b.window.session.inputs().k.at(0, 0) == 3);
  CHECK(b.window.view.notice.starts_with("K row 1, column 1: "));
  CHECK(b.window.view.notice.ends_with(" → 3"));
  CHECK(b.window.view.playhead > 0);

  // The same by keys, and what cannot be is said in the dialog.
  b.window.view.selection = "tile:V/1";
  b.window.view.focus.clear();
  b.press({Key::Enter});
  b.frames(5);
  CHECK(std::get<TypeElement>(b.window.view.over).text == "V 5 1 = ");
  b.press({.key = Key::Character, .character = U'a', .ctrl = true});
  b.type("V 99 1 = 3");
  b.press({Key::Enter});
  b.frames(30);
  CHECK(is_open<TypeElement>(b.window.view));
  CHECK(std::get<TypeElement>(b.window.view.over).fault ==
        "V has rows 1 to 16 and columns 1 to 8; there is no row 99, column 1.");
  b.press({Key::Escape});
  b.frames(5);
  CHECK_FALSE(is_open<TypeElement>(b.window.view));
}

TEST_CASE("The scrubber follows the pointer while it is held") {
  Bench b;
  b.frames(3);
  const Rect track = b.window.scene.find("scrubber")->rect;
  const float y = track.center().y;
  const int64_t length = b.window.session.walk().replay.length();
  b.screen.next.push_back({InputEvent::Press, {track.x + track.w / 2, y}, 0, {}, {}});
  b.frames(2);
  CHECK(std::abs(double(b.window.view.playhead) - double(length) / 2) <= 1);
  b.screen.next.push_back({InputEvent::Move, {track.right() + 500, y - 300}, 0, {}, {}});
  b.frames(2);
  CHECK(b.window.view.playhead == length);
  b.screen.next.push_back({InputEvent::Release, {0, 0}, 0, {}, {}});
  b.screen.next.push_back({InputEvent::Move, {track.x, y}, 0, {}, {}});
  b.frames(2);
  CHECK(b.window.view.playhead == length);
}

// With the sanitizers 10,000 events, about half a minute of one core; without them fewer, as nothing watches.
// TILEWALK_RANDOM_EVENTS says another number.
TEST_CASE("Random clicks, drags, keys, words and window sizes crash nothing") {
  const char* wanted = std::getenv("TILEWALK_RANDOM_EVENTS");
#ifdef __SANITIZE_ADDRESS__
  const int usual = 10'000;
#else
  const int usual = 4'000;
#endif
  const int events = wanted ? std::atoi(wanted) : usual;
  std::mt19937 random(7);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  const Vec2 sizes[] = {{1280, 720}, {1600, 900}, {1920, 1080}, {1024, 600}, {800, 480}, {2560, 1440}, {640, 2000}};
  const char* words[] = {"0",          "4", "16", "-3",  "1e9",          "nan", "tile 3",
                         "last store", "x", "",   "7.5", "999999999999", "ä"};
  Bench b;
  b.screen.step = 0.05f;
  // Pictures that are saved on the way go to a folder that is thrown away.
  b.window.pictures = std::filesystem::temp_directory_path() / fmt::format("tilewalk-random-{}", getpid());
  std::filesystem::create_directories(b.window.pictures);
  // Lessons are open half of the time.
  b.window.lessons = std::make_unique<LessonFiles>(
      std::vector<std::filesystem::path>{std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"},
      std::filesystem::path());
  b.window.lessons->open(b.window.view);
  const std::shared_ptr<const Course> course = b.window.view.lesson.course;
  const std::vector<CourseEntry>& lessons = course->entries();
  REQUIRE_FALSE(lessons.empty());
  b.frames(3);
  for (int done = 0; done < events;) {
    const auto somewhere = [&]() -> Vec2 {
      const auto& regions = b.window.scene.regions;
      if (!regions.empty() && below(8)) {
        const Rect& r = regions[size_t(below(int(regions.size())))].rect;
        return {r.x + r.w * float(below(100)) / 100, r.y + r.h * float(below(100)) / 100};
      }
      return {float(below(4000) - 50), float(below(2300) - 50)};
    };
    switch (below(12)) {
      case 0:
      case 1:
      case 2: {
        const Vec2 at = somewhere();
        b.screen.next.push_back({InputEvent::Press, at, 0, {}, {}});
        if (below(4)) b.screen.next.push_back({InputEvent::Release, at, 0, {}, {}});
        break;
      }
      case 3: b.screen.next.push_back({InputEvent::Release, somewhere(), 0, {}, {}}); break;
      case 4:
      case 5: b.screen.next.push_back({InputEvent::Move, somewhere(), 0, {}, {}}); break;
      case 6: b.screen.next.push_back({InputEvent::Wheel, {}, float(below(7) - 3), {}, {}}); break;
      case 7:
        b.press({Key(1 + below(int(Key::F11))), char32_t(33 + below(90)), below(3) == 0, below(3) == 0, below(3) == 0});
        break;
      case 8: {
        // Keys that mean something.
        const Command& command = commands()[size_t(below(int(commands().size())))];
        for (const KeyPress& key : parse_keys(command.keys)) b.press(key);
        break;
      }
      case 9:
        b.type(words[below(int(std::size(words)))]);
        b.press({below(2) ? Key::Enter : Key::Tab});
        break;
      case 10:
        if (below(20) == 0) b.screen.pixels = sizes[below(int(std::size(sizes)))];
        if (below(10) == 0)
          if (const auto& lesson = lessons[size_t(below(int(lessons.size())))].lesson)
            open_lesson(b.window.session, b.window.view, lesson->id, below(int(lesson->beats.size())));
        if (below(50) == 0) b.screen.next.push_back({InputEvent::Drop, {}, 0, {}, {"/no/such/file.npy"}});
        break;
      default: b.screen.next.push_back({InputEvent::Leave, {}, 0, {}, {}}); break;
    }
    // Some events come several to a frame.
    if (below(3) == 0) continue;
    done += int(b.screen.next.size());
    do {
      b.window.open = true;  // whoever leaves comes back
      b.frames(1);
    } while (!b.window.events.empty());
  }
  std::filesystem::remove_all(b.window.pictures);
  CHECK(b.window.view.playhead >= 0);
  CHECK(b.window.view.playhead <= b.window.session.walk().replay.length());
  CHECK(b.window.view.row < b.window.session.problem().n_q);
  CHECK(b.window.events.empty());
}

}  // namespace tilewalk::test_null_renderer
