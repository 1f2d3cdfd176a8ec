#include "app/session/own_tensors.h"

#include "core/io/embedded.h"

#include <algorithm>

namespace tilewalk {

std::string_view own_tensors_code() {
  const std::string_view file = embedded_file("scripts/own-tensors.py");
  return file.substr(std::min(file.size(), file.find("import torch")));
}

}  // namespace tilewalk
