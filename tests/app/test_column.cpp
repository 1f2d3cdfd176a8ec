// The right column as data: nothing cut, overlapping or too small over tabs, steps, schedules, sizes and themes; and
// the numbers it shows are the replay's.
#include "app/session/fields.h"
#include "app/panels/panels.h"
#include "app/scene/layout_check.h"
#include "core/machine/words.h"
#include "core/playback/deviation.h"
#include "core/playback/query.h"
#include "core/playback/row_trace.h"
#include "core/playback/row_view.h"
#include "core/kernel/kernel_source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace tilewalk::test_column {

namespace {

struct Window {
  float width, height, scale;
};

Scene column_scene(const Session& session, const ViewState& view, Window window) {
  const Style style(view.theme, window.scale);
  Scene scene;
  scene.size = {window.width, window.height};
  scene.background = style[Role::Background];
  const Moment moment = moment_of(session.walk(), view);
  layout_column(scene, session, moment, view, {0, 0, window.width, window.height}, style);
  return scene;
}

void check(const Session& session, ViewState view, Window window) {
  const Scene scene = column_scene(session, view, window);
  for (const std::string& fault : layout_faults(scene, 14 * window.scale, window.scale))
    FAIL_CHECK(fault, " (", window.width, " x ", window.height, ", scale ", window.scale, ", step ", view.playhead,
               ")");
  for (const Region& region : scene.regions)
    CHECK_MESSAGE((region.rect.x >= -0.5f && region.rect.right() <= window.width + 0.5f &&
                   region.rect.bottom() <= window.height + 0.5f),
                  region.id);
}

void put_playhead(const Session& session, ViewState& view, int64_t playhead, Unit unit) {
  view.playhead = playhead;
  view.from = unit_back(session.walk().replay.steps(), playhead, unit);
}

Session session_of(std::string_view preset, std::string_view schedule, std::string_view variant) {
  Session session;
  ViewState view;
  REQUIRE(apply_choice(session, view, "preset", preset).empty());
  REQUIRE(apply_choice(session, view, "schedule", schedule).empty());
  REQUIRE(apply_choice(session, view, "variant", variant).empty());
  return session;
}

const Label* label_with(const Scene& scene, std::string_view text) {
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->text == text) return label;
  return nullptr;
}

bool has_text(const Scene& scene, std::string_view part) {
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->text.find(part) != std::string::npos)
      return true;
  return false;
}

}  // namespace

TEST_CASE("every step of the small problems fits the column") {
  for (std::string_view preset : {"micro", "toy", "causal"})
    for (std::string_view schedule : {"standard", "fa1", "fa2", "fa3"})
      for (std::string_view variant : {"paper", "kernel"}) {
        CAPTURE(preset);
        CAPTURE(schedule);
        Session session = session_of(preset, schedule, variant);
        ViewState view;
        view.row = std::min<int64_t>(5, session.problem().n_q - 1);
        const int64_t length = session.walk().replay.length();
        for (Tab tab : {Tab::Explain, Tab::Numbers}) {
          view.tab = tab;
          for (int64_t playhead = 0; playhead <= length; playhead += tab == Tab::Explain ? 1 : 3) {
            put_playhead(session, view, playhead, playhead % 2 ? Unit::Part : Unit::Step);
            check(session, view, {536, 912, 1});
          }
        }
        view.tab = Tab::Explain;
        for (Unit unit : {Unit::Tile, Unit::Row})
          for (int64_t playhead = 0; playhead < length;) {
            playhead = unit_forward(session.walk().replay.steps(), playhead, unit);
            put_playhead(session, view, playhead, unit);
            check(session, view, {536, 912, 1});
          }
      }
}

TEST_CASE("every window size, scale and theme") {
  constexpr Window kWindows[] = {{536, 912, 1},     {420, 552, 1},    {320, 552, 1},     {560, 760, 1},
                                 {536, 600, 1},     {804, 860, 1.5f}, {670, 460, 1.25f}, {938, 760, 1.75f},
                                 {1072, 1824, 2},   {1608, 1600, 3},  {560, 1900, 1},    {402, 700, 0.75f},
                                 {500, 535, 1.25f}, {400, 552, 1},    {448, 732, 1}};
  Session session = session_of("toy", "fa2", "paper");
  Session causal = session_of("causal", "fa1", "kernel");
  Session standard = session_of("toy", "standard", "paper");
  for (Session* s : {&session, &causal, &standard})
    for (const Window& window : kWindows)
      for (Theme theme : {Theme::Light, Theme::Dark, Theme::Projector})
        for (Tab tab : {Tab::Explain, Tab::Numbers, Tab::Problem})
          for (int page = 0; page < 4; ++page)
            for (int64_t eighth : {0, 3, 8}) {
              ViewState view;
              view.theme = theme;
              view.tab = tab;
              view.page = page;
              view.row = 6;
              put_playhead(*s, view, s->walk().replay.length() * eighth / 8, Unit::Part);
              check(*s, view, window);
            }
}

TEST_CASE("large problems are drawn several keys to a bar" * doctest::test_suite("sweep")) {
  Session session;
  ViewState view;
  REQUIRE(apply_field(session, view, "d", "64").empty());
  REQUIRE(apply_field(session, view, "n_q", "64").empty());
  REQUIRE(apply_field(session, view, "br", "32").empty());
  REQUIRE(apply_field(session, view, "bc", "32").empty());
  const auto look = [&](std::string_view note) {
    const int64_t length = session.walk().replay.length();
    for (Tab tab : {Tab::Explain, Tab::Numbers, Tab::Problem})
      for (int64_t part : {0, 1, 3, 5, 7}) {
        view.tab = tab;
        put_playhead(session, view, length * part / 7, Unit::Part);
        check(session, view, {536, 912, 1});
        check(session, view, {320, 552, 1});
      }
    view.tab = Tab::Explain;
    put_playhead(session, view, length / 2, Unit::Part);
    for (Window window : {Window{536, 912, 1}, {400, 572, 1}})
      CHECK(has_text(column_scene(session, view, window), note));
    const Scene narrow = column_scene(session, view, {320, 552, 1});
    CHECK((has_text(narrow, note) || has_text(narrow, " a bar")));
  };
  REQUIRE(apply_field(session, view, "n_q", "256").empty());
  look("highest of");
  REQUIRE(apply_field(session, view, "n_q", "4k").empty());
  REQUIRE(apply_field(session, view, "br", "128").empty());
  look("low to high of");
  REQUIRE(apply_choice(session, view, "mask", "causal").empty());
  look("low to high of");
}

TEST_CASE("FA3's overlap is explained step by step") {
  Session session = session_of("toy", "fa3", "paper");
  ViewState view;
  view.tab = Tab::Explain;
  const auto title_at = [&](const char* query, const char* title) {
    const auto k = find(session.walk().replay.steps(), *parse_query(query).query);
    REQUIRE(k);
    put_playhead(session, view, *k, Unit::Part);
    CHECK_MESSAGE(label_with(column_scene(session, view, {536, 912, 1}), title), query);
  };
  title_at("load K of Q tile 1, K tile 1", "The first keys arrive");
  title_at("load K of Q tile 1, K tile 2", "Keys for the next tile");
  title_at("score of Q tile 1, K tile 2", "The next scores, ahead of time");
  title_at("load V of Q tile 1, K tile 1", "Values for the weights that wait");
  title_at("accumulate of Q tile 1, K tile 1", "The output begins");
  title_at("accumulate of Q tile 1, K tile 2", "The output takes in P V");
}

TEST_CASE("the strip and the numbers show the replay's values") {
  for (std::string_view schedule : {"fa1", "fa2", "fa3"}) {
    Session session = session_of("toy", schedule, "paper");
    ViewState view;
    view.row = 5;
    Replay& replay = session.walk().replay;
    int seen = 0;
    for (int64_t k = 1; k <= replay.length(); ++k) {
      const Step step = replay.steps()[size_t(k - 1)];
      if (step.kind != StepKind::RowSum || step.i != 1) continue;
      put_playhead(session, view, k, Unit::Part);
      const RowView row = view_row(replay.at(k), step.i, step.j, 1);
      REQUIRE(row.l);

      // The strip: l below its tile, m over it, alpha where the past shrank.
      view.tab = Tab::Explain;
      Scene scene = column_scene(session, view, {536, 912, 1});
      CHECK(label_with(scene, number_words(*row.l)));
      CHECK(label_with(scene, "m " + number_words(*row.m)));
      if (step.j > 0 && *row.alpha != 1) CHECK(label_with(scene, number_words(*row.alpha)));
      const Region* tile = scene.find("tile:K/" + std::to_string(step.j));
      REQUIRE(tile);
      CHECK(tile->tip.find("l " + number_words(*row.l, 6)) != std::string::npos);

      view.tab = Tab::Numbers;
      scene = column_scene(session, view, {536, 912, 1});
      char six[32];
      std::snprintf(six, sizeof six, "%.6f", *row.l);
      CHECK(label_with(scene, six));
      ++seen;
    }
    CHECK(seen == 4);
  }
}

TEST_CASE("bars stand at the height of their scores") {
  Session session = session_of("micro", "fa2", "paper");  // scores 2, 1, 4, 3
  ViewState view;
  put_playhead(session, view, session.walk().replay.length(), Unit::Part);
  const Scene scene = column_scene(session, view, {536, 912, 1});
  const Palette& p = palette(Theme::Light);
  const Color past = mix(p[Role::Surface], p.fill(Tensor::S), 0.5f);
  std::vector<float> heights;
  for (const Item& item : scene.items)
    if (const auto* box = std::get_if<Box>(&item); box && (box->fill == past || box->fill == p.fill(Tensor::S)))
      heights.push_back(box->rect.h);
  REQUIRE(heights.size() == 4);
  CHECK(heights[1] * 2 == doctest::Approx(heights[0]).epsilon(0.01));
  CHECK(heights[1] * 4 == doctest::Approx(heights[2]).epsilon(0.01));
  CHECK(heights[1] * 3 == doctest::Approx(heights[3]).epsilon(0.01));
}

TEST_CASE("before the first step the numbers say what to do") {
  Session session;
  ViewState view;
  view.tab = Tab::Numbers;
  CHECK(has_text(column_scene(session, view, {536, 912, 1}), "Step on (→) to load the first tile"));
}

TEST_CASE("at the end the output equals the expected one") {
  for (std::string_view schedule : {"standard", "fa1", "fa2", "fa3"}) {
    Session session = session_of("toy", schedule, "paper");
    ViewState view;
    view.tab = Tab::Numbers;
    put_playhead(session, view, session.walk().replay.length(), Unit::Part);
    const Scene scene = column_scene(session, view, {536, 912, 1});
    const Moment m = moment_of(session.walk(), view);
    const double first = session.expected().o.at(m.tile * 4 + m.row, 0);
    char six[32];
    std::snprintf(six, sizeof six, "%.6f", std::fabs(first));
    const std::string words = first < 0 ? std::string("−") + six : six;
    int count = 0;
    for (const Item& item : scene.items)
      if (const auto* label = std::get_if<Label>(&item)) count += label->text == words;
    CHECK_MESSAGE(count >= 2, schedule);  // O / l and expected
  }
}

TEST_CASE("the numbers of a backward walk set dQ, dK and dV beside float64") {
  for (std::string_view schedule : {"standard-backward", "fa1-backward", "fa2-backward"}) {
    CAPTURE(schedule);
    Session session = session_of("toy", schedule, "paper");
    ViewState view;
    view.tab = Tab::Numbers;
    REQUIRE(apply_choice(session, view, "arithmetic", "kernel").empty());
    put_playhead(session, view, 4, Unit::Step);
    CHECK(!has_text(column_scene(session, view, {536, 912, 1}), "Largest difference of dQ"));

    put_playhead(session, view, session.walk().replay.length(), Unit::Part);
    const Scene scene = column_scene(session, view, {536, 912, 1});
    const Moment m = moment_of(session.walk(), view);
    const Step& step = *m.step();
    const Gradients& expected = session.expected_gradients();
    const MachineState& end = m.after;
    const std::pair<const TilePtr, const Matrix*> keyed[] = {{end.dk.get(step.j), &expected.dk},
                                                             {end.dv.get(step.j), &expected.dv}};
    for (const auto& [tile, all] : keyed) {
      const double gap = tile_difference(*tile, *all, step.j * session.problem().bc);
      CHECK(gap > 1e-6);
      CHECK(gap < 1e-2);
      CHECK(label_with(scene, number_words(gap, 3)));
    }
    const TilePtr dq = end.dq.get(step.i);
    double gap = 0;
    for (int64_t c = 0; c < dq->cols; ++c)
      gap = std::max(gap, std::fabs(dq->at(m.row, c) - expected.dq.at(step.i * session.problem().br + m.row, c)));
    CHECK(gap > 1e-7);
    CHECK(label_with(scene, number_words(gap, 3)));
    CHECK(has_text(scene, "Largest difference of dQ"));
    CHECK(has_text(scene, "of dK"));
    CHECK(has_text(scene, "of dV"));
  }
}

TEST_CASE("the current line of code is shown in every height that has code") {
  Session session = session_of("toy", "standard", "paper");
  ViewState view;
  for (int64_t playhead = 1; playhead <= session.walk().replay.length(); playhead += 7)
    for (float height : {912.f, 720.f, 620.f}) {
      put_playhead(session, view, playhead, Unit::Part);
      const Scene scene = column_scene(session, view, {536, height, 1});
      const int line = session.walk().replay.steps()[size_t(playhead - 1)].line;
      bool code = false;
      for (const Region& region : scene.regions) code = code || region.id.starts_with("line:");
      if (code) CHECK(scene.find("line:" + std::to_string(line)));
      CHECK((code || height < 700));
    }
}

TEST_CASE("a line of two statements that is too wide for the column goes on below its beginning") {
  Session session;
  ViewState view;
  view.tab = Tab::Explain;
  bool found = false;
  for (const float width : {380.0f, 420.0f, 480.0f})
    for (int64_t step = 1; step < 60; ++step) {
      CAPTURE(width);
      CAPTURE(step);
      put_playhead(session, view, step, Unit::Step);
      const Scene scene = column_scene(session, view, {width, 1000, 1});
      const Label *begins = nullptr, *ends = nullptr;
      for (const Item& item : scene.items)
        if (const Label* label = std::get_if<Label>(&item)) {
          if (label->text.starts_with("m′ = max(m, rowmax S)")) begins = label;
          if (begins && label->slot.x == begins->slot.x && label->text.ends_with("α = e^(m − m′)")) ends = label;
        }
      CHECK((!begins || ends));
      found |= begins != nullptr;
      for (const std::string& fault : layout_faults(scene, 14, 1)) FAIL_CHECK(fault);
    }
  CHECK(found);
}

TEST_CASE("the kernel's source follows the steps, in every size and theme") {
  constexpr Window kWindows[] = {{536, 912, 1}, {420, 552, 1}, {320, 552, 1}, {536, 600, 1}, {1072, 1824, 2}};
  for (const char* schedule : {"standard", "fa1", "fa2", "fa3"}) {
    CAPTURE(schedule);
    Session session = session_of("causal", schedule, "kernel");
    ViewState view;
    view.source.open = true;
    const KernelSource& source = *source_of(*view.source.shown(session.setup().schedule));
    const auto& steps = session.walk().replay.steps();
    for (int64_t playhead = 0; playhead <= int64_t(steps.size()); playhead += 5) {
      put_playhead(session, view, playhead, Unit::Step);
      for (const Window& window : kWindows) check(session, view, window);
      if (playhead == 0) continue;
      const SourceBlock* block = block_of(source, steps[size_t(playhead - 1)]);
      if (!block) continue;
      // The heading's line is on show, in the bold face that only what is lit has.
      const Scene scene = column_scene(session, view, {1072, 912, 1});
      std::string_view line = source.lines[size_t(block->first)];
      line = line.substr(0, line.find("//"));
      const Label* label = label_with(scene, line);
      CAPTURE(line);
      REQUIRE(label);
      CHECK(label->face == Face::MonoBold);
    }
  }
  // A part of several steps lights what carries out each: here P, and l with it.
  Session session = session_of("toy", "fa2", "paper");
  ViewState view;
  view.source.open = true;
  const auto& steps = session.walk().replay.steps();
  const auto sum = std::ranges::find(steps, StepKind::RowSum, &Step::kind) - steps.begin() + 1;
  put_playhead(session, view, sum, Unit::Part);
  const Scene part = column_scene(session, view, {1072, 912, 1});
  for (const char* line : {"    STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }",
                           "    STEP(RowSum, j) { row_sum(s, stats); }  "}) {
    const Label* label = label_with(part, line);
    CAPTURE(line);
    REQUIRE(label);
    CHECK(label->face == Face::MonoBold);
  }
  CHECK(has_text(part, "from the last tile to the first"));  // the stage goes as the paper does
  Session kernel = session_of("toy", "fa2", "kernel");
  CHECK_FALSE(has_text(column_scene(kernel, view, {1072, 912, 1}), "from the last tile to the first"));

  view = {};
  CHECK(column_scene(session, view, kWindows[0]).find("command:source"));
  CHECK_FALSE(column_scene(session, view, kWindows[0]).find("panel:source"));
  view.source = {true, Method::Naive};
  const Scene naive = column_scene(session, view, kWindows[0]);
  CHECK(naive.find("panel:source"));
  CHECK(has_text(naive, "naive.cu"));
  view.source.scroll = 1;  // to the end of the file
  CHECK(has_text(column_scene(session, view, kWindows[0]), "// namespace tilewalk::gpu"));
}

TEST_CASE("what is refused is said under its field, and what is too large is counted") {
  Session session;
  ViewState view;
  view.tab = Tab::Problem;
  CHECK(has_text(column_scene(session, view, {536, 912, 1}), "of 232,448 bytes of SRAM"));

  CHECK_FALSE(apply_field(session, view, "d", "many").empty());
  CHECK(has_text(column_scene(session, view, {536, 912, 1}), "“many” is no number"));
  CHECK_FALSE(has_text(column_scene(session, view, {536, 912, 1}), "Counted only"));
  check(session, view, {536, 912, 1});

  apply_choice(session, view, "pending", "drop");
  CHECK_FALSE(apply_field(session, view, "n_q", "128k").empty());
  const Scene scene = column_scene(session, view, {536, 912, 1});
  CHECK(has_text(scene, "Counted only"));
  REQUIRE(session.counted());
  CHECK(label_with(scene, bytes_words(session.counted()->total.fill_bytes())));
  CHECK(scene.find("choice:pending/drop"));
  for (Window window : {Window{536, 912, 1}, {320, 552, 1}, {670, 460, 1.25f}}) check(session, view, window);
}

TEST_CASE("a refusal moves nothing but what stands below it") {
  Session session;
  for (Window window : {Window{536, 912, 1}, {448, 732, 1}, {400, 552, 1}}) {
    ViewState view;
    view.tab = Tab::Problem;
    for (view.page = 0; !column_scene(session, view, window).find("field:n_q"); ++view.page) REQUIRE(view.page < 4);
    CHECK_FALSE(apply_field(session, view, "n_q", "128k").empty());
    const Scene scene = column_scene(session, view, window);
    CHECK(scene.find("field:n_q"));
    CHECK(has_text(scene, "FA2: The walk has"));
    // On another page it is said as well.
    view.page = 3;
    CHECK(has_text(column_scene(session, view, window), "FA2: The walk has"));
  }
}

TEST_CASE("every control of the form can be reached in a low column") {
  Session session;
  ViewState view;
  view.tab = Tab::Problem;
  const auto ids = [&](Window window) {
    std::set<std::string> out;
    for (view.page = 0; view.page < 4; ++view.page)
      for (const Region& region : column_scene(session, view, window).regions)
        if (!region.id.starts_with("choice:page/")) out.insert(region.id);
    return out;
  };
  const std::set<std::string> all = ids({536, 912, 1});
  for (std::string_view id : {"field:n_q", "field:seed", "choice:mask/causal", "choice:compare/fa1",
                              "choice:machine/toy", "command:real-head", "choice:preset/micro"})
    CHECK(all.contains(std::string(id)));
  for (Window window :
       {Window{536, 552, 1}, {460, 428, 1}, {320, 552, 1}, {500, 535, 1.25f}, {400, 552, 1}, {448, 732, 1}})
    CHECK_MESSAGE(ids(window) == all, window.width, " x ", window.height);
}

}  // namespace tilewalk::test_column
