// `tilewalk export`: the stage, a board, a roofline, a range of steps or a lesson in a file, without a display.
#pragma once

#include "app/cli/console.h"
#include "app/cli/problem_options.h"
#include "app/cli/worksheet.h"
#include "app/export/job.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilewalk {

class ExportCommand {
 public:
  explicit ExportCommand(CLI::App& command);
  void run(Console& console) const;  // throws CommandError

 private:
  ExportOrder order() const;  // as the options have it; throws CommandError
  // Whatever is given beside `used`, of what is written, is not silently left out.
  void refuse_others(std::string_view written, std::initializer_list<std::string_view> used) const;
  void stage_walk(Session& session, ViewState& view) const;
  void stage_board(const Session& session, ViewState& view) const;
  void follow_rescale(const ExportOrder& order, const Session& session, ViewState& view) const;
  StagePicture picture_of_roofline(const ExportOrder& order) const;
  void write_roofline(const ExportOrder& order, Console& console) const;
  void write_stage(Session& session, const ViewState& view, const ExportOrder& order, const std::filesystem::path& file,
                   Console& console) const;
  void write_lesson(Console& console) const;
  void write_talk(Console& console) const;
  void write(const std::string& content, Console& console) const;  // to --out

  const CLI::App* command_;
  ProblemOptions problem_;
  WorksheetOptions worksheet_;
  std::string out_, unit_ = "part", theme_ = "light";
  std::optional<std::string> at_, row_, compare_, board_, gpu_, size_, steps_, talk_;
  std::vector<std::string> links_;
  bool roofline_ = false, window_ = false, footer_ = false, notes_ = false;
};

}  // namespace tilewalk
