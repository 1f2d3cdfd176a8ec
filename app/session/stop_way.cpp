#include "app/session/stop_way.h"

#include "app/session/class_moves.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"

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
  p.ways[stop_key(p)].push_back({stop_now(session, view), turned});
}

// To the n-th point. Where something was turned before it, one goes there anew from the last point before that.
bool put_point(Session& session, ViewState& view, const StopKey& key, size_t n) {
  std::vector<WayPoint>& way = view.present.ways[key];
  size_t from = n;
  while (from > 0 && way[from].turned) --from;
  if (!put_stop(session, view, key, way[from].kept)) return false;
  way.resize(from + 1);
  for (; from < n && go_on(session, view); ++from) add_point(session, view, false);
  view.phase = view.lesson.lift = 1;
  return true;
}

}  // namespace

void begin_way(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (!p.on) return;
  if (p.set.items.empty() && !view.lesson.id.empty()) p.landed = place_now(view);
  if (p.landed.beat < 0 || off_stop(view)) return;
  p.ways[stop_key(p)].clear();
  add_point(session, view, false);
}

bool differs_from_prepared(const Session& session, const ViewState& view) {
  const Presentation& p = view.present;
  const auto way = p.ways.find(stop_key(p));
  if (way == p.ways.end() || way->second.empty()) return p.turned;
  return p.turned || way->second.back().turned || !stage_as_kept(session, view, *way->second.back().kept);
}

bool undo_compare(Session& session, ViewState& view) {
  const auto way = view.present.ways.find(stop_key(view.present));
  return !off_stop(view) && way != view.present.ways.end() && !way->second.empty() &&
         compare_as_kept(session, view, *way->second.back().kept);
}

void note_on_way(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (off_stop(view) || p.landed.beat < 0) return;
  std::vector<WayPoint>& way = p.ways[stop_key(p)];
  if (way.size() > 1 && shown_as_kept(view, *way[way.size() - 2].kept)) return way.pop_back();
  add_point(session, view, p.turned);
}

bool next_in_beat(Session& session, ViewState& view) {
  const bool turned = differs_from_prepared(session, view);
  if (!go_on(session, view)) return false;
  if (off_stop(view)) return true;
  const std::vector<WayPoint>& way = view.present.ways[stop_key(view.present)];
  const bool still_there = !way.empty() && shown_as_kept(view, *way.back().kept);  // a vote was shown first
  if (!still_there) add_point(session, view, turned);
  return true;
}

bool back_in_beat(Session& session, ViewState& view) {
  const StopKey key = stop_key(view.present);
  const auto way = view.present.ways.find(key);
  return way != view.present.ways.end() && way->second.size() > 1 &&
         put_point(session, view, key, way->second.size() - 2);
}

bool restore_way(Session& session, ViewState& view, const StopKey& key) {
  const auto way = view.present.ways.find(key);
  return way != view.present.ways.end() && !way->second.empty() &&
         put_point(session, view, key, way->second.size() - 1);
}

bool answer_waits(const ViewState& view) {
  const AskedQuestion asked = slide_on_show(view) ? AskedQuestion{} : asked_now(view);
  return view.present.question && asked.question && !settled(view, asked);
}

std::string next_in_beat_words(const ViewState& view) {
  const AskedQuestion asked = slide_on_show(view) ? AskedQuestion{} : asked_now(view);
  if (!asked.question || (off_stop(view) && !answer_waits(view))) return {};
  if (!settled(view, asked))
    return !view.present.question ? "The question" : votes_to_show(view) ? "What the class has answered" : "The answer";
  if (view.present.question && changes_stage(*asked.question)) return "The picture, with the answer";
  return view.lesson.question + 1 < int(questions_on_show(view).size()) ? "One more question" : "";
}

}  // namespace tilewalk
