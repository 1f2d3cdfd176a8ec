// The stage as data: nothing cut off or unreadable at any size, theme, schedule and step; tiles that stay in their
// places and travel from where they were to where they arrive; and words that are true of the schedule on show.
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/stage/pieces.h"
#include "app/stage/stage.h"
#include "core/machine/words.h"
#include "core/playback/query.h"
#include "tests/app/stage_case.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tilewalk::test_stage {

namespace {

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"toy", preset_named("toy")->problem},
      {"micro", preset_named("micro")->problem},
      {"causal", preset_named("causal")->problem},
      {"N=64", {.n_q = 64, .n_k = 64, .d = 32, .br = 16, .bc = 16}},
      {"ragged", {.n_q = 7, .n_k = 7, .d = 4, .br = 3, .bc = 2, .mask = Mask::Causal}},
      {"one-row tiles", {.n_q = 9, .n_k = 40, .d = 8, .br = 1, .bc = 4}},
      {"integers", {.n_q = 8, .n_k = 8, .d = 4, .br = 4, .bc = 4, .distribution = Distribution::SmallIntegers}},
      {"N=512", {.n_q = 512, .n_k = 512, .d = 64, .br = 32, .bc = 64}},
      {"N=1024", {.n_q = 1024, .n_k = 1024, .d = 64, .br = 128, .bc = 64, .mask = Mask::Causal}},
  };
  return all;
}

// Playheads at the ends of parts, spread over the walk, with its start and end.
std::vector<int64_t> playheads(const Walk& walk, int64_t count) {
  std::vector<int64_t> out{0};
  const int64_t length = walk.replay.length();
  for (int64_t k = 1; k <= count; ++k)
    out.push_back(unit_forward(walk.replay.steps(), std::max<int64_t>(0, length * k / count - 1 - k % 5), Unit::Part));
  out.push_back(length);
  return out;
}

struct Size {
  Vec2 size;
  float scale;
};
constexpr Size kSizes[] = {{{640, 420}, 1},   {{700, 520}, 1},    {{960, 640}, 1},   {{1120, 912}, 1},
                           {{1656, 912}, 1},  {{1280, 720}, 1},   {{1920, 1080}, 1}, {{2240, 1824}, 2},
                           {{2100, 1560}, 3}, {{560, 640}, 0.75f}};

Scene stage(Session& session, const ViewState& view, Size at) {
  const Style style(view.theme, at.scale);
  Scene scene;
  scene.size = at.size;
  scene.background = style[Role::Background];
  const Moment moment = moment_of(session.walk(), view);
  const Rect area{0, 0, at.size.x, at.size.y};
  if (session.other())
    layout_stage_pair(scene, session, moment, matching_moment(*session.other(), moment, view), view, area, style);
  else
    layout_stage(scene, session, moment, view, area, style);
  return scene;
}

bool says(const Scene& scene, std::string_view words) {
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos)
      return true;
  return false;
}

float minimum_text(const Size& at) { return 14 * at.scale; }

int checked = 0, faulty = 0;
void expect_no_faults(const Scene& scene, const Size& at, const std::string& where) {
  ++checked;
  std::string all;
  int lines = 0;
  for (const std::string& fault : layout_faults(scene, minimum_text(at), at.scale))
    if (++lines <= 4) all += "\n  " + fault;
  if (!all.empty() && ++faulty > 12) return;  // enough to read
  CHECK_MESSAGE(all.empty(), where, all);
}

std::string where_of(const char* name, const Walk& walk, int64_t playhead, const Size& at, Theme theme) {
  std::ostringstream out;
  out << name << ", " << walk.schedule.name << ", playhead " << playhead << ", " << at.size.x << "x" << at.size.y
      << " at " << at.scale << ", theme " << int(theme);
  return out.str();
}

}  // namespace

TEST_CASE("Nothing on the stage is cut off, hidden, faint or too small" * doctest::test_suite("sweep")) {
  checked = faulty = 0;
  int turn = 0;
  for (const Case& c : cases())
    for (const Schedule& schedule : schedules()) {
      if (schedule.id == Method::Standard && c.problem.n_q == 1024) continue;  // a row of S does not fit the registers
      Session session = session_of(c, schedule.id, {}, turn % 2 ? VariantId::Kernel : VariantId::Paper);
      for (int64_t playhead : playheads(session.walk(), 14))
        for (const Size& at : kSizes) {
          ViewState view = view_at(session.walk(), playhead, turn % 7 == 0 ? Unit::Step : Unit::Part);
          view.theme = Theme(turn++ % 3);
          expect_no_faults(stage(session, view, at), at, where_of(c.name, session.walk(), playhead, at, view.theme));
        }
    }
  CHECK(checked > 1000);
}

TEST_CASE("Nothing on a pair of stages is cut off, hidden, faint or too small") {
  checked = faulty = 0;
  int turn = 0;
  for (const Case& c : cases())
    for (const auto& [first, second] : {std::pair{Method::Fa2, Method::Fa1}, std::pair{Method::Standard, Method::Fa2},
                                        std::pair{Method::Fa3, Method::Fa2}}) {
      if (first == Method::Standard && c.problem.n_q == 1024) continue;
      Session session = session_of(c, first, second);
      for (int64_t playhead : playheads(session.walk(), 9))
        for (const Size& at : {Size{{1120, 912}, 1}, Size{{1656, 912}, 1}, Size{{1280, 720}, 1}, Size{{1000, 560}, 1},
                               Size{{3312, 1824}, 2}}) {
          ViewState view = view_at(session.walk(), playhead);
          view.theme = Theme(turn++ % 3);
          expect_no_faults(stage(session, view, at), at,
                           "pair, " + where_of(c.name, session.walk(), playhead, at, view.theme));
        }
    }
  CHECK(checked > 300);
}

TEST_CASE("Exported stages have no faults") {
  Session session = session_of(cases()[0], Method::Fa2);
  for (Vec2 size : {Vec2{960, 540}, Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}}) {
    const Scene scene = layout_stage_scene(session, view_at(session.walk(), 24), size);
    CHECK(scene.size.x == size.x);
    expect_no_faults(scene, {size, 1}, "export");
  }
}

TEST_CASE("Tiles keep their places from step to step") {
  for (const Schedule& schedule : schedules()) {
    Session session = session_of(cases()[0], schedule.id);
    const Style style(Theme::Light, 1);
    const auto plan_at = [&](int64_t playhead) {
      const ViewState view = view_at(session.walk(), playhead);
      Scene scene;
      const Moment moment = moment_of(session.walk(), view);
      const Canvas canvas(scene, session, moment, view, style);
      const SramPlan p = sram_plan(canvas, {24, 90, 1072, 400});
      return std::vector<Rect>{p.q, p.k, p.v, p.s, p.o, p.m, p.alpha, p.l};
    };
    const std::vector<Rect> first = plan_at(0);
    for (int64_t playhead = 1; playhead <= session.walk().replay.length(); ++playhead) {
      const std::vector<Rect> now = plan_at(playhead);
      for (size_t n = 0; n < now.size(); ++n) {
        REQUIRE(now[n].x == first[n].x);
        REQUIRE(now[n].y == first[n].y);
        REQUIRE(now[n].w == first[n].w);
        REQUIRE(now[n].h == first[n].h);
      }
    }
  }
}

TEST_CASE("A tile that travels leaves its source at phase 0 and reaches its destination at phase 1") {
  Session session = session_of(cases()[0], Method::Fa2);
  Walk& walk = session.walk();
  const Size at{{1120, 912}, 1};
  const Style style(Theme::Light, 1);
  const auto moving = [&](int64_t playhead, float phase) {
    ViewState view = view_at(walk, playhead, Unit::Step);
    view.phase = phase;
    return stage(session, view, at);
  };
  const auto has_box = [](const Scene& scene, const Rect& r) {
    for (const Item& item : scene.items)
      if (const auto* box = std::get_if<Box>(&item); box &&
                                                     std::fabs(box->rect.x - r.x) + std::fabs(box->rect.y - r.y) +
                                                             std::fabs(box->rect.w - r.w) +
                                                             std::fabs(box->rect.h - r.h) <
                                                         0.5f &&
                                                     box->fill.a > 0 && box->fill.a < 255 && box->stroke.a == 255)
        return true;
    return false;
  };
  // K tile 1 comes from DRAM for Q tile 1, and from L2 for Q tile 2; O tile 1 goes down to memory.
  struct Trip {
    const char* query;
    Tensor tensor;
    Level from, to;
    size_t stops;
  };
  for (const Trip& trip : {Trip{"load K of Q tile 1, K tile 1", Tensor::K, Level::Dram, Level::Sram, 3},
                           Trip{"load K of Q tile 2, K tile 1", Tensor::K, Level::L2, Level::Sram, 2},
                           Trip{"first store O", Tensor::O, Level::Sram, Level::Dram, 3}}) {
    const ParsedQuery parsed = parse_query(trip.query);
    REQUIRE_MESSAGE(parsed.query, parsed.fault);
    const int64_t playhead = find(walk.replay.steps(), *parsed.query).value();
    ViewState view = view_at(walk, playhead, Unit::Step);
    view.phase = 0;
    Scene scene;
    const Moment moment = moment_of(walk, view);
    Canvas canvas(scene, session, moment, view, style);
    layout_sram(canvas, {24, 84, 1072, 400});
    layout_l2(canvas, {24, 494, 1072, 56});
    layout_dram(canvas, {24, 560, 1072, 240});
    const Story::Move* move = canvas.story.move_of(trip.tensor);
    REQUIRE(move);
    const std::vector<Rect> path = travel_path(canvas, *move);
    REQUIRE(path.size() == trip.stops);
    const int64_t index = tile_index(trip.tensor, move->i, move->j, canvas.tiling);
    const auto same = [](const Rect& a, const Rect* b) { return b && a.x == b->x && a.y == b->y && a.w == b->w; };
    CHECK(same(path.front(), canvas.spot(trip.from, trip.tensor, trip.from == Level::Sram ? 0 : index)));
    CHECK(same(path.back(), canvas.spot(trip.to, trip.tensor, trip.to == Level::Sram ? 0 : index)));
    layout_motion(canvas);
    CHECK(has_box(scene, path.front()));

    view.phase = 0.81f;  // the last fifth shows the values
    Scene arrived;
    const Moment late = moment_of(walk, view);
    Canvas after(arrived, session, late, view, style);
    layout_sram(after, {24, 84, 1072, 400});
    layout_l2(after, {24, 494, 1072, 56});
    layout_dram(after, {24, 560, 1072, 240});
    layout_motion(after);
    CHECK(has_box(arrived, path.back()));
  }
  // At rest nothing is on its way, and with reduced motion nothing ever is.
  const int64_t load = find(walk.replay.steps(), *parse_query("first load K").query).value();
  const size_t at_rest = moving(load, 1).items.size(), under_way = moving(load, 0.4f).items.size();
  CHECK(under_way != at_rest);
  ViewState view = view_at(walk, load, Unit::Step);
  view.phase = 0.4f;
  view.reduced_motion = true;
  CHECK(story_of(moment_of(walk, view)).moves.size() == 1);
  CHECK_FALSE(timing_of(moment_of(walk, view), story_of(moment_of(walk, view)), view).moving);
}

TEST_CASE("The stage says what is true of the schedule") {
  const Size at{{1120, 912}, 1};
  for (const Schedule& schedule : schedules()) {
    Session session = session_of(cases()[0], schedule.id);
    const Scene scene = stage(session, view_at(session.walk(), session.walk().replay.length() / 2), at);
    CHECK(says(scene, "never here") == (schedule.id != Method::Standard));
    CHECK(says(scene, "no α") == (schedule.id == Method::Standard));
    // Where a tile never lies, nothing is filled.
    int never = 0, filled = 0;
    for (const Region& region : scene.regions) {
      if (region.tip.find("it never reaches DRAM") == std::string::npos) continue;
      ++never;
      for (const Item& item : scene.items)
        if (const Box* box = std::get_if<Box>(&item))
          filled += box->fill.a > 0 && box->rect.x == region.rect.x && box->rect.y == region.rect.y;
    }
    CHECK((never > 0) == (schedule.id != Method::Standard));
    CHECK(filled == 0);
    CHECK(says(scene, "16 × 16") == (schedule.id == Method::Standard));
  }

  Session session = session_of(cases()[0], Method::Fa2);
  const auto at_query = [&](const char* words) {
    return stage(session,
                 view_at(session.walk(), find(session.walk().replay.steps(), *parse_query(words).query).value()), at);
  };
  CHECK(says(at_query("score of Q tile 2, K tile 3"), "S = Q₂K₃ᵀ / √d"));
  CHECK(says(at_query("exponentiate of Q tile 2, K tile 3"), "P = e^(S − m)"));
  CHECK(says(at_query("first load K"), "K₁ was not here: read from DRAM"));
  CHECK(says(at_query("load K of Q tile 2, K tile 1"), "K₁ was here: no DRAM read"));
  CHECK(says(at_query("first load K"), "not on chip"));

  // The followed row's factor is the alpha that the machine holds.
  const int64_t rescale =
      find(session.walk().replay.steps(), *parse_query("rescale of Q tile 2, K tile 3").query).value();
  const double alpha = session.walk().replay.at(rescale).find(Tensor::Alpha)->data->at(1, 0);
  CHECK(says(at_query("rescale of Q tile 2, K tile 3"), "row 6 × " + number_words(alpha)));

  // Large tiles say that cells stand for several elements.
  Session large = session_of(cases().back(), Method::Fa2);
  CHECK(says(stage(large, view_at(large.walk(), 60), at), "each cell = 8×4"));
  CHECK_FALSE(says(at_query("first load K"), "each cell"));
}

// What the pointer is told about a tile, wherever it is drawn.
std::string tips(const Scene& scene, std::string_view id) {
  std::string all;
  for (const Region& region : scene.regions)
    if (region.id == id) all += region.tip + "\n";
  return all;
}

TEST_CASE("Statistics stand in DRAM and in L2 exactly where the walk stores them") {
  const Size at{{1656, 912}, 1};
  for (Method id : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3})
    for (VariantId variant : {VariantId::Paper, VariantId::Kernel}) {
      Session session = session_of(cases()[0], id, {}, variant);
      const Scene scene = stage(session, view_at(session.walk(), session.walk().replay.length()), at);
      CAPTURE(int(id));
      CAPTURE(int(variant));
      const bool fa1 = id == Method::Fa1;
      const bool lse = id == Method::Fa2 || id == Method::Fa3 || (fa1 && variant == VariantId::Kernel);
      for (std::string_view where : {"bytes in DRAM", "bytes in L2"}) {
        CHECK((tips(scene, "tile:m/0").find(where) != std::string::npos) == fa1);
        CHECK((tips(scene, "tile:L/0").find(where) != std::string::npos) == lse);
      }
    }
}

TEST_CASE("O between visits is told in fp32 bytes under FA1's kernel, the finished one in the output's") {
  Session session = session_of(cases()[0], Method::Fa1, {}, VariantId::Kernel);
  const Walk& walk = session.walk();
  const auto at_query = [&](const char* words) {
    return tips(
        stage(session, view_at(walk, find(walk.replay.steps(), *parse_query(words).query).value()), {{1656, 912}, 1}),
        "tile:O/0");
  };
  const int64_t elements = walk.plan().tiling.rows(0) * walk.plan().tiling.d;
  const std::string wide = bytes_words(elements * 4) + " in DRAM", narrow = bytes_words(elements * 2) + " in DRAM";
  CHECK(at_query("first store O").find(wide) != std::string::npos);
  CHECK(at_query("last store O").find(narrow) != std::string::npos);
  CHECK(at_query("last store O").find(wide) == std::string::npos);
}

TEST_CASE("Of FA3's buffers the stage shows the newest K and V, and the scores that the step works on") {
  Session session = session_of(cases()[0], Method::Fa3);
  const auto at = [&](const char* query) {
    const auto k = find(session.walk().replay.steps(), *parse_query(query).query);
    REQUIRE(k);
    return stage(session, view_at(session.walk(), *k), {{1656, 912}, 1});
  };
  const Scene next = at("score of Q tile 1, K tile 3");
  CHECK(says(next, "S = Q₁K₃ᵀ"));
  CHECK(says(next, "2 tiles on chip"));
  CHECK(says(next, "V₁"));  // in memory's picture and in SRAM
  CHECK_FALSE(says(next, "used up"));
  const Scene older = at("accumulate of Q tile 1, K tile 2");
  CHECK(says(older, "K₃"));
  CHECK(says(older, "V₂"));
  CHECK(says(older, "P = e^(S − m)"));
  CHECK_FALSE(says(older, "used up"));
  CHECK(says(at("load K of Q tile 1, K tile 3"), "used up"));  // its buffer held the first tile's weights
}

TEST_CASE("A pair says why the second schedule waits") {
  Session session = session_of(cases()[2], Method::Standard, Method::Fa2);
  const std::vector<Step>& steps = session.walk().replay.steps();
  const int64_t hidden = find(steps, *parse_query("score of Q tile 1, K tile 4").query).value();
  CHECK(says(stage(session, view_at(session.walk(), hidden), {{1656, 912}, 1}), "it waits"));
  const int64_t shared = find(steps, *parse_query("score of Q tile 4, K tile 1").query).value();
  CHECK_FALSE(says(stage(session, view_at(session.walk(), shared), {{1656, 912}, 1}), "it waits"));
}

TEST_CASE("FA2 waits while FA1 initialises, and brings a visit's tiles while FA1 brings them") {
  Session session = session_of(cases()[0], Method::Fa1, Method::Fa2);
  const std::vector<Step>& steps = session.walk().replay.steps();
  Walk& other = *session.other();
  bool scored = false;
  for (int64_t k = 0; !scored;) {
    k = unit_forward(steps, k, Unit::Part);
    const ViewState view = view_at(session.walk(), k);
    const Moment with = matching_moment(other, moment_of(session.walk(), view), view);
    const Step& here = steps[size_t(k - 1)];
    scored = here.kind == StepKind::Score;
    CAPTURE(k);
    CHECK(with.words.caption.ends_with("it waits.") == (here.pass == 0));
    if (here.pass == 0)
      CHECK(with.playhead == 0);
    else if (!scored)
      CHECK(other.replay.steps()[size_t(with.playhead)].kind == StepKind::Score);
    else
      CHECK(with.step()->kind == StepKind::Score);
  }
}

TEST_CASE("A pair starts and ends together, and goes forward within a visit") {
  for (const size_t c : {size_t(0), size_t(2), size_t(4)})
    for (const Method one : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3})
      for (const Method two : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3}) {
        if (one == two) continue;
        Session session = session_of(cases()[c], one, two);
        Walk &walk = session.walk(), &other = *session.other();
        const std::vector<Step>& steps = walk.replay.steps();
        const auto other_at = [&](int64_t playhead) {
          const ViewState view = view_at(walk, playhead);
          return matching_moment(other, moment_of(walk, view), view);
        };
        CAPTURE(walk.schedule.name);
        CAPTURE(other.schedule.name);
        CHECK(other_at(0).playhead == 0);
        CHECK(other_at(walk.replay.length()).playhead == other.replay.length());
        if (walk.schedule.passes.size() > 1) continue;
        int64_t before = 0;
        const Step* last = nullptr;
        for (int64_t k = 0; k < walk.replay.length();) {
          k = unit_forward(steps, k, Unit::Part);
          const Step& here = steps[size_t(k - 1)];
          const int64_t now = other_at(k).playhead;
          // Loads come in another order; what is computed does not.
          const bool work =
              info_of(here.kind).engine != Engine::Load && last && info_of(last->kind).engine != Engine::Load;
          if (work && last->i == here.i && last->j == here.j && last->section == here.section) {
            CAPTURE(k);
            CHECK(now >= before);
          }
          before = now;
          last = &here;
        }
      }

  // Each kind of work is looked for in the kernel that does it, and the words say which.
  Session session = session_of(cases()[0], Method::Fa2, Method::Standard);
  const Size at{{1656, 912}, 1};
  const auto words_at = [&](const char* query, const char* words) {
    const auto k = find(session.walk().replay.steps(), *parse_query(query).query);
    REQUIRE(k);
    CHECK_MESSAGE(says(stage(session, view_at(session.walk(), *k), at), words), query);
  };
  words_at("score of Q tile 1, K tile 2", "Standard is in kernel 1 of 3: S = Q Kᵀ");
  words_at("row max of Q tile 1, K tile 2", "Standard is in kernel 2 of 3: P = softmax(S)");
  words_at("accumulate of Q tile 1, K tile 2", "Standard is in kernel 3 of 3: O = P V");

  // FA1's tiles are in one kernel, whatever writes its start values.
  session = session_of(cases()[0], Method::Fa1, Method::Fa2);
  words_at("score of Q tile 1, K tile 2", "K/V tiles outside, Q tiles inside; O, m, l through memory");
}

TEST_CASE("What is pointed at lights up everywhere, and every tile can be pointed at") {
  Session session = session_of(cases()[0], Method::Fa2);
  const Size at{{1120, 912}, 1};
  ViewState view = view_at(session.walk(), 24);
  const Scene plain = stage(session, view, at);
  for (const char* id :
       {"tile:Q/0", "tile:K/2", "tile:V/2", "tile:O/0", "tile:P/0/2", "tile:S/3/3", "stat:m/1", "stat:alpha/1",
        "stat:l/3", "row:2", "level:sram", "level:l2", "level:dram", "ledger:fill", "ledger:dram-read"})
    CHECK_MESSAGE(plain.find(id), std::string(id));
  const auto rings = [&](const Scene& scene) {
    int n = 0;
    for (const Item& item : scene.items)
      if (const auto* box = std::get_if<Box>(&item))
        n += box->stroke == palette(Theme::Light)[Role::Focus] && box->stroke_width == 3;
    return n;
  };
  CHECK(rings(plain) == 0);
  view.hover = "tile:K/2";
  CHECK(rings(stage(session, view, at)) == 3);  // SRAM, L2, DRAM
  view.hover = "tile:K/3";
  CHECK(rings(stage(session, view, at)) == 2);  // not on chip
  view.hover = "line:4";                        // S = Q K^T
  CHECK(rings(stage(session, view, at)) == 2);  // Q and K; P has taken the place of S
  view.hover.clear();
  view.selection = "tile:O/2";
  CHECK(rings(stage(session, view, at)) == 2);

  // Elements of the inputs can be typed over where their cells are large.
  Session micro = session_of(cases()[1], Method::Fa2);
  const Scene small = stage(
      micro, view_at(micro.walk(), find(micro.walk().replay.steps(), *parse_query("last load V").query).value()), at);
  for (const char* id : {"cell:Q/0/0", "cell:K/2/0", "cell:K/3/1", "cell:V/2/1"})
    CHECK_MESSAGE(small.find(id), std::string(id));
  CHECK_FALSE(small.find("cell:K/0/0"));  // the other tile
}

TEST_CASE("Golden picture of one step") {
  Session session = session_of(cases()[0], Method::Fa2);
  ViewState view = view_at(session.walk(), 22);
  const std::string svg = to_svg(layout_stage_scene(session, view, {1280, 800}));
  const std::string path = std::string(TILEWALK_SOURCE_DIR) + "/tests/app/golden/stage_row_max.svg";
  if (std::getenv("TILEWALK_WRITE_GOLDEN")) std::ofstream(path) << svg;
  std::ifstream file(path);
  const std::string golden((std::istreambuf_iterator<char>(file)), {});
  REQUIRE_MESSAGE(!golden.empty(), path << " is missing; set TILEWALK_WRITE_GOLDEN to write it");
  CHECK_MESSAGE(svg == golden, "the picture changed; look at it, then set TILEWALK_WRITE_GOLDEN=1 to accept it");
}

TEST_CASE("The fullest stage is laid out in well under a millisecond") {
  Session session = session_of(cases().back(), Method::Fa1);
  const ViewState view = view_at(session.walk(), session.walk().replay.length() / 2);
  const Moment moment = moment_of(session.walk(), view);
  const Style style(Theme::Light, 1);
  double best = 1e9;
  for (int n = 0; n < 20; ++n) {
    Scene scene;
    const auto start = std::chrono::steady_clock::now();
    layout_stage(scene, session, moment, view, {0, 0, 1120, 912}, style);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  MESSAGE("the fullest stage takes ", best, " ms");
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(best < 5);  // generous: machines that run tests are busy
#endif
}

}  // namespace tilewalk::test_stage
