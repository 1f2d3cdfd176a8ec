// Measured numbers in words, and tables of them, for people at a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tilewalk::gpu {

std::string time_words(double ms);                            // "7.8 us", "2.325 ms"
std::string bytes_words(const std::optional<double>& bytes);  // "4.363 GB", "-"
std::string count_words(const std::optional<double>& count);
// How far the counted bytes lie from those that were predicted: "+0.01 %"; "-" where one of them is not known.
std::string over_words(const std::optional<double>& counted, double predicted);

// To standard output. Columns as wide as their widest cell; all but the first to the right.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tilewalk::gpu
