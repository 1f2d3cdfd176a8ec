#include "core/io/file.h"
#include "core/roofline/catalogue.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_gpus {

TEST_CASE("gpus.toml") {
  ScratchFile scratch("gpus.toml");
  fuzz({"gpus",
        {read_file(TILEWALK_SOURCE_DIR "/assets/gpus.toml")},
        {"[[gpu]]\n", "id = \"a\"\n", "title = \"A\"\n", "cc = 9.0\n", "sms = 132\n", "l2_mib = 50\n", "dram_gb = 80\n",
         "unverified = [\"clock\"]\n", "\"\"\"", "nan", "inf", "-1", "1e308", "{ a = 1 }", "[", "]", "= ", "\\u0000",
         "#"},
        [&](const std::string& input) {
          const Catalogue read = read_catalogue(scratch.with(input).parent_path());
          for (const Catalogue::Entry& entry : read.entries) roofs_of(entry.gpu);
          return read.faults.empty();
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_text(reader, dice); }});
}

}  // namespace tilewalk::test_gpus
