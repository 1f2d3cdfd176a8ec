// The large files as parts of the program.
#include "core/io/embed.h"
#include "core/io/embedded.h"

TILEWALK_EMBED("data_large_0", TILEWALK_TREE "/assets/recordings/h200-lessons.json");
TILEWALK_EMBED("data_large_1", TILEWALK_TREE "/assets/recordings/h100-lessons.json");
extern "C" const char tilewalk_data_large_0[], tilewalk_data_large_0_end[], tilewalk_data_large_1[],
    tilewalk_data_large_1_end[];

namespace tilewalk {

void bring_large_files(BringFile) {}
void let_go_of_large_file(std::string_view) {}

std::string_view large_file(std::string_view path) {
  if (path == kLargeFiles[0]) return {tilewalk_data_large_0, tilewalk_data_large_0_end};
  if (path == kLargeFiles[1]) return {tilewalk_data_large_1, tilewalk_data_large_1_end};
  return {};
}

}  // namespace tilewalk
