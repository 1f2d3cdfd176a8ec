// The drawing board: no name over another with any number of roofs and points, at every size, scale and theme; handles
// by pointer and by keyboard; fields and what they refuse; undo without end; prediction, lock and score.
#include "app/boards/draw.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/label_places.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/state/board_history.h"
#include "core/run/shipped.h"
#include "tests/app/board_picture.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace tilewalk::test_draw_board {

namespace {

constexpr Size kSizes[] = {{{700, 480}, 1}, {{820, 572}, 1}, {{1120, 912}, 1}, {{2240, 1824}, 2}, {{2100, 1500}, 3}};
constexpr Theme kThemes[] = {Theme::Light, Theme::Dark, Theme::Projector};

// Any drawing: so many roofs and points, anywhere, and many of them close together.
BoardState any_drawing(int roofs, int points, uint64_t seed) {
  uint64_t bits = seed * 0x9E3779B97F4A7C15ull + 1;
  const auto next = [&] {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    return double(bits % 100000) / 1e5;
  };
  Drawing drawing;
  for (int k = 0; k < roofs; ++k) {
    const Roof kind = kRoofOrder[size_t((k * 5 + int(seed)) % kRoofCount)];
    const double base = is_bandwidth(kind) ? 1e12 : kind == Roof::Tensor ? 3e14 : 2e12;
    drawing.roofs.push_back({kind, base * std::pow(10, next() * (seed % 3 == 0 ? 0.2 : 1.5))});
  }
  for (int k = 0; k < points; ++k) {
    DrawnPoint point;
    point.method = Method(1 + int(next() * (kEstimatedMethods - 1)));
    point.direction = Direction(int(next() * 2));
    point.mask = Mask(int(next() * 2));
    point.intensity = std::pow(10, seed % 2 ? next() * 5 : 1.5 + next() * 0.5);
    if (next() > 0.3) set_flop(point, 1e9 * std::pow(10, next() * 3)), set_intensity(point, point.intensity);
    drawing.points.push_back(point);
  }
  BoardState state = read_board_state("draw");
  put_drawing(drawing, state);
  state.knobs["paper"] = double(seed % 3);
  return state;
}

// A window with the board on it, and hands.
struct Hands {
  Session session;
  ViewState view;
  Vec2 size{1280, 720};
  Scene scene;

  explicit Hands(std::string_view words) {
    view.board = read_board_state(words);
    view.column_open = false;
    look();
  }
  void look() { fit(view, size), scene = layout_window(session, view, size); }
  const Region& at(std::string_view id) {
    const Region* region = scene.find(id);
    REQUIRE_MESSAGE(region, std::string(id));
    return *region;
  }
  void click(std::string_view id) {
    const Vec2 here = at(id).rect.center();
    pressed(here, scene, session, view);
    look();
    released(view);
    look();
  }
  void drag(std::string_view id, float dx, float dy, int moves = 8) {
    const Vec2 from = at(id).rect.center();
    pressed(from, scene, session, view);
    look();
    for (int k = 1; k <= moves; ++k) {
      pointer_moved({from.x + dx * float(k) / float(moves), from.y + dy * float(k) / float(moves)}, scene, session,
                    view);
      look();
    }
    released(view);
    look();
  }
  void key(Key key, bool shift = false, bool ctrl = false, char32_t character = 0) {
    key_pressed({key, character, shift, ctrl, false}, scene, session, view);
    look();
  }
  void letter(char32_t c, bool shift = false) { key(Key::Character, shift, true, c); }
  void tab_to(std::string_view id) {
    for (int k = 0; k < 200 && view.focus != id; ++k) key(Key::Tab);
    REQUIRE(view.focus == std::string(id));
  }
  void type(std::string_view id, std::string text) {
    click(id);
    REQUIRE(view.editing == std::string(id));
    typed_into(id, std::move(text), view);
    look();
    finish_typing(session, view);
    look();
  }
  DrawSheet sheet() const { return sheet_of(view.board); }
  double rate(Roof roof) const {
    const DrawSheet now = sheet();
    const DrawnRoof* found = now.drawing.find(roof);
    return found ? found->rate : 0;
  }
  bool shows(std::string_view words) const {
    for (const Item& item : scene.items)
      if (const Label* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos)
        return true;
    return false;
  }
};

constexpr const char* kH100 =
    "draw?gpu=h100&N=8192&roofs=dram:3.35e12,tensor:9.894e14&points=standard:34359738368:b545259520,"
    "fa3:34359738368:b8421376";

}  // namespace

TEST_CASE("no name lies over another, whatever is drawn") {
  uint64_t seed = 0;
  for (int roofs = 0; roofs <= 6; ++roofs)
    for (const int points : {0, 1, 2, 5, 9, 12}) {
      ++seed;
      const BoardState state = any_drawing(roofs, points, seed);
      for (size_t k = 0; k < std::size(kSizes); ++k) {
        const Theme theme = kThemes[(seed + k) % 3];
        const std::string all = faults_of(state, kSizes[k], theme);
        CHECK_MESSAGE(all.empty(), roofs, " roofs, ", points, " points, ", kSizes[k].size.x, " px, theme ", int(theme),
                      all);
      }
    }
}

TEST_CASE("the same while the truth is shown, and on every sheet of paper") {
  uint64_t seed = 100;
  for (const int points : {0, 2, 4, 12})
    for (const char* gpu : {"h200", "a100-80", "b200"})
      for (const char* n : {"256", "8192", "131072"}) {
        ++seed;
        BoardState state = any_drawing(1 + int(seed % 6), points, seed);
        const BoardState words =
            read_board_state(fmt::format("draw?gpu={}&N={}&locked={}.128.{}&time=40&win=3", gpu, n, n, gpu));
        for (const auto& [name, text] : words.cells) state.cells[name] = text;
        for (const auto& [name, value] : words.knobs) state.knobs[name] = value;
        REQUIRE(sheet_of(state).locked);
        for (size_t k = 0; k < std::size(kSizes); ++k)
          for (int tab = 0; tab < 4; ++tab) {
            if ((int(seed) + tab + int(k)) % 2) continue;
            state.cells[".tab"] = fmt::format("{}/{}", tab, int(knob_value(kDrawBoard, state, "paper")));
            const std::string all = faults_of(state, kSizes[k], kThemes[seed % 3]);
            CHECK_MESSAGE(all.empty(), gpu, " N ", n, " tab ", tab, " at ", kSizes[k].size.x, all);
          }
      }
}

TEST_CASE("every name is there where there is room") {
  const BoardState state = any_drawing(6, 12, 7);
  const Scene scene = scene_of(state, kSizes[2], Theme::Light);
  int names = 0;
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item); label && label->face == Face::SansBold)
      for (const DrawnPoint& point : sheet_of(state).drawing.points)
        if (label->text.starts_with(name_of(point))) {
          ++names;
          break;
        }
  CHECK(names >= 12);
}

TEST_CASE("names: the closest free place, the same every time, and a line where it is far") {
  std::vector<NameWish> wishes(6, {{{200, 200}}, 10, 80, 20});
  const auto places = place_names(wishes, {0, 0, 400, 400}, {{195, 195, 10, 10}}, {}, 2);
  int leaders = 0;
  for (size_t a = 0; a < places.size(); ++a) {
    CHECK(places[a].found);
    leaders += places[a].leader;
    for (size_t b = 0; b < a; ++b) {
      const Rect &x = places[a].rect, &y = places[b].rect;
      CHECK_FALSE((x.x < y.right() && y.x < x.right() && x.y < y.bottom() && y.y < x.bottom()));
    }
  }
  CHECK_FALSE(places[0].leader);
  CHECK(leaders > 0);
  const auto again = place_names(wishes, {0, 0, 400, 400}, {{195, 195, 10, 10}}, {}, 2);
  for (size_t k = 0; k < places.size(); ++k) CHECK(places[k].rect.x == again[k].rect.x);
  // Without room there is none.
  CHECK_FALSE(place_names(wishes, {180, 190, 60, 15}, {}, {}, 2)[0].found);
}

TEST_CASE("a roof is added, dragged to the grid, moved by keys and removed") {
  Hands hands("draw");
  hands.click("board:add/dram");
  CHECK(hands.rate(Roof::Dram) == 1e12);
  hands.drag("board:plot/roof/dram", 0, -40);
  const double dragged = hands.rate(Roof::Dram);
  CHECK(dragged > 1e12);
  CHECK(on_grid(dragged) == dragged);
  hands.tab_to("board:plot/roof/dram");
  hands.key(Key::Up);
  CHECK(hands.rate(Roof::Dram) == step_on_grid(dragged, 1, false));
  hands.key(Key::Left);
  CHECK(hands.rate(Roof::Dram) == dragged);
  hands.key(Key::Down, true);
  CHECK(hands.rate(Roof::Dram) == doctest::Approx(dragged / 1.01));
  hands.key(Key::Delete);
  CHECK(hands.rate(Roof::Dram) == 0);
  hands.letter(U'z');
  CHECK(hands.rate(Roof::Dram) == doctest::Approx(dragged / 1.01));
}

TEST_CASE("every handle moves with the pointer and with the keys, and goes where it is dragged") {
  BoardState state = any_drawing(6, 12, 3);
  Hands hands("draw");
  hands.view.board = state;
  hands.view.board.knobs["snap"] = 0;
  hands.size = {1920, 1080};
  hands.look();
  const auto value = [&](const std::string& id) {
    const DrawSheet sheet = hands.sheet();
    if (const size_t at = id.find("roof/"); at != std::string::npos) return hands.rate(*roof_named(id.substr(at + 5)));
    return sheet.drawing.points[size_t(std::stoi(id.substr(id.rfind('/') + 1)))].intensity;
  };
  std::vector<std::string> ids;
  for (const DrawnRoof& roof : hands.sheet().drawing.roofs)
    ids.push_back(fmt::format("board:plot/roof/{}", key_of(roof.kind)));
  for (int k = 0; k < 12; ++k) ids.push_back(fmt::format("board:plot/point/{}", k));
  REQUIRE(ids.size() == 18);
  for (const std::string& id : ids) {
    CAPTURE(id);
    hands.tab_to(id);
    const double before = value(id);
    hands.key(Key::Right);
    const double after = value(id);
    CHECK(after > before);
    hands.key(Key::Left, true);
    CHECK(value(id) < after);
    // By pointer, where nothing lies over it.
    const Rect rect = hands.at(id).rect;
    if (hands.scene.hit(rect.center())->id != id) continue;
    const bool point = id.find("point") != std::string::npos;
    const double start = value(id);
    hands.drag(id, point ? 30 : 0, point ? 0 : 25);
    CHECK((point ? value(id) > start : value(id) < start));
    CHECK(hands.at(id).rect.center().x == doctest::Approx(rect.center().x + (point ? 30 : 0)).epsilon(0.02));
  }
}

TEST_CASE("a drag is one entry of the history, whatever its length, and undo and redo go all the way") {
  Hands hands("draw");
  for (const char* roof : {"dram", "l2", "tensor"}) hands.click(fmt::format("board:add/{}", roof));
  hands.drag("board:plot/roof/dram", 0, -60, 60);
  hands.drag("board:plot/roof/tensor", 0, -40, 60);
  CHECK(hands.view.board_history.before.size() == 5);
  const BoardState full = hands.view.board;
  for (int k = 0; k < 5; ++k) hands.letter(U'z');
  CHECK(hands.sheet().drawing.roofs.empty());
  CHECK_FALSE(can_undo(hands.view));
  hands.letter(U'z');
  for (int k = 0; k < 3; ++k) hands.letter(U'z', true);
  for (int k = 0; k < 2; ++k) hands.letter(U'y');
  CHECK(same_work(hands.view.board, full));
  CHECK_FALSE(can_redo(hands.view));
  // Hundreds of entries are kept.
  hands.tab_to("board:plot/roof/tensor");
  for (int k = 0; k < 300; ++k) hands.key(k % 2 ? Key::Up : Key::Down);
  for (int k = 0; k < 300; ++k) hands.letter(U'z');
  CHECK(same_work(hands.view.board, full));
  // What is done after an undo takes the place of what was undone.
  hands.letter(U'z');
  hands.click("board:add/sram");
  CHECK_FALSE(can_redo(hands.view));
  // Empty axes are one entry too.
  hands.click("board:reset");
  CHECK(hands.sheet().drawing.roofs.empty());
  hands.letter(U'z');
  CHECK(hands.rate(Roof::Sram) > 0);
}

TEST_CASE("undo is every board's") {
  Hands hands("row");
  const BoardState before = hands.view.board;
  hands.drag("board:bar/1", 0, 60);
  CHECK_FALSE(same_work(hands.view.board, before));
  hands.letter(U'z');
  CHECK(same_work(hands.view.board, before));
  // Another board begins its own history.
  hands.letter(U'y');
  hands.view.board = read_board_state("tiles");
  hands.look();
  CHECK_FALSE(can_undo(hands.view));
}

TEST_CASE("a number is typed; what is none stays in its field with a sentence, and the value as it was") {
  Hands hands("draw");
  hands.click("board:add/dram");
  hands.type("field:board/roof/dram", "3.35");
  CHECK(hands.rate(Roof::Dram) == doctest::Approx(3.35e12));
  CHECK(hands.shows("3.35 TB/s"));
  CHECK(hands.view.focus.empty());  // the next Enter goes on with the lesson
  for (const std::string wrong : {"0", "-2", "inf", "1e99", "fast", "2e18"})
    for (const bool escape : {false, true}) {
      CAPTURE(wrong);
      hands.click("field:board/roof/dram");
      typed_into("field:board/roof/dram", wrong, hands.view);
      escape ? leave_typing(hands.view) : finish_typing(hands.session, hands.view);
      hands.look();
      CHECK(hands.rate(Roof::Dram) == doctest::Approx(3.35e12));
      CHECK(field_fault("roof/dram", hands.view.board).empty() == escape);
      for (const Size& size : kSizes) CHECK(faults_of(hands.view.board, size, Theme::Light) == "");
      hands.type("field:board/roof/dram", "3.35 TB/s");
      CHECK(field_fault("roof/dram", hands.view.board).empty());
    }
}

TEST_CASE("a roof that a lesson gives is the datasheet's to the last digit, whatever was drawn before") {
  for (const char* typed : {"989 TFLOP/s", "950 TFLOP/s", "2000 TFLOP/s"}) {
    CAPTURE(std::string(typed));
    Hands hands("draw?gpu=h100&N=8192&given=roofs&paper=roofs");
    hands.type("field:board/roof/tensor", typed);  // one's own from now on
    hands.view.board.knobs["given"] = 2;           // the next beat: both roofs
    const DrawSheet sheet = hands.sheet();
    CHECK(sheet.drawing.find(Roof::Tensor)->rate == sheet.roofs[Roof::Tensor]->value);
  }
}

TEST_CASE("a point's arithmetic is done from what is filled in") {
  Hands hands("draw?gpu=h100&N=8192&given=roofs&paper=points");
  hands.click("board:add/standard");
  hands.type("field:board/point/0/flop", "4 N² d");
  hands.type("field:board/point/0/bytes", "8 N² + 8 N d");
  hands.click("board:add/fa3");
  hands.type("field:board/point/1/flop", "4*N^2*d");
  const auto caption = [&] { return kDrawBoard.caption({hands.view.board, hands.session, hands.view, kDrawBoard}); };
  CHECK(caption().starts_with("Fill in the FLOP and the bytes of FA3"));  // nothing of where it happens to stand
  hands.type("field:board/point/1/bytes", "8 N d");
  CHECK(caption().find("As drawn, fused attention takes") != std::string::npos);
  CHECK(hands.shows("win"));
  const Drawing drawing = hands.sheet().drawing;
  CHECK(drawing.points[0].bytes == 545259520);
  CHECK(seconds_of(drawing, drawing.points[0]) == doctest::Approx(162.76e-6).epsilon(1e-3).scale(0));
  CHECK(hands.shows("4.69×"));
  hands.click("board:causal");
  CHECK(hands.sheet().drawing.points[1].mask == Mask::Causal);
  CHECK(hands.sheet().drawing.points[1].flop == drawing.points[1].flop / 2);  // what the mask leaves to be done
  CHECK(hands.sheet().drawing.points[1].bytes < drawing.points[1].bytes * 1.3);
  CHECK_FALSE(hands.shows("win"));  // over standard without a mask it would be none
  hands.click("board:causal");
  CHECK(hands.sheet().drawing.points[1].flop == drawing.points[1].flop);
  CHECK(hands.sheet().drawing.points[1].bytes == doctest::Approx(drawing.points[1].bytes));
  hands.click("board:remove/point/1");
  CHECK(hands.sheet().drawing.points.size() == 1);
}

TEST_CASE("predict, lock, be told, unlock, try another") {
  Hands hands(kH100);
  hands.click("board:tab/2");
  hands.click("board:lock");
  DrawSheet sheet = hands.sheet();
  REQUIRE(sheet.locked);
  const Truth truth = truth_of(sheet);
  const Predicted predicted = predicted_of(sheet, hands.view.board);
  CHECK(predicted.win == doctest::Approx(4.687).epsilon(1e-3));
  CHECK(truth.win() == doctest::Approx(162.76 / 36.27).epsilon(2e-2));
  CHECK(score_of(sheet, truth, predicted).points == 100);
  // Nobody recorded this on an H100: the time is the model's, and beside it stands what others' times were over it.
  CHECK(hands.at("reading:score/time").tip.find(", expect × 1.1 to 1.6; ") != std::string::npos);
  // Locked: nothing moves, and says why.
  const BoardState before = hands.view.board;
  hands.drag("board:plot/roof/dram", 0, 40);
  CHECK(same_work(hands.view.board, before));
  CHECK(hands.view.notice.find("locked") != std::string::npos);
  hands.click("board:tab/2");
  hands.click("board:unlock");
  CHECK_FALSE(hands.sheet().locked);
  hands.type("field:board/time/8192.128.h100", "70 µs");
  hands.type("field:board/win/8192.128.h100", "9");
  hands.click("board:lock");
  sheet = hands.sheet();
  REQUIRE(sheet.locked);
  CHECK(score_of(sheet, truth, predicted_of(sheet, hands.view.board)).points == 83);  // the time earns 30 of 100
  CHECK(hands.shows("too high"));
  // What was locked, and typed, holds for its own N alone.
  hands.view.board.knobs["N"] = 1024;
  CHECK_FALSE(hands.sheet().locked);
  CHECK(predicted_of(hands.sheet(), hands.view.board).win == doctest::Approx(4.687).epsilon(1e-3));
  hands.look();
  const DrawSheet was = hands.sheet();
  hands.click("board:another");
  CHECK(hands.sheet().gpu != was.gpu);
  CHECK(hands.sheet().drawing.roofs.empty());
  hands.letter(U'z');
  CHECK(hands.sheet().gpu == was.gpu);
  CHECK(hands.sheet().drawing.points.size() == 2);
}

TEST_CASE("what cannot be locked says what is missing") {
  Hands hands("draw?paper=predict");
  hands.click("board:lock");
  CHECK_FALSE(hands.sheet().locked);
  CHECK(hands.view.notice.find("Type a time and a win") != std::string::npos);
  hands.type("field:board/time/8192.128.h100", "soon");
  hands.click("board:lock");
  CHECK_FALSE(hands.sheet().locked);
  CHECK(hands.shows("is no number"));
}

TEST_CASE("on an H200 the score is held against the recorded run, and what is left has terms") {
  BoardState state = read_board_state(std::string(kH100) + "&locked=8192.128.h200");
  state.knobs["gpu"] = double(*offered_named("h200"));
  const DrawSheet sheet = sheet_of(state);
  REQUIRE(sheet.locked);
  Truth truth = truth_of(sheet);
  CHECK_FALSE(truth.fused.measured);
  add_measured(truth, sheet, {});
  REQUIRE(truth.fused.measured);
  CHECK(truth.fused.measured->kind == RunKind::Shipped);
  CHECK(truth.fused.measured->low <= truth.fused.measured->seconds);
  CHECK(truth.fused.measured->high >= truth.fused.measured->seconds);
  CHECK(truth.fused.measured->seconds * 32 == doctest::Approx(1.53e-3).epsilon(0.05).scale(0));
  // Nothing is recorded of other GPUs, nor of a backward pass.
  BoardState other = state;
  other.knobs["gpu"] = double(*offered_named("h100"));
  Truth none = truth_of(sheet_of(other));
  add_measured(none, sheet_of(other), {});
  CHECK_FALSE(none.fused.measured);
}

TEST_CASE("what a lesson gives is there until it is changed, and a link brings a drawing back") {
  Hands hands("draw?gpu=a100-80&N=4096&d=64&given=all");
  CHECK(hands.sheet().drawing.roofs.size() == 2);
  REQUIRE(hands.sheet().drawing.points.size() == 2);
  CHECK(hands.sheet().drawing.points[1].method == Method::Fa2);  // FA3 does not run there
  hands.click("board:tab/1");
  hands.click("board:remove/point/1");
  CHECK(hands.sheet().drawing.points.size() == 1);
  CHECK(hands.sheet().drawing.roofs.size() == 2);

  const BoardState state = read_board_state(kH100);
  CHECK(sheet_of(state).drawing.points.size() == 2);
  CHECK(sheet_of(state).drawing.find(Roof::Tensor)->rate == 9.894e14);
  CHECK(sheet_of(read_board_state("draw?roofs=nonsense&points=,,;&locked=x")).drawing.roofs.empty());
}

TEST_CASE("points that were placed for another N or d are said to stand wrong") {
  Hands hands("draw?gpu=h100&N=8192&d=128&given=all");
  hands.click("board:tab/1");
  hands.click("board:causal");  // from now on the drawing is the learner's own
  hands.click("board:causal");
  hands.view.board.knobs["N"] = 4096;
  hands.look();
  const auto says = [&](std::string_view words) {
    return std::ranges::any_of(hands.scene.items, [&](const Item& item) {
      const Label* label = std::get_if<Label>(&item);
      return label && label->text.find(words) != std::string::npos;
    });
  };
  CHECK(says("are not those of N = "));
  hands.view.board.knobs["N"] = 8192;
  hands.look();
  CHECK_FALSE(says("are not those of N = "));
}

TEST_CASE("without L2 the model's fused point stands left of the ridge") {
  const auto intensity = [](const char* words) {
    return truth_of(sheet_of(read_board_state(words))).fused.point.intensity;
  };
  const double with = intensity("draw?gpu=h200&N=4096&l2=on"), without = intensity("draw?gpu=h200&N=4096&l2=off");
  CHECK(with > 206);
  CHECK(without < 206);
  CHECK(with / without > 10);
}

TEST_CASE("each mistake puts the example where people put it") {
  const auto fused = [](std::string_view mistake) {
    const DrawSheet sheet =
        sheet_of(read_board_state(fmt::format("draw?gpu=h200&N=8192&given=example&mistake={}", mistake)));
    const DrawnPoint* point = drawn_fused(sheet.drawing);
    REQUIRE(point);
    return std::tuple(point->intensity, seconds_of(sheet.drawing, *point), ceiling_of(sheet.drawing));
  };
  const auto [x, time, peak] = fused("none");
  CHECK(std::get<0>(fused("factor")) == doctest::Approx(x / 4));
  CHECK(std::get<1>(fused("factor")) == doctest::Approx(time / 4).scale(0));
  CHECK(std::get<0>(fused("elements")) == doctest::Approx(x * 2));
  CHECK(std::get<2>(fused("sparse")) == doctest::Approx(peak * 2));
  CHECK(std::get<1>(fused("sparse")) == doctest::Approx(time / 2).scale(0));
  CHECK(std::get<1>(fused("sram")) > 2 * time);
  // Only of the program's own example.
  CHECK(sheet_of(read_board_state("draw?given=all&mistake=factor")).mistake == DrawMistake::None);
}

TEST_CASE("what is on one sheet stays while another one lies on top") {
  Hands hands("draw?gpu=h100&sheet=1");
  hands.click("board:add/dram");
  hands.view.board.knobs["sheet"] = 1;
  hands.look();
  CHECK(hands.sheet().drawing.roofs.empty());
  hands.click("board:add/tensor");
  hands.click("board:reset");
  CHECK(hands.sheet().drawing.roofs.empty());
  hands.view.board.knobs["sheet"] = 0;
  hands.look();
  CHECK(hands.rate(Roof::Dram) > 0);
  CHECK(hands.rate(Roof::Tensor) == 0);
}

TEST_CASE("undo goes on through the beats that share a sheet, and leaves what a beat has set") {
  Hands hands("draw?gpu=h100&sheet=1");
  hands.view.lesson.beat = 1;
  note_work(hands.view);
  hands.click("board:add/dram");
  hands.view.lesson.beat = 2;
  hands.view.board.knobs["N"] = 4096;  // as the beat's scene does
  note_work(hands.view);
  hands.click("board:add/tensor");
  hands.letter('z');
  CHECK(hands.rate(Roof::Tensor) == 0);
  CHECK(hands.rate(Roof::Dram) > 0);
  hands.letter('z');
  CHECK(hands.rate(Roof::Dram) == 0);
  CHECK(hands.view.board.knobs["N"] == 4096);
  // Another sheet is other work.
  hands.view.board.knobs["sheet"] = 2;
  note_work(hands.view);
  CHECK_FALSE(can_undo(hands.view));
}

TEST_CASE("a person's own GPUs are offered behind the shipped ones, and a bad entry says what is wrong with it") {
  Catalogue catalogue = read_catalogue({});
  GpuSpec mine = *gpu_named("h100");
  mine.id = "mine", mine.title = "My card", mine.dram_rate = 1e12;
  catalogue.entries.push_back({mine, true});
  GpuSpec again = mine;
  again.id = "h100";
  catalogue.entries.push_back({again, true});
  catalogue.faults = {"/home/a/gpus.toml:9: [[gpu]] poor: dram_gb_s is missing, and 2 more; the entry is left out."};
  const size_t before = offered_count();
  offer_own_gpus(catalogue);
  CHECK(offered_count() == before + 3);

  Hands hands("draw?gpu=mine");
  CHECK(hands.sheet().roofs[Roof::Dram]->value == 1e12);
  CHECK(hands.shows("My card"));
  CHECK(sheet_of(read_board_state("draw?gpu=h100")).roofs[Roof::Dram]->value == gpu_named("h100")->dram_rate);
  CHECK(sheet_of(read_board_state("draw?gpu=h100-own")).roofs[Roof::Dram]->value == 1e12);

  Hands poor("draw?gpu=poor&paper=predict");
  CHECK(poor.shows("poor, not read"));
  CHECK(poor.shows("dram_gb_s is missing"));
  CHECK_FALSE(poor.sheet().known);
  for (size_t k = 0; k < std::size(kSizes); ++k)
    CHECK_MESSAGE(faults_of(poor.view.board, kSizes[k], kThemes[k % 3]).empty(),
                  faults_of(poor.view.board, kSizes[k], kThemes[k % 3]));

  offer_own_gpus({});
  CHECK(offered_count() == before);
}

TEST_CASE("this GPU's roofs are drawn against once all of them are measured") {
  Hands hands("draw?gpu=this&paper=predict");
  CHECK(hands.shows("No GPU is connected here"));
  GpuStatus& gpu = hands.view.gpu.status;
  auto hello = std::make_shared<Hello>();
  gpu.hello = hello;
  gpu.state = GpuState::Ready;
  hands.look();
  CHECK(hands.scene.find("command:gpu-ceilings"));
  gpu.measuring = kCeilingCount;
  gpu.ceilings = std::make_shared<const Ceilings>(*shipped_ceilings());
  CHECK_FALSE(offer_this_gpu(gpu));
  hands.look();
  CHECK(hands.shows("being measured"));
  gpu.measuring = 0;
  CHECK(offer_this_gpu(gpu));
  hands.look();
  REQUIRE(hands.sheet().known);
  CHECK(hands.sheet().roofs[Roof::Dram]->value == roofs_of(*shipped_ceilings())[Roof::Dram]->value);
  CHECK(hands.sheet().roofs.origin == Origin::Measured);
  offer_this_gpu({});
  CHECK_FALSE(hands.sheet().known);
}

TEST_CASE("this session's runs come before a person's own, and those before the shipped ones; each says whose it is") {
  const BoardState state = read_board_state(std::string(kH100) + "&gpu=h200");
  const DrawSheet sheet = sheet_of(state);
  const auto run_of = [&](double factor) {
    for (const BoardRun& each : board_runs({})) {
      const Problem& p = each.run->spec.problem;
      const Problem wanted = benchmark_problem(8192, 128);
      if (p.n_k != 8192 || p.d != 128 || p.mask != Mask::Full || p.batch != wanted.batch || p.heads != wanted.heads)
        continue;
      auto out = std::make_shared<RunResult>(*each.run);
      for (KernelResult& kernel : out->kernels)
        if (kernel.timing) kernel.timing->median *= factor, kernel.timing->p10 *= factor, kernel.timing->p90 *= factor;
      out->provenance.date = "2026-12-01T00:00:00Z";
      return std::shared_ptr<const RunResult>(out);
    }
    FAIL("no shipped run of that shape");
    return std::shared_ptr<const RunResult>();
  };
  const auto told = [&](const GpuView& gpu) {
    Truth truth = truth_of(sheet);
    add_measured(truth, sheet, gpu);
    REQUIRE(truth.fused.measured);
    return *truth.fused.measured;
  };
  GpuView gpu;
  const MeasuredTime shipped = told(gpu);
  CHECK(shipped.kind == RunKind::Shipped);
  auto own = std::make_shared<Recordings>();
  own->all.push_back({run_of(2), "mine.run.json"});
  gpu.recordings = own;
  const MeasuredTime mine = told(gpu);
  CHECK(mine.kind == RunKind::Own);
  CHECK(mine.seconds == doctest::Approx(2 * shipped.seconds).scale(0));
  CHECK(mine.source.find("mine.run.json") != std::string::npos);
  gpu.measured.push_back(run_of(3));
  const MeasuredTime live = told(gpu);
  CHECK(live.kind == RunKind::Measured);
  CHECK(live.seconds == doctest::Approx(3 * shipped.seconds).scale(0));
  // A shipped file that lies in the folder of recordings is no run of one's own.
  auto same = std::make_shared<Recordings>();
  for (const RunResult& run : shipped_recordings())
    same->all.push_back({std::make_shared<const RunResult>(run), "h200.json"});
  GpuView folder;
  folder.recordings = same;
  CHECK(board_runs(folder).size() == shipped_recordings().size());
}

TEST_CASE("a point is filled in by pressing as well as by typing") {
  Hands hands("draw?gpu=h100&N=8192&d=128&paper=points&given=roofs");
  hands.click("board:add/standard");
  hands.click("board:fill/flop/1");
  CHECK(hands.sheet().drawing.points[0].flop == 4.0 * 8192 * 8192 * 128);
  hands.click("board:fill/bytes/2");
  CHECK(hands.sheet().drawing.points[0].bytes == 8.0 * 8192 * 8192 + 8.0 * 8192 * 128);
  CHECK_FALSE(hands.scene.find("board:fill/bytes/2"));
  hands.click("board:add/fa3");
  hands.click("board:fill/flop/1");
  hands.click("board:fill/bytes/0");
  CHECK(hands.sheet().drawing.points[1].bytes == 8.0 * 8192 * 128 + 4.0 * 8192);
}

TEST_CASE("what a lesson has drawn is put right where it was left unfinished; a wrong point is marked until then") {
  Hands hands("draw?gpu=h100&N=8192&d=128&paper=roofs");
  hands.click("board:add/dram");
  hands.view.board.knobs["given"] = 2;  // the next beat: both roofs
  hands.view.board.knobs["paper"] = 1;
  hands.look();
  CHECK(hands.rate(Roof::Dram) == doctest::Approx(3.35e12));
  hands.click("board:add/standard");
  hands.click("board:fill/flop/1");
  const Rect chip = hands.scene.find("board:fill/bytes/1")->rect;
  hands.click("board:fill/bytes/1");
  CHECK(hands.sheet().drawing.points[0].bytes == 2.0 * 8192 * 128);
  CHECK(hands.shows("✕"));
  CHECK(hands.scene.find("board:fill/bytes/1")->rect.y == chip.y);  // to be pressed once more
  hands.view.board.knobs["given"] = 3;
  hands.look();
  CHECK(is_close(hands.sheet().drawing.points[0].bytes, 8.0 * 8192 * 8192 + 8.0 * 8192 * 128));
}

TEST_CASE("with the keyboard, what was added has the focus and takes what is typed") {
  Hands hands("draw?gpu=h100&paper=roofs");
  hands.tab_to("board:add/dram");
  hands.key(Key::Space);
  CHECK(hands.view.focus == "field:board/roof/dram");
  CHECK(hands.scene.find(hands.view.focus));
  hands.key(Key::Enter);
  CHECK(hands.view.editing == "field:board/roof/dram");
  // With the pointer it stays where the pointer is.
  Hands mouse("draw?gpu=h100&paper=roofs");
  mouse.click("board:add/dram");
  CHECK(mouse.view.focus != "field:board/roof/dram");
}

TEST_CASE("beside the model's times stands what to expect of them, and a press leaves the model alone") {
  Hands hands(std::string(kH100) + "&gpu=h200&reveal=1");
  const auto says = [&](std::string_view words) {
    return std::ranges::any_of(hands.scene.items, [&](const Item& item) {
      const Label* label = std::get_if<Label>(&item);
      return label && label->text.find(words) != std::string::npos;
    });
  };
  CHECK(says("times the model's"));
  CHECK(hands.at("knob:expect/1").tip.find("measured times were") != std::string::npos);
  hands.click("knob:expect/1");
  CHECK_FALSE(says("times the model's"));
  CHECK(says("The model alone."));
  hands.click("knob:expect/0");
  CHECK(says("times the model's"));
  hands.view.board.knobs["l2"] = 0;  // the papers' count is no time of a GPU
  hands.look();
  CHECK_FALSE(says("times the model's"));
  hands.view.board.knobs["l2"] = 1;
  hands.view.board.knobs["reveal"] = 0;
  hands.look();
  CHECK_FALSE(says("times the model's"));
}

TEST_CASE(
    "the board's table holds what is drawn, and once revealed what the model and a GPU say, each with its origin") {
  Hands hands(std::string(kH100) + "&gpu=h200&reveal=1");
  const auto reading = [&](std::string_view id) -> std::optional<Quantity> {
    const Exhibit look{hands.view.board, hands.session, hands.view, kDrawBoard};
    for (const Reading& r : kDrawBoard.readings(look))
      if (r.id == id) return r.quantity;
    return std::nullopt;
  };
  REQUIRE(reading("roof_dram"));
  CHECK(reading("roof_dram")->value == 3.35e12);
  CHECK(reading("roof_dram")->unit == "byte/s");
  CHECK(reading("point2_bytes")->value == 8421376);
  CHECK(reading("point2_model_time")->origin == Origin::Model);
  CHECK(reading("point2_gpu_time")->origin == Origin::Recorded);
  CHECK(reading("point2_gpu_time")->source.find("H200") != std::string::npos);
  hands.view.board.covered = {"win"};
  CHECK_FALSE(reading("point2_bytes"));
}

}  // namespace tilewalk::test_draw_board
