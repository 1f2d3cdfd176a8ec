// The program: hands its arguments to the command line, which opens the window when no command is named.
#include "app/cli/command_line.h"
#ifdef TILEWALK_HAS_WINDOW
#include "app/shell/desktop/window.h"
#endif

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace {

// The terminal's width, kept to what reads well.
int columns_of_terminal() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col < 60 ? 60 : size.ws_col > 100 ? 100 : size.ws_col;
}

#ifdef TILEWALK_HAS_WINDOW
// The words of the command line, which it has checked, as the window wants them.
int show_window(const tilewalk::WindowRequest& asked) {
  using namespace tilewalk;
  WindowOptions options;
  options.theme = named<Theme>(kThemeNames, asked.theme);
  if (asked.scale > 0) options.scale = float(asked.scale);
  if (asked.width > 0) options.size = Vec2{float(asked.width), float(asked.height)};
  if (!asked.file.empty()) options.files = {asked.file};
  options.preset = asked.preset;
  options.schedule = asked.schedule;
  options.at = asked.at;
  options.tab = asked.tab;
  options.board = asked.board;
  options.lesson = asked.lesson;
  options.beat = asked.beat;
  options.gpu_worker = asked.gpu_worker;
  if (asked.gpu_seconds > 0) options.gpu_seconds = asked.gpu_seconds;
  options.present = asked.present;
  options.list_monitors = asked.list_monitors;
  options.set_list = asked.set_list;
  options.monitor = asked.monitor;
  options.join = asked.join;
  options.commands = asked.commands;
  options.screenshot = asked.screenshot;
  options.portable = asked.portable;
  options.log_level = log_level_named(asked.log_level).value_or(LogLevel::Info);
  options.reduced_motion = asked.reduced_motion;
  return open_window(options);
}
#else
const tilewalk::OpenWindow show_window;  // none in this build
#endif

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file past the size limit is an error like a full disk, not the end
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  std::ios::sync_with_stdio(false);
  tilewalk::Console console{std::cout, std::cerr};
  console.color = terminal && !std::getenv("NO_COLOR");
  if (terminal) console.columns = columns_of_terminal();
  return tilewalk::run_command_line({arguments + 1, arguments + count}, console, show_window);
}
