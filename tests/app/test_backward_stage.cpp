// The stage and the column of a backward walk: nothing cut off at any size, and words that are true of it.
#include "app/panels/column_parts.h"
#include "app/panels/panels.h"
#include "app/scene/layout_check.h"
#include "app/session/fields.h"
#include "app/stage/pieces.h"
#include "app/stage/stage.h"
#include "core/playback/explain.h"
#include "core/playback/query.h"
#include "tests/app/stage_case.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace tilewalk::test_backward_stage {

namespace {

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"toy", preset_named("toy")->problem},
      {"micro", preset_named("micro")->problem},
      {"causal", preset_named("causal")->problem},
      {"ragged", {.n_q = 7, .n_k = 5, .d = 4, .br = 3, .bc = 2, .mask = Mask::Causal}},
      {"one-row tiles", {.n_q = 9, .n_k = 40, .d = 8, .br = 1, .bc = 4}},
      {"N=256", {.n_q = 256, .n_k = 256, .d = 64, .br = 32, .bc = 64}},
  };
  return all;
}

std::vector<int64_t> playheads(const Walk& walk, int64_t count) {
  std::vector<int64_t> out{0, walk.replay.length()};
  for (int64_t k = 1; k <= count; ++k)
    out.push_back(unit_forward(walk.replay.steps(), std::max<int64_t>(0, walk.replay.length() * k / count - 1 - k % 5),
                               Unit::Part));
  return out;
}

bool says(const Scene& scene, std::string_view words) {
  return std::any_of(scene.items.begin(), scene.items.end(), [&](const Item& item) {
    const auto* label = std::get_if<Label>(&item);
    return label && label->text.find(words) != std::string::npos;
  });
}

Scene stage(Session& session, const ViewState& view, Vec2 size, float scale) {
  const Style style(view.theme, scale);
  Scene scene;
  scene.size = size;
  scene.background = style[Role::Background];
  layout_stage(scene, session, moment_of(session.walk(), view), view, {0, 0, size.x, size.y}, style);
  return scene;
}

Scene column(Session& session, const ViewState& view, Vec2 size, float scale) {
  const Style style(view.theme, scale);
  Scene scene;
  scene.size = size;
  scene.background = style[Role::Background];
  layout_column(scene, session, moment_of(session.walk(), view), view, {0, 0, size.x, size.y}, style);
  return scene;
}

void expect_no_faults(const Scene& scene, float scale, const std::string& where) {
  std::string all;
  for (const std::string& fault : layout_faults(scene, 14 * scale, scale)) all += "\n  " + fault;
  CHECK_MESSAGE(all.empty(), where, all);
}

}  // namespace

TEST_CASE("nothing on the stage and in the column of a backward walk is cut off, hidden, faint or too small") {
  int turn = 0;
  for (const Case& c : cases())
    for (const Schedule& schedule : backward_schedules()) {
      Session session = session_of(c, schedule.id, {}, VariantId(turn % 2));
      for (int64_t playhead : playheads(session.walk(), 9))
        for (const auto& [size, scale] :
             {std::pair{Vec2{700, 520}, 1.f}, std::pair{Vec2{824, 572}, 1.f}, std::pair{Vec2{1120, 912}, 1.f},
              std::pair{Vec2{1656, 912}, 1.f}, std::pair{Vec2{2240, 1824}, 2.f}, std::pair{Vec2{2100, 1560}, 3.f}}) {
          ViewState view = view_at(session.walk(), playhead, turn % 7 == 0 ? Unit::Row : Unit::Part);
          view.theme = Theme(turn % 3);
          view.tab = turn % 3 == 0 ? Tab::Numbers : turn % 3 == 1 ? Tab::Explain : Tab::Problem;
          ++turn;
          std::ostringstream where;
          where << c.name << ", " << schedule.key << ", playhead " << playhead << ", " << size.x << "x" << size.y;
          expect_no_faults(stage(session, view, size, scale), scale, "stage, " + where.str());
          const Vec2 beside{(size.x >= 1120 * scale ? 536 : 380) * scale, size.y};
          expect_no_faults(column(session, view, beside, scale), scale, "column, " + where.str());
        }
    }
  CHECK(turn > 900);
}

TEST_CASE("a backward stage says where P is and never speaks of m, alpha or a stored O") {
  for (const Schedule& schedule : backward_schedules()) {
    INFO(schedule.key);
    Session session = session_of(cases()[0], schedule.id);
    const auto at =
        find(session.walk().replay.steps(), *parse_query("first gradient s of Q tile 2 and K tile 1").query);
    REQUIRE(at);
    const Scene scene = stage(session, view_at(session.walk(), *at), {1120, 912}, 1);
    CHECK(says(scene, "never here") == !schedule.scores_in_memory);
    CHECK(says(scene, "16 × 16") == schedule.scores_in_memory);
    for (const char* gradient : {"dQ", "dK", "dV", "dO"}) CHECK(says(scene, gradient));
    CHECK(!says(scene, "α"));
    CHECK(!says(scene, "unnormalised"));
    CHECK(scene.find("word:dS"));
    const Scene words = column(session, view_at(session.walk(), *at), {536, 912}, 1);
    CHECK(says(words, "Back through the softmax"));
    CHECK(!says(words, "score by score"));
  }
}

TEST_CASE("every part of a backward walk has a title of its own and a sentence") {
  std::set<std::string> titles;
  for (const Case& c : cases())
    for (const Schedule& schedule : backward_schedules()) {
      Session session = session_of(c, schedule.id);
      if (session.walk().replay.length() > 3000) continue;
      for (Unit unit : {Unit::Step, Unit::Part, Unit::Row})
        for (int64_t k = 0; k <= session.walk().replay.length(); ++k) {
          const ViewState view = view_at(session.walk(), k, unit);
          const Moment moment = moment_of(session.walk(), view);
          const GradientTrace trace =
              trace_gradients(session.walk().replay, k, moment.tile * c.problem.br + moment.row);
          const Explanation words = explain(moment.walk->replay, moment.from, moment.playhead, moment.row, trace);
          INFO(schedule.key << " step " << k << ": " << words.title);
          CHECK(!words.title.empty());
          CHECK(words.title.size() <= 36);
          REQUIRE(!words.sentences.empty());
          CHECK(words.sentences[0].ends_with('.'));
          titles.insert(words.title);
        }
    }
  CHECK(titles.size() > 20);
}

TEST_CASE("the row's weights and gradients are the machine's") {
  for (const Case& c : cases()) {
    Session session = session_of(c, Method::Fa2Backward);
    Replay& replay = session.walk().replay;
    const auto at = find(replay.steps(), *parse_query("last gradient s").query);
    REQUIRE(at);
    const Step step = replay.steps()[size_t(*at - 1)];
    const Matrix& ds = *replay.at(*at).find(Tensor::DS)->data;
    const GradientTrace trace = trace_gradients(replay, *at, step.i * c.problem.br);
    for (int64_t k = 0; k < ds.cols; ++k) {
      CHECK(trace.keys[size_t(step.j * c.problem.bc + k)].ds == doctest::Approx(ds.at(0, k)).epsilon(1e-9));
      CHECK(trace.keys[size_t(step.j * c.problem.bc + k)].graded);
    }
  }
}

TEST_CASE("the direction is chosen beside the schedule, and a backward walk stands alone") {
  Session session = session_of(cases()[0], Method::Fa1);
  ViewState view;
  CHECK(apply_choice(session, view, "compare", "fa2").empty());
  CHECK(session.other());
  CHECK(choice_value(session, view, "direction") == "forward");
  CHECK(apply_choice(session, view, "direction", "backward").empty());
  CHECK(session.setup().schedule == Method::Fa1Backward);
  CHECK(!session.other());
  CHECK(session.expected_gradients().dk.rows == 16);
  CHECK(!apply_choice(session, view, "compare", "fa2").empty());
  CHECK(apply_choice(session, view, "direction", "forward").empty());
  CHECK(session.setup().schedule == Method::Fa1);
  CHECK(!apply_choice(session, view, "direction", "sideways").empty());
}

}  // namespace tilewalk::test_backward_stage
