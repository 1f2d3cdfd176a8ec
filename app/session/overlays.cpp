#include "app/session/overlays.h"

#include "app/boards/knob_row.h"
#include "app/session/tools.h"
#include "app/session/typing.h"
#include "app/session/write_moves.h"

namespace tilewalk {

bool overlay_open(const ViewState& view) { return !is_open<std::monostate>(view); }

void close_overlays(ViewState& view) {
  // Who looked something up for the program goes on writing it.
  const WordSheet* words = std::get_if<WordSheet>(&view.over);
  if (write_on_show(view) && (is_open<ProgramList>(view) || (words && words->statements))) {
    view.focus = kWriteText;
    view.focus_ring = false;
  }
  if (const ChoiceList* list = std::get_if<ChoiceList>(&view.over)) view.focus = choices_region(list->knob);
  view.over = {};
  drop_half_typed(view);
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
