#include "app/session/kept_stops.h"

#include "app/session/commands.h"
#include "app/session/lent_stage.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/tools.h"

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
};

namespace {

StopKey key_of(const Presentation& p) {
  return p.set.items.empty() ? StopKey{p.landed.lesson, p.landed.beat} : StopKey{{}, p.place};
}

bool restore(Session& session, ViewState& view, const StopKey& key) {
  Presentation& p = view.present;
  const auto found = p.left.find(key);
  if (found == p.left.end()) return false;
  const std::shared_ptr<const KeptStop> kept = found->second;
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
  view.selection.clear();
  view.focus.clear();
  view.editing.clear();
  view.gpu.enlarged = kept->charts.enlarged;
  if (view.gpu.enlarged) static_cast<GpuChoice&>(view.gpu) = kept->charts, view.gpu.board = kept->shown;
  settle(session, view);
  p.question = kept->question;
  p.elsewhere = false;
  const bool of_set = key.first.empty() && key.second >= 0 && key.second < int(p.set.items.size());
  show_slide(view, of_set ? p.set.items[size_t(key.second)].link : std::string());
  p.landed = kept->place;
  p.turned = p.elsewhere = false;
  return true;
}

}  // namespace

void keep_stop(const Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (!p.on) return;
  // Without a set list a talk is wherever a lesson is, or where it began.
  if (p.set.items.empty() && (!view.lesson.id.empty() || p.landed.beat < 0)) p.landed = place_now(view);
  if (p.turned || p.landed.beat < 0 || off_stop(view)) return;
  p.left[key_of(p)] =
      std::make_shared<KeptStop>(KeptStop{stage_now(session, view), view.lesson, view.tab, view.from, p.question,
                                          p.landed, view.gpu, view.gpu.enlarged ? view.gpu.board : nullptr});
}

bool restore_set_stop(Session& session, ViewState& view, int place) {
  if (!restore(session, view, {{}, place})) return false;
  view.present.place = place;
  view.notice.clear();
  return true;
}

bool restore_beat(Session& session, ViewState& view, int beat) {
  return restore(session, view, {view.present.landed.lesson, beat});
}

bool restore_stop(Session& session, ViewState& view) {
  const Presentation& p = view.present;
  if (!off_stop(view) && !p.turned) return false;
  return restore(session, view, key_of(p));
}

}  // namespace tilewalk
