// Every #include of core/, app/ and kernels/, for the tests of who may include whom.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct Include {
  int line;
  std::string name;  // as written between the quotes or angle brackets
};
using Tree = std::map<std::string, std::vector<Include>>;  // path from the repository root -> its includes

// As the preprocessor reads them: none in a comment or a string.
std::vector<Include> includes_of(std::string_view text);

Tree read_tree(const std::filesystem::path& root);
