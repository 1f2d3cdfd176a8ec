#include "core/io/settings.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_settings {

TEST_CASE("settings.toml") {
  ScratchFile scratch("settings.toml");
  Settings s;
  s.gpu_worker = "ssh gpubox tilewalk-gpu serve";
  s.last_problem = {{"n_q", "64"}, {"mask", "causal"}};
  Settings other;
  other.theme = Theme::Projector;
  other.unknown = "later = [1, 2]\n";
  fuzz({"settings",
        {settings_text(s), settings_text(other)},
        {"theme = ",
         "\"",
         "'''",
         "\"\"\"",
         "[last_problem]\n",
         "[[",
         "]]",
         "{ a = 1 }",
         "= ",
         "\n",
         "nan",
         "inf",
         "1e308",
         "0x",
         "2026-11-22",
         "a.b.c.d = 1\n",
         "[a.b.c]\n",
         "\\u0000",
         "#",
         "[[a.b]]\n",
         "version = 2\n"},
        [&](const std::string& input) {
          const LoadedSettings loaded = load_settings(scratch.with(input), "2026-11-22");
          if (!loaded.notices.empty()) return false;
          save_settings(scratch.path(), loaded.settings);
          REQUIRE(load_settings(scratch.path(), "2026-11-22").notices.empty());
          return true;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_text(reader, dice); }});
}

}  // namespace tilewalk::test_settings
