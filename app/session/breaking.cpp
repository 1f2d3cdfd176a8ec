#include "app/session/breaking.h"

#include "app/boards/board.h"
#include "app/session/lent_stage.h"
#include "app/session/lesson_moves.h"
#include "app/session/beat_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::string_view kSays = "Broken on purpose";

// Nothing was turned since; where the fault turned switches, these alone count: scores and sizes may be played with
// while a switch is the fault. A size that is the fault can be mended by any other knob: a larger GPU, say.
bool stands(const ViewState& view) {
  const auto before = view.lesson.lent, lent = view.lesson.lent_as;
  if (view.lesson.broken < 1 || !before || !lent) return false;
  if (lent->board.board.empty()) return true;  // a walk's fault goes when the walk does
  const Board* board = board_named(lent->board.board);
  if (!board || view.board.board != lent->board.board) return false;
  bool all = true, a_switch = false, switches = true;
  for (const auto& [id, value] : lent->board.knobs) {
    if (before->board.board == lent->board.board && knob_value(*board, before->board, id) == value) continue;
    const bool same = knob_value(*board, view.board, id) == value;
    const auto knob = std::ranges::find(board->knobs, std::string_view(id), &Knob::id);
    if (knob != board->knobs.end() && knob->kind == Knob::Kind::Switch) a_switch = true, switches &= same;
    all &= same;
  }
  if (a_switch) return switches;
  return all && std::ranges::all_of(board->knobs, [&](const Knob& knob) {
           return knob_value(*board, view.board, knob.id) == knob_value(*board, lent->board, knob.id);
         });
}

// How many of the faults X has been through; it begins anew where the last one was mended by hand.
size_t next_fault(const ViewState& view, size_t faults) {
  const size_t next = size_t(std::max(0, view.lesson.broken));
  return next >= faults && !stands(view) ? 0 : next;
}

// All of a lesson's, in its order; `set.stage` says which stage each is for.
std::vector<StageFault> faults_of(const Lesson& lesson) {
  std::vector<StageFault> out;
  std::string stage{kWalkStage};
  for (size_t k = 0; k < lesson.beats.size(); ++k) {
    const Beat& beat = lesson.beats[k];
    if (!beat.stage.stage.empty()) stage = beat.stage.stage;
    for (const Breakage& breakage : beat.breaks) {
      out.push_back({int(k), breakage.says, breakage.set});
      out.back().set.stage = stage;
    }
  }
  return out;
}

// The board as it was before a fault was put on it.
const BoardState& whole_board(const ViewState& view) {
  return view.lesson.broken > 0 && view.lesson.lent ? view.lesson.lent->board : view.board;
}

// Whether a fault of another beat means anything here: what it breaks is whole, nothing of the picture is hidden, and
// what it takes for granted (this call, this sheet) is so.
bool means_something(const Lesson& lesson, const StageFault& fault, const ViewState& view) {
  const BoardState& now = whole_board(view);
  const Board* board = board_named(now.board);
  if (!board) return true;
  if (!now.covered.empty()) return false;
  const BoardState home = fold(lesson, fault.beat).board;
  BoardState broken = home;
  put_knobs(fault.set, broken);
  bool changes = false;
  for (const Knob& knob : board->knobs) {
    if (!fault.set.knobs.contains(std::string(knob.id))) continue;
    const double here = knob_value(*board, now, knob.id), there = knob_value(*board, home, knob.id),
                 wanted = knob_value(*board, broken, knob.id);
    const bool chosen = knob.kind == Knob::Kind::Choice || knob.kind == Knob::Kind::Switch;
    if (chosen && here != there) return false;
    changes |= there != wanted && here != wanted;
  }
  return changes;
}

// A room that is asked does not see what breaks behind the question.
bool behind_question(const ViewState& view) { return view.present.on && view.present.question; }

}  // namespace

std::vector<StageFault> faults_on_stage(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || view.lesson.review) return {};
  std::vector<StageFault> out = faults_of(*lesson);
  const std::string stage = view.board.board.empty() ? std::string(kWalkStage) : view.board.board;
  std::erase_if(out, [&](const StageFault& fault) {
    return fault.set.stage != stage || (fault.beat != view.lesson.beat && !means_something(*lesson, fault, view));
  });
  const auto own = std::ranges::find(out, view.lesson.beat, &StageFault::beat);
  if (own != out.end()) std::rotate(out.begin(), own, out.end());
  return out;
}

std::string broken_words(const ViewState& view) {
  if (!stands(view)) return {};
  const std::vector<StageFault> faults = faults_on_stage(view);
  return size_t(view.lesson.broken) <= faults.size() ? faults[size_t(view.lesson.broken) - 1].says : std::string();
}

std::string break_words(const ViewState& view) {
  if (behind_question(view)) return {};
  const std::vector<StageFault> faults = faults_on_stage(view);
  if (faults.empty()) return {};
  const size_t next = next_fault(view, faults.size());
  return next < faults.size() ? fmt::format("Break it: {}", faults[next].says) : "Mend it";
}

void mend(Session& session, ViewState& view) {
  put_back_stage(session, view);
  view.notice = "Mended.";
}

bool says_broken(const ViewState& view) { return view.notice.starts_with(kSays); }

void break_next(Session& session, ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return;
  if (behind_question(view)) {
    view.notice = "The room sees a question: what breaks is the picture, before it or after its answer.";
    return;
  }
  const std::vector<StageFault> faults = faults_on_stage(view);
  if (faults.empty()) {
    const auto beat = std::ranges::find(lesson->beats, BeatKind::Break, &Beat::kind);
    view.notice = beat == lesson->beats.end()
                      ? "This lesson breaks nothing."
                      : fmt::format("Nothing breaks here. What this lesson breaks is on beat {}: {}.",
                                    beat - lesson->beats.begin() + 1, beat->title);
    return;
  }
  const size_t next = next_fault(view, faults.size());
  if (next >= faults.size()) return mend(session, view);
  std::string refusal = lend_stage(session, view, faults[next].set);
  view.lesson.broken = int(next) + 1;
  const std::string which = faults.size() > 1 ? fmt::format(" ({} of {})", next + 1, faults.size()) : "";
  // A learner's window has the name in its bar; of a room's own window nobody in it is to mend anything.
  const std::string_view mends = !view.present.on                   ? " Its name above mends it (Ctrl+X)."
                                 : view.present.presenters_window() ? " Ctrl+X mends it."
                                                                    : "";
  view.present.turned |= view.present.on;
  view.notice =
      refusal.empty() ? fmt::format("{}{}: {}.{}", kSays, which, faults[next].says, mends) : std::move(refusal);
}

}  // namespace tilewalk
