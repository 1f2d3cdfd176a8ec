#include "app/session/breaking.h"

#include "app/session/lent_stage.h"
#include "app/session/lesson_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// All of a lesson's, in its order; `set.stage` says which stage each is for.
std::vector<StageFault> faults_of(const Lesson& lesson) {
  std::vector<StageFault> out;
  std::string stage = "walk";
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

}  // namespace

std::vector<StageFault> faults_on_stage(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || view.lesson.review) return {};
  std::vector<StageFault> out = faults_of(*lesson);
  const std::string stage = view.board.board.empty() ? "walk" : view.board.board;
  std::erase_if(out, [&](const StageFault& fault) { return fault.set.stage != stage; });
  const auto own = std::ranges::find(out, view.lesson.beat, &StageFault::beat);
  if (own != out.end()) std::rotate(out.begin(), own, out.end());
  return out;
}

std::string broken_words(const ViewState& view) {
  if (view.lesson.broken < 1) return {};
  const std::vector<StageFault> faults = faults_on_stage(view);
  return size_t(view.lesson.broken) <= faults.size() ? faults[size_t(view.lesson.broken) - 1].says : std::string();
}

std::string break_words(const ViewState& view) {
  const std::vector<StageFault> faults = faults_on_stage(view);
  if (faults.empty()) return {};
  const size_t next = size_t(std::max(0, view.lesson.broken));
  return next < faults.size() ? fmt::format("Break it: {}", faults[next].says) : "Mend it";
}

void break_next(Session& session, ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return;
  const std::vector<StageFault> faults = faults_on_stage(view);
  if (faults.empty()) {
    const auto beat = std::ranges::find(lesson->beats, BeatKind::Break, &Beat::kind);
    view.notice = beat == lesson->beats.end()
                      ? "This lesson breaks nothing."
                      : fmt::format("Nothing breaks on this stage. What this lesson breaks is on beat {}: {}.",
                                    beat - lesson->beats.begin() + 1, beat->title);
    return;
  }
  const size_t next = size_t(std::max(0, view.lesson.broken));
  if (next >= faults.size()) {
    put_back_stage(session, view);
    view.notice = "Mended.";
    return;
  }
  std::string refusal = lend_stage(session, view, faults[next].set);
  view.lesson.broken = int(next) + 1;
  const std::string which = faults.size() > 1 ? fmt::format(" ({} of {})", next + 1, faults.size()) : "";
  view.notice = refusal.empty() ? fmt::format("Broken on purpose{}: {}. Press its name above, or X, to {}.", which, faults[next].says,
                                              next + 1 < faults.size() ? "break the next thing" : "mend it")
                                : std::move(refusal);
}

}  // namespace tilewalk
