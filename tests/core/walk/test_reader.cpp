// Reading .walk texts: what may be typed, what is refused and where, and the page that says so.
#include "core/walk/reader.h"

#include "core/io/embedded.h"
#include "core/io/file.h"
#include "core/schedules/schedule.h"
#include "core/walk/page.h"
#include "core/walk/words.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace tilewalk::test_reader {

namespace {

std::string key_of(std::string_view statement) {
  std::string key;
  for (const WalkToken& token : walk_tokens(statement)) key += token.text + " ";
  return key;
}

// "line:column: sentence" of the first fault.
std::string fault_of(std::string_view text) {
  const WalkRead read = read_walk(text);
  if (read.program) return "";
  REQUIRE(!read.faults.empty());
  const WalkFault& fault = read.faults[0];
  return std::to_string(fault.line) + ":" + std::to_string(fault.column) + ": " + fault.message;
}

const std::string kFa2 = std::string(embedded_file("core/schedules/fa2.walk"));

std::string with(std::string_view from, std::string_view to) {
  std::string text = kFa2;
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("every step of the vocabulary can be written, and by its own formula where that is one") {
  std::set<StepKind> written;
  for (const WalkForm& form : walk_forms()) {
    written.insert(form.kind);
    if (form.then) written.insert(*form.then);
    CHECK(walk_form(walk_tokens(form.typed)) == &form);
  }
  for (int t = 0; t < kTensorCount; ++t) {
    if (const auto kind = load_of(Tensor(t))) written.insert(*kind);
    if (const auto kind = store_of(Tensor(t))) written.insert(*kind);
  }
  written.insert({StepKind::LoadPart, StepKind::StorePart});  // of two tensors
  int by_formula = 0;
  for (const StepInfo& info : vocabulary()) {
    INFO(info.name);
    CHECK(written.contains(info.kind));
    if (const WalkForm* form = walk_form(walk_tokens(info.formula))) {
      CHECK(form->kind == info.kind);
      ++by_formula;
    } else {  // moves, roundings, and formulas of two statements
      const bool two = info.formula.find(";") != info.formula.npos || info.formula.find(", l = 0") != info.formula.npos;
      CHECK((info.formula.find("→") != info.formula.npos || info.kind == StepKind::AddDQ || two));
    }
  }
  CHECK(by_formula >= 22);
}

TEST_CASE("what is typed and what is shown are read alike") {
  CHECK(key_of("S = Q[i] K[j]^T * scale") == key_of("S = Qᵢ Kⱼᵀ · scale"));
  CHECK(key_of("m' = max(m, rowmax(S))") == key_of("m′ = max(m, rowmax S)"));
  CHECK(key_of("alpha = exp(m - m')") == key_of("α = e^(m − m′)"));
  CHECK(walk_shown("  m' = max(m, rowmax(S));  alpha = exp(m - m')  # so") ==
        "  m′ = max(m, rowmax S);  α = e^(m − m′)");
  CHECK(walk_shown("store O[i], L[i]") == "store Oᵢ, Lᵢ");
  CHECK(walk_shown("O = 0;  l = 0;  m = -inf") == "O = 0;  l = 0;  m = −∞");
  CHECK(walk_shown("pass dS = P .* (dP - D)") == "pass dS = P ∘ (dP − D)");

  // Each glyph knows where it was typed.
  const std::string_view typed = "O = alpha O + P V[j]";
  const ShownWalk glyphs = walk_with_glyphs(typed);
  REQUIRE(glyphs.typed.size() == glyphs.text.size());
  CHECK(glyphs.text == "O = α O + P Vⱼ");
  const auto typed_at = [&](std::string_view glyph) { return glyphs.typed[glyphs.text.find(glyph)]; };
  CHECK(typed_at("α") == typed.find("alpha"));
  CHECK(typed_at("O +") == typed.find("O +"));
  CHECK(typed_at("ⱼ") == typed.find("[j]"));
  // The text with all its glyphs is the same program.
  std::string shown;
  const WalkRead read = read_walk(kFa2);
  for (const std::string& line : read.program->code) shown += line + "\n";
  REQUIRE(read_walk(shown).program);
  const Problem p;
  const Schedule a = own_schedule(*read_walk(kFa2).program), b = own_schedule(*read_walk(shown).program);
  CHECK(steps_of(a, make_plan(a, p, VariantId::Paper)) == steps_of(b, make_plan(b, p, VariantId::Paper)));
}

TEST_CASE("summands, and what is a number a row in them, stand in any order") {
  const auto steps = [](const std::string& text) {
    const WalkRead read = read_walk(text);
    REQUIRE_MESSAGE(read.program, (read.faults.empty() ? "" : read.faults.front().message));
    const Schedule schedule = own_schedule(*read.program);
    return steps_of(schedule, make_plan(schedule, Problem(), VariantId::Paper));
  };
  const auto wanted = steps(std::string(kFa2));
  for (const auto& [from, to] : {std::pair("l = alpha l + rowsum(P)", "l = l alpha + rowsum(P)"),
                                 {"l = alpha l + rowsum(P)", "l = rowsum(P) + l * alpha"},
                                 {"O = alpha O + P V[j]", "O = P V[j] + alpha O"},
                                 {"O = alpha O + P V[j]", "O = O alpha + P V[j]"},
                                 {"L = m + log(l)", "L = log(l) + m"},
                                 {"S = Q[i] K[j]^T * scale", "S = scale * Q[i] K[j]^T"}})
    CHECK(steps(with(from, to)) == wanted);
  // Matrices do not.
  CHECK_FALSE(fault_of(with("O = alpha O + P V[j]", "O = alpha O + V[j] P")).empty());
  CHECK_FALSE(fault_of(with("S = Q[i] K[j]^T * scale", "S = K[j]^T Q[i] * scale")).empty());
}

TEST_CASE("a fault names its line, its column and what to do") {
  CHECK(fault_of("") == "1:1: there is no loop here, and so nothing to do.");
  CHECK(fault_of("load Q[i]\n") == "1:1: this stands in no loop: of which tile is it said?");
  CHECK(fault_of(with("P = exp(S - m')", "P = exp(S - M)")) ==
        "9:5: the nearest statement is \"P = exp(S - m)\"; \"P = exp(S - M)\" is none.");
  // As it was typed, signs and what stands beside it included.
  CHECK(fault_of(with("P = exp(S - m')", "α = 2; P =  exp(S − M) # so")).find("\"α = 2\" is none") !=
        std::string::npos);
  CHECK(fault_of(with("P = exp(S - m')", "P =  exp(S − M)  # so")).find("\"P = exp(S − M)\" is none") !=
        std::string::npos);
  // What people write who know it from elsewhere.
  const auto says = [&](const char* before, const char* typed, std::string_view words) {
    const std::string fault = fault_of(with(before, typed));
    CHECK_MESSAGE(fault.find(words) != std::string::npos, fault);
  };
  says("m' = max(m, rowmax(S))", "m_new = max(m, rowmax(S))", "the nearest statement is \"m' = max(m, rowmax(S))\"");
  says("P = exp(S - m')", "P = exp(S - m_new)", "the nearest statement is \"P = exp(S - m')\"");
  says("O = O / l", "O /= l", "the nearest statement is \"O = O / l\"");
  says("l = alpha l + rowsum(P)", "l += rowsum(P)", "the nearest statement is \"l = l + rowsum(P)\"");
  says("P = exp(S - m')", "m = m'; P = exp(S - m')", "m' is m from the next tile on by itself");
  says("alpha = exp(m - m')", "alpha = exp(m' - m)", "m' is never less than m");
  says("O = alpha O + P V[j]", "O = alpha (O + P V[j])", "alpha belongs to the O before it alone");
  says("O = alpha O + P V[j]", "O = O / alpha + P V[j]", "multiply by it");
  says("load K[j], V[j]", "load K[j], V[j] m = -inf", "a new statement begins at \"m\": put ; before it");
  says("for each Q tile i, in parallel:", "for each Q tile i, in parallell:", "the nearest is \"in parallel\"");
  says("that i sees, in any order:", "that i see, in any order:", "is not understood");
  CHECK(fault_of(with("load K[j]", "load K[")).find("the brackets are not closed") != std::string::npos);
  CHECK(fault_of("for each Q tile i:\n  load Q[i]\n load K[j]\n").find("1 space in") != std::string::npos);
  CHECK(fault_of(with("P = exp(S - m')", "P = exp(S - m)")) ==
        "9:1: m is the max before this tile here, and S can lie above it: write P = exp(S - m').");
  CHECK(fault_of(with("load K[j], V[j]", "load K[i], V[j]")) == "6:10: a tile of K is K[j].");
  CHECK(fault_of(with("load K[j], V[j]", "load K[j] V[j]")) == "6:15: a comma is missing before \"V\".");
  CHECK(fault_of(with("load K[j], V[j]", "load K[j],")) == "6:14: what to load is missing.");
  CHECK(fault_of(with("store O[i], L[i]", "store Q[i]")) ==
        "12:9: there is nothing to store that is called \"Q\"; write for instance store O[i].");
  CHECK(fault_of(with("l = 0;  ", "")) == "4:23: m = -inf needs l = 0 beside it or in the next line.");
  CHECK(fault_of(with("alpha = exp(m - m')", "")) ==
        "8:5: m' = max(m, rowmax(S)) needs alpha = exp(m - m') beside it or in the next line.");
  CHECK(fault_of(with("load Q[i];", "load Q[i], K[j];")) == "4:1: K[j] stands in no loop over K/V tiles: which j?");
  CHECK(fault_of(with("that i sees, in any order", "that i likes")) ==
        "5:22: \"that i likes\" is not understood behind a loop; there are \"of split s\", \"that i sees\", "
        "\"in parallel\", \"last to first\", \"in any order\".");
  says(" that i sees, in any order", ", in any order, that i sees", "\"that i sees\" stands right behind the tile");
  says("for each Q tile i, in parallel", "for each split s in range(4)", "a loop over splits is");
  CHECK(fault_of(with("  for each K/V tile j", "  for each Q tile i")) != "");
  CHECK(fault_of(with("    O = alpha O", "      O = alpha O")) ==
        "10:7: this line stands 6 spaces in, and those before it in its block 4.");
  CHECK(fault_of(with("    O = alpha O", "\tO = alpha O")).find("tab") != std::string::npos);
  CHECK(fault_of("for e") == "1:1: a loop is \"for each Q tile i:\" or \"for each K/V tile j:\", with a colon.");
  CHECK(fault_of("pass one for each Q tile i:\n  load Q[i]").starts_with("1:10: a pass has its name and no more"));
}

TEST_CASE("the nearest statement makes the same tensor") {
  CHECK(fault_of(with(" * scale", "")).find("the nearest statement is \"S = Q[i] K[j]^T * scale\"") !=
        std::string::npos);
  CHECK(fault_of(with("l = alpha l + rowsum(P)", "l = l + w")).find("the nearest statement is \"l = alpha l + w\"") !=
        std::string::npos);
}

TEST_CASE("a loop that is not understood is one fault, and its lines are none") {
  for (const char* bad : {"for each Q tiles i, in parallel:", "for every Q tile i:", "do:", "for each split s of 1:"}) {
    const WalkRead read = read_walk(with("for each Q tile i, in parallel:", bad));
    CAPTURE(bad);
    REQUIRE(read.faults.size() == 1);
    CHECK(read.faults[0].line == 3);
  }
}

TEST_CASE("a stranger's text is bounded") {
  CHECK(fault_of(std::string(kMostWalkBytes + 1, ' ')).find("bytes") != std::string::npos);
  CHECK(fault_of("for each Q tile i:  # " + std::string(300, 'x')).find("bytes") != std::string::npos);
  std::string many = "for each Q tile i:\n";
  for (size_t k = 0; k < kMostWalkLines; ++k) many += "  O = 0\n";
  CHECK(fault_of(many).find("lines") != std::string::npos);
  std::string loops;
  for (size_t k = 0; k < kMostWalkNests + 1; ++k) loops += "for each Q tile i:  O = 0\n";
  CHECK(fault_of(loops).find("stand in no other") != std::string::npos);
  std::string deep = "for each Q tile i:\n";
  for (size_t k = 1; k < 12; ++k) deep += std::string(k, ' ') + "if i sees a key:\n";
  CHECK(fault_of(deep).find("too deep") != std::string::npos);
  std::string faulty = "for each Q tile i:\n";
  for (int k = 0; k < 100; ++k) faulty += "  nonsense\n";
  CHECK(read_walk(faulty).faults.size() == kMostWalkFaults);
}

TEST_CASE("the page of the language is the one that its tables make") {
  const std::string path = TILEWALK_SOURCE_DIR "/docs/walk-language.md";
  if (std::getenv("TILEWALK_WRITE_PAGES")) std::ofstream(path) << walk_language_page();
  CHECK_MESSAGE(read_file(path) == walk_language_page(), "renew it: TILEWALK_WRITE_PAGES=1 build/bin/walk_tests");
  // Its example is FA2 as it ships.
  std::string bare;
  for (size_t at = 0; at < kFa2.size(); at = kFa2.find('\n', at) + 1)
    if (kFa2[at] != '#') bare += kFa2.substr(at, kFa2.find('\n', at) + 1 - at);
  CHECK(walk_language_page().find("```\n" + bare + "```") != std::string::npos);
}

}  // namespace tilewalk::test_reader
