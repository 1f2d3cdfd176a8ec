// Names from outside (paths, tensor names, keys) as they may stand in a sentence: always valid UTF-8, on one line, not
// endlessly long. Every error and notice of core/io passes foreign text through these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Length of the valid UTF-8 sequence at the start of `text`, which is not empty; 0 where there is none.
size_t utf8_length(std::string_view text);

// Invalid UTF-8 becomes "?", control characters become "\x0a"-like escapes; controls of C1, overrides of direction and
// what has no shape become "\u202e", which JSON and TOML read back. What is in `kept` stays: "\n" where lines may be.
std::string printable(std::string_view text, std::string_view kept = {});
std::string printable_path(const std::filesystem::path& path);

// In double quotes, printable, shortened with "..." past `longest` bytes.
std::string in_quotes(std::string_view text, size_t longest = 80);

// "1 byte", "24 bytes".
std::string byte_count(uint64_t bytes);

// "[4, 64, 32]".
std::string shape_text(const std::vector<int64_t>& shape);

// The first few of `names`, quoted and joined with commas; says how many more there are.
std::string some_of(const std::vector<std::string>& names, size_t most = 12);

// The operating system's words for an errno value.
std::string system_words(int error);

}  // namespace tilewalk
