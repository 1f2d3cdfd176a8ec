// The kernel's own source in place of the pseudo-code.
#pragma once

#include "core/kernel/kernel_shapes.h"

#include <optional>

namespace tilewalk {

struct SourceView {
  bool open = false;
  std::optional<Method> kernel;  // the chosen one, where several run a schedule
  float scroll = -1;             // share above, 0..1; -1: it follows the step

  // Whose source is on show beside a walk of that schedule: the chosen one, or else the highest rung; none where the
  // pseudo-code is, or where no kernel runs the schedule.
  std::optional<Method> shown(Method schedule) const;
};

}  // namespace tilewalk
