// The data files that are part of the program: catalogues and published figures, by their path in the tree.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace tilewalk {

// "assets/gpus.toml" as text; empty where no such file is in the program.
std::string_view embedded_file(std::string_view path);

// The largest of them are part of the program where that costs nothing. In a page of a browser each is brought when it
// is asked for the first time, by whoever was named; empty where that cannot be.
inline constexpr std::array<std::string_view, 2> kLargeFiles{"assets/recordings/h200-lessons.json",
                                                             "assets/recordings/h100-lessons.json"};
using BringFile = std::string (*)(std::string_view path);
void bring_large_files(BringFile bring);
std::string_view large_file(std::string_view path);  // empty: it is none of them
void let_go_of_large_file(std::string_view path);    // where it was brought: who asks next has it brought again

}  // namespace tilewalk
