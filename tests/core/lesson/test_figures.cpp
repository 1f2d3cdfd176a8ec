#include "core/lesson/figures.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewalk::test_figures {

namespace {
std::string found(std::string_view text) { return fmt::format("{}", fmt::join(bare_figures(text), "|")); }
}  // namespace

TEST_CASE("Names, years, sections, versions and small counts may be digits") {
  for (const char* text : {
           "FA2, FA3, A100, H100 and RTX 4090; fp16, e4m3, bf16; L2 and sm_90.",
           "In 2022, 2023 (and 2024).",
           "FlashAttention-2, section 3.1.1; sections 2 and 3.1; Algorithm 1, Table 2, Figure 2.",
           "PyTorch 2.2, CUDA 12.6, version 2.8.3; lesson 14; lessons 7 and 14.",
           "arXiv:2205.14135 and arXiv 2307.08691",
           "The 3 kernels, 4 times, keys 1-5, 2/3 of it, the 2nd tile.",
           "16-bit numbers, 2 warpgroups, 12 of them",
           "N×N, 1, \"7\", (3), 12; tile 1's max.",
           "H200 and xFormers 0.0.33",
           "Take 3, s is a score.",
           "no figure at all",
           "",
       }) {
    CAPTURE(text);
    CHECK(found(text).empty());
  }
}

TEST_CASE("All other digits are figures") {
  CHECK(found("It takes 66.9 µs.") == "66.9 µs");
  CHECK(found("N = 4096 tokens") == "4096");
  CHECK(found("2,048 tiles, or 13 of them") == "2,048|13");
  CHECK(found("4× faster, 10 % less, 50%") == "4×|10 %|50%");
  CHECK(found("at 2 TB/s and 3 ms") == "2 TB/s|3 ms");
  CHECK(found("N4096 and d128") == "N4096|d128");
  CHECK(found("64-row tiles of 128x64") == "64-row|128x64");
  CHECK(found("1e3 or 2^20") == "1e3|2^20");
  CHECK(found("8N² of it") == "8N²");
  CHECK(found("in 1989 and 2048") == "1989|2048");
  CHECK(found("0.5 of it") == "0.5");
  CHECK(found("3-40") == "3-40");
}

TEST_CASE("Code and quantities are left alone, and every block is looked at") {
  CHECK(bare_figures(read_prose("`N = 4096` and {{4096}} and `8N²`.")).empty());
  const std::vector<BareFigure> figures =
      bare_figures(read_prose("Fine.\n\n- one 4096\n\n| a | 512 |\n|---|---|\n| 100 | b |\n\n[77](term:x) **88**", 10));
  REQUIRE(figures.size() == 5);
  CHECK(figures[0].text == "4096");
  CHECK(figures[0].line == 12);
  CHECK(figures[1].text == "512");
  CHECK(figures[2].text == "100");
  CHECK(figures[3].text == "77");
  CHECK(figures[4].text == "88");
  CHECK(figures[4].line == 18);
}

}  // namespace tilewalk::test_figures
