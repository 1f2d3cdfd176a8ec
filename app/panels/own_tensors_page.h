// The ten lines that take Q, K and V out of a PyTorch model, to be read, in place of the tab Problem's form.
#pragma once

#include "app/panels/column_parts.h"

namespace tilewalk {

void layout_own_tensors(const Column&, Rect);

}  // namespace tilewalk
