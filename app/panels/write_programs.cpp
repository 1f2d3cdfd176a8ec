// What Write begins from: nothing, a shipped schedule, or a puzzle.
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/session/write_moves.h"
#include "core/io/printable.h"
#include "core/puzzle/puzzle.h"
#include "core/schedules/schedule.h"

namespace tilewalk {
namespace {

using namespace ui;

Node choice(std::string name, std::string title, std::string tip, std::shared_ptr<const Action> action) {
  return button(std::move(title), {std::move(name), std::move(tip), std::move(action)}, Fill::Solid,
                {16, Face::SansBold})
      .padding(14, 0)
      .height(px(36));
}

Node puzzle_line(const Puzzle& puzzle, bool solved) {
  return row(of(text(solved ? "✓" : "", {16, Face::SansBold, Role::RightText}).width(px(20)),
                text(puzzle.title, {16}).width(grow())))
      .padding(8, 0)
      .height(between(26, 32))
      .on({.hot = Role::SurfaceStrong, .radius = 8})
      .pressed({"begin-puzzle:" + puzzle.id, puzzle.task, means(BeginPuzzle{puzzle.id})});
}

}  // namespace

void layout_programs(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  std::vector<Node> programs;
  for (const std::string_view key : shipped_programs()) {
    const Schedule& schedule = *schedule_named(key);
    programs.push_back(choice("begin:" + std::string(key), std::string(schedule.name), std::string(schedule.title),
                              means(BeginProgram{std::string(key)})));
  }
  if (const auto own = view.write.left.find(""); view.write.puzzle && own != view.write.left.end())
    programs.push_back(choice("begin:own",
                              own->second.file.empty() ? "Yours" : printable_path(own->second.file.filename()),
                              "Your own text, as you left it", means(BackToOwnText{})));
  programs.push_back(choice("begin:nothing", "Nothing", "An empty text", means(BeginProgram{})));
  programs.push_back(
      button("Open a file…", runs("open-file"), Fill::Solid, {16, Face::SansBold}).padding(14, 0).height(px(36)));
  std::vector<Node> lines;
  for (const auto& puzzle : shipped_puzzles())
    lines.push_back(puzzle_line(*puzzle, view.write.solved.contains(puzzle->id)));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(title_row("Begin from"), flow(std::move(programs), 8), spacer(px(10)),
                              text("Or solve a puzzle", kCardHeading), list(std::move(lines), 3)),
                           8),
                    between(0, 720), {28, 20}));
}

}  // namespace tilewalk
