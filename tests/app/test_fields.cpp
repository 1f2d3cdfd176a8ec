// What is typed and chosen in the problem's form: what it does to the session, and what is said where it cannot be
// done.
#include "app/session/fields.h"
#include "app/session/number_text.h"
#include "core/attention/presets.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tilewalk::test_fields {

TEST_CASE("whole numbers as people type them") {
  struct Row {
    const char* text;
    int64_t value;
  };
  for (const Row& row : std::initializer_list<Row>{{"64", 64},
                                                   {" 64 ", 64},
                                                   {"1,024", 1024},
                                                   {"1 024", 1024},
                                                   {"1\u202F024", 1024},
                                                   {"1_024", 1024},
                                                   {"4k", 4096},
                                                   {"4 K", 4096},
                                                   {"1M", 1048576},
                                                   {"131,072", 131072},
                                                   {"-3", -3},
                                                   {"−3", -3},
                                                   {"+7", 7},
                                                   {"0", 0},
                                                   {"007", 7}}) {
    const ParsedNumber number = parse_whole(row.text, "N");
    CHECK_MESSAGE(number.fault == "", row.text);
    CHECK_MESSAGE(number.value == row.value, row.text);
  }
}

TEST_CASE("what is no number is answered with a sentence") {
  struct Row {
    const char *text, *fault;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"", "N is empty; type a number such as 64, 1,024 or 4k."},
           {"   ", "N is empty; type a number such as 64, 1,024 or 4k."},
           {"abc", "“abc” is no number; type one such as 64, 1,024 or 4k."},
           {"k", "“k” is no number; type one such as 64, 1,024 or 4k."},
           {"-", "“-” is no number; type one such as 64, 1,024 or 4k."},
           {"1e3", "“1e3” is no number; type one such as 64, 1,024 or 4k."},
           {"4kk", "“4kk” is no number; type one such as 64, 1,024 or 4k."},
           {"16.5", "N must be a whole number; “16.5” is not."},
           {"1,5", "“1,5” cannot be read: a comma or a space separates thousands, as in 1,024."},
           {"1024,000", "“1024,000” cannot be read: a comma or a space separates thousands, as in 1,024."},
           {",024", "“,024” cannot be read: a comma or a space separates thousands, as in 1,024."},
           {"99999999999999999999", "“99999999999999999999” is far too large for N."},
           {"9999999999999999k", "“9999999999999999k” is far too large for N."},
           {"ééééééééééééééééééééé", "“éééééééééééé…” is no number; type one such as 64, 1,024 or 4k."}}) {
    CHECK_MESSAGE(parse_whole(row.text, "N").fault == row.fault, row.text);
  }
}

TEST_CASE("seeds and scales") {
  CHECK(parse_seed("18446744073709551615").value == 18446744073709551615u);
  for (const char* text : {"", "-1", "4.0", "18446744073709551616", "x"})
    CHECK_MESSAGE(parse_seed(text).fault != "", text);
  CHECK(parse_scale("0.125").value == 0.125);
  for (const char* text : {"", "auto", "1/√d", " 1/√d "}) {
    CHECK(parse_scale(text).value == 0);
    CHECK(parse_scale(text).fault == "");
  }
  for (const char* text : {"0", "inf", "nan", "big", "1.5x"}) CHECK_MESSAGE(parse_scale(text).fault != "", text);
}

TEST_CASE("a good number changes the walk, and keys follow queries while they are equal") {
  Session session;
  ViewState view;
  CHECK(field_text(session, view, "n_q") == "16");
  CHECK(apply_field(session, view, "n_q", "1,024").empty());
  CHECK(session.problem().n_q == 1024);
  CHECK(session.problem().n_k == 1024);
  CHECK(field_text(session, view, "n_k") == "1,024");
  CHECK(apply_field(session, view, "n_k", "32").empty());
  CHECK(apply_field(session, view, "n_q", "8").empty());
  CHECK(session.problem().n_q == 8);
  CHECK(session.problem().n_k == 32);
  CHECK(view.typed.empty());
  CHECK(view.refused.empty());
  CHECK(session.setup().preset.empty());
}

TEST_CASE("a refused number keeps the walk, the text and the reason") {
  Session session;
  ViewState view;
  const int64_t generation = session.generation();
  struct Row {
    const char *field, *text, *says;
  };
  for (const Row& row : std::initializer_list<Row>{{"n_q", "0", "N (queries) is 0; it must lie between 1 and"},
                                                   {"n_q", "-4", "N (queries) is -4; it must lie between 1 and"},
                                                   {"n_k", "99,999,999", "it must lie between 1 and"},
                                                   {"d", "0", "d is 0"},
                                                   {"d", "4096", "d is"},
                                                   {"br", "0", "Br is 0"},
                                                   {"bc", "-1", "Bc is -1"},
                                                   {"br", "four", "“four” is no number"},
                                                   {"n_q", "16.5", "N (queries) must be a whole number"},
                                                   {"seed", "x", "“x” is no seed"},
                                                   {"scale", "0", "would make all scores equal"},
                                                   {"n_q", "128k", "Counts are exact at any size."}}) {
    CAPTURE(std::string(row.text));
    const std::vector<Fault> faults = apply_field(session, view, row.field, row.text);
    REQUIRE_FALSE(faults.empty());
    CHECK(session.generation() == generation);
    CHECK(field_text(session, view, row.field) == row.text);
    REQUIRE(view.refused.contains(row.field));
    CHECK_MESSAGE(view.refused[row.field].find(row.says) != std::string::npos, view.refused[row.field]);
    apply_choice(session, view, "pending", "drop");
    CHECK(view.refused.empty());
    CHECK(field_text(session, view, row.field) != row.text);
  }
}

TEST_CASE("tiles that do not fit name the bytes needed and the bytes there") {
  Session session;
  ViewState view;
  CHECK(apply_choice(session, view, "machine", "toy").empty());
  CHECK(apply_field(session, view, "d", "64").size() == 1);
  const std::string says = view.refused.begin()->second;
  CHECK_MESSAGE(says.find("Toy chip has 1,024 bytes") != std::string::npos, says);
  CHECK(view.refused.contains("br"));
  CHECK(session.problem().d == 8);
  // Smaller tiles make it fit; both wishes come true together.
  CHECK(apply_field(session, view, "br", "2").size() == 1);
  CHECK(apply_field(session, view, "bc", "2").empty());
  CHECK(session.problem().d == 64);
  CHECK(session.problem().br == 2);
  CHECK(view.typed.empty());
}

TEST_CASE("a wish beside a text that is no number is carried out") {
  Session session;
  ViewState view;
  CHECK_FALSE(apply_field(session, view, "d", "x").empty());
  CHECK(apply_choice(session, view, "mask", "causal").empty());
  CHECK(session.problem().mask == Mask::Causal);
  CHECK(field_text(session, view, "d") == "x");
  CHECK(view.refused.contains("d"));
}

TEST_CASE("a text that is no number does not hide the faults of other fields") {
  Session session;
  ViewState view;
  apply_field(session, view, "n_q", "abc");
  apply_field(session, view, "br", "0");
  CHECK(view.refused.contains("n_q"));
  CHECK(view.refused.contains("br"));
  apply_field(session, view, "d", "5000");
  CHECK(view.refused.contains("n_q"));
  CHECK(view.refused.contains("br"));
  CHECK(view.refused.contains("d"));
  CHECK(session.problem().br == 4);
}

TEST_CASE("wishes for a problem that is only counted are counted together") {
  Session session;
  ViewState view;
  CHECK_FALSE(apply_field(session, view, "n_q", "128k").empty());
  CHECK_FALSE(apply_field(session, view, "d", "128").empty());
  CHECK_FALSE(apply_choice(session, view, "mask", "causal").empty());
  CHECK(choice_value(session, view, "mask") == "causal");
  CHECK(field_text(session, view, "n_k") == "131,072");
  CHECK(session.problem().d == 8);
  CHECK(session.problem().mask == Mask::Full);
  Problem big = session.problem();
  big.n_q = big.n_k = 131072;
  big.d = 128;
  big.mask = Mask::Causal;
  REQUIRE(session.counted());
  const Schedule& schedule = schedule_of(Method::Fa2);
  CHECK(session.counted()->total == count(schedule, make_plan(schedule, big, VariantId::Paper)).total);
  CHECK(apply_field(session, view, "n_q", "64").empty());
  CHECK(session.problem().d == 128);
  CHECK(session.problem().mask == Mask::Causal);
}

TEST_CASE("what would take long to count is not counted while somebody waits") {
  Session session;
  ViewState view;
  apply_choice(session, view, "schedule", "fa1");
  apply_choice(session, view, "mask", "causal");
  for (const char* field : {"br", "bc", "d"}) apply_field(session, view, field, "64");
  apply_field(session, view, "n_q", "1M");
  CHECK(session.counted());
  apply_field(session, view, "n_q", "16M");
  CHECK(view.refused["n_q"].find("too many to count at once") != std::string::npos);
  CHECK_FALSE(session.counted());
}

TEST_CASE("choices") {
  Session session;
  ViewState view;
  for (const auto& [field, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"mask", "causal"},
                                                                  {"schedule", "fa1"},
                                                                  {"schedule", "standard"},
                                                                  {"variant", "kernel"},
                                                                  {"compare", "fa1"},
                                                                  {"arithmetic", "kernel"},
                                                                  {"format", "bf16"},
                                                                  {"distribution", "outliers"},
                                                                  {"machine", "a100"},
                                                                  {"align", "top-left"},
                                                                  {"compare", "none"},
                                                                  {"preset", "causal"}}) {
    CAPTURE(std::string(value));
    CHECK(apply_choice(session, view, field, value).empty());
    CHECK(choice_value(session, view, field) == value);
  }
  // The compared schedule is never the one on the stage.
  CHECK(apply_choice(session, view, "schedule", "fa2").empty());
  CHECK(apply_choice(session, view, "compare", "fa1").empty());
  CHECK_FALSE(apply_choice(session, view, "compare", "fa2").empty());
  CHECK(apply_choice(session, view, "schedule", "fa1").empty());
  REQUIRE(session.setup().compared);
  CHECK(*session.setup().compared == Method::Fa2);
  for (const auto& [field, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"mask", "striped"},
                                                                  {"schedule", "fa9"},
                                                                  {"machine", ""},
                                                                  {"preset", "none"},
                                                                  {"distribution", "custom"},
                                                                  {"format", "e4m3"},
                                                                  {"shoe", "42"}}) {
    CAPTURE(std::string(value));
    CHECK_FALSE(apply_choice(session, view, field, value).empty());
    CHECK_FALSE(view.refused.empty());
    apply_choice(session, view, "pending", "drop");
  }
}

TEST_CASE("inputs of one's own fix N and d") {
  Session session;
  ViewState view;
  CHECK(session.edit(Tensor::K, 3, 2, 5.0).empty());
  for (const char* field : {"n_q", "n_k", "d"}) {
    CHECK_FALSE(apply_field(session, view, field, "32").empty());
    CHECK(view.refused[field].find("come with these inputs (typed)") != std::string::npos);
    CHECK(field_text(session, view, field) != "32");
  }
  view.refused.clear();
  CHECK(apply_field(session, view, "br", "8").empty());
  CHECK(session.inputs().k.at(3, 2) == 5.0);
  CHECK(apply_choice(session, view, "distribution", "integers").empty());
  CHECK(apply_field(session, view, "d", "16").empty());
}

TEST_CASE("the playhead stays on its step where there is one") {
  Session session;
  ViewState view;
  const auto step = [&] { return session.walk().replay.steps()[size_t(view.playhead - 1)]; };
  view.playhead = 67;
  view.from = 66;
  const Step before = step();
  CHECK(apply_field(session, view, "seed", "9").empty());  // other numbers, the same program
  CHECK(view.playhead == 67);
  CHECK(apply_choice(session, view, "schedule", "fa1").empty());  // another program on the same tiles
  CHECK(step().i == before.i);
  CHECK(step().j == before.j);
  CHECK(step().kind == before.kind);
  view.row = 15;
  CHECK(apply_field(session, view, "n_q", "8").empty());  // other tiles: from the start
  CHECK(view.playhead == 0);
  CHECK(view.row == 7);
}

TEST_CASE("what each field of a setup says of itself it also takes") {
  Session session;
  for (const Preset& preset : presets()) {
    Setup setup = session.setup();
    setup.problem = preset.problem;
    for (const SetupField& field : setup_fields()) {
      Setup again = setup;
      CHECK_MESSAGE(put_field(again, field.name, field.value(setup)).empty(), field.name);
      CHECK_MESSAGE(field.value(again) == field.value(setup), field.name);
      CHECK_MESSAGE((again.problem == setup.problem && again.schedule == setup.schedule), field.name);
      if (field.size) CHECK_MESSAGE(field.value(setup) == std::to_string(setup.problem.*field.size), field.name);
      const std::vector<Fault> faults = put_field(again, field.name, "banana");
      REQUIRE_MESSAGE(faults.size() == 1, field.name);
      CHECK(faults[0].field == field.name);
      CHECK_FALSE(faults[0].message.empty());
    }
  }
  // Each key of links stands for one field.
  for (const SetupField& field : setup_fields())
    CHECK(std::ranges::count(setup_fields(), field.name, &SetupField::name) == 1);
}

}  // namespace tilewalk::test_fields
