// The published figures: their keys, values and sources, and what a bad entry gets.
#include "core/quantity/published.h"

#include "core/io/embedded.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_published {

TEST_CASE("the published figures in the program have no faults") {
  std::vector<std::string> faults;
  read_published(embedded_file("lessons/data/published.toml"), "published.toml", faults);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  CHECK(published_figures().figures.size() > 400);
  for (const auto& [key, quantity] : published_figures().figures) {
    CAPTURE(key);
    CHECK(quantity.source.find(", ") != std::string::npos);
    CHECK((quantity.origin == Origin::Published || quantity.origin == Origin::Recorded));
    CHECK(quantity.value > 0);
  }
}

TEST_CASE("figures by their keys") {
  const auto value = [](std::string_view key) {
    CAPTURE(key);
    const auto found = published(key);
    REQUIRE(found);
    return found->value;
  };
  CHECK(value("fa2_a100_fwdbwd_d64_8k") == doctest::Approx(175e12));
  CHECK(value("fa2_a100_fwdbwd_d128_8k") / value("fa1_a100_fwdbwd_d128_8k") == doctest::Approx(201. / 82));
  CHECK(value("fa1_a100_fwdbwd_d128_8k") < value("pytorch_a100_fwdbwd_d128_8k"));
  CHECK(value("fa3_h100_fwd_d128_causal_16k") == doctest::Approx(616e12));
  CHECK(value("fa3_ablation_full_rate") == doctest::Approx(661e12));
  CHECK(value("fa3_ablation_no_specialization_time") == doctest::Approx(4.105e-3).scale(0));
  CHECK(value("standard_fp8_rmse") / value("fa3_fp8_rmse") == doctest::Approx(2.6).epsilon(0.02));
  CHECK(value("fa1_bert_mlperf") == doctest::Approx(1044));
  CHECK(value("fa2_h200_bytes_fills") == 4362721280);
  CHECK(value("train_a100_2b7_8k_fa2") == doctest::Approx(225e12));

  CHECK(published("fa3_fp8_rmse")->unit.empty());
  CHECK(published("fa3_h100_fwd_d64_512")->unit == "flop/s");
  CHECK(published("fa2_over_fa1_most")->source == "FlashAttention-2, section 4, July 2023");
  CHECK(published("fa2_over_fa1_most")->origin == Origin::Published);
  CHECK(published("fa3_h200_4k_d128_time")->origin == Origin::Recorded);
  CHECK(published("fa3_h200_4k_d128_time")->source.ends_with("20 November 2026"));
  CHECK(!published("pytorch_a100_fwdbwd_d64_16k"));  // out of memory
  CHECK(!published("none"));
}

TEST_CASE("the ablation's rates are its times") {
  // 4 N² d FLOP for each of B·H heads, over the printed time.
  const double flops = 4. * 8448 * 8448 * 128 * 4 * 16;
  for (const char* row : {"full", "no_pipeline", "no_specialization"}) {
    const std::string key = std::string("fa3_ablation_") + row;
    CHECK(flops / published(key + "_time")->value == doctest::Approx(published(key + "_rate")->value).epsilon(0.002));
  }
}

TEST_CASE("tables keep their rows, with gaps") {
  const PublishedTable* table = published_table("fa2-a100");
  REQUIRE(table);
  CHECK(table->rows.size() == 20);
  CHECK(table->at.size() == 6);
  for (const PublishedRow& row : table->rows) {
    REQUIRE(row.values.size() == 6);
    CHECK(std::isnan(row.values[5]) == row.key.starts_with("pytorch"));
  }
  CHECK(table->rows[0].key == "pytorch_a100_fwdbwd_d64");  // as written, not by name
  CHECK(table->rows[4].key == "fa2_a100_fwdbwd_d64");
  CHECK(!published_table("none"));
}

TEST_CASE("a bad entry is left out and says why") {
  const std::string good =
      "[[figures]]\nsource = \"a paper\"\ndate = \"2022-05\"\n[figures.rows]\na = { value = 1, text = \"A\" }\n";
  struct Bad {
    const char *text, *says;
    size_t left;
  };
  const Bad bad[] = {
      {"b = { value = 1 }\n", "text is missing", 1},
      {"b = { text = \"B\" }\n", "value is missing", 1},
      {"b = 5\n", "no table of value and text", 1},
      {"b = { value = nan, text = \"B\" }\n", "value = nan is not between", 1},
      {"b = { value = 1, text = \"B\", unit = \"TFLOP\" }\n", "none of s, byte", 1},
      {"B = { value = 1, text = \"B\" }\n", "other signs than", 1},
      {"b = { value = 1, text = \"B\", year = 5 }\n", "\"year\" is not a field", 1},
      {"[[figures]]\nsource = \"x\"\ndate = \"May\"\n[figures.rows]\n", "date is neither", 1},
      {"[[figures]]\nsource = \"x\"\ndate = \"2022-13\"\n[figures.rows]\n", "date is neither", 1},
      {"[[figures]]\nsource = \"x\"\ndate = \"2022-05\"\n", "rows is missing", 1},
      {"[[figures]]\ndate = \"2022-05\"\n[figures.rows]\n", "source is missing", 1},
      {"[[figures]]\nsource = \"x\"\ndate = \"2022-05\"\n[figures.rows]\na = { value = 2, text = \"A\" }\n", "taken",
       1},
      {"[[table]]\nid = \"t\"\ntitle = \"T\"\nat = [\"1k\"]\nsource = \"x\"\ndate = \"2022-05\"\n[table.rows]\nc = [1, "
       "2]\n",
       "has 2 values for 1 columns", 1},
      {"[[table]]\nid = \"t\"\ntitle = \"T\"\nat = [\"1 k\"]\nsource = \"x\"\ndate = \"2022-05\"\n[table.rows]\n",
       "no part of a key", 1},
      {"[[figure]]\n", "only [[figures]] and [[table]] entries", 1},
      {"[[", "", 0},
  };
  for (const Bad& one : bad) {
    CAPTURE(one.text);
    std::vector<std::string> faults;
    const PublishedFigures read = read_published(good + one.text, "my.toml", faults);
    CHECK(read.figures.size() == one.left);
    REQUIRE(!faults.empty());
    CHECK(faults[0].starts_with("my.toml:"));
    CHECK(faults[0].find(one.says) != std::string::npos);
  }
}

}  // namespace tilewalk::test_published
