#include "app/cli/export.h"

#include "app/boards/board.h"
#include "app/boards/roofline_picture.h"
#include "app/cli/linked.h"
#include "app/cli/walk_request.h"
#include "app/export/cost.h"
#include "app/export/lesson_page.h"
#include "app/export/talk_page.h"
#include "app/export/telling_step.h"
#include "app/scene/png.h"
#include "app/scene/svg_painter.h"
#include "app/session/link.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/playback.h"
#include "app/session/set_list.h"
#include "app/session/slide_picture.h"
#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/machine/words.h"

#include <CLI/CLI.hpp>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace tilewalk {
namespace {

Theme theme_of(const std::string& text) {
  if (const auto theme = named<Theme>(kThemeNames, text)) return *theme;
  throw CommandError(kUsage,
                     fmt::format("--theme is {}; it must be one of light, dark, projector.", in_quotes(text, 40)));
}

std::optional<Method> compared_of(const std::string& text, const Asked& asked) {
  const Schedule* schedule = schedule_named(text);
  if (!schedule)
    throw CommandError(
        kUsage, fmt::format("--compare is {}; it must be one of {}.", in_quotes(text, 40), key_list(schedules())));
  if (schedule->id == asked.schedule().id)
    throw CommandError(kUsage, fmt::format("--compare is {}, the schedule that is shown already; take another.", text));
  return schedule->id;
}

// A sentence on the ending of the file's name, which says the format.
[[noreturn]] void refuse_ending(const std::string& out) {
  throw CommandError(
      kUsage, fmt::format("--out is {}; its ending says what is written: .svg, .png, .gif (steps), .csv (numbers) "
                          "or .html (a lesson).",
                          in_quotes(out, 60)));
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Says every few seconds how far it is. `guess` in seconds, where one picture is all there is; 0: not known.
void run_to_end(ExportJob& job, Console& console, double guess = 0) {
  constexpr double kEvery = 5;  // seconds
  const Clock::time_point start = Clock::now();
  for (double said = 0; job.advance(false);) {
    job.wait(0.05);
    const double passed = seconds_since(start);
    if (passed - said < kEvery) continue;
    said = passed;
    if (job.pictures() > 1)
      fmt::print(console.err, "{:.0f} s: {:.0f} %\n", passed, job.share() * 100);
    else
      fmt::print(console.err, "{:.0f} s{}\n", passed, guess > passed ? fmt::format(" of about {:.0f}", guess) : "");
  }
  if (!job.fault().empty()) throw CommandError(kFailure, job.fault());
}

// Of a large picture: says what it will take, the time from trying a small one. The time in seconds; 0 of any other.
double tell_cost(Session& session, const ViewState& view, const ExportOrder& order, Console& console) {
  if (order.format != ExportFormat::Png || pixels_of(order) <= kLargePicture) return 0;
  if (const std::string fault = too_much_memory(order, free_memory()); !fault.empty())
    throw CommandError(kFailure, fault);
  double by = 1;
  const Clock::time_point start = Clock::now();
  ExportJob trial(session, view, small_sample(order, by), {}, ExportAim::Measure);
  trial.advance(true);
  const double seconds = seconds_since(start) * by;
  fmt::print(console.err, "{}x{} pixels: about {:.0f} s and {} of memory.\n", order.size.width, order.size.height,
             seconds, size_words(picture_memory(order)));
  return seconds;
}

}  // namespace

ExportCommand::ExportCommand(CLI::App& command)
    : command_(&command), problem_({.preset = "toy", .problem = {}, .all_schedules = false, .programs = true}) {
  const char* shown = "Picture";
  const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
    return command.add_option(name, value, help)->type_name(type)->group(shown)->take_last();
  };
  command.add_option("link", links_, "tilewalk://lesson/6/beat/2, ...: several become numbered files")
      ->type_name("LINK");
  add("-o,--out", out_, "FILE", "written here, as .svg .png .gif .csv or .html; - is SVG on standard output")
      ->required();
  add("--at", at_, "WORDS", "\"first rescale of Q tile 1\", \"37\", or the end");
  add("--steps", steps_, "A-B", "steps A to B, or all: numbered files, or one .gif");
  add("--unit", unit_, "NAME", "what has just happened, and of --steps what a picture shows: a step, part or tile");
  add("--row", row_, "N", "query row that is followed, from 1");
  add("--compare", compare_, "NAME", "a second schedule beside the first");
  add("--size", size_, "WxH", "in pixels (1920x1080; of a .gif 1280x720)");
  add("--board", board_, "WORDS", "a board in place of the walk: \"clocks?N=1024&gpu=h100\"");
  command.add_flag("--roofline", roofline_, "the roofline of --gpu, for --n, --d and --causal")->group(shown);
  add("--gpu", gpu_, "NAME", "whose roofline: h100, a100-80, ...");
  command.add_option("--talk", talk_, "a set list as a page: a handout of the talk")->type_name("FILE")->group(shown);
  command.add_flag("--notes", notes_, "with the speaker's notes in the handout")->group(shown);
  command.add_flag("--window", window_, "the whole window, not the stage alone")->group(shown);
  add("--theme", theme_, "NAME", "light, dark, projector");
  command.add_flag("--footer", footer_, "a line with the link, the seed and the device")->group(shown);
  worksheet_.add_to(command);
  problem_.add_to(command);
}

ExportOrder ExportCommand::order() const {
  ExportOrder order;
  const auto format = out_ == "-" ? std::optional(ExportFormat::Svg)
                                  : format_of_extension(std::filesystem::path(out_).extension().string());
  if (!format) refuse_ending(out_);
  order.format = *format;
  order.theme = theme_of(theme_);
  order.footer = footer_;
  order.unit = unit_of(unit_);
  const bool moves = steps_ || order.format == ExportFormat::Gif;
  if (moves && window_)
    throw CommandError(kUsage, "--window is one picture; leave out --steps, and write .png or .svg.");
  order.what = moves ? ExportWhat::Steps : window_ ? ExportWhat::Window : ExportWhat::Stage;
  if (order.format == ExportFormat::Html)
    throw CommandError(kUsage, "Of a lesson alone a page is written: give --lesson 6, or a link to one.");
  if (moves && out_ == "-") throw CommandError(kUsage, "--steps writes several files; --out must be a file's name.");
  if (order.format == ExportFormat::Csv && (moves || window_))
    throw CommandError(kUsage, "Numbers are of one step; leave out --steps and --window.");
  if (steps_ && at_) throw CommandError(kUsage, "Give either --steps or --at, not both.");
  if (steps_) {
    const auto steps = read_steps(*steps_);
    if (!steps)
      throw CommandError(kUsage, fmt::format("--steps is {}; write it like 3-20, or all.", in_quotes(*steps_, 40)));
    order.steps = *steps;
  }
  if (order.format == ExportFormat::Gif) order.size = kUsualGif;
  if (size_) {
    const auto size = read_picture_size(*size_);
    if (!size)
      throw CommandError(
          kUsage, fmt::format("--size is {}; write it like 1920x1080, from {}x{} to {}x{}.", in_quotes(*size_, 40),
                              kLeastPicture.width, kLeastPicture.height, kMostPicture.width, kMostPicture.height));
    order.size = *size;
  }
  return order;
}

void ExportCommand::refuse_others(std::string_view written, std::initializer_list<std::string_view> used) const {
  for (const CLI::Option* option : command_->get_options())
    if (option->count() > 0 && !option->check_name("--out") && !option->check_name("--help") &&
        std::ranges::none_of(used, [&](std::string_view name) { return option->check_name(std::string(name)); }))
      throw CommandError(kUsage, fmt::format("{}; leave out {}.", written, option->get_name()));
}

void ExportCommand::stage_walk(Session& session, ViewState& view) const {
  const Asked asked = problem_.resolve();
  view.row = row_ ? row_of(*row_, asked.problem) : 0;

  Setup setup;
  setup.problem = asked.problem;
  setup.schedule = asked.schedule().id;
  setup.own = asked.own;
  setup.variant = asked.variant;
  setup.machine = std::string(asked.machine->id);
  setup.preset = asked.preset;
  if (compare_) setup.compared = compared_of(*compare_, asked);

  // Whether it can be animated is asked before the inputs are made, and again of both schedules by the session.
  refuse_what_cannot_be_animated(asked);
  std::vector<std::string> faults;
  for (const Fault& fault : session.change(setup, make_inputs(asked))) faults.push_back(fault.message);
  if (!faults.empty()) throw CommandError(kUsage, faults);

  const Replay& replay = session.walk().replay;
  view.playhead = at_ ? playhead_of(*at_, replay) : replay.length();
  view.from = unit_back(replay.steps(), view.playhead, unit_of(unit_));
}

void ExportCommand::stage_board(const Session& session, ViewState& view) const {
  std::vector<std::string> faults;
  view.board = read_board_state(*board_, &faults);
  const int steps = faults.empty() ? board_steps(session, view) : 0;
  if (view.board.step < 0 || view.board.step > steps)
    faults.push_back(steps == 0
                         ? fmt::format("The board {} has no steps.", view.board.board)
                         : fmt::format("step is {}; it must be a whole number from 0 to {}.", view.board.step, steps));
  if (!faults.empty()) throw CommandError(kFailure, faults);
}

// Of a walk whose row nobody named, that row is followed that has something to show.
void ExportCommand::follow_rescale(const ExportOrder& order, const Session& session, ViewState& view) const {
  if (order.what != ExportWhat::Steps || !view.board.board.empty()) return;
  view.row = rescaled_row(session, order.steps.from, order.steps.to).value_or(view.row);
}

StagePicture ExportCommand::picture_of_roofline(const ExportOrder& order) const {
  const std::string asked = gpu_.value_or("h100");
  const GpuSpec* gpu = gpu_named(asked);
  if (!gpu) {
    std::string all;
    for (const GpuSpec& each : gpus()) all += (all.empty() ? "" : ", ") + each.id;
    throw CommandError(kUsage, fmt::format("--gpu is {}; it must be one of {}.", in_quotes(asked, 40), all));
  }
  const Problem problem = problem_.resolve().problem;
  const auto given = [&](const char* option) { return command_->get_option(option)->count() > 0; };
  RooflinePicture picture =
      roofline_picture(*gpu, given("--n") ? problem.n_k : 8192, given("--d") ? problem.d : 128, problem.mask,
                       order.theme, {float(order.size.width), float(order.size.height)});
  return {std::move(picture.scene), std::move(picture.title), std::move(picture.description)};
}

void ExportCommand::write_roofline(const ExportOrder& order, Console& console) const {
  if (order.what != ExportWhat::Stage || order.footer || order.format == ExportFormat::Csv)
    throw CommandError(kUsage, "--roofline is one picture, as .svg or .png; leave out --steps, --window and --footer.");
  const StagePicture picture = picture_of_roofline(order);
  std::string content;
  if (order.format == ExportFormat::Png) {
    if (const std::string fault = too_much_memory(order, free_memory()); !fault.empty())
      throw CommandError(kFailure, fault);
    const Pixels pixels = Rasterizer().paint(picture.scene);
    content = encode_png(pixels.width, pixels.height, pixels.rgba);
  } else {
    content = to_svg(picture.scene, {.title = picture.title, .description = picture.description});
  }
  write(content, console);
}

void ExportCommand::write_stage(Session& session, const ViewState& view, const ExportOrder& order,
                                const std::filesystem::path& file, Console& console) const {
  if (out_ == "-") {
    const StagePicture picture = picture_at(session, view, order, view.playhead);
    console.document(to_svg(picture.scene, {.title = picture.title, .description = picture.description}));
    return;
  }
  const bool series = order.what == ExportWhat::Steps;
  if (series) {
    ExportJob measure(session, view, order, file, ExportAim::Measure);
    run_to_end(measure, console);
    fmt::print(console.out, "{} pictures, about {}{}.\n", with_commas(measure.pictures()), size_words(measure.bytes()),
               !command_->get_option("--unit")->count() && what_moves(session, view) == Moves::Walk
                   ? "; one shows a part of the walk, with --unit step one step"
                   : "");
    console.out.flush();
    if (order.format == ExportFormat::Gif && measure.bytes() > kLargestGif)
      throw CommandError(kFailure, too_large_words(measure.bytes(), true));
  }
  const double guess = tell_cost(session, view, order, console);
  ExportJob job(session, view, order, file, ExportAim::Write);
  run_to_end(job, console, guess);
  if (!series) return;
  const auto& files = job.files();
  fmt::print(console.out, "Wrote {}{}: {}.\n", printable_path(files.front()),
             files.size() > 1 ? fmt::format(" to {}", printable_path(files.back().filename())) : "",
             size_words(job.bytes()));
}

void ExportCommand::write_lesson(Console& console) const {
  const auto course = open_course();
  const std::string& asked = *worksheet_.lesson();
  const auto lesson = lesson_typed(asked, *course);
  if (!lesson) throw CommandError(kUsage, fmt::format("There is no lesson {}.", in_quotes(asked, 40)));
  const auto format = format_of_extension(std::filesystem::path(out_).extension().string());
  if (out_ != "-" && format != ExportFormat::Html)
    throw CommandError(kUsage, fmt::format("--out is {}; a lesson is written as a page: .html.", in_quotes(out_, 60)));
  write(lesson_page(course, *lesson), console);
}

void ExportCommand::write(const std::string& content, Console& console) const {
  if (out_ == "-") {
    console.document(content);
    return;
  }
  try {
    write_file(out_, content);
  } catch (const IoError& error) {
    throw CommandError(kFailure, error.what());
  }
}

void ExportCommand::write_talk(Console& console) const {
  if (format_of_extension(std::filesystem::path(out_).extension().string()) != ExportFormat::Html)
    throw CommandError(
        kUsage, fmt::format("--out is {}; a talk is written as a page: take --out talk.html, and print that for a PDF: "
                            "chromium --headless --no-pdf-header-footer --print-to-pdf=talk.pdf talk.html.",
                            in_quotes(out_, 60)));
  const SetList set = open_set_list(*talk_);
  if (set.items.empty() && !set.faults.empty() && !std::filesystem::exists(*talk_))
    throw CommandError(kUnreadable, faults_of(set).front());
  if (!set.faults.empty()) throw CommandError(kFailure, faults_of(set));
  if (set.items.empty()) throw CommandError(kFailure, fmt::format("{} has no stop in it.", printable_path(*talk_)));
  std::vector<std::string> missing;
  for (const SetItem& item : set.items) {
    std::vector<ShelvedPicture> shelf;
    if (const std::string fault = picture_of_slide(item.link, set, shelf).fault; !fault.empty())
      missing.push_back(fmt::format("{} line {}: {}", set.file.filename().string(), item.line, fault));
  }
  write(talk_page(open_course(), set, notes_), console);
  for (const std::string& fault : missing)
    fmt::print(console.err, "tilewalk export: {} The page says so in place of the picture.\n", fault);
}

void ExportCommand::run(Console& console) const {
  if (worksheet_.asked()) {
    refuse_others("A worksheet has its seed and its tiles", {"--worksheet", "--lesson", "--tiles", "--seed"});
    return worksheet_.run(out_, problem_.given("seed"), console);
  }
  if (notes_ && !talk_) throw CommandError(kUsage, "--notes is of --talk; leave it out.");
  if (talk_) {
    refuse_others("A talk is written as its room sees it", {"--talk", "--notes"});
    return write_talk(console);
  }
  const bool page = format_of_extension(std::filesystem::path(out_).extension().string()) == ExportFormat::Html;
  if (board_ && roofline_) throw CommandError(kUsage, "Give either --board or --roofline, not both.");
  if (gpu_ && !roofline_) throw CommandError(kUsage, "--gpu is of --roofline; a board has it in its words.");
  if (!links_.empty() && page) refuse_others("A link says what is written", {"link"});
  if (!links_.empty())
    refuse_others("A link says what is shown",
                  {"link", "--steps", "--unit", "--size", "--window", "--theme", "--footer"});
  else if (worksheet_.lesson())
    refuse_others("A lesson is written as it is for everybody", {"--lesson"});
  else if (board_)
    refuse_others("A board says by its words what is shown",
                  {"--board", "--steps", "--unit", "--size", "--window", "--theme", "--footer"});
  else if (roofline_)
    refuse_others(
        "A roofline is of a GPU and of --n, --d and --causal",
        {"--roofline", "--gpu", "--n", "--d", "--causal", "--size", "--theme", "--steps", "--window", "--footer"});
  else if (worksheet_.tiles())
    throw CommandError(kUsage, "--tiles is of --worksheet; leave it out.");
  if (worksheet_.lesson()) return write_lesson(console);
  if (page && links_.size() == 1) {
    const auto linked = follow_link(links_.front(), "export", console, true);
    const auto lesson = lesson_on_show(linked->view);
    if (!lesson) throw CommandError(kUsage, "Of a lesson alone a page is written; the link leads to none.");
    return write(lesson_page(linked->view.lesson.course, *lesson), console);
  }
  const ExportOrder asked = order();
  if (roofline_) return write_roofline(asked, console);
  if (links_.empty()) {
    Session session;
    ViewState view;
    view.theme = asked.theme;
    board_ ? stage_board(session, view) : stage_walk(session, view);
    if (!board_ && !row_) follow_rescale(asked, session, view);
    return write_stage(session, view, asked, out_, console);
  }
  if (links_.size() > 1 && (out_ == "-" || asked.what == ExportWhat::Steps))
    throw CommandError(kUsage,
                       "Several links become numbered files, one each; take --steps and .gif of one link at a time.");
  if (links_.size() > 1)  // all of them are tried before the first file is written
    for (const std::string& link : links_) follow_link(link, "export", console, true);
  for (size_t k = 0; k < links_.size(); ++k) {
    const auto linked = follow_link(links_[k], "export", console, true);
    const Link named = read_link(links_[k]).link;
    if (!named.find("row")) follow_rescale(asked, linked->session, linked->view);
    if (asked.what == ExportWhat::Steps && !named.find("order")) meet_forward(linked->view.board);
    const std::filesystem::path file =
        links_.size() > 1 ? numbered(out_, int64_t(k), int64_t(links_.size())) : std::filesystem::path(out_);
    write_stage(linked->session, linked->view, asked, file, console);
  }
}

}  // namespace tilewalk
