// `tilewalk export`: the stage at one step, a board or a roofline as an SVG picture, without a display.
#pragma once

#include "app/cli/console.h"
#include "app/cli/problem_options.h"
#include "app/cli/worksheet.h"
#include "app/panels/stage_picture.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk {

class ExportCommand {
 public:
  explicit ExportCommand(CLI::App& command);
  void run(Console& console) const;  // throws CommandError

 private:
  StagePicture picture_of_walk(Vec2 size, ViewState& view) const;
  StagePicture picture_of_board(Vec2 size, ViewState& view) const;
  StagePicture picture_of_roofline(Vec2 size, Theme theme) const;

  const CLI::App* command_;
  ProblemOptions problem_;
  WorksheetOptions worksheet_;
  std::string out_, unit_ = "part", theme_ = "light", size_ = "1920x1080";
  std::optional<std::string> at_, row_, compare_, board_, gpu_;
  bool roofline_ = false;
};

}  // namespace tilewalk
