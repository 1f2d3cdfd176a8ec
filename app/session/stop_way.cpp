#include "app/session/stop_way.h"

#include "app/session/class_moves.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_moves.h"
#include "app/session/passing_words.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace tilewalk {
namespace {

// Whether the stage has more to show once the question is answered. What is asked of numbers that vary, with no stage
// that they are put on, is asked on paper: what the stage covered meanwhile is about others.
bool changes_stage(const Question& question) {
  const StageSetting& proof = question.proof;
  const bool proves = !proof.stage.empty() || !proof.walk.empty() || !proof.seek.empty() || !proof.play.empty() ||
                      !proof.knobs.empty() || !proof.fault.empty();
  const bool on_paper = !question.vary.empty() && question.stage.line == 0;
  return proves || (!question.cover.empty() && !on_paper);
}

// A slide's stop asks nothing.
AskedQuestion asked_at_stop(const ViewState& view) { return slide_on_show(view) ? AskedQuestion{} : asked_now(view); }

// False where there is no next point.
bool go_on(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || slide_on_show(view)) return false;
  Presentation& p = view.present;
  if (!settled(view, asked)) {
    if (!p.question)
      p.question = true;
    else if (p.countdown = 0; !show_votes(view))
      skip_question(session, view);
    return true;
  }
  if (p.question && changes_stage(*asked.question)) {
    p.question = false;
    return true;
  }
  if (view.lesson.question + 1 >= int(questions_on_show(view).size())) return false;
  ++view.lesson.question;
  p.question = true;
  put_question(session, view);
  return true;
}

void add_point(const Session& session, ViewState& view, bool turned) {
  Presentation& p = view.present;
  p.ways[stop_key(p)].points.push_back({stop_now(session, view), turned, {}});
}

std::vector<WayPoint>* points_of(ViewState& view, const StopKey& key) {
  const auto way = view.present.ways.find(key);
  return way == view.present.ways.end() || way->second.points.empty() ? nullptr : &way->second.points;
}

bool put_left(Session& session, ViewState& view, const StopKey& key, size_t n) {
  std::vector<WayPoint>& way = view.present.ways[key].points;
  if (!way[n].left || !put_stop(session, view, key, way[n].left)) return false;
  way.resize(n + 1);
  if (std::exchange(way[n].turned_back, false)) view.notice = kTurnedBack;
  if (std::exchange(way[n].lost, false)) view.notice = kStrokesLost;
  view.phase = view.lesson.lift = 1;
  return true;
}

// To the n-th point. Where something was turned before it, one goes there anew from the last point before that.
bool put_point(Session& session, ViewState& view, const StopKey& key, size_t n) {
  std::vector<WayPoint>& way = view.present.ways[key].points;
  size_t from = n;
  while (from > 0 && way[from].turned) --from;
  if (!put_stop(session, view, key, way[from].kept)) return false;
  way.resize(from + 1);
  for (; from < n && go_on(session, view); ++from) add_point(session, view, false);
  view.phase = view.lesson.lift = 1;
  return true;
}

// What is asked at a stop is asked of it as it was prepared, and so is its answer.
void put_prepared_knobs(Session& session, ViewState& view) {
  std::vector<WayPoint>* way = off_stop(view) || view.lesson.broken ? nullptr : points_of(view, stop_key(view.present));
  if (!way) return;
  size_t from = way->size() - 1;
  while (from > 0 && (*way)[from].turned) --from;
  if (!put_knobs(session, view, *(*way)[from].kept)) return;
  view.present.turned = way->back().turned_back = false;  // it is said now
  view.notice = "The question is about the stop as it was prepared: its knobs are so again.";
}

}  // namespace

void begin_way(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (!p.on) return;
  p.stood.reset();
  if (p.set.items.empty() && !view.lesson.id.empty()) p.landed = place_now(view);
  if (p.landed.beat < 0 || off_stop(view)) return;
  p.ways[stop_key(p)] = {};
  add_point(session, view, false);
}

bool differs_from_prepared(const Session& session, const ViewState& view) {
  const Presentation& p = view.present;
  const auto way = p.ways.find(stop_key(p));
  if (way == p.ways.end() || way->second.points.empty()) return p.turned;
  const WayPoint& here = way->second.points.back();
  return p.turned || here.turned || !stage_as_kept(session, view, *here.kept);
}

bool worked_on_stop(const ViewState& view) {
  if (off_stop(view)) return false;
  const auto way = view.present.ways.find(stop_key(view.present));
  const bool known = way != view.present.ways.end() && !way->second.points.empty();
  return view.present.turned || (known && worked_on(view, *way->second.points.back().kept));
}

bool undo_compare(Session& session, ViewState& view) {
  const std::vector<WayPoint>* way = points_of(view, stop_key(view.present));
  if (off_stop(view) || !way || !compare_as_kept(session, view, *way->back().kept)) return false;
  wipe_strokes(view);
  return true;
}

void note_on_way(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (off_stop(view) || p.landed.beat < 0) return;
  std::vector<WayPoint>& way = p.ways[stop_key(p)].points;
  if (way.size() > 1 && shown_as_kept(view, *way[way.size() - 2].kept)) return way.pop_back();
  add_point(session, view, p.turned);
}

bool next_in_beat(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_at_stop(view);
  if (asked.question && !settled(view, asked)) put_prepared_knobs(session, view);
  const bool turned = differs_from_prepared(session, view);
  if (!go_on(session, view)) return false;
  if (off_stop(view)) return true;
  const std::vector<WayPoint>& way = view.present.ways[stop_key(view.present)].points;
  const bool still_there = !way.empty() && shown_as_kept(view, *way.back().kept);  // a vote was shown first
  if (!still_there) add_point(session, view, turned);
  return true;
}

bool back_in_beat(Session& session, ViewState& view) {
  const StopKey key = stop_key(view.present);
  const std::vector<WayPoint>* way = points_of(view, key);
  if (!way || way->size() < 2) return false;
  const size_t before = way->size() - 2;
  return put_left(session, view, key, before) || put_point(session, view, key, before);
}

bool restore_left(Session& session, ViewState& view, const StopKey& key) {
  const std::vector<WayPoint>* way = points_of(view, key);
  return way && (put_left(session, view, key, way->size() - 1) || put_point(session, view, key, way->size() - 1));
}

bool restore_way(Session& session, ViewState& view, const StopKey& key) {
  const std::vector<WayPoint>* way = points_of(view, key);
  return way && put_point(session, view, key, way->size() - 1);
}

bool come_back_ahead(Session& session, ViewState& view, const StopKey& key) {
  if (!points_of(view, key) || !std::exchange(view.present.ways[key].ahead, false)) return false;
  return put_left(session, view, key, 0);
}

bool answer_waits(const ViewState& view) {
  const AskedQuestion asked = asked_at_stop(view);
  return view.present.question && asked.question && !settled(view, asked);
}

bool asked_goes_on(const ViewState& view) {
  const AskedQuestion asked = asked_at_stop(view);
  return view.present.question && asked.question && (!settled(view, asked) || changes_stage(*asked.question));
}

std::string behind_question_words(const ViewState& view) {
  const AskedQuestion asked = asked_at_stop(view);
  if (!view.present.on || !view.present.question || !asked.question) return {};
  const bool answered = settled(view, asked);
  const char* when = !changes_stage(*asked.question) ? "to which Page Up leads"
                     : answered                      ? "which comes next"
                                                     : "which comes after the answer";
  return fmt::format("The room sees {}: knobs, C, V, Y, I and D act on the picture, {}.",
                     answered ? "an answer" : "a question", when);
}

bool refused_behind_question(std::string_view knob, ViewState& view) {
  if (knob == "more" || knob == "expect") return false;  // brings other knobs; is itself an answer
  std::string words = behind_question_words(view);
  if (words.empty()) return false;
  view.notice = std::move(words);
  return true;
}

std::string next_in_beat_words(const ViewState& view) {
  const AskedQuestion asked = asked_at_stop(view);
  if (!asked.question || (off_stop(view) && !asked_goes_on(view))) return {};
  if (!settled(view, asked))
    return !view.present.question ? "The question" : votes_to_show(view) ? "What the class has answered" : "The answer";
  if (view.present.question && changes_stage(*asked.question)) return "The picture, with the answer";
  return view.lesson.question + 1 < int(questions_on_show(view).size()) ? "One more question" : "";
}

}  // namespace tilewalk
