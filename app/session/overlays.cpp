#include "app/session/overlays.h"

#include "app/session/tools.h"

#include <array>

namespace tilewalk {
namespace {

// Every one of them. A new overlay is a row here and one in layout_overlays.
template <class View>
auto overlays_of(View& v) {
  return std::array{&v.key_sheet, &v.go_to,          &v.menu,          &v.file_picker,    &v.element,
                    &v.about,     &v.exporting.open, &v.confirm_reset, &v.left_over.open, &v.words.open};
}

}  // namespace

bool overlay_open(const ViewState& view) {
  for (const bool* open : overlays_of(view))
    if (*open) return true;
  return false;
}

void close_overlays(ViewState& view) {
  for (bool* open : overlays_of(view)) *open = false;
  view.editing.clear();
}

void leave_topmost(ViewState& v) {
  if (v.exporting.busy) {
    v.exporting.stop = true;
    return;
  }
  if (overlay_open(v)) return close_overlays(v);
  if (v.column_over || v.rail_over) {
    v.column_over = v.rail_over = false;
  } else if (v.lesson.review) {
    v.lesson.review = false;
  } else if (v.gpu.status.state == GpuState::Running) {
    v.gpu.wishes.cancel = true;
  } else if (v.gpu.enlarged) {
    v.gpu.enlarged = false;
  } else if (v.focus_ring) {
    v.focus.clear();
    v.focus_ring = false;
  } else if (tool_open(v)) {
    leave_tool(v);
  } else {
    v.focus.clear();
    v.selection.clear();
    v.notice.clear();
  }
}

}  // namespace tilewalk
