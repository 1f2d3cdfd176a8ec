#include "app/state/source_view.h"

#include "core/kernel/kernel_source.h"

#include <algorithm>

namespace tilewalk {

std::optional<Method> SourceView::shown(Method schedule) const {
  const auto rungs = rungs_of(schedule);
  if (!open || rungs.empty()) return std::nullopt;
  return kernel && std::ranges::find(rungs, *kernel) != rungs.end() ? *kernel : rungs.back();
}

}  // namespace tilewalk
