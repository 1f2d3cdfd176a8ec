#include "app/session/kept_stops.h"

#include "app/boards/board.h"
#include "app/session/commands.h"
#include "app/session/lent_stage.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/stop_way.h"
#include "app/session/tools.h"
#include "app/state/board_history.h"

#include <algorithm>
#include <utility>

namespace tilewalk {

struct KeptStop {
  std::shared_ptr<const KeptStage> stage;
  LessonView lesson;
  Tab tab = Tab::Explain;
  int64_t from = 0;
  bool question = false;
  StopPlace place;
  GpuChoice charts;
  std::shared_ptr<const GpuBoard> shown;  // of them
  std::string selection;
  std::vector<PenStroke> strokes;  // but for those that stay everywhere
  StopKey key;
  bool turned = false;
  std::shared_ptr<const StoodOn> stood;
};

namespace {

bool settled_in(const LessonView& lesson, const std::string& key) {
  const auto found = lesson.questions.find(key);
  return found != lesson.questions.end() && settled(found->second);
}

// Where the knobs, the step and what is drawn are the same, what is covered is the question's affair.
bool same_board(const BoardState& a, const BoardState& b) {
  return same_work(a, b) && a.step == b.step && a.show == b.show;
}

bool same_walk(const Session& session, const KeptStage& stage) {
  Setup setup = session.setup();
  setup.preset = stage.setup.preset;  // a turned walk is of none
  return setup == stage.setup && session.input_hash() == hash_of(stage.inputs);
}

// Whether the knobs are as they were then, whatever was stepped since.
bool knobs_as_kept(const Session& session, const ViewState& view, const KeptStop& kept) {
  const KeptStage& stage = *kept.stage;
  if (view.gpu.enlarged || kept.charts.enlarged || view.board.board != stage.board.board) return false;
  if (const Board* board = board_named(stage.board.board)) {
    BoardState now = view.board;
    now.knobs = stage.board.knobs;
    const bool same = std::ranges::all_of(board->knobs, [&](const Knob& knob) {
      return knob_value(*board, view.board, knob.id) == knob_value(*board, stage.board, knob.id);
    });
    return same && same_work(now, stage.board);
  }
  return same_walk(session, stage);
}

size_t passing_strokes(const std::vector<PenStroke>& strokes) {
  return size_t(std::ranges::count(strokes, false, &PenStroke::pinned));
}

}  // namespace

StopKey stop_key(const Presentation& p) {
  return p.set.items.empty() ? StopKey{p.landed.lesson, p.landed.beat} : StopKey{{}, p.place};
}

std::shared_ptr<const KeptStop> stop_now(const Session& session, const ViewState& view) {
  const Presentation& p = view.present;
  auto stage = std::make_shared<KeptStage>(*stage_now(session, view));
  if (view.playing && view.play_to >= 0) {
    if (stage->board.board.empty())
      stage->playhead = std::max(stage->playhead, view.play_to);
    else
      stage->board.step = std::max(stage->board.step, int(view.play_to));
  }
  std::vector<PenStroke> strokes = p.strokes;
  std::erase_if(strokes, [](const PenStroke& stroke) { return stroke.pinned; });
  return std::make_shared<KeptStop>(KeptStop{std::move(stage), view.lesson, view.tab, view.from, p.question, p.landed,
                                             view.gpu, view.gpu.enlarged ? view.gpu.board : nullptr, view.selection,
                                             std::move(strokes), stop_key(p), p.turned, p.stood});
}

bool put_stop(Session& session, ViewState& view, const StopKey& key, std::shared_ptr<const KeptStop> kept) {
  Presentation& p = view.present;
  if (key != stop_key(p) || off_stop(view)) end_lights(view);
  leave_tool(view);
  const KeptStage& stage = *kept->stage;
  if (session.setup() != stage.setup || session.input_hash() != hash_of(stage.inputs))
    if (!session.change(stage.setup, stage.inputs).empty()) return false;
  // What the window knows, and what was answered elsewhere meanwhile, stays.
  LessonView lesson = kept->lesson;
  static_cast<LastingLessons&>(lesson) = static_cast<LastingLessons&>(view.lesson);
  std::map<std::string, QuestionView> answered = std::move(view.lesson.questions);
  std::swap(lesson.questions, answered);
  view.lesson = std::move(lesson);
  for (const AskedQuestion& asked : questions_on_show(view))
    if (const auto was = answered.find(asked.key); was != answered.end())
      view.lesson.questions[asked.key] = was->second;
    else
      view.lesson.questions.erase(asked.key);
  view.lesson.lift = 1;
  view.board = stage.board;
  view.tab = kept->tab;
  view.playhead = stage.playhead;
  view.from = kept->from;
  view.row = stage.row;
  view.phase = 1;
  view.playing = false;
  view.play_to = -1;
  view.selection = kept->selection;
  view.focus.clear();
  view.editing.clear();
  view.gpu.enlarged = kept->charts.enlarged;
  if (view.gpu.enlarged) static_cast<GpuChoice&>(view.gpu) = kept->charts, view.gpu.board = kept->shown;
  settle(session, view);
  p.question = kept->question;
  p.elsewhere = false;
  const bool of_set = key.first.empty() && key.second >= 0 && key.second < int(p.set.items.size());
  show_slide(view, of_set ? p.set.items[size_t(key.second)].link : std::string());
  if (of_set) p.place = key.second;
  p.landed = kept->place;
  p.turned = false;
  std::erase_if(p.strokes, [](const PenStroke& stroke) { return !stroke.pinned; });
  p.strokes.insert(p.strokes.end(), kept->strokes.begin(), kept->strokes.end());
  p.stood.reset();
  view.notice.clear();
  return true;
}

bool put_knobs(Session& session, ViewState& view, const KeptStop& kept) {
  const KeptStage& stage = *kept.stage;
  if (view.gpu.enlarged || kept.charts.enlarged || view.board.board != stage.board.board) return false;
  if (const Board* board = board_named(stage.board.board)) {
    bool turned = false;
    for (const Knob& knob : board->knobs) {
      const double value = knob_value(*board, stage.board, knob.id);
      if (knob_value(*board, view.board, knob.id) == value) continue;
      turn_to(*board, view.board, knob.id, value);
      turned = true;
    }
    return turned;
  }
  if (same_walk(session, stage) || !session.change(stage.setup, stage.inputs).empty()) return false;
  view.playhead = stage.playhead;
  view.row = stage.row;
  settle(session, view);
  return true;
}

bool stage_as_kept(const Session& session, const ViewState& view, const KeptStop& kept) {
  const KeptStage& stage = *kept.stage;
  if (view.gpu.enlarged != kept.charts.enlarged || view.board.board != stage.board.board) return false;
  if (!stage.board.board.empty()) return same_board(view.board, stage.board);
  return session.setup() == stage.setup && session.input_hash() == hash_of(stage.inputs) &&
         view.playhead == stage.playhead && view.row == stage.row;
}

bool worked_on(const ViewState& view, const KeptStop& kept) { return !same_work(view.board, kept.stage->board); }

bool compare_as_kept(Session& session, ViewState& view, const KeptStop& kept) {
  Setup setup = session.setup();
  if (!view.board.board.empty() || setup.compared == kept.stage->setup.compared) return false;
  setup.compared = kept.stage->setup.compared;
  if (!session.change(setup).empty()) return false;
  settle(session, view);
  return true;
}

bool shown_as_kept(const ViewState& view, const KeptStop& kept) {
  const AskedQuestion asked = asked_now(view);
  return view.present.question == kept.question && view.lesson.question == kept.lesson.question &&
         settled(view, asked) == settled_in(kept.lesson, asked.key);
}

void keep_stop(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (!p.on) return;
  // Without a set list a talk is wherever a lesson is, or where it began.
  if (p.set.items.empty() && (!view.lesson.id.empty() || p.landed.beat < 0)) {
    const StopPlace before = std::exchange(p.landed, place_now(view));
    if (p.landed != before) begin_way(session, view);
  }
  if (p.jump && p.jump->from == stop_key(p)) p.jump.reset();  // one has come back otherwise
  if (p.landed.beat < 0 || off_stop(view)) return;
  p.as_left = stop_now(session, view);
  const auto way = p.ways.find(stop_key(p));
  if (way == p.ways.end() || way->second.points.empty()) return;
  WayPoint& here = way->second.points.back();
  const KeptStop& before = here.left ? *here.left : *here.kept;
  const bool turned = p.turned && !knobs_as_kept(session, view, before);
  here.turned_back = turned;
  here.lost = turned && passing_strokes(p.strokes) > passing_strokes(before.strokes);
  if (!turned) here.left = p.as_left;
}

std::shared_ptr<const KeptStop> kept_next(const ViewState& view, const StopKey& next) {
  const auto way = view.present.ways.find(next);
  if (way == view.present.ways.end() || way->second.points.empty()) return nullptr;
  const auto& [points, ahead] = way->second;
  return off_stop(view) ? points.back().left : ahead ? points.front().left : nullptr;
}

bool put_as_left(Session& session, ViewState& view) {
  Presentation& p = view.present;
  const std::shared_ptr<const KeptStop> left = p.as_left;
  if (!tool_open(view) || !left || left->key != stop_key(p) || left->place != p.landed) return false;
  if (!put_stop(session, view, left->key, left)) return false;
  p.turned = left->turned;
  p.stood = left->stood;
  view.phase = view.lesson.lift = 1;
  return true;
}

}  // namespace tilewalk
