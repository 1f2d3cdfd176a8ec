#include "app/session/overlays.h"

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

}  // namespace tilewalk
