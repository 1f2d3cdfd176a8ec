#include "core/quantity/quantity.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_expression {

namespace {

std::optional<Quantity> names(std::string_view name) {
  if (name == "N") return Quantity{4096, "", Origin::Computed, ""};
  if (name == "moved") return Quantity{2000, "byte", Origin::Computed, "counted"};
  if (name == "rate") return Quantity{100, "byte/s", Origin::Published, "a datasheet"};
  if (name == "took") return Quantity{3, "s", Origin::Measured, "here, now"};
  if (name == "stage.dram-time") return Quantity{7, "s", Origin::Model, ""};
  if (name == "stage.dram") return Quantity{9, "s", Origin::Model, ""};
  if (name == "fa2") return Quantity{1, "", Origin::Computed, ""};
  return std::nullopt;
}

Quantity of(std::string_view text) {
  CAPTURE(std::string(text));
  const Evaluated result = evaluate(text, names);
  if (!result.quantity) FAIL_CHECK(result.fault);
  CHECK(result.fault.empty());
  return result.quantity.value_or(Quantity{});
}

std::string fault(std::string_view text) {
  const Evaluated result = evaluate(text, names);
  CHECK_FALSE(result.quantity);
  CHECK(result.fault.ends_with('.'));
  return result.fault;
}

}  // namespace

TEST_CASE("Operators bind as in mathematics") {
  CHECK(of("1 + 2 * 3").value == 7);
  CHECK(of("(1 + 2) * 3").value == 9);
  CHECK(of("2 ^ 3 ^ 2").value == 512);
  CHECK(of("-2 ^ 2").value == -4);
  CHECK(of("2 * -3").value == -6);
  CHECK(of("2 ^ -1").value == 0.5);
  CHECK(of("10 - 4 - 3").value == 3);
  CHECK(of("8 / 4 / 2").value == 1);
  CHECK(of(" 1e3+.5 ").value == 1000.5);
  CHECK(of("2^53").value == 9007199254740992.0);
  CHECK(of("1 + 1 == 2").value == 1);
  CHECK(of("3 < 2").value == 0);
  CHECK(of("2 <= 2").value == 1);
  CHECK(of("2 != 2").value == 0);
  CHECK(of("true").value == 1);
  CHECK(of("false").value == 0);
  CHECK(of("min(3, max(1, 2)) + ceil(0.2) + floor(1.9) + round(2.5) + abs(-1)").value == 2 + 1 + 1 + 3 + 1);
  CHECK(of("sqrt(16) + log(exp(2)) + log2(8)").value == doctest::Approx(9));
}

TEST_CASE("Names are looked up, and a name with a hyphen where it is known") {
  CHECK(of("N - 1").value == 4095);
  CHECK(of("N-1").value == 4095);
  CHECK(of("stage.dram-time").value == 7);
  CHECK(of("stage.dram-N").value == 9 - 4096);
  CHECK(fault("n") == "\"n\" is not known here.");
  CHECK(fault("stage.none") == "\"stage.none\" is not known here.");
  CHECK(fault("published.none") == "\"published.none\" is not known here.");
}

TEST_CASE("Units are carried along") {
  CHECK(of("moved / rate").unit == "s");
  CHECK(of("moved / rate").value == 20);
  CHECK(of("moved / moved").unit.empty());
  CHECK(of("rate * took").unit == "byte");
  CHECK(of("moved + 100").unit == "byte");
  CHECK(of("100 - moved").unit == "byte");
  CHECK(of("moved ^ 2 / moved").unit == "byte");
  CHECK(of("1 / took").unit == "1/s");
  CHECK(of("moved < 3000").unit.empty());
  CHECK(of("flop(N=64, d=8) / traffic(fa2, N=64, d=8)").unit == "flop/byte");
  CHECK(fault("moved + took") == "byte and s cannot be added.");
  CHECK(fault("moved < took") == "byte and s cannot be compared.");
  CHECK(fault("2 ^ took") == "an exponent has no unit.");
  CHECK(fault("moved ^ 0.5") == "byte can be raised to whole powers only.");
}

TEST_CASE("The origin of a mix is the later one, and its source comes first") {
  CHECK(of("1 + N").origin == Origin::Computed);
  CHECK(of("moved / took").origin == Origin::Measured);
  CHECK(of("moved / took").source == "here, now; counted");
  CHECK(of("took - stage.dram").origin == Origin::Measured);
  CHECK(of("rate * 2").origin == Origin::Published);
  CHECK(of("min(took, stage.dram)").origin == Origin::Measured);
  CHECK(of("ceil(rate)").origin == Origin::Published);
  // Nobody published this time: it follows from a published rate.
  CHECK(of("moved / rate").origin == Origin::Model);
  CHECK(of("moved / rate").source == "a datasheet; counted");
  // What a count was asked with passes on where it comes from.
  CHECK(of("flop(N=round(took * 100))").origin == Origin::Measured);
}

TEST_CASE("A function's words are words, whatever names are known") {
  CHECK(of("traffic(fa2, N=1024, d=64)").value == 2'363'392);
  CHECK(of("traffic('fa2', N=1024, d=64)").value == 2'363'392);
  CHECK(of("traffic(fa2, N=N/4, d=64)").value == 2'363'392);
  CHECK(of("gpu(a100-80, sms)").value == 108);
}

TEST_CASE("What cannot be read is said in one sentence") {
  CHECK(fault("") == "the expression ends too soon.");
  CHECK(fault("1 +") == "the expression ends too soon.");
  CHECK(fault("(1") == ") is missing at the end.");
  CHECK(fault("1 2") == "\"2\" was not expected.");
  CHECK(fault("1,024") == "\",024\" was not expected.");
  CHECK(fault("2x") == "\"x\" is not understood.");
  CHECK(fault("1 < 2 < 3") == "\"< 3\" was not expected.");
  CHECK(fault("1 / 0") == "this divides by 0.");
  CHECK(fault("(-1) ^ 0.5") == "the result is no number.");
  CHECK(fault("1e999") == "\"1e999\" is no number.");
  CHECK(fault("no(1)") == "there is no function \"no\"; `tilewalk check --quantities` lists them.");
  CHECK(fault("min(1)") == "min takes (a, b).");
  CHECK(fault("min(1, 2, 3)") == "min takes (a, b).");
  CHECK(fault("fa1_tiles(Br, x=1)") == "fa1_tiles has no argument x; it takes (WHICH, d=, M=).");
  CHECK(fault("fa1_tiles(Br, d=1, d=2)") == "d is given twice.");
  CHECK(fault("fa1_tiles('Br") == "a quote is not closed.");
  CHECK(fault("gpu(, sms)") == "a word is missing.");
  CHECK(fault("traffic(fa7, N=16)").starts_with("traffic: \"fa7\" is no schedule; there are standard, fa1, fa2, fa3"));
  CHECK(fault("traffic(fa2)") == "traffic: N is missing.");
  CHECK(fault("traffic(fa2, N=1.5)") == "traffic: N is 1.5; it must be a whole number from 1 to 16777216.");
  CHECK(fault("traffic(fa2, N=64, mask=half)") == "traffic: mask is \"half\"; it must be one of full, causal.");
  CHECK(fault(std::string(100, '(') + "1" + std::string(100, ')')) == "the expression is nested too deeply.");
  CHECK(fault(std::string(100, '-') + "1") == "the expression is nested too deeply.");
  CHECK(fault(std::string(5000, '1')) == "an expression has at most 4096 characters.");
}

}  // namespace tilewalk::test_expression
