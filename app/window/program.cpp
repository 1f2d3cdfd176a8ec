#include "app/window/program.h"

#include "app/gpu/diagnostics.h"
#include "app/panels/window_grid.h"
#include "app/session/speaker_notes.h"
#include "app/session/start.h"
#include "app/session/tools.h"
#include "app/window/busy.h"
#include "app/window/present_frame.h"
#include "app/window/working.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

std::optional<float> scale_of_environment() {
  const char* text = std::getenv("TILEWALK_SCALE");
  if (!text) return std::nullopt;
  char* end = nullptr;
  const float scale = std::strtof(text, &end);
  return end != text && !*end && scale >= 0.75f && scale <= 3 ? std::optional(scale) : std::nullopt;
}

// What a run that did not come to its end has left: where it was, and the end of its log.
void offer_left_over(const fs::path& state, const fs::path& log, ViewState& view) {
  const std::optional<std::string> link = state.empty() ? std::nullopt : take_left_over(state / "running");
  if (!link) return;
  constexpr size_t kLines = 50;
  try {
    std::string_view text;
    const std::string whole = read_file(log, uint64_t{8} << 20);
    for (text = whole; !text.empty();) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      view.left_over.log.push_back(printable(line));
    }
    if (view.left_over.log.size() > kLines)
      view.left_over.log.erase(view.left_over.log.begin(), view.left_over.log.end() - kLines);
  } catch (const IoError&) {
  }
  view.left_over.link = *link;
  if (view.present.on) return;  // nobody in front of a room wants the offer; the diagnostics have it
  view.over = LeftOverOffer{};
  view.focus = "left-over:go";
}

}  // namespace

Memory remember(const Places& places) {
  Memory memory;
  if (!places.config.empty())
    memory.file = SettingsFile(places.config / "settings.toml",
                               [] { return fmt::format("{:%Y-%m-%d-%H%M%S}", fmt::localtime(std::time(nullptr))); });
  memory.settings = memory.file.open(memory.notices);
  if (!places.notice.empty()) memory.notices.push_back(places.notice);
  return memory;
}

std::unique_ptr<LessonFiles> lesson_files(const WindowOptions& options, const Places& places) {
  // A picture shows a lesson as it is for everybody, and keeps nothing.
  const bool keeps = options.screenshot.empty() && !places.data.empty();
  return std::make_unique<LessonFiles>(places.lessons, keeps ? places.data / "progress.json" : fs::path(),
                                       LessonFiles::wall_clock, places.lessons_watched);
}

Program::Program(const WindowOptions& options, const Places& places, Memory memory, DeskOptions desk,
                 AlphaTextures& textures, Screen& screen, std::unique_ptr<Aside> aside)
    : screen_(screen), window_(textures), kept_(memory.settings), last_(memory.settings) {
  Window& window = window_;
  window.aside = std::move(aside);
  window.settings = std::move(memory.file);
  window.room_wish = options.monitor;
  apply(options, kept_, window.view);
  const std::optional<float> given = options.scale ? options.scale : scale_of_environment();
  own_scale_ = !given;
  if (given) window.view.scale = *given;
  for (const std::string& notice : memory.notices) say_too(window.view.notice, notice);
  fit(window.view, screen.size());
  window.lessons = lesson_files(options, places);
  window.own_gpus = OwnGpus(places.config);
  window.own_gpus.refresh(0, window.view.notice);
  window.pictures = places.pictures;
  if (const std::string notice = window.lessons->open(window.view); !notice.empty())
    say_too(window.view.notice, notice);
  if (!places.data.empty()) {
    draft_ = Draft(places.data / "write.json");
    draft_.open(window.view);
    window.notes_file = places.data / "notes.json";
    OwnNotes own = load_notes(window.notes_file, iso_now().substr(0, 10));
    window.view.present.own_notes = window.notes_known = std::move(own.notes);
    if (!own.notice.empty()) say_too(window.view.notice, own.notice);
  }
  const std::string remembered = std::exchange(window.view.notice, {});
  if (!says_what(options)) start_where_one_stopped(window.session, window.view, kept_.coach_seen, kept_.left_on_walk);
  work(window, screen, [&] { undone_ = begin(options, window.session, window.view); });  // a link may be to a long walk
  if (left_behind()) return;
  if (!remembered.empty())
    window.view.notice = remembered + (window.view.notice.empty() ? "" : " ") + window.view.notice;
  window.generation = window.session.generation();
  tell_about(options, places);
  window.gpu = std::make_unique<GpuDesk>(std::move(desk));
  coached_ = window.view.coach;
}

// Where things are kept, for the about box; and the log, with what one asks for first.
void Program::tell_about(const WindowOptions& options, const Places& places) {
  Window& window = window_;
  AboutFacts& facts = window.view.about_facts;
  facts.renderer = screen_.renderer();
  const fs::path log = places.state.empty() ? fs::path() : places.state / "tilewalk.log";
  for (const auto& [what, path] :
       {std::pair{"Settings", window.settings.file()}, std::pair{"Progress", places.data}, std::pair{"Log", log}})
    facts.places.emplace_back(what, path.empty()                ? "not kept"
                                    : places.kept_where.empty() ? printable_path(path)
                                                                : places.kept_where);
  offer_left_over(places.state, log, window.view);
  if (!places.state.empty()) window.marker = RunMarker(places.state / "running");
  window.log = Log(log, iso_now);
  window.log.set_level(options.log_level);
  window.log.line(LogLevel::Info, fmt::format("Tilewalk {}, {}", program_version(), facts.renderer));
  window.log.line(LogLevel::Debug, fmt::format("opened with {:.0f} x {:.0f} pixels, of a monitor at {:.2f}",
                                               screen_.size().x, screen_.size().y, screen_.monitor_scale()));
}

// What is to be remembered of the window as it is now.
Settings Program::settings_now() {
  window_.coach_read = coached_ && !window_.view.coach;
  const ViewState& view = window_.view;
  Settings s = kept_;
  s.theme = view.theme;
  s.speed = double(view.speed);
  if (own_scale_) s.scale = std::round(double(view.scale) * 100) / 100;  // as a person would write it
  s.rail_folded = !view.rail_open;
  s.right_column_hidden = !(view.before_tool ? view.before_tool->column : view.column_open);
  s.for_kernels = view.lesson.for_kernels;
  s.way = view.lesson.way;
  s.left_on_walk = view.lesson.id.empty() && !tool_open(view);
  s.coach_seen = s.coach_seen || window_.coach_read;
  screen_.tell_place(s, window_.size);
  return s;
}

void Program::frame() {
  window_.view.monitor_scale = own_scale_ ? screen_.monitor_scale() : 1;
  tilewalk::frame(window_, screen_);
  if (left_behind()) return;
  work(window_, screen_, [&] {
    if (const std::string said = draft_.keep(window_.view, window_.clock); !said.empty()) window_.view.notice = said;
  });
  if (left_behind()) return;
  const Settings before = std::exchange(last_, settings_now());
  if (last_ == before && window_.settings.seconds_to_look(window_.clock) > 0) return;
  work(window_, screen_, [&] {
    const std::string said = window_.settings.look(last_, window_.clock);
    if (said.empty()) return;
    say_too(window_.view.notice, said);
    window_.redraw = std::max(window_.redraw, 1);
  });
}

bool Program::left_behind() const { return tilewalk::left_behind(window_); }

std::string Program::finish_without() {
  std::string lost = window_.settings.finish(last_);
  if (const std::string said = window_.lessons->save_rest(); !said.empty()) say_too(lost, said);
  window_.marker.end();
  return lost;
}

std::string Program::finish() {
  std::string lost;
  for (const std::string& said :
       {draft_.keep(window_.view, window_.clock, true), window_.settings.finish(settings_now()),
        keep_window_notes(window_, FileBusy::kLastPatience), window_.lessons->save_rest()})
    if (!said.empty()) say_too(lost, said);
  window_.log.line(LogLevel::Info, "left");
  return lost;
}

}  // namespace tilewalk
