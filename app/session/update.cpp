#include "app/session/update.h"

#include "app/session/choice_list.h"
#include "app/session/commands.h"
#include "app/session/class_moves.h"
#include "app/session/export_dialog.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/link_moves.h"
#include "app/session/open_file.h"
#include "app/session/overlays.h"
#include "app/session/turn_walk.h"
#include "app/session/typing.h"
#include "app/session/write_moves.h"

namespace tilewalk {
namespace {

struct Update {
  Session& session;
  ViewState& view;

  void operator()(const RunCommand& run) { run_command(run.id, session, view); }
  void operator()(const TypeInto& type) { begin_typing(type.field, view); }
  void operator()(const TurnPage& turn) { view.page = turn.page; }
  void operator()(const NextKeys&) {
    if (KeySheet* keys = std::get_if<KeySheet>(&view.over)) ++keys->page;
  }
  void operator()(const PickFile& file) { pick(session, view, file.row); }
  void operator()(const ResumeLeftOver&) {
    close_overlays(view);
    if (const Opened opened = open_link(view.left_over.link, session, view); !opened.words.empty())
      view.notice = opened.words;
  }
  void operator()(const OpenLesson& open) { open_lesson_numbered(session, view, open.number); }
  void operator()(const ChooseWay& choice) { choose_way(view, choice.id); }
  void operator()(const OpenChoices& open) { open_choices(session, view, open.knob); }
  void operator()(const ChooseFromList& choice) { choose_from_list(session, view, choice.place); }
  void operator()(const TurnWalk& turn) {
    if (!refused_turn(turn.knob, view)) turn_walk(session, view, turn.knob, turn.by);
  }
  void operator()(const TypeStatement& statement) { type_statement(session, view, statement.typed); }
  void operator()(const BeginProgram& begin) { begin_program(session, view, begin.key); }
  void operator()(const BackToOwnText&) { back_to_own_text(session, view); }
  void operator()(const BeginPuzzle& begin) { begin_puzzle_named(session, view, begin.id); }
  void operator()(const VoteInClass& vote) { vote_in_class(view, session, vote.place); }
  void operator()(const BeSureInClass& choice) { be_sure_in_class(view, choice.sure); }
  void operator()(const OpenClassQuestion&) { open_class_question(view); }
  void operator()(const EndClassForAll&) {
    if (!teaches(view)) return;
    view.classroom.with->end_class();
    close_overlays(view);
  }
  void operator()(const TurnSummary& turn) {
    if (ClassSummary* summary = std::get_if<ClassSummary>(&view.over)) summary->page = turn.page;
  }
  void operator()(const ChooseExport& choice) { choose_export(session, view, choice); }
  void operator()(const WriteExport&) {
    if (view.exporting.busy) return;
    view.exporting.fault.clear();
    view.exporting.start = true;
  }
  void operator()(const StopExport&) { view.exporting.stop = true; }
};

}  // namespace

void update(Session& session, ViewState& view, const Action& action) {
  const Action kept = action;  // what comes of it may lay out anew what it stands in
  std::visit(Update{session, view}, static_cast<const Action::variant&>(kept));
}

}  // namespace tilewalk
