// The data files that are part of the program: catalogues and published figures, by their path in the tree.
#pragma once

#include <string_view>

namespace tilewalk {

// "assets/gpus.toml" as text; empty where no such file is in the program.
std::string_view embedded_file(std::string_view path);

// The largest of them is part of the program where that costs nothing. In a page of a browser it is brought when it is
// asked for the first time, by whoever was named; empty where that cannot be.
inline constexpr std::string_view kLargeFile = "assets/recordings/h200-lessons.json";
using BringFile = std::string (*)(std::string_view path);
void bring_large_file(BringFile bring);
std::string_view large_file();
void let_go_of_large_file();  // where it was brought: who asks next has it brought again

}  // namespace tilewalk
