// The whole table: finding a command, carrying it out, and what the view must keep to afterwards.
#include "app/session/present_commands.h"

#include "app/session/write_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

std::vector<Command>& all_commands() {
  static std::vector<Command> all = [] {
    const auto own = learner_commands();
    std::vector<Command> rows(own.begin(), own.end());
    for (const auto table : {gpu_commands(), present_commands(), class_commands()})
      rows.insert(std::ranges::find(rows, kFinding, &Command::group), table.begin(), table.end());
    return rows;
  }();
  return all;
}

}  // namespace

std::span<const Command> commands() { return all_commands(); }

void change_keys(std::span<const OtherKeys> changes) {
  for (const OtherKeys& change : changes) {
    const auto row = std::ranges::find(all_commands(), change.id, &Command::id);
    if (row == all_commands().end()) continue;
    if (change.keys.empty())
      all_commands().erase(row);
    else
      row->keys = change.keys;
  }
}

const Command* command_named(std::string_view id) {
  for (const Command& command : commands())
    if (command.id == id) return &command;
  return nullptr;
}

const Command* command_for(const KeyPress& press, bool presenting) {
  const Command* found = nullptr;
  for (const Command& command : commands()) {
    if (command.mode == Mode::Present ? !presenting : found != nullptr) continue;
    for (const KeyPress& key : parse_keys(command.keys)) {
      if (!same_key(key, press)) continue;
      if (command.mode == Mode::Present) return &command;
      found = &command;
      break;
    }
  }
  return found;
}

bool run_command(std::string_view id, Session& session, ViewState& view) {
  const Command* command = command_named(id);
  if (!command || !command->enabled(session, view)) return false;
  // A choice from the menu closes it, unless it is one of those that are tried again and again.
  if (is_open<Menu>(view) && !command->anywhere && id != "menu") view.over = {};
  view.notice.clear();  // it spoke of what was before
  if (command->group == kStepping || id == "play" || id == "lesson-next") view.coach = false;  // that is how it is done
  command->act(session, view);
  return true;
}

bool press_command(const Command& command, Session& session, ViewState& view) {
  if (run_command(command.id, session, view)) return true;
  if (!command.why_not) return false;
  view.notice = command.why_not(session, view);
  return true;
}

std::string_view keys_of(std::string_view id) {
  const Command* command = command_named(id);
  return command ? command->keys : std::string_view();
}

std::string_view key_of(std::string_view id) {
  const std::string_view keys = keys_of(id);
  return keys.substr(0, keys.find(" or "));
}

std::string tip_of(std::string_view id) {
  const Command* command = command_named(id);
  return command ? fmt::format("{} ({})", command->title, command->keys) : std::string();
}

void settle(const Session& session, ViewState& view) {
  const Walk& walk = session.walk();
  const int64_t length = walk.replay.length();
  view.playhead = std::clamp<int64_t>(view.playhead, 0, length);
  if (view.from > view.playhead || view.playhead == view.from)
    view.from = unit_back(walk.replay.steps(), view.playhead, Unit::Part);
  view.row = std::clamp<int64_t>(view.row, 0, session.problem().n_q - 1);
  meter_written(session, view);
}

}  // namespace tilewalk
