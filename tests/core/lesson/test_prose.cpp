#include "core/lesson/control_words.h"
#include "core/lesson/prose.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_prose {

namespace {

// Spans in one line: quantities as {x|f}, code as `x`, strong and emphasis as *x* and _x_, links as x->target.
std::string shown(const std::vector<Span>& spans) {
  std::string out;
  for (const Span& span : spans) {
    std::string text = span.text;
    if (span.kind == Span::Kind::Quantity) text = "{" + text + "|" + span.format + "}";
    if (span.kind == Span::Kind::Code) text = "`" + text + "`";
    if (span.kind == Span::Kind::Break) text = "/";
    if (span.strong) text = "*" + text + "*";
    if (span.emphasis) text = "_" + text + "_";
    if (!span.target.empty()) text += "->" + span.target;
    out += text;
  }
  return out;
}

std::string first(std::string_view markdown) {
  const Prose prose = read_prose(markdown);
  REQUIRE_FALSE(prose.empty());
  return shown(prose[0].spans);
}

}  // namespace

TEST_CASE("Quantities are spans of their own") {
  CHECK(first("It moves {{moved | bytes}} in {{ wait }}.") == "It moves {moved|bytes} in {wait|}.");
  CHECK(first("**{{a}}** and _{{b|time}}_") == "*{a|}* and _{b|time}_");
}

TEST_CASE("What Markdown would read as markup may stand in an expression") {
  CHECK(first("a {{8 * N * N | bytes}} b {{8 * N ^ 2 < _x_ | count}} c") ==
        "a {8 * N * N|bytes} b {8 * N ^ 2 < _x_|count} c");
  const Prose table = read_prose("| a | b |\n|---|---|\n| {{x | bytes}} | {{y}} |\n");
  REQUIRE(table.size() == 1);
  REQUIRE(table[0].kind == Block::Kind::Table);
  REQUIRE(table[0].rows.size() == 2);
  REQUIRE(table[0].rows[1].size() == 2);
  CHECK(shown(table[0].rows[0][1]) == "b");
  CHECK(shown(table[0].rows[1][0]) == "{x|bytes}");
  CHECK(shown(table[0].rows[1][1]) == "{y|}");
}

TEST_CASE("What does not close on its line is text, and in code it stays as it is written") {
  CHECK(first("a {{x\ny}} b") == "a {{x y}} b");
  CHECK(first("a {{x} b") == "a {{x} b");
  CHECK(first("`{{x | f}}`") == "`{{x | f}}`");
  const Prose code = read_prose("```cpp\na{{1}};\n```\n");
  REQUIRE(code.size() == 1);
  CHECK(code[0].code == "a{{1}};\n");
  CHECK(code[0].language == "cpp");
}

TEST_CASE("As many braces as a file can hold are read at once") {
  // Half a million that wait for one end: each must not look for it anew.
  const std::string braces(1 << 20, '{');
  CHECK(first(braces + "\nx").ends_with("{ x"));
  CHECK(first("{{a}} {{ {{b}} }}") == "{a|} {{{b|} }}");
  CHECK(first("{{{a}}}") == "{{a|}}");
}

TEST_CASE("Links carry their target, also around a quantity") {
  CHECK(first("[K tile](tile:K/2) and [{{x}}](reading:time).") == "K tile->tile:K/2 and {x|}->reading:time.");
  CHECK(first("[it](<step:first rescale of Q tile 1>)") == "it->step:first rescale of Q tile 1");
  CHECK(first("[a](https://example.org/?a=1&amp;b=2)") == "a->https://example.org/?a=1&b=2");
}

TEST_CASE("Blocks have their kind, depth, ordinal and line") {
  const Prose prose = read_prose(
      "Text\n"
      "goes on.\n"
      "\n"
      "### Part\n"
      "- one\n"
      "  - inner\n"
      "- two\n"
      "\n"
      "3. three\n"
      "4. four\n"
      "\n"
      "> said\n"
      "\n"
      "```\n"
      "code\n"
      "```\n",
      101);
  REQUIRE(prose.size() == 9);
  const auto is = [&](size_t at, Block::Kind kind, int level, int ordinal, int line, std::string_view text) {
    CAPTURE(at);
    CHECK(prose[at].kind == kind);
    CHECK(prose[at].level == level);
    CHECK(prose[at].ordinal == ordinal);
    CHECK(prose[at].line == line);
    CHECK(shown(prose[at].spans) == text);
  };
  using enum Block::Kind;
  is(0, Paragraph, 0, 0, 101, "Text goes on.");
  is(1, Heading, 3, 0, 104, "Part");
  is(2, Item, 0, 0, 105, "one");
  is(3, Item, 1, 0, 106, "inner");
  is(4, Item, 0, 0, 107, "two");
  is(5, Item, 0, 3, 109, "three");
  is(6, Item, 0, 4, 110, "four");
  is(7, Quote, 0, 0, 112, "said");
  CHECK(prose[8].kind == Code);
  CHECK(prose[8].code == "code\n");
  CHECK(prose[8].line == 114);
}

TEST_CASE("Entities, HTML, hard breaks and bytes that are no text do no harm") {
  CHECK(first("a &amp; b &#955; &#x3bb; &bogus;") == "a & b λ λ &bogus;");
  CHECK(first("<b>bold</b>") == "<b>bold</b>");
  CHECK(first("a  \nb") == "a/b");
  CHECK(first(std::string_view("a\0b", 3)) ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(first("a\xFF"
              "b") ==
        "a\xEF\xBF\xBD"
        "b");
  // The characters that hold a quantity's place cannot be smuggled in.
  CHECK(first("\xEE\x80\x80"
              "0\xEE\x80\x81 {{x}}") ==
        "\xEF\xBF\xBD"
        "0\xEF\xBF\xBD {x|}");
  CHECK(read_prose("").empty());
}

TEST_CASE("Words are counted as a reader counts them") {
  const auto words = [](std::string_view text) { return count_words(read_prose(text)); };
  CHECK(words("") == 0);
  CHECK(words("One **two**, three.") == 3);
  CHECK(words("half**way** there") == 2);
  CHECK(words("moves {{x | bytes}} of `S` - now") == 5);
  CHECK(words("| a b | c |\n|---|---|\n| d | {{e}} |") == 5);
  CHECK(words("α = e^-2") == 2);
  CHECK(words("```\nnot a word\n```") == 0);
}

TEST_CASE("What stands between [[ and ]] is the window's alone: read there, left out on paper") {
  const auto words = [](const Prose& prose) {
    std::string out;
    for (const Block& block : prose)
      for (const Span& span : block.spans) out += span.kind == Span::Kind::Quantity ? "#" : span.text;
    return out;
  };
  const auto both = [&](std::string_view text) {
    const Prose prose = read_prose(text);
    return words(prose) + " / " + words(without_controls(prose));
  };
  CHECK(both("It waits. [[Try other GPUs.]]") == "It waits. Try other GPUs. / It waits.");
  CHECK(both("[[Set Bc to {{64}}:]] tiles are half as wide.") ==
        "Set Bc to #: tiles are half as wide. / Tiles are half as wide.");
  CHECK(both("Fill it. [[Lift [K](tile:K/0) up.]] Does **it** fit?") ==
        "Fill it. Lift K up. Does it fit? / Fill it. Does it fit?");
  CHECK(both("Other rows are masked[[: switch the alignment]].") ==
        "Other rows are masked: switch the alignment. / Other rows are masked.");
  CHECK(both("[[Alone.]]") == "Alone. / ");
  // What does not close in its paragraph is text, and code is left alone.
  CHECK(both("A [[b.\n\nC]] d.") == "A [[b.C]] d. / A [[b.C]] d.");
  CHECK(both("`x[[1]]` and [[y") == "x[[1]] and [[y / x[[1]] and [[y");
}

TEST_CASE("A sentence that tells to use a control is found where it is not marked") {
  for (const char* told :
       {"Try other GPUs.", "It is red: drag the corner there.", "Halve d, then wait.",
        "Reverse the order, take tiles of four.", "Turn \"Last tile first\" on.", "Step (→).", "Change the GPU.",
        "\"L2 serves repeats\" off: all is read.", "Pick a row.", "Then switch it on.",
        "The third switch does nothing.", "It ends there; the stage shows 32,768.", "The stage's largest number is it.",
        "See above.", "It is at the foot of the board.", "Say it before stepping."})
    CHECK_MESSAGE(!unmarked_control(read_prose(told)[0]).empty(), told);
  for (const char* fine : {"[[Try other GPUs.]] It waits.", "Take three of them.", "A step is one tile. Turns differ.",
                           "Change is rare.", "It waits on the stages of a pipeline.", "Find the row's largest.",
                           "[[See above, before stepping.]] It waits."})
    CHECK_MESSAGE(unmarked_control(read_prose(fine)[0]).empty(), fine);
  CHECK(note_on_paper("Ask first. Drag the end of the lower bar. Most say \"half\".") ==
        "Ask first. Most say \"half\".");
  CHECK(note_on_paper("It is ready after the eighth. Then switch \"Keep S\" on and do it again.") ==
        "It is ready after the eighth.");
  CHECK(note_on_paper("They are not in it. The last switch counts them too.") == "They are not in it.");
  CHECK(note_on_paper("The law is at the foot of the board.").empty());
  CHECK(unfit_for_speaking("C in the Problem tab compares the two.") == "Problem tab");
  CHECK(unfit_for_speaking("The third question comes in variants.") == "The third question");
  CHECK(unfit_for_speaking("Ask what the third tile brings.").empty());
  // Nor where a knob stands among those below the stage.
  CHECK(unfit_for_speaking("Reverse the order while the first switch is on.") == "the first switch");
  CHECK(unfit_for_speaking("They are not in it. The last switch counts them.") == "the last switch");
  CHECK(unfit_for_speaking("It is wrong. With the second on, drag the bar.") == "with the second on");
  CHECK(unfit_for_speaking("The second knob, then.") == "the second knob");
  CHECK(unfit_for_speaking("Take the first on the list. \"Skip the max\" is a switch. The last switches.").empty());
}

TEST_CASE("Without what there is to press: such sentences go, what they say behind a colon stays") {
  CHECK(without_controls("A row of scores, not met yet. Drag a bar to change a score, a card to change the order.") ==
        "A row of scores, not met yet.");
  CHECK(without_controls("Press the button: the rescale is skipped. O = 1.5 then.") ==
        "The rescale is skipped. O = 1.5 then.");
  CHECK(without_controls("Pick a kind, then paint the tiles: skip, mask or whole?") == "Skip, mask or whole?");
  CHECK(without_controls("Step on: → or the button.") == "");
  CHECK(without_controls("Fused attention wins 4.1×. Lock it to be checked.") == "Fused attention wins 4.1×.");
  CHECK(without_controls("Points are hidden until the question is answered: they would give the answer away.") == "");
  CHECK(without_controls("Lift each thing as high as it fits: the higher, the faster.") == "The higher, the faster.");
  CHECK(without_controls("Glue the second: click its +, or Tab to it and press Enter.") == "");
  for (const char* stays : {"Tiles meet their keys once.", "A step: one tile. Then another?", "", "0.5 of it"})
    CHECK(without_controls(stays) == stays);
  const Prose prose = read_prose(
      "Step with the arrow button below. A row keeps [m](reading:m), its **largest**; {{n | count}} of them. Drag "
      "{{n}} "
      "bars.\n\nPress it.\n\n- one\n- click two\n");
  const Prose left = without_controls(prose);
  REQUIRE(left.size() == 2);
  std::string words;
  for (const Span& span : left[0].spans) words += span.kind == Span::Kind::Text ? span.text : "#";
  CHECK(words == "A row keeps m, its largest; # of them.");
  bool linked = false, strong = false;
  for (const Span& span : left[0].spans)
    linked |= span.target == "reading:m" && span.text == "m", strong |= span.strong && span.text == "largest";
  CHECK(linked);
  CHECK(strong);
  CHECK(left[1].spans.front().text == "one");
}

}  // namespace tilewalk::test_prose
