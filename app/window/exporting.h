// What the export dialog wishes, carried out beside the window: the size that a file would have, then the file. The
// window asks again and again, and is never held up.
#pragma once

#include "app/export/job.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace tilewalk {

constexpr float kExportLook = 0.02f;  // seconds between two looks while something is being painted

class Exports {
 public:
  // Tells the dialog how far it is; `pictures` as in find_pictures(). True where there is something new to draw.
  bool refresh(Session& session, ViewState& view, const std::filesystem::path& pictures);
  bool working() const { return job_ != nullptr; }
  bool writing() const { return job_ && writing_; }

 private:
  void begin(Session& session, ViewState& view);
  void measure(Session& session, ViewState& view);
  void end(ViewState& view, std::string fault);

  std::unique_ptr<ExportJob> job_;
  bool writing_ = false, dropping_ = false;
  int64_t generation_ = 0;  // of the session when it began
  std::optional<ExportOrder> measured_;
};

}  // namespace tilewalk
