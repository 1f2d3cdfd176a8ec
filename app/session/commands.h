// Everything a person can do by name: one table that feeds the keys, the buttons, the menu and the key sheet.
#pragma once

#include "app/state/keys.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

// When a key means this command: always, or in Present mode alone, where it goes before what it means otherwise.
enum class Mode : uint8_t { Any, Present };

inline constexpr std::string_view kStepping = "Stepping";  // the group of the commands that step

struct Command {
  std::string_view id;     // "play"
  std::string_view title;  // "Play or pause"
  std::string_view group;  // heading in the key sheet
  std::string_view keys;   // "Space", "F1 or ?"; see app/state/keys.h
  void (*act)(Session&, ViewState&);
  bool (*enabled)(const Session&, const ViewState&);
  bool anywhere = false;  // also while an overlay is open
  Mode mode = Mode::Any;
  // What its key says where it is not enabled; null: nothing.
  std::string (*why_not)(const Session&, const ViewState&) = nullptr;
};

std::span<const Command> commands();
const Command* command_named(std::string_view id);                           // or null
const Command* command_for(const KeyPress& press, bool presenting = false);  // or null

std::string_view keys_of(std::string_view id);  // empty: there is no such command
std::string_view key_of(std::string_view id);   // the first of them

// What the machine around keeps for itself, as a browser keeps Ctrl+N: other keys for a command, or, without keys, no
// such command. To be told before anything is asked for; the words must outlive the program.
struct OtherKeys {
  std::string_view id, keys;
};
void change_keys(std::span<const OtherKeys> changes);

// Acts if the command is there and enabled; says whether it was.
bool run_command(std::string_view id, Session& session, ViewState& view);

// What a step key says at the end of a lesson's walk; pressed anew it goes on.
inline constexpr std::string_view kLastStep = "That was the last step. Enter, or → once more, goes on in the lesson.";

// As its key does: where it is not enabled, view.notice says why not. False where nothing came of it.
bool press_command(const Command& command, Session& session, ViewState& view);

// "Part forward (→)": what a button's tooltip says.
std::string tip_of(std::string_view id);

// Clamps what the view points at to what the session has, after the session changed.
void settle(const Session& session, ViewState& view);

}  // namespace tilewalk
