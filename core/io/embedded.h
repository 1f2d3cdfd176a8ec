// The data files that are part of the program: catalogues and published figures, by their path in the tree.
#pragma once

#include <string_view>

namespace tilewalk {

// "assets/gpus.toml" as text; empty where no such file is in the program.
std::string_view embedded_file(std::string_view path);

}  // namespace tilewalk
