#include "core/lesson/glossary.h"

#include "core/io/embedded.h"
#include "core/lesson/figures.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_glossary {

TEST_CASE("The glossary that comes with the program has no faults") {
  std::vector<std::string> faults;
  const std::vector<Term> terms = read_glossary(embedded_file("lessons/data/glossary.toml"), "glossary.toml", faults);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  CHECK(terms.size() > 50);
  CHECK(glossary().size() == terms.size());
  for (const Term& term : terms) {
    CAPTURE(term.id);
    CHECK(term_named(term.id)->name == term.name);
    for (const std::string& alias : term.aliases) CHECK(term_named(alias)->id == term.id);
    CHECK(term.meaning.size() < 240);
    // One sentence: no stop but the last.
    CHECK(term.meaning.find(". ") == std::string::npos);
  }
}

TEST_CASE("Terms are found in any case and with spaces") {
  REQUIRE(term_named("online-softmax"));
  CHECK(term_named("Online Softmax") == term_named("online-softmax"));
  CHECK(term_named("SRAM") == term_named("shared-memory"));
  CHECK(term_named("ridge"));
  CHECK_FALSE(term_named("nothing of the kind"));
  CHECK_FALSE(term_named(""));
}

TEST_CASE("A name is found by a part of it, by its words in any order and form, and by an abbreviation in it") {
  for (const auto& [typed, name] : {std::pair{"online", "online softmax"},
                                    {"softmax online", "online softmax"},
                                    {"rescaling", "Skip the rescale, skip the max"},
                                    {"flash attention", "It says FlashAttention"},
                                    {"flash decoding", "split-KV (Flash-Decoding)"},
                                    {"Tensor Cores", "Twice the tensor cores"},
                                    {"FA3", "FA3 stops waiting for memory"},
                                    {"mla", "MLA's cache"},
                                    {"what is needed of S", "What is needed of S?"}}) {
    CAPTURE(typed);
    CHECK(names_it(typed, name));
  }
  for (const auto& [typed, name] : {std::pair{"cau", "Causal tiles"},
                                    {"the", "Draw the roofline"},
                                    {"", "Draw the roofline"},
                                    {"online max", "online softmax"},
                                    {"paged attention", "Ring Attention"},
                                    {"rope", "For opening"}}) {
    CAPTURE(typed);
    CHECK_FALSE(names_it(typed, name));
  }
  REQUIRE_FALSE(terms_with("online").empty());
  CHECK(terms_with("online").front() == term_named("online softmax"));
  CHECK(terms_with("").size() == glossary().size());
}

TEST_CASE("A text has words that begin its own, in any form and order, and none that stand within another") {
  const std::string_view text = "Softmax, written plainly, sweeps over the row; FA3 does not.";
  for (const char* words : {"sweep", "sweeping", "row sweeps", "FA3", "fa3", "soft"}) {
    CAPTURE(std::string(words));
    CHECK(has_words(words, text));
  }
  for (const char* words : {"weeps", "max", "the", "pass", "", "sweeps twice", "FA2"}) {
    CAPTURE(std::string(words));
    CHECK_FALSE(has_words(words, text));
  }
}

TEST_CASE("Entries at fault are left out and named") {
  std::vector<std::string> faults;
  const std::vector<Term> terms = read_glossary(
      "[[term]]\nid = \"good\"\nname = \"Good\"\nmeaning = \"It is good.\"\naliases = [\"fine\"]\n"
      "[[term]]\nid = \"fine\"\nname = \"Fine\"\nmeaning = \"Taken.\"\n"
      "[[term]]\nid = \"Bad Id\"\nname = \"x\"\nmeaning = \"A sentence.\"\n"
      "[[term]]\nid = \"nothing\"\nname = \"x\"\n"
      "[[term]]\nid = \"open\"\nname = \"x\"\nmeaning = \"no stop\"\n"
      "[[term]]\nid = \"more\"\nname = \"x\"\nmeaning = \"A sentence.\"\ncolour = 1\n",
      "g.toml", faults);
  REQUIRE(terms.size() == 1);
  CHECK(terms[0].id == "good");
  CHECK(faults.size() == 5);
  for (const std::string& fault : faults) CHECK(fault.starts_with("g.toml:"));
}

}  // namespace tilewalk::test_glossary
