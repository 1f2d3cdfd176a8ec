// What pressing something means, as plain data: a region of a scene carries one, update() in app/session carries it
// out.
#pragma once

#include "app/state/export_order.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tilewalk {

struct RunCommand {
  std::string_view id;  // of the command table
};
struct TypeInto {
  std::string field;  // the name of its region
};
struct TurnPage {
  int page;  // of a tab that is cut into pages
};
struct NextKeys {};  // the next page of the key sheet
struct PickFile {
  size_t row;  // of the file list
};
struct ResumeLeftOver {};  // where the last run was
struct OpenLesson {
  int number;  // of the path
};
struct ChooseWay {
  std::string id;  // through the path
};

// Of a knob that is one of many: of the board on show, or, "turn:Machine", of a walk.
struct OpenChoices {
  std::string knob;
};
struct ChooseFromList {
  int place;  // in the list that is open
};

// Of a walk before a room.
enum class WalkKnob : uint8_t { Mask, Schedule, Machine, Seed, Row };
struct TurnWalk {
  WalkKnob knob;
  int by;  // 1 the next, -1 the one before
};

// Of Write.
struct BeginProgram {
  std::string key;  // of a shipped schedule; empty: nothing
};
struct BeginPuzzle {
  std::string id;
};
struct BackToOwnText {};  // from a puzzle
struct TypeStatement {
  std::string typed;  // on a line of its own
};

// Of a class.
struct VoteInClass {
  int place;  // of the option, from 0 as it is lettered; -1: the number that was typed
};
struct BeSureInClass {
  int sure;
};
struct OpenClassQuestion {};  // where one is
struct EndClassForAll {};
struct TurnSummary {
  int page;
};

// Of the export dialog.
struct OwnSize {};
struct Footer {
  bool shown;
};
struct ChooseExport {
  std::variant<ExportWhat, ExportFormat, PictureSize, OwnSize, Theme, Footer, std::filesystem::path> what;
};
struct WriteExport {};
struct StopExport {};

struct Action : std::variant<RunCommand, TypeInto, TurnPage, NextKeys, PickFile, ResumeLeftOver, OpenLesson, ChooseWay,
                             OpenChoices, ChooseFromList, TurnWalk, BeginProgram, BeginPuzzle, BackToOwnText,
                             TypeStatement, VoteInClass, BeSureInClass, OpenClassQuestion, EndClassForAll, TurnSummary,
                             ChooseExport, WriteExport, StopExport> {
  using variant::variant;
};

template <class Meaning>
std::shared_ptr<const Action> means(Meaning meaning) {
  return std::make_shared<const Action>(std::move(meaning));
}

}  // namespace tilewalk
