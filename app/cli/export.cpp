#include "app/cli/export.h"

#include "app/boards/board.h"
#include "app/boards/roofline_picture.h"
#include "app/cli/numbers.h"
#include "app/cli/walk_request.h"
#include "app/scene/svg_painter.h"
#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/schedules/footprint.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr int64_t kLeastWidth = 960, kLeastHeight = 540, kMostSide = 16384;

Vec2 size_of(const std::string& text) {
  const std::string_view all(text);
  const size_t x = all.find('x');
  const auto width = whole_number_of(all.substr(0, x));
  const auto height = x == std::string::npos ? std::nullopt : whole_number_of(all.substr(x + 1));
  if (!width || !height || *width < kLeastWidth || *height < kLeastHeight || *width > kMostSide || *height > kMostSide)
    throw CommandError(kUsage, fmt::format("--size is {}; write it like 1920x1080, from {}x{} to {}x{}.",
                                           in_quotes(text, 40), kLeastWidth, kLeastHeight, kMostSide, kMostSide));
  return {float(*width), float(*height)};
}

Theme theme_of(const std::string& text) {
  if (text == "light") return Theme::Light;
  if (text == "dark") return Theme::Dark;
  if (text == "projector") return Theme::Projector;
  throw CommandError(kUsage,
                     fmt::format("--theme is {}; it must be one of light, dark, projector.", in_quotes(text, 40)));
}

std::string schedule_keys() {
  std::string out;
  for (const Schedule& schedule : schedules()) out += (out.empty() ? "" : ", ") + std::string(schedule.key);
  return out;
}

std::optional<ScheduleId> compared_of(const std::string& text, const Asked& asked) {
  const Schedule* schedule = schedule_named(text);
  if (!schedule)
    throw CommandError(kUsage,
                       fmt::format("--compare is {}; it must be one of {}.", in_quotes(text, 40), schedule_keys()));
  if (schedule->id == asked.schedule().id)
    throw CommandError(kUsage, fmt::format("--compare is {}, the schedule that is shown already; take another.", text));
  return schedule->id;
}

}  // namespace

ExportCommand::ExportCommand(CLI::App& command) : command_(&command), problem_({.preset = "toy", .problem = {}, .all_schedules = false}) {
  const char* shown = "Picture";
  const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
    return command.add_option(name, value, help)->type_name(type)->group(shown)->take_last();
  };
  add("--out", out_, "FILE", "where it is written; - is standard output")->required();
  add("--at", at_, "WORDS", "\"first rescale of Q tile 1\", \"37\", or the end");
  add("--unit", unit_, "NAME", "what has just happened: a step, part or tile");
  add("--row", row_, "N", "query row that is followed, from 1");
  add("--compare", compare_, "NAME", "a second schedule beside the first");
  add("--size", size_, "WxH", "in pixels (1920x1080)");
  add("--board", board_, "WORDS", "a board in place of the walk: \"clocks?N=1024&gpu=h100\"");
  command.add_flag("--roofline", roofline_, "the roofline of --gpu, for --n, --d and --causal")->group(shown);
  add("--gpu", gpu_, "NAME", "whose roofline: h100, a100-80, ...");
  add("--theme", theme_, "NAME", "light, dark, projector");
  worksheet_.add_to(command);
  problem_.add_to(command);
}

StagePicture ExportCommand::picture_of_walk(Vec2 size, ViewState& view) const {
  const Asked asked = problem_.resolve();
  const Unit unit = unit_of(unit_);
  view.row = row_ ? row_of(*row_, asked.problem) : 0;

  Setup setup;
  setup.problem = asked.problem;
  setup.schedule = asked.schedule().id;
  setup.variant = asked.variant;
  setup.machine = std::string(asked.machine->id);
  setup.preset = asked.preset;
  if (compare_) setup.compared = compared_of(*compare_, asked);

  // Whether it can be animated is asked before the inputs are made, and again of both schedules by the session.
  refuse_what_cannot_be_animated(asked);
  Session session;
  std::vector<std::string> faults;
  for (const Fault& fault : session.change(setup, make_inputs(asked))) faults.push_back(fault.message);
  if (!faults.empty()) throw CommandError(kUsage, faults);

  const Replay& replay = session.walk().replay;
  view.playhead = at_ ? playhead_of(*at_, replay) : replay.length();
  view.from = unit_back(replay.steps(), view.playhead, unit);
  return stage_picture(session, view, size);
}

StagePicture ExportCommand::picture_of_board(Vec2 size, ViewState& view) const {
  std::vector<std::string> faults;
  view.board = read_board_state(*board_, &faults);
  if (!faults.empty()) throw CommandError(kUsage, faults);
  Session session;
  return stage_picture(session, view, size);
}

StagePicture ExportCommand::picture_of_roofline(Vec2 size, Theme theme) const {
  const std::string asked = gpu_.value_or("h100");
  const GpuSpec* gpu = gpu_named(asked);
  if (!gpu) {
    std::string all;
    for (const GpuSpec& each : gpus()) all += (all.empty() ? "" : ", ") + each.id;
    throw CommandError(kUsage, fmt::format("--gpu is {}; it must be one of {}.", in_quotes(asked, 40), all));
  }
  const Problem problem = problem_.resolve().problem;
  if (problem.n_q != problem.n_k)
    throw CommandError(kUsage, "A roofline is drawn for as many queries as keys: give --n.");
  const auto given = [&](const char* option) { return command_->get_option(option)->count() > 0; };
  RooflinePicture picture = roofline_picture(*gpu, given("--n") ? problem.n_k : 8192, given("--d") ? problem.d : 128,
                                             problem.mask, theme, size);
  return {std::move(picture.scene), std::move(picture.title), std::move(picture.description)};
}

void ExportCommand::run(Console& console) const {
  if (worksheet_.asked()) return worksheet_.run(out_, problem_.given("seed"), console);
  const Vec2 size = size_of(size_);
  ViewState view;
  view.theme = theme_of(theme_);
  if (board_ && roofline_) throw CommandError(kUsage, "Give either --board or --roofline, not both.");
  if (gpu_ && !roofline_) throw CommandError(kUsage, "--gpu is of --roofline; a board has it in its words.");
  const StagePicture picture = roofline_ ? picture_of_roofline(size, view.theme)
                               : board_  ? picture_of_board(size, view)
                                         : picture_of_walk(size, view);
  const std::string svg = to_svg(picture.scene, {.title = picture.title, .description = picture.description});
  if (out_ == "-") {
    console.out << svg;
    return;
  }
  try {
    write_file(out_, svg);
  } catch (const IoError& error) {
    throw CommandError(kFailure, error.what());
  }
}

}  // namespace tilewalk
