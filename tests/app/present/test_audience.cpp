// The picture that a room sees, of every beat of every lesson that comes with the program and of each of its questions:
// no text under 28 px and no stroke under 3 px at 1080 lines, nothing cut off, covered or too faint. With
// TILEWALK_PICTURES=<folder> the picture of every stop is also written there as SVG, to be looked at.
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/overlays.h"
#include "app/session/present_moves.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/session/transport.h"
#include "app/stage/moment.h"
#include "app/stage/pieces.h"
#include "core/io/file.h"
#include "core/machine/words.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

namespace tilewalk::test_audience {

namespace {

// Strokes thinner than they may be, one sentence each. A fill that is thin is a stroke too.
std::vector<std::string> thin_strokes(const Scene& scene, float least) {
  std::vector<std::string> found;
  const float slack = 0.01f;
  for (const Item& item : scene.items) {
    if (const auto* line = std::get_if<Line>(&item); line && line->width < least - slack)
      found.push_back(
          fmt::format("a line at {:.0f}, {:.0f} is {:.1f} px wide", line->from.x, line->from.y, line->width));
    const auto* box = std::get_if<Box>(&item);
    if (!box) continue;
    const bool stroke = box->stroke.a > 0 && box->stroke_width > 0 && box->stroke_width < least - slack;
    const bool fill =
        box->fill.a > 0 && box->rect.w > 0 && box->rect.h > 0 && std::min(box->rect.w, box->rect.h) < least - slack;
    if (stroke || fill)
      found.push_back(fmt::format("a box at {:.0f}, {:.0f} of {:.1f} x {:.1f} has a stroke of {:.1f} px", box->rect.x,
                                  box->rect.y, box->rect.w, box->rect.h, box->stroke_width));
  }
  return found;
}

struct Found {
  int pictures = 0;
  std::set<std::string> said;
};

void check(Session& session, const ViewState& now, const std::string& where, Found& found) {
  ViewState view = now;
  view.playing = false;
  view.phase = 1;
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}})
    for (const Theme theme : {Theme::Projector, Theme::Dark}) {
      view.present.theme = theme;
      const Scene scene = layout_audience(session, view, size);
      const float unit = size.y / 1080;
      ++found.pictures;
      if (const char* folder = std::getenv("TILEWALK_PICTURES"); folder && unit == 1 && theme == Theme::Projector)
        write_file(fmt::format("{}/{:04}-{}.svg", folder, found.pictures, where), to_svg(scene));
      std::vector<std::string> faults = layout_faults(scene, kRoomText * unit, room_scale(view, size));
      // Names of other people's kernels may be cut: no type is small enough for them.
      for (const Item& item : scene.items)
        if (const auto* label = std::get_if<Label>(&item);
            label && label->text.ends_with("…") && label->text.find('_') == std::string::npos)
          faults.push_back(fmt::format("label \"{}\" is shortened", label->text));
      for (std::string& thin : thin_strokes(scene, kRoomStroke * unit)) faults.push_back(std::move(thin));
      for (const std::string& fault : faults)
        if (found.said.insert(where + fault.substr(0, 60)).second)
          FAIL_CHECK(fmt::format("{} at {}x{}, theme {}: {}", where, size.x, size.y, int(theme), fault));
    }
}

}  // namespace

TEST_CASE("A room can read every beat of every lesson, and every question") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  REQUIRE(course->entries().size() >= 14);
  Found found;
  for (const CourseEntry& entry : course->entries()) {
    REQUIRE(entry.lesson);
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    // As the clicker goes: every press another stop, to the end of the lesson.
    for (int stop = 0; stop < 200; ++stop) {
      const std::string where =
          fmt::format("{} beat {}{}", entry.lesson->id, view.lesson.beat + 1,
                      view.present.question ? fmt::format(" question {}", view.lesson.question + 1) : "");
      CAPTURE(where);
      check(session, view, where, found);
      view.notice.clear();
      present_next(session, view);
      if (view.notice == "That was the last beat of the lesson.") break;
    }
    CHECK(view.lesson.beat + 1 == int(entry.lesson->beats.size()));
  }
  CHECK(found.pictures > 1000);
}

namespace {

// Labels at least that large, each without the blanks of its ends.
std::vector<std::string> large_words(const Scene& scene, float size) {
  std::vector<std::string> words;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->size >= size - 0.01f)
      words.push_back(label->text);
  return words;
}

bool says_value(const std::vector<std::string>& words, double value) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == number_words(value, 3) || word == number_words(value, 2) || word == number_words(value, 1);
  });
}

// At a place in a walk: m, alpha, l (or L and D) of the followed row that are of use, and the bytes moved, at 60 px;
// every line of the caption at 40.
void check_walk(Session& session, const ViewState& view, const std::string& where) {
  const Scene scene = layout_audience(session, view, {1920, 1080});
  const std::vector<std::string> carrying = large_words(scene, 60), captions = large_words(scene, 40);
  const Moment moment = moment_of(session.walk(), view);
  CAPTURE(where);
  CAPTURE(view.playhead);
  for (const std::string& word : large_words(scene, 0)) CHECK_FALSE(word.ends_with("…"));
  // Over two walks it may begin with the name of the first.
  const std::string named = std::string(moment.walk->schedule.name) + ": " + moment.words.caption;
  CHECK(std::ranges::any_of(captions, [&](const std::string& line) {
    const std::string begins = line.substr(0, 12);
    return !line.empty() && (moment.words.caption.starts_with(begins) || named.starts_with(begins));
  }));
  CHECK(std::ranges::any_of(
      carrying, [](const std::string& word) { return word.find("byte") != std::string::npos || word.ends_with("B"); }));
  if (session.other()) return;
  for (const Tensor tensor : {Tensor::M, Tensor::Alpha, Tensor::L, Tensor::Lse, Tensor::D}) {
    const Resident* now = moment.after.find(tensor);
    const Resident* was = moment.before.find(tensor);
    if (!now || moment.row >= now->data->rows) continue;
    const double value = now->data->at(moment.row, 0);
    const bool changed = !was || moment.row >= was->data->rows || was->data->at(moment.row, 0) != value;
    if (!changed || !std::isfinite(value)) continue;
    // L takes the place of alpha when a row is done.
    if (tensor == Tensor::Alpha && moment.after.find(Tensor::Lse)) continue;
    if (tensor == Tensor::D && left_out(view, "gradients")) continue;
    CAPTURE(symbol_of(tensor));
    CAPTURE(value);
    CHECK(says_value(carrying, value));
  }
}

}  // namespace

TEST_CASE("The numbers that carry a step of a walk are 60 px high, its sentence 40") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  int places = 0;
  for (const CourseEntry& entry : course->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      present_beat(session, view, beat);
      if (!view.board.board.empty()) continue;
      view.playing = false;
      // Where the beat puts it, and over the whole walk.
      const int64_t length = session.walk().replay.length();
      std::vector<int64_t> heads{view.playhead};
      for (int64_t k = 1; k <= 40; ++k) heads.push_back(length * k / 40);
      for (const int64_t head : heads) {
        seek(session.walk(), view, head);
        view.phase = 1;
        check_walk(session, view, fmt::format("{} beat {}", entry.lesson->id, beat + 1));
        ++places;
      }
    }
  }
  CHECK(places > 300);
}

TEST_CASE("Of a poll every option's letter is 48 px, of the boards the numbers that carry them 60") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  const std::set<std::string_view> carried{"clocks", "hierarchy", "tiles", "row",    "launches", "split",
                                           "ring",   "matrix",    "lanes", "latent", "tape",     "occupancy"};
  int letters = 0, boards = 0;
  for (const CourseEntry& entry : course->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    for (int stop = 0; stop < 200 && view.notice != "That was the last beat of the lesson."; ++stop) {
      view.phase = 1;
      view.playing = false;
      const Scene scene = layout_audience(session, view, {1920, 1080});
      CAPTURE(entry.lesson->id);
      CAPTURE(view.lesson.beat);
      const std::vector<std::string> largest = large_words(scene, 60);
      const auto has_digit = [](const std::string& word) {
        return word.find_first_of("0123456789?") != std::string::npos;
      };
      if (view.present.question) {
        for (const Item& item : scene.items)
          if (const auto* label = std::get_if<Label>(&item); label && label->text.size() == 1 &&
                                                             label->text[0] >= 'A' && label->text[0] <= 'E' &&
                                                             label->face == Face::SansBold) {
            ++letters;
            CHECK(label->size >= 48);
          }
      } else if (carried.contains(view.board.board) && view.board.covered.empty()) {
        ++boards;
        CHECK(std::ranges::any_of(largest, has_digit));
      }
      view.notice.clear();
      present_next(session, view);
    }
  }
  CHECK(letters > 100);
  CHECK(boards > 40);
}

TEST_CASE("Larger type for the room is never more than fits") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  int larger = 0;
  for (const int lesson : {5, 6, 7, 8}) {
    REQUIRE(open_lesson_numbered(session, view, lesson, 0));
    for (int beat = 0; beat < int(lesson_on_show(view)->beats.size()); ++beat) {
      show_beat(session, view, beat);
      view.playing = false;
      view.phase = 1;
      const auto largest = [&](float scale) {
        view.present.audience_scale = scale;
        const Scene scene = layout_audience(session, view, {1920, 1080});
        CHECK(layout_faults(scene, kRoomText, 2).empty());
        float size = 0;
        for (const Item& item : scene.items)
          if (const auto* label = std::get_if<Label>(&item); label && label->face == Face::SansBold)
            size = std::max(size, label->size);
        return size;
      };
      larger += largest(1.3f) > largest(1) + 1;
    }
  }
  CHECK(larger > 5);
}

TEST_CASE("The presenter's view of every beat has no fault, with notes of any size") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  std::set<std::string> said;
  for (const CourseEntry& entry : course->entries()) {
    REQUIRE(entry.lesson);
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    view.present.screens = Screens::Two;
    view.present.clock = "14:05";
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      present_beat(session, view, beat);
      view.playing = false;
      view.phase = 1;
      view.present.frozen = beat % 2 == 1;
      view.present.notes_size = beat % 3 == 0 ? 48 : 24;
      view.present.elapsed = beat * 1000.0;
      for (const auto& [size, scale, theme] :
           {std::tuple(Vec2{1280, 720}, 1.0f, Theme::Light), std::tuple(Vec2{1920, 1080}, 1.0f, Theme::Dark),
            std::tuple(Vec2{3840, 2160}, 2.0f, Theme::Projector)}) {
        view.scale = scale;
        view.theme = theme;
        const Scene scene = layout_presenter(session, view, size);
        const Region* stage = scene.find("present:stage");
        REQUIRE(stage);
        const float room = room_scale(view, {stage->rect.w, stage->rect.h});
        for (const std::string& fault : layout_faults(scene, std::min(scale, room) * 14, std::min(scale, room)))
          if (said.insert(entry.lesson->id + fault.substr(0, 50)).second)
            FAIL_CHECK(fmt::format("{} beat {} at {}: {}", entry.lesson->id, beat + 1, size.x, fault));
      }
    }
    view.present.overview = true;
    for (const std::string& fault : layout_faults(layout_presenter(session, view, {1920, 1080}), 14, 1))
      FAIL_CHECK(fault);
  }
}

TEST_CASE("A GPU that fails says so to the presenter in a pill, and to the room not at all") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(open_lesson_numbered(session, view, 7, 1));
  begin_presenting(session, view, false);
  view.present.screens = Screens::Two;
  view.phase = 1;
  const std::string before = to_svg(layout_audience(session, view, {1920, 1080}));
  view.gpu.status.state = GpuState::Ready;
  CHECK_FALSE(layout_presenter(session, view, {1920, 1080}).find("present:gpu"));
  view.gpu.status.state = GpuState::Failed;
  view.gpu.status.what = "The worker has ended.";
  const Scene scene = layout_presenter(session, view, {1920, 1080});
  CHECK(scene.find("present:gpu"));
  CHECK(layout_faults(scene, 14, 1).empty());
  CHECK(to_svg(layout_audience(session, view, {1920, 1080})) == before);
  view.present.screens = Screens::One;
  CHECK_FALSE(layout_home_room(session, view, {1920, 1080}).find("present:gpu"));
}

TEST_CASE("The picture is the largest of 16:9 that the screen holds") {
  CHECK(room_picture({1920, 1080}).w == 1920);
  const Rect high = room_picture({1024, 768});
  CHECK(high.w == 1024);
  CHECK(high.h == 576);
  CHECK(high.y == 96);
  const Rect wide = room_picture({2560, 1080});
  CHECK(wide.h == 1080);
  CHECK(wide.x == 320);
}

TEST_CASE("What opens over the presenter's window can be seen there and closed") {
  int opened = 0;
  for (const Command& command : commands()) {
    Session session;
    ViewState view;
    begin_presenting(session, view, true);
    const size_t bare = layout_presenter(session, view, {1920, 1080}).items.size();
    if (!run_command(command.id, session, view) || !overlay_open(view)) continue;
    ++opened;
    INFO(command.id);
    CHECK(layout_presenter(session, view, {1920, 1080}).items.size() > bare);
    run_command("escape", session, view);
    CHECK_FALSE(overlay_open(view));
    CHECK(view.present.on);
  }
  CHECK(opened >= 5);
}

TEST_CASE("A poll for a number shows the sentences that give what it takes, and no l that reads as an I") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(open_lesson_numbered(session, view, 6, 2));
  begin_presenting(session, view, false);
  REQUIRE(asked_now(view).question);
  present_poll(session, view);
  REQUIRE(asked_now(view).question->id == "new-l");
  const Scene scene = layout_audience(session, view, {1920, 1080});
  std::string all;
  int letters = 0;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->size >= 40) {
      all += label->text + " ";
      if (label->text != "l") continue;
      ++letters;
      CHECK((label->face == Face::Mono || label->face == Face::MonoBold));
    }
  CAPTURE(all);
  CHECK(all.find("Its first tile held the scores") != std::string::npos);
  CHECK(all.find("1.367879") != std::string::npos);  // l of the scores 2 and 1: 1 + e^-1
  CHECK(letters == 2);
  CHECK(layout_faults(scene, kRoomText, 2).empty());
}

}  // namespace tilewalk::test_audience
