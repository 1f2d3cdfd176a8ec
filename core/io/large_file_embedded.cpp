// The large file as a part of the program.
#include "core/io/embed.h"
#include "core/io/embedded.h"

TILEWALK_EMBED("data_large", TILEWALK_TREE "/assets/recordings/h200-lessons.json");
extern "C" const char tilewalk_data_large[], tilewalk_data_large_end[];

namespace tilewalk {

void bring_large_file(BringFile) {}
void let_go_of_large_file() {}

std::string_view large_file() { return {tilewalk_data_large, tilewalk_data_large_end}; }

}  // namespace tilewalk
