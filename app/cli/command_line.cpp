#include "app/cli/command_line.h"

#include "app/cli/predict.h"
#include "app/cli/problem_options.h"
#ifdef TILEWALK_PICTURES
#include "app/cli/check.h"
#include "app/cli/classroom.h"
#include "app/cli/describe.h"
#include "app/cli/export.h"
#endif
#include "app/cli/walk.h"
#include "core/attention/presets.h"
#include "core/io/file.h"
#include "core/io/letters.h"
#include "core/io/log.h"
#include "core/io/number.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/progress_file.h"
#include "core/schedules/schedule.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace tilewalk {
namespace {

constexpr std::string_view kExitCodes =
    "Leaves with 0 when done, 1 on failure, 2 when an option is at fault, 4 when a\nfile cannot be read.";

int fail(Console& console, std::string_view command, const CommandError& error) {
  for (const std::string& fault : error.faults)
    fmt::print(console.err, "tilewalk{}{}: {}\n", command.empty() ? "" : " ", command, fault);
  return error.code;
}

// The library's own words for what it could not parse, as a sentence.
CommandError usage_error(const CLI::ParseError& error, const CLI::App& app, std::string_view command) {
  const std::string help =
      fmt::format("`tilewalk {}{}--help` lists what there is.", command, command.empty() ? "" : " ");
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> rest = app.remaining(true);
    return {kUsage, fmt::format("{} is not understood. {}", in_quotes(rest.empty() ? "" : rest.front(), 60), help)};
  }
  std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    return {
        kUsage,
        fmt::format("{} {}. {}", what.substr(0, what.find(':')),
                    what.find("At Most") == std::string::npos ? "lacks its value" : "is given more than once", help)};
  return {kUsage, fmt::format("{}. {}", what.substr(0, what.find('\n')), help)};
}

using Text = std::optional<std::string>;  // empty: not given

void add_window_options(CLI::App& app, WindowRequest& window, Text& what, Text& scale, Text& size) {
  const char* group = "Window";
  app.add_option("--open", window.file, "a link, a recording, Q, K and V, a program")
      ->type_name("LINK|FILE")
      ->group(group);
  app.add_option("what", what, "the same as --open")->type_name("LINK|FILE");
  app.add_option("--preset", window.preset, "start with micro, toy or causal")->type_name("NAME")->group(group);
  app.add_option("--schedule", window.schedule, "start with fa2, or another of them")->type_name("NAME")->group(group);
  app.add_option("--lesson", window.lesson, "start with lesson 6, F or running-max")->type_name("N")->group(group);
  app.add_flag("--present", window.present, "start in front of a room, as F5 does")->group(group);
  app.add_option("--class", window.join, "a class to join, as \"10.0.0.5:8660 k7m-2xq\"")
      ->type_name("ADDRESS")
      ->group(group);
  app.add_option("--set-list", window.set_list, "the way through a talk: a file of links")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--monitor", window.monitor, "for the room: a name, a number, 1920x1080+1920+0")
      ->type_name("NAME")
      ->group(group);
  app.add_flag("--list-monitors", window.list_monitors, "say which monitors there are, and leave")->group(group);
  app.add_flag("--reset-progress", window.reset_progress, "forget what was done and answered")->group(group);
  app.add_option("--beat", window.beat)->check(CLI::Range(1, 99))->group("");
  app.add_option("--theme", window.theme, "light, dark, projector")->type_name("NAME")->group(group);
  app.add_option("--scale", scale, "of text and controls, 0.75 to 3")->type_name("X")->group(group);
  app.add_flag("--reduced-motion", window.reduced_motion, "nothing travels")->group(group);
  app.add_flag("--portable", window.portable, "keep settings beside the program")->group(group);
  app.add_option("--log-level", window.log_level, "error, warn, info, debug, trace")->type_name("LEVEL")->group(group);
  app.add_option("--gpu-worker", window.gpu_worker, "\"ssh gpubox tilewalk-gpu serve\": a GPU elsewhere")
      ->type_name("COMMAND")
      ->group(group);
  app.add_option("--at", window.at, "start at 37, \"tile 7\", \"first rescale\"")->type_name("WHERE")->group(group);
  app.add_option("--size", size, "of the window in pixels: 1920x1080")->type_name("WxH")->group(group);
  // How the pictures of the window are made; not for every day, so not in the help.
  app.add_option("--screenshot", window.screenshot)->group("");
  app.add_option("--tab", window.tab)->group("");
  app.add_option("--board", window.board)->group("");
  app.add_option("--do", window.commands)->group("");
  app.add_option("--gpu-seconds", window.gpu_seconds)->group("");
}

// An option that was given with nothing in it, `--open ''`, would pass for one that was not given. Those that are read
// as numbers say more of their own.
void refuse_empty(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0 && option->get_name() != "--scale" && option->get_name() != "--size" &&
        std::ranges::count(option->results(), std::string()) > 0)
      throw CommandError(kUsage, fmt::format("{} is empty; it takes a value.", option->get_name()));
}

// "1920x1080"
bool read_size(std::string_view text, WindowRequest& window) {
  const size_t x = text.find('x');
  const auto width = number_of<int64_t>(text.substr(0, x));
  const auto height = x == std::string::npos ? std::nullopt : number_of<int64_t>(text.substr(x + 1));
  if (!width || !height || *width < 640 || *height < 360 || *width > 16384 || *height > 16384) return false;
  window.width = int(*width);
  window.height = int(*height);
  return true;
}

// The old progress is kept beside the new one.
int reset_progress(const WindowRequest& asked, Console& console) {
  const std::filesystem::path data = find_folders(read_environment(), asked.portable).data;
  if (data.empty()) throw CommandError(kFailure, "There is no folder in which progress is kept.");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  try {
    const auto old =
        forget_progress(data / "progress.json", std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
    if (old)
      fmt::print(console.out, "Forgotten. The progress so far is in {}.\n", printable_path(*old));
    else
      fmt::print(console.out, "There is no progress to forget.\n");
    return kOk;
  } catch (const IoError& error) {
    throw CommandError(kFailure, error.what());
  }
}

// What stands alone is a link or a file.
WindowRequest with(WindowRequest window, const Text& given) {
  if (const auto path = path_of_url(window.file)) window.file = path->string();
  if (!given) return window;
  const auto path = path_of_url(*given);
  const Text what = path ? path->string() : given;
  std::error_code ignored;
  if (!same_letters(what->substr(0, what->find(':')), "tilewalk") && !std::filesystem::exists(*what, ignored))
    throw CommandError(kUsage, fmt::format("{} is not understood: it is no command, no link and no file that is there. "
                                           "`tilewalk --help` lists what there is.",
                                           in_quotes(*what, 60)));
  if (!window.file.empty())
    throw CommandError(kUsage,
                       fmt::format("Give {} alone or behind --open, not two things to open.", in_quotes(*what, 60)));
  window.file = *what;
  return window;
}

int open(const WindowRequest& asked, const Text& scale, const Text& size, const OpenWindow& open_window) {
  WindowRequest window = asked;
  const auto one_of = [](const std::string& value, std::initializer_list<std::string_view> names) {
    return value.empty() || std::find(names.begin(), names.end(), value) != names.end();
  };
  std::vector<std::string> faults;
  if (!window.theme.empty() && !named<Theme>(kThemeNames, window.theme))
    faults.push_back(
        fmt::format("--theme is {}; it must be one of light, dark, projector.", in_quotes(window.theme, 40)));
  if (!window.preset.empty() && !preset_named(window.preset))
    faults.push_back(
        fmt::format("--preset is {}; it must be one of micro, toy, causal.", in_quotes(window.preset, 40)));
  if (!window.schedule.empty() && !schedule_named(window.schedule))
    faults.push_back(
        fmt::format("--schedule is {}; it must be one of {}.", in_quotes(window.schedule, 40), schedule_list(false)));
  if (!window.preset.empty() && !window.file.empty()) faults.push_back("Give either --preset or --open, not both.");
  if (scale) {
    if (const auto value = number_between(*scale, 0.75, 3))
      window.scale = *value;
    else
      faults.push_back(fmt::format("--scale is {}; it must be a number between 0.75 and 3.", in_quotes(*scale, 40)));
  }
  if (size && !read_size(*size, window))
    faults.push_back(
        fmt::format("--size is {}; it must be like 1920x1080, from 640x360 to 16384x16384.", in_quotes(*size, 40)));
  if (!one_of(window.tab, {"explain", "numbers", "problem", "gpu"}))
    faults.push_back(
        fmt::format("--tab is {}; it must be one of explain, numbers, problem, gpu.", in_quotes(window.tab, 40)));
  if (!window.log_level.empty() && !log_level_named(window.log_level))
    faults.push_back(fmt::format("--log-level is {}; it must be one of error, warn, info, debug, trace.",
                                 in_quotes(window.log_level, 40)));
  if (!faults.empty()) throw CommandError(kUsage, faults);
  if (!open_window)
    throw CommandError(kFailure, "This build has no window. `tilewalk walk` prints a walk, `tilewalk predict` counts.");
  return open_window(window);
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, Console& given, const OpenWindow& open_window) {
  PrintableBuffer out_text(given.out, given.color), err_text(given.err, given.color);
  std::ostream out(&out_text), err(&err_text);
  Console console{out, err, given.color, given.columns, &given.out};
  CLI::App app{"Walk through FlashAttention, tile by tile. Without a command: opens the window.", "tilewalk"};
  app.set_version_flag("--version", "tilewalk " TILEWALK_VERSION);
  app.footer(std::string(kExitCodes));
  app.require_subcommand(0, 1);
  WindowRequest window;
  Text what, scale, size;
  add_window_options(app, window, what, scale, size);

  CLI::App& walk = *app.add_subcommand("walk", "Print a schedule step by step");
  const WalkCommand walk_command(walk);
  CLI::App& predict = *app.add_subcommand("predict", "Count bytes and work of a problem of any size");
  const PredictCommand predict_command(predict);
#ifdef TILEWALK_PICTURES
  CLI::App& picture = *app.add_subcommand("export", "Write a picture, steps or a lesson to a file");
  const ExportCommand export_command(picture);
  CLI::App& describe = *app.add_subcommand("describe", "Say what a link leads to, in plain words");
  const DescribeCommand describe_command(describe);
  CLI::App& check = *app.add_subcommand("check", "Say what is wrong with lessons");
  const CheckCommand check_command(check);
  CLI::App& classroom = *app.add_subcommand("class", "Serve the page and this computer's GPU to a room");
  const ClassCommand class_command(classroom);
#endif

  // Whether all that was said has come to where it was to go.
  const auto done = [&](const std::string& command) {
    console.out.flush();
    return console.out.good() && given.out.good()
               ? kOk
               : fail(console, command, {kFailure, "The output could not be written."});
  };
  std::string command;
  for (const CLI::App* sub : app.get_subcommands({}))
    if (!arguments.empty() && arguments.front() == sub->get_name()) command = sub->get_name();
  try {
    try {
      std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
      app.parse(std::move(reversed));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == int(CLI::ExitCodes::Success)) {
        app.exit(error, console.out, console.err);
        return done(command);
      }
      throw usage_error(error, app, command);
    }
    refuse_empty(app);
    if (walk.parsed())
      walk_command.run(console);
    else if (predict.parsed())
      predict_command.run(console);
#ifdef TILEWALK_PICTURES
    else if (picture.parsed())
      export_command.run(console);
    else if (describe.parsed())
      describe_command.run(console);
    else if (check.parsed())
      check_command.run(console);
    else if (classroom.parsed())
      class_command.run(console);
#endif
    else if (window.reset_progress)
      return reset_progress(window, console);
    else
      return open(with(window, what), scale, size, open_window);
  } catch (const CommandError& error) {
    console.out.flush();
    return fail(console, command, error);
  } catch (const std::bad_alloc&) {
    return fail(console, command, {kFailure, "There is not enough memory for this problem; take a smaller one."});
  }
  return done(command);
}

}  // namespace tilewalk
